package models

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/screen/sample"
)

func TestRoundsAreOfferedNewestFirst(t *testing.T) {
	rounds := []label.Round{
		{ID: "01", Name: "first", Kind: label.VarianceRound, Suite: "s", Family: "f"},
		{ID: "02", Name: "other family", Kind: label.VarianceRound, Suite: "s", Family: "g"},
		{ID: "03", Name: "scenes", Kind: label.BackgroundRound, Suite: "s", Family: "f"},
		{ID: "04", Name: "blind", Kind: label.VarianceRound, Suite: "s", Family: "f", Blind: true},
		{ID: "05", Name: "blind", Kind: label.VarianceRound, Suite: "s", Family: "f", Blind: true, Closed: true},
	}
	got := choicesOf(rounds, "s", "f", false)
	want := []RoundChoice{{"05", "blind (05)", ""}, {"04", "blind (04)", blindReason}, {"01", "first", ""}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, not %+v", i, got[i], want[i])
		}
	}
	for id, want := range map[string]string{"": "05", "01": "01", "02": "05"} {
		if c, ok := pick(got, id); !ok || c.ID != want {
			t.Errorf("%q picks %s", id, c.ID)
		}
	}
	if _, ok := pick(nil, "01"); ok {
		t.Error("a round from none")
	}
}

func TestVerdicts(t *testing.T) {
	r := label.Round{ID: "R", Classes: 3, Annotators: []string{"a", "b", "c"}, Models: []string{"m0", "m1", "m2", "m3", "m4"}}
	var events []label.Event
	put := func(kind label.Kind, who, model string, v label.Value) {
		events = append(events, label.Event{
			ID: time.Unix(int64(len(events)), 0).UTC().Format(time.RFC3339), Round: "R", Kind: kind, Annotator: who, Model: model, Value: v, Pass: 1,
		})
	}
	put(label.Label, "a", "m0", label.Variant)
	put(label.Label, "b", "m0", label.Variant)
	put(label.Label, "c", "m0", label.Invariant)
	put(label.Label, "a", "m1", label.Variant)
	put(label.Label, "b", "m1", label.Invariant)
	put(label.Label, "a", "m2", label.Variant)
	put(label.Adjudicate, "a", "m2", label.Borderline)
	put(label.Label, "stranger", "m4", label.Variant)
	got := verdicts(r, events)
	for model, want := range map[string]Verdict{
		"m0": {Label: "variant", Ratings: 3, Agree: 2. / 3}, "m1": {Label: "tie", Ratings: 2, Agree: 0.5},
		"m2": {Label: "borderline", Final: true, Ratings: 1, Agree: 1}, "m3": {Agree: math.NaN()}, "m4": {Agree: math.NaN()},
	} {
		v := got[model]
		if v.Label != want.Label || v.Final != want.Final || v.Ratings != want.Ratings ||
			v.Agree != want.Agree && !(math.IsNaN(v.Agree) && math.IsNaN(want.Agree)) {
			t.Errorf("%s: %+v, not %+v", model, v, want)
		}
	}
	m0, m3 := got["m0"], got["m3"]
	if m0.text(keyAgreement) != "67 %" || m3.text(keyAgreement) != "" || m3.text(keyRatings) != "0" {
		t.Errorf("cells %q %q %q", m0.text(keyAgreement), m3.text(keyAgreement), m3.text(keyRatings))
	}
	if (*Verdict)(nil).text(keyRatings) != "" {
		t.Error("a model outside the round has ratings")
	}
}

// TestTheListTellsNoAnswerInABlindRound: who labels in a blind round finds no column with the answer, neither in the records nor from
// another round, and no filter finds what it says.
func TestTheListTellsNoAnswerInABlindRound(t *testing.T) {
	ws := sample.New(t, 3)
	err := ws.UpdateModel(ws.Imported[0].Hash, func(m *model.Model) error {
		m.Record = append(m.Record, model.Field{Name: "rule_label", Value: "xyzzy"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	open := ws.NewRound(t, func(r *label.Round) { r.Blind = false })
	ws.Put(t, open, open.Annotators[0], open.Models[0], label.Variant)
	for _, blind := range []*label.Round{nil, {Blind: true}} {
		l, err := load(t.Context(), ws.Workspace, nil, blind)
		if err != nil {
			t.Fatal(err)
		}
		v := NewView()
		v.SetRows(l.rows)
		v.SetFilter("xyzzy")
		column := slices.ContainsFunc(v.AllColumns(), func(c Column) bool { return c.Key == "rule_label" })
		told := slices.ContainsFunc(l.rows, func(r Row) bool { return r.Verdict != nil })
		if free := blind == nil; column != free || told != free || (v.Len() == 1) != free || (l.round.Hidden == "") != free {
			t.Errorf("blind %v: column %v, labels %v, %d rows found, hidden: %q", !free, column, told, v.Len(), l.round.Hidden)
		}
	}
}

// TestRecordsAreClosedInABlindRound: the dialog of records shows all fields, those that tell the answer, too.
func TestRecordsAreClosedInABlindRound(t *testing.T) {
	s := show1(t, 1)
	s.labelled = &label.Round{Name: "second", Blind: true}
	s.editRecords([]string{s.ws.Imported[0].Hash})
	s.stage.Pump()
	if s.window.Canvas().Overlays().Top() != nil || !strings.Contains(s.said, "while second, a blind round,") {
		t.Errorf("the dialog opens, and the status line says %q", s.said)
	}
	s.labelled = nil
	s.editRecords([]string{s.ws.Imported[0].Hash})
	s.stage.Until("the dialog opens", func() bool { return s.window.Canvas().Overlays().Top() != nil })
}
