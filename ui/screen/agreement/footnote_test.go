package agreement

import (
	"strings"
	"testing"
)

func TestFootnote(t *testing.T) {
	number := Cell{Text: "0.50"}
	for name, tt := range map[string]struct {
		list []Measure
		want string
	}{
		"all have their numbers": {[]Measure{{Name: "percent", Value: number, Interval: "0 .. 1"}}, ""},
		"one reason of all":      {[]Measure{{Name: "a", Value: Cell{Reason: "no common items"}}, {Name: "b", Value: Cell{Reason: "no common items"}}}, "All of them: no common items."},
		"reasons of some": {
			[]Measure{{Name: "a", Value: number}, {Name: "b", Value: Cell{Reason: "no common items"}}, {Name: "c", Value: number, NoInterval: "fewer than 2 items"}},
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

// TestReasonsAreInTheFootnote: a column of the table is too narrow for a reason, so the cell holds a word.
func TestReasonsAreInTheFootnote(t *testing.T) {
	blind := Build(table(2, true, "iv", "vv"))
	for _, m := range blind.Measures {
		if m.text(2, true) != "hidden" {
			t.Errorf("%s: %q in place of an interval", m.Name, m.text(2, true))
		}
	}
	if got := footnote(blind.Measures); got != "All of them: "+veilReason()+"." {
		t.Errorf("the footnote of a blind round: %q", got)
	}
	same := Build(table(2, false, "iiiiii", "iiiiii"))
	for _, m := range same.Measures {
		if m.Value.Reason != "" && (m.text(2, true) != "-" || !strings.Contains(footnote(same.Measures), m.Value.Reason)) {
			t.Errorf("%s: %q in place of an interval, and the footnote %q", m.Name, m.text(2, true), footnote(same.Measures))
		}
	}
	if footnote(same.Measures) == "" {
		t.Error("a kappa of equal labels is defined")
	}
}
