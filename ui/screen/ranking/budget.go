package ranking

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Budgeted is how the rankers' quality grows with the labelling budget.
type Budgeted struct {
	Budgets []int
	Curves  []rank.Curve
}

// measureBudget measures the rankers of an answer at the budgets of the paper.
func measureBudget(ctx context.Context, a Answer, p engine.Progress) (Budgeted, error) {
	b := Budgeted{Budgets: rank.Budgets(len(a.Data.Models), a.Data.Samples)}
	var err error
	b.Curves, err = rank.Curves(ctx, a.Data, a.Settings.options(), b.Budgets, p)
	return b, err
}

// sampled are the curves that depend on the budget, with LaF's to compare them with; all where
// there are no others.
func (b Budgeted) sampled() Budgeted {
	curves := slices.DeleteFunc(slices.Clone(b.Curves), func(c rank.Curve) bool { return !c.Method.Sampled() && c.Method != rank.LaFMethod })
	if len(curves) > 0 {
		b.Curves = curves
	}
	return b
}

// inOrder are all curves, those of sampled first, so that a ranker keeps its colour when the
// others join it.
func (b Budgeted) inOrder() Budgeted {
	curves := b.sampled().Curves
	shown := len(curves)
	for _, c := range b.Curves {
		if !slices.ContainsFunc(curves[:shown], func(s rank.Curve) bool { return s.Method == c.Method }) {
			curves = append(curves, c)
		}
	}
	b.Curves = curves
	return b
}

// noCurves says why the quality over budgets cannot be measured, "" where it can.
func (v *View) noCurves() string {
	switch {
	case len(v.Board.Rankings) == 0:
		return "nothing was ranked yet"
	case known(v.Data) < v.Data.Samples:
		return "Curves over the budget need the true classes of all images: every sample may be drawn."
	}
	return ""
}

// Chart are the curves of a measure over the budgets from the first to the last one given; 0 is
// the largest.
func (b Budgeted) Chart(v *View, m rank.Measure, most int) widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("%s over the budget, %s", m.Title(), v.Material.Source.Name), XName: "labelled images", YName: m.Title(),
		Note:  fmt.Sprintf("%s; band: one standard deviation over %s", v.Caption(), present.Counted(int64(v.Board.Repetitions), "repetition")),
		Empty: "no ranker has a quality at any budget",
	}
	for _, c := range b.Curves {
		s := widget.Series{Name: c.Method.Title()}
		for k, budget := range c.Budgets {
			if k >= len(c.Quality) || most > 0 && budget > most {
				continue
			}
			spread := m.Of(c.Quality[k])
			if spread.N == 0 {
				continue
			}
			s.X, s.Y, s.Spread = append(s.X, float64(budget)), append(s.Y, spread.Mean), append(s.Spread, deviation(spread))
		}
		if !slices.ContainsFunc(s.Spread, func(v float64) bool { return v > 0 }) {
			s.Spread = nil
		}
		if len(s.X) > 0 {
			d.Series = append(d.Series, s)
		}
	}
	return d
}

// deviation is that of a spread, 0 for what was measured once.
func deviation(s rank.Spread) float64 {
	if math.IsNaN(s.SD) {
		return 0
	}
	return s.SD
}

// usual is the largest budget of the paper's curves; those beyond it stand apart by orders of
// magnitude.
const usual = 180
