package present

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
)

func TestKappaCell(t *testing.T) {
	for _, c := range []struct {
		value  float64
		reason string
		want   Cell
	}{
		{0.8123, "", Cell{Text: "0.812", Shade: 0.8123}},
		{-0.2, "", Cell{Text: "-0.200", Shade: 0}},
		{1, "", Cell{Text: "1.000", Shade: 1}},
		{0, "expected agreement is 1", Cell{Text: "-", Hint: "undefined: expected agreement is 1", Shade: -1}},
		{math.NaN(), "", Cell{Text: "-", Hint: "undefined: not a number", Shade: -1}},
	} {
		if got := KappaCell(c.value, c.reason); got != c.want {
			t.Errorf("KappaCell(%v, %q) = %+v, want %+v", c.value, c.reason, got, c.want)
		}
	}
}

func TestDisagreements(t *testing.T) {
	given := map[string]map[string]label.Value{
		"a": {"x": label.Invariant, "y": label.Invariant},
		"b": {"x": label.Invariant, "y": label.Borderline},
		"c": {"x": label.Variant, "y": label.Invariant, "z": label.Borderline},
		"d": {"x": label.Variant},
		"e": {"y": label.Borderline, "z": label.Variant},
		"f": {},
	}
	names := map[string]string{"a": "m1", "b": "m10", "c": "m11", "d": "m4", "e": "m9", "f": "m6"}
	got := Disagreements([]string{"a", "b", "c", "d", "e", "f"}, []string{"x", "y", "z"},
		func(m string) string { return names[m] }, func(m, annotator string) label.Value { return given[m][annotator] })
	want := []Disagreement{
		{Model: "c", ID: "m11", Labels: []label.Value{label.Variant, label.Invariant, label.Borderline}, Spread: 2},
		{Model: "e", ID: "m9", Labels: []label.Value{"", label.Borderline, label.Variant}, Spread: 1},
		{Model: "b", ID: "m10", Labels: []label.Value{label.Invariant, label.Borderline, ""}, Spread: 1},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
