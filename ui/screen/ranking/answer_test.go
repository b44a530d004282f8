package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
)

// shown are the titles of the table of models, and its sheet in the first order.
func shown(a Answer) (titles []string, sheet *result.Sheet) {
	table := standings(a.Board)
	sheet = table.Sheet(rank.RankedOf(a.on()))
	for _, f := range sheet.Fields {
		if f.Show == result.Shown {
			titles = append(titles, f.Title)
		}
	}
	return titles, sheet.Take(sheet.Arrange(result.Filter{}, table.First))
}

func TestARankerMeasuredTwiceHasTwoColumns(t *testing.T) {
	d := crowd(5, 60, 2)
	d.Given = []rank.Given{
		{Method: rank.EI, Note: "rot90", Scores: []float64{0.2, math.NaN(), 0.9, 0.5, math.NaN()}},
		{Method: rank.EI, Note: "grayscale", Scores: []float64{5, 4, 3, 2, 1}},
	}
	a := answerOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.EI} })
	titles, sheet := shown(a)
	if !slices.Equal(titles[len(titles)-2:], []string{"EI, rot90, 3 of 5 models", "EI, grayscale"}) {
		t.Errorf("titles %q", titles)
	}
	if names := a.comparedNames(); !slices.Equal(names, []string{"truth", "EI", "EI 2"}) {
		t.Errorf("compared %q", names)
	}
	if f := sheet.Fields[sheet.Field("ei")]; f.Say(0) != "1   0.9000" || f.Say(3) != "-" ||
		!strings.HasSuffix(f.Help, "rot90, 3 of 5 models") {
		t.Errorf("%q, %q, %q", f.Say(0), f.Say(3), f.Help)
	}
}
