package agreement

import (
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/stats"
)

func TestFootnote(t *testing.T) {
	number := Cell{Text: "0.50"}
	for name, tt := range map[string]struct {
		list []Measure
		want string
	}{
		"all have their numbers": {[]Measure{{Name: "percent", Value: number}}, ""},
		"one reason of all":      {[]Measure{{Name: "a", Value: Cell{Reason: "no common items"}}, {Name: "b", Value: Cell{Reason: "no common items"}}}, "All of them: no common items."},
		"reasons of some": {
			[]Measure{{Name: "a", Value: number}, {Name: "b", Value: Cell{Reason: "no common items"}}, {Name: "c", Value: number, Estimate: measure.Estimate{Interval: &stats.Interval{Reason: "fewer than 2 items"}}}},
			"b: no common items.\nc: fewer than 2 items.",
		},
		"many": {
			append([]Measure{{Name: "z", Value: number}}, undefinedMeasures("a", "b", "c", "d", "e", "f")...),
			"a, b, c, d and 2 more: no common items.",
		},
	} {
		if got := footnote(tt.list); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func undefinedMeasures(names ...string) (list []Measure) {
	for _, name := range names {
		list = append(list, Measure{Name: name, Value: Cell{Reason: "no common items"}})
	}
	return list
}

// TestReasonsAreInTheFootnote: a column of the table is too narrow for a reason, so the cell holds
// a word.
func TestReasonsAreInTheFootnote(t *testing.T) {
	blind := Build(table(2, true, "iv", "vv"))
	sheet := measureTable.Sheet(blind.Measures)
	for row := range blind.Measures {
		if value := sheet.Fields[1]; value.Tell(row) != "value is missing: "+veilReason() {
			t.Errorf("%s: %s", sheet.ID(row), value.Tell(row))
		}
	}
	if got := footnote(blind.Measures); got != "All of them: "+veilReason()+"." {
		t.Errorf("the footnote of a blind round: %q", got)
	}
	same := Build(table(2, false, "iiiiii", "iiiiii"))
	for _, m := range same.Measures {
		if m.Value.Reason != "" && !strings.Contains(footnote(same.Measures), m.Value.Reason) {
			t.Errorf("%s has no number, and the footnote %q", m.Name, footnote(same.Measures))
		}
	}
	if footnote(same.Measures) == "" {
		t.Error("a kappa of equal labels is defined")
	}
}
