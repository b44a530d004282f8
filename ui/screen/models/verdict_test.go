package models

import (
	"math"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
)

func TestRoundsAreOfferedNewestFirst(t *testing.T) {
	rounds := []label.Round{
		{ID: "01", Name: "first", Kind: label.VarianceRound, Suite: "s", Family: "f"},
		{ID: "02", Name: "other family", Kind: label.VarianceRound, Suite: "s", Family: "g"},
		{ID: "03", Name: "scenes", Kind: label.BackgroundRound, Suite: "s", Family: "f"},
		{ID: "04", Name: "blind", Kind: label.VarianceRound, Suite: "s", Family: "f", Blind: true},
		{ID: "05", Name: "blind", Kind: label.VarianceRound, Suite: "s", Family: "f", Blind: true, Closed: true},
	}
	got := choicesOf(rounds, "s", "f")
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
