package rank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// priced is a picker whose costs are given.
type priced struct {
	costs []float64
	asked int
	taken [][]int32
	given [][]int32
}

func (p *priced) reset() {}

func (p *priced) take(samples []int32) { p.taken = append(p.taken, slices.Clone(samples)) }

func (p *priced) cost(group []int32) float64 {
	p.given = append(p.given, slices.Clone(group))
	p.asked++
	return p.costs[p.asked-1]
}

func TestRoundingMakesNoGroupCheaper(t *testing.T) {
	for _, c := range []struct {
		at   map[int]float64 // the others cost 3
		want int
	}{
		{map[int]float64{}, 0},
		{map[int]float64{4: 2, 9: math.Nextafter(2, 0)}, 4},
		{map[int]float64{4: 2, 9: 2 - 1e-9}, 9},
		{map[int]float64{7: 0, 8: 0}, 7},
	} {
		p := &priced{costs: slices.Repeat([]float64{3}, 30)}
		for k, cost := range c.at {
			p.costs[k] = cost
		}
		testdata.Must(cesOrder(t.Context(), rand.New(rand.NewPCG(1, 1)), 60, 15, p))(t)
		testdata.Equal(t, fmt.Sprint(c.at), p.taken[1], p.given[c.want])
	}
}

func TestCESOfASmallerBudgetIsTheStart(t *testing.T) {
	d := simulated(2, 3, 300, 4)
	table := testdata.Must(d.probabilities(t.Context(), 1))(t)
	for name, pick := range map[string]func(budget int) picker{
		"whole":     func(budget int) picker { return newWhole(table, 4, budget) },
		"reference": func(int) picker { return newReference(table, 4) },
	} {
		order := func(budget int) []int32 {
			p := pick(budget)
			list := testdata.Must(cesOrder(t.Context(), source(7, cesStream, 2, 1), 300, budget, p))(t)
			again := testdata.Must(cesOrder(t.Context(), source(7, cesStream, 2, 1), 300, budget, p))(t)
			testdata.Equal(t, name+" again", again, list)
			return list
		}
		large := order(180)
		for _, budget := range []int{10, 14, 15, 33, 100, 179} {
			if small := order(budget); !slices.Equal(small, large[:len(small)]) || len(small) != cesSize(budget) {
				t.Errorf("%s: a budget of %d selects %v, want the start of %v", name, budget, small, large)
			}
		}
	}
}

func TestCESTakesAllSamplesOfASmallSuite(t *testing.T) {
	d := simulated(2, 3, 25, 3)
	table := testdata.Must(d.probabilities(t.Context(), 0))(t)
	order := testdata.Must(cesOrder(t.Context(), source(1, cesStream, 0, 0), 25, 25, newReference(table, 3)))(t)
	testdata.Equal(t, fmt.Sprintf("the selection is %v, want all 25", order),
		slices.Sorted(slices.Values(order)), upTo(25))
}

func TestCESEndsWithItsContext(t *testing.T) {
	d := simulated(2, 3, 100, 3)
	table := testdata.Must(d.probabilities(t.Context(), 0))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "the error",
		testdata.Err(cesOrder(ctx, source(1, cesStream, 0, 0), 100, 50, newWhole(table, 3, 50))), context.Canceled)
}

func TestBinsOfAConstantClass(t *testing.T) {
	table := []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
	w := newWhole(table, 2, 3)
	testdata.Equal(t, "the suite's shares", w.suite, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0})
	r := newReference(table, 2)
	r.take([]int32{0, 1, 2})
	testdata.Equal(t, "the selection's counts", r.counts, []float64{0, 0, 0, 0, 3, 0, 0, 0, 0, 3})
	testdata.Is(t, "a group like the selection costs", r.cost([]int32{0, 1}), 0)
}
