package rank

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// slowWhole is the cross entropy of the whole suite with a selection, bins counted anew (spec/laf.md section 3).
func slowWhole(table []float64, classes int, selection []int32) float64 {
	samples := len(table) / classes
	sum := 0.0
	for c := range classes {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range samples {
			low, high = math.Min(low, table[i*classes+c]), math.Max(high, table[i*classes+c])
		}
		bin := func(v float64) int {
			if high == low {
				return 0
			}
			return int(math.Min(4, math.Floor(5*(v-low)/(high-low))))
		}
		for b := range 5 {
			all, chosen := 0.0, 0.0
			for i := range samples {
				if bin(table[i*classes+c]) == b {
					all++
				}
			}
			for _, i := range selection {
				if bin(table[int(i)*classes+c]) == b {
					chosen++
				}
			}
			sum -= all / float64(samples) * math.Log2(math.Max(chosen/float64(len(selection)), 1e-10))
		}
	}
	return sum
}

// slowShares are the shares of a set in bins of its own.
func slowShares(table []float64, classes, c int, set []int32) (shares [5]float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range set {
		low, high = math.Min(low, table[int(i)*classes+c]), math.Max(high, table[int(i)*classes+c])
	}
	edge := func(b int) float64 {
		if b == 4 {
			return high
		}
		return float64(float64(b)*((high-low)/4)) + low
	}
	rest := len(set)
	for b := range 4 {
		for _, i := range set {
			if v := table[int(i)*classes+c]; edge(b) <= v && v < edge(b+1) {
				shares[b]++
				rest--
			}
		}
	}
	shares[4] = float64(rest)
	for b := range shares {
		shares[b] /= float64(len(set))
	}
	return shares
}

func slowReference(table []float64, classes int, selection, group []int32) float64 {
	sum := 0.0
	for c := range classes {
		ours, theirs := slowShares(table, classes, c, group), slowShares(table, classes, c, selection)
		for b := range 5 {
			if theirs[b] > 0 {
				sum -= ours[b] * math.Log2(theirs[b])
			}
		}
	}
	return sum
}

// watched compares every cost with the slow one.
type watched struct {
	*testing.T
	picker
	slow   func(selection, group []int32) float64
	chosen []int32
	asked  int
}

func (w *watched) reset() {
	w.picker.reset()
	w.chosen, w.asked = nil, 0
}

func (w *watched) take(samples []int32) {
	w.picker.take(samples)
	w.chosen = append(w.chosen, samples...)
}

func (w *watched) cost(group []int32) float64 {
	got, want := w.picker.cost(group), w.slow(w.chosen, group)
	if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
		w.Fatalf("the group %v costs %v beside %v, want %v", group, got, w.chosen, want)
	}
	w.asked++
	return got
}

func TestCESAgainstItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(30, 5))
	for range 40 {
		samples, classes := 15+random.IntN(40), 2+random.IntN(4)
		table := coarseTable(random, samples, classes)
		budget := 10 + random.IntN(samples-9)
		for name, w := range map[string]*watched{
			"whole": {picker: newWhole(table, classes, budget), slow: func(selection, group []int32) float64 {
				return slowWhole(table, classes, append(slices.Clone(selection), group...))
			}},
			"reference": {picker: newReference(table, classes), slow: func(selection, group []int32) float64 {
				return slowReference(table, classes, selection, group)
			}},
		} {
			w.T = t
			for repetition := range 2 { // the second after a reset
				order, err := cesOrder(t.Context(), source(1, cesStream, repetition, 0), samples, budget, w)
				if err != nil {
					t.Fatal(err)
				}
				if len(order) != cesSize(budget) || !slices.Equal(order, w.chosen) || w.asked != 30*((budget-10)/5) {
					t.Fatalf("%s: %d samples and %d groups for a budget of %d", name, len(order), w.asked, budget)
				}
				if len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(order) {
					t.Fatalf("%s takes a sample twice: %v", name, order)
				}
			}
		}
	}
}

// noted keeps the groups with their costs.
type noted struct {
	picker
	groups [][]int32
	costs  []float64
	taken  [][]int32
}

func (n *noted) cost(group []int32) float64 {
	n.groups, n.costs = append(n.groups, slices.Clone(group)), append(n.costs, n.picker.cost(group))
	return n.costs[len(n.costs)-1]
}

func (n *noted) take(samples []int32) {
	n.picker.take(samples)
	n.taken = append(n.taken, slices.Clone(samples))
}

func TestCESTakesTheFirstOfTheCheapestGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 5))
	ties := 0
	for range 30 {
		table := coarseTable(random, 40, 2)
		n := &noted{picker: newWhole(table, 2, 35)}
		testdata.Must(cesOrder(t.Context(), random, 40, 35, n))(t)
		for round := range 5 {
			costs, groups := n.costs[30*round:30*(round+1)], n.groups[30*round:30*(round+1)]
			lowest := slices.Min(costs)
			first := slices.IndexFunc(costs, func(c float64) bool { return c-lowest < 1e-9 })
			if !slices.Equal(n.taken[round+1], groups[first]) {
				t.Fatalf("round %d takes %v of %v with costs %v", round, n.taken[round+1], groups, costs)
			}
			for k, c := range costs {
				if c == lowest && k > first {
					ties++
				}
			}
		}
	}
	if ties == 0 {
		t.Error("no two groups cost the same, so that nothing is shown about ties")
	}
}

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
		if !slices.Equal(p.taken[1], p.given[c.want]) {
			t.Errorf("%v: %v is taken, want group %d, %v", c.at, p.taken[1], c.want, p.given[c.want])
		}
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
			list := testdata.Must(cesOrder(t.Context(), source(7, cesStream, 2, 1), 300, budget, pick(budget)))(t)
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
	if !slices.Equal(slices.Sorted(slices.Values(order)), upTo(25)) {
		t.Errorf("the selection is %v, want all 25", order)
	}
}

func TestCESEndsWithItsContext(t *testing.T) {
	d := simulated(2, 3, 100, 3)
	table := testdata.Must(d.probabilities(t.Context(), 0))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cesOrder(ctx, source(1, cesStream, 0, 0), 100, 50, newWhole(table, 3, 50)); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want that of the context", err)
	}
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
