package result

import (
	"math"
	"testing"
)

func TestColumnsAreDeclaredInFewWords(t *testing.T) {
	none := Because("none", "there is none")
	table := Table[int]{
		Name: "t", Title: "T", Noun: "row", ID: func(int) string { return "" },
		Columns: []Column[int]{
			Texts("text", "text", "", func(int) string { return "a" }).Told(func(int) string { return "the letter a" }),
			Counts("count", "count", "", func(n int) int { return 1000 * n }).In(FileOnly),
			Numbers("share", "share", "", Share, func(n int) float64 { return math.NaN() }).Because(func(int) Reason { return none }),
			Numbers("p", "p", "", P, func(int) float64 { return 0.5 }).Between(func(int) float64 { return 0.25 }, func(int) float64 { return 0.75 }),
			Bools("even", "even", "", func(n int) bool { return n%2 == 0 }),
		},
	}
	if err := table.Check(); err != nil {
		t.Error(err)
	}
	s := table.Sheet([]int{3})
	for k, want := range []string{"the letter a", "3,000", None, "0.500 (0.250..0.750)", "no"} {
		if got := s.Fields[k].Say(0); got != want {
			t.Errorf("%s is %q, want %q", s.Fields[k].Key, got, want)
		}
	}
	if s.Fields[2].Why(0) != none || s.Fields[3].Descending || !s.Fields[1].Descending || len(Seen(table.Columns)) != 4 {
		t.Errorf("%+v", table.Columns)
	}
	for k, c := range table.Columns {
		if got, want := c.Say(3), s.Fields[k].Say(0); got != want {
			t.Errorf("%s is said %q, want %q", c.Key, got, want)
		}
	}
	if Some([]string{"a", "b"}) != "a, b" || Some([]string{"a", "b", "c", "d", "e", "f", "g"}) != "a, b, c, d, e and 2 more" {
		t.Error(Some([]string{"a", "b", "c", "d", "e", "f", "g"}))
	}
}
