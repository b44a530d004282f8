package assess

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/progress"
)

// Summary is the explanation of a whole assessor: Shapley values of many models.
type Summary struct {
	Class label.Value
	Unit  string
	Names []string
	Rows  []int       // of the data
	X     [][]float64 // rows x columns
	Phi   [][]float64 // rows x columns
	Mean  []float64   // mean |phi| per column
}

// Summarise explains every row (a bee-swarm, or bars of the means) as Explain does; rows need no
// label. Progress counts rows. Errors: no rows, other columns than the assessor's, those of Explain
// with the model's id, and ctx's.
func Summarise(ctx context.Context, a *Assessor, d Data, rows []int, class int, p progress.Progress) (Summary, error) {
	if err := a.explainable(class); err != nil {
		return Summary{}, err
	}
	chosen, err := a.chosen(d, rows)
	if err != nil {
		return Summary{}, fmt.Errorf("summarise: %w", err)
	}
	s := Summary{
		Class: a.explained(class), Unit: a.unit(), Names: slices.Clone(a.Names), Rows: slices.Clone(rows),
		X: make([][]float64, len(rows)), Phi: make([][]float64, len(rows)), Mean: make([]float64, len(a.Names)),
	}
	p = progress.Or(p)
	p.SetTotal(int64(len(rows)))
	err = inParallel(ctx, len(rows), func(_ context.Context, k int) error {
		o, err := a.outputAt(chosen[k].X, class)
		if err != nil {
			return fmt.Errorf("model %s: %w", chosen[k].ID, err)
		}
		s.X[k], s.Phi[k] = slices.Clone(chosen[k].X), o.phi
		p.Add(1)
		return nil
	})
	if err != nil {
		return Summary{}, fmt.Errorf("summarise: %w", err)
	}
	for _, phi := range s.Phi {
		for c, v := range phi {
			s.Mean[c] += math.Abs(v) / float64(len(rows))
		}
	}
	return s, nil
}
