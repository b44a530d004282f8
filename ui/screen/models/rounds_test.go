package models

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
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
	if !slices.Equal(got, want) {
		t.Errorf("%+v, not %+v", got, want)
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

// TestTheListTellsNoAnswerInABlindRound: who labels in a blind round finds no column with the
// answer, neither in the records nor from another round, and no filter finds what it says.
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
		l := testdata.Must(load(t.Context(), ws.Workspace, nil, blind))(t)
		sheet := inventory.Models.Sheet(l.rows)
		found := len(sheet.Arrange(result.ParseFilter("xyzzy"), sheet.First))
		column := sheet.Field("record.rule_label") >= 0
		told := slices.ContainsFunc(l.rows, func(r inventory.Row) bool { return r.Verdict != nil })
		if free := blind == nil; column != free || told != free || (found == 1) != free ||
			(l.round.Hidden == "") != free {
			t.Errorf("blind %v: column %v, labels %v, %d rows found, hidden: %q",
				!free, column, told, found, l.round.Hidden)
		}
	}
}

// TestRecordsAreClosedInABlindRound: the dialog of records shows all fields, those that tell the
// answer, too.
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
