package agreement

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
)

// Cases explain kappa beside percent agreement: two raters agree as often in both, but in the
// second one most models are of one class, so that more of the agreement is what chance brings.
// colours are those of ConfusionFigure.
func Cases(colours func(most float64) result.Colours) (list []result.Figure, err error) {
	for _, c := range []struct {
		title, says string
		counts      [2][2]int
	}{
		{"Both classes as often", "half of the agreement is expected by chance", [2][2]int{{36, 4}, {4, 36}}},
		{"Nearly all of one class", "chance alone would agree nearly as often", [2][2]int{{68, 4}, {4, 4}}},
	} {
		ratings := make([][]int, 2)
		for first, row := range c.counts {
			for second, n := range row {
				for range n {
					ratings[0], ratings[1] = append(ratings[0], first), append(ratings[1], second)
				}
			}
		}
		opts := Options{Classes: []string{"invariant", "variant"}, Intervals: true}
		r := Measure(ratings, 2, []string{"rater 1", "rater 2"}, opts)
		pair := r.Cohen[0]
		f := ConfusionFigure(pair.Confusion, r.Classes, pair.Raters, colours)
		f.Title = c.title
		f.Note = fmt.Sprintf("agreement %s; kappa %s: %s", pair.Percent.Tell(result.Share),
			pair.Kappa.Tell(result.Coefficient), c.says)
		list = append(list, f)
	}
	return list, nil
}
