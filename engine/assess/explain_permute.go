package assess

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/progress"
)

// Permuted is how much accuracy a column carries: what shuffling it costs, over the repeats.
type Permuted struct {
	Name string
	// Mean of the accuracy lost (below 0 where shuffling helps), and its deviation with divisor
	// repeats-1, 0 for one repeat.
	Mean, SD float64
}

// Permute measures permutation importance on rows of d, in the order of the columns (Breiman,
// Random forests, section 10): the accuracy on the rows less that with the column shuffled among
// them. Column c and repeat r draw from (seed, c, r), so the numbers are the same for any number of
// workers. Progress counts shuffles. Errors: no rows, rows without a label, fewer than one repeat,
// other columns than the assessor's, the baseline, which has none, and ctx's.
func Permute(
	ctx context.Context, a *Assessor, d Data, rows []int, repeats int, seed uint64, p progress.Progress,
) ([]Permuted, error) {
	m, err := newPermuter(a, d, rows, repeats)
	if err != nil {
		return nil, fmt.Errorf("permute: %w", err)
	}
	m.seed, m.progress = seed, progress.Or(p)
	m.progress.SetTotal(int64(len(a.Names)) * int64(repeats))
	whole, err := m.accuracy(func(k int) []float64 { return m.rows[k].X })
	if err != nil {
		return nil, fmt.Errorf("permute: %w", err)
	}
	list := make([]Permuted, len(a.Names))
	err = inParallel(ctx, len(list), func(ctx context.Context, c int) error {
		lost, err := m.column(ctx, c, whole)
		if err != nil {
			return fmt.Errorf("permute %s: %w", a.Names[c], err)
		}
		mean, sd := meanAndSD(lost)
		list[c] = Permuted{Name: a.Names[c], Mean: mean, SD: sd}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// permuter is a measurement of permutation importance under way.
type permuter struct {
	assessor *Assessor
	rows     []Row
	truths   []int
	repeats  int
	seed     uint64
	progress progress.Progress
}

func newPermuter(a *Assessor, d Data, rows []int, repeats int) (*permuter, error) {
	if a.Threshold != nil {
		return nil, errNoColumns
	}
	if repeats < 1 {
		return nil, fmt.Errorf("%d repeats; at least one is needed", repeats)
	}
	chosen, err := a.chosen(d, rows)
	if err != nil {
		return nil, err
	}
	truths, err := d.truths(rows)
	if err != nil {
		return nil, err
	}
	return &permuter{assessor: a, rows: chosen, truths: truths, repeats: repeats}, nil
}

// chosen are rows of d that the assessor can look at.
func (a *Assessor) chosen(d Data, rows []int) ([]Row, error) {
	if len(rows) == 0 {
		return nil, errors.New("no models are chosen; choose at least one")
	}
	if !slices.Equal(a.Names, d.Names) {
		return nil, errors.New("the models have other features than the assessor; measure them with its matrices")
	}
	list := make([]Row, len(rows))
	for k, i := range rows {
		if i < 0 || i >= len(d.Rows) {
			return nil, fmt.Errorf("row %d is not among the %d models", i, len(d.Rows))
		}
		list[k] = d.Rows[i]
	}
	return list, nil
}

// column is the accuracy lost in each repeat.
func (m *permuter) column(ctx context.Context, c int, whole float64) ([]float64, error) {
	lost := make([]float64, m.repeats)
	x := make([]float64, len(m.assessor.Names))
	for r := range lost {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := rand.New(rand.NewPCG(m.seed, uint64(c)<<32|uint64(r))).Perm(len(m.rows))
		accuracy, err := m.accuracy(func(k int) []float64 {
			copy(x, m.rows[k].X)
			x[c] = m.rows[from[k]].X[c]
			return x
		})
		if err != nil {
			return nil, err
		}
		lost[r] = whole - accuracy
		m.progress.Add(1)
	}
	return lost, nil
}

// accuracy of the assessor when row k has features x(k).
func (m *permuter) accuracy(x func(k int) []float64) (float64, error) {
	right := 0
	for k, r := range m.rows {
		r.X = x(k)
		v, err := m.assessor.Judge(r)
		if err != nil {
			return 0, err
		}
		if v.Class == m.truths[k] {
			right++
		}
	}
	return float64(right) / float64(len(m.rows)), nil
}

// inParallel calls do for 0..n-1 from one goroutine per processor. The first error ends it; once
// ctx is done, that is ctx's.
func inParallel(ctx context.Context, n int, do func(ctx context.Context, k int) error) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := range n {
		group.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			return do(inner, k)
		})
	}
	return group.Wait()
}
