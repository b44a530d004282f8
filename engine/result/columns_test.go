package result

import (
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestColumnsAreDeclaredInFewWords(t *testing.T) {
	none := Because("none", "there is none")
	table := Table[int]{
		Name: "t", Title: "T", Noun: "row", ID: func(int) string { return "" },
		Columns: []Column[int]{
			Texts("text", "text", "", func(int) string { return "a" }).Told(func(int) string { return "the letter a" }),
			Counts("count", "count", "", func(n int) int { return 1000 * n }).In(FileOnly),
			Numbers("share", "share", "", Share, func(n int) float64 { return math.NaN() }).Because(func(int) Reason {
				return none
			}),
			Numbers("p", "p", "", P, func(int) float64 { return 0.5 }).Between(func(int) float64 { return 0.25 },
				func(int) float64 { return 0.75 }),
			Bools("even", "even", "", func(n int) bool { return n%2 == 0 }),
		},
	}
	testdata.OK(t, table.Check())
	s := table.Sheet([]int{3})
	for k, want := range []string{"the letter a", "3,000", None, "0.500 (0.250..0.750)", "no"} {
		testdata.Is(t, fmt.Sprint(s.Fields[k].Key), s.Fields[k].Say(0), want)
	}
	if s.Fields[2].Why(0) != none || s.Fields[3].Descending || !s.Fields[1].Descending ||
		len(Seen(table.Columns)) != 4 {
		t.Errorf("%+v", table.Columns)
	}
	for k, c := range table.Columns {
		testdata.Is(t, fmt.Sprintf("%s is said", c.Key), c.Say(3), s.Fields[k].Say(0))
	}
	if Some([]string{"a", "b"}) != "a, b" ||
		Some([]string{"a", "b", "c", "d", "e", "f", "g"}) != "a, b, c, d, e and 2 more" {
		t.Error(Some([]string{"a", "b", "c", "d", "e", "f", "g"}))
	}
}

func TestSignsAndQuantitiesOfTheirOwnFormat(t *testing.T) {
	rows := []float64{0.25, 0.5, math.NaN(), 0.5, 0.125}
	c := Numbers("v", "v", "", Number, func(v float64) float64 { return v })
	smallest := c
	smallest.Descending = false
	c.As = func(v float64) (Format, int) {
		if v < 0.2 {
			return Share, 0
		}
		return Number, 2
	}
	table := Table[float64]{Name: "t", Columns: []Column[float64]{
		c.Starred(rows), Lift([]Column[float64]{smallest.Starred(rows)}, func(v float64) float64 { return v })[0],
	}}
	table.ID = func(float64) string { return "" }
	sheet := table.Sheet(rows)
	for k, want := range [][2]string{
		{"0.25", "☆ 0.250"},
		{"★ 0.50", "0.500"},
		{"-", "-"},
		{"★ 0.50", "0.500"},
		{"12.5 %", "★ 0.125"},
	} {
		testdata.Is(t, fmt.Sprintf("row %d", k), [2]string{sheet.Fields[0].Say(k), sheet.Fields[1].Say(k)}, want)
	}
	if taken := sheet.Take([]int{4, 1}); taken.Fields[0].Say(0) != "12.5 %" || taken.Fields[0].Say(1) != "★ 0.50" ||
		taken.Fields[0].Write(1) != "0.5" {
		t.Errorf("%q, %q", taken.Fields[0].Say(0), taken.Fields[0].Say(1))
	}
	if Star(0.5, []float64{0.5}, true) != "" {
		t.Error("one value alone is the best")
	}
}
