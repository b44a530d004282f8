package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Values of scipy.stats.kendalltau, and small ones that can be had by hand: of n! orders one is the
// most extreme on each side.
func TestKendallKnownValues(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name     string
		x, y     []float64
		value, p float64
		counts   PairCounts
	}{
		// scipy.stats.kendalltau's own example.
		{
			"scipy",
			[]float64{12, 2, 1, 12, 2},
			[]float64{1, 4, 7, 1, 0},
			-0.47140452079103173, 0.4,
			PairCounts{2, 6, 1, 0},
		},
		{"two pairs", []float64{1, 2}, []float64{4, 3}, -1, 1, PairCounts{0, 1, 0, 0}},
		{"nothing", []float64{1, 2, 3, 4}, []float64{2, 4, 1, 3}, 0, 1, PairCounts{3, 3, 0, 0}},
		{"ties on either side", []float64{1, 1, 2, 3}, []float64{1, 2, 2, 3}, 0.8, math.NaN(), PairCounts{4, 0, 1, 1}},
		{"infinite", []float64{-inf, 0, inf}, []float64{1, 2, 3}, 1, math.NaN(), PairCounts{3, 0, 0, 0}},
		{
			"zero has no sign",
			[]float64{0, math.Copysign(0, -1), 1},
			[]float64{1, 2, 3},
			2 / math.Sqrt(6), math.NaN(),
			PairCounts{2, 0, 1, 0},
		},
	} {
		got, counts := Kendall(c.x, c.y)
		if !got.Defined() || got.N != len(c.x) || !near(got.Value, c.value, 1e-12) || counts != c.counts {
			t.Errorf("%s: %+v %+v, want %v %+v", c.name, got, counts, c.value, c.counts)
		}
		if !math.IsNaN(c.p) && !near(got.P, c.p, 1e-10) {
			t.Errorf("%s: p = %v, want %v", c.name, got.P, c.p)
		}
	}
}

func TestKendallUndefined(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		x, y   []float64
		n      int
		reason string
	}{
		{"nothing", nil, nil, 0, FewForKendall},
		{"one pair", []float64{1}, []float64{2}, 1, FewForKendall},
		{"one pair is left", []float64{1, nan, 3}, []float64{2, 3, nan}, 1, FewForKendall},
		{"first constant", []float64{2, 2, 2}, []float64{1, 2, 3}, 3, FirstFixed},
		{"second constant", []float64{1, 2, 3}, []float64{2, 2, 2}, 3, SecondFixed},
		{"both constant", []float64{1, 1}, []float64{2, 2}, 2, FirstFixed},
	} {
		got, _ := Kendall(c.x, c.y)
		if got.Defined() || got.Reason != c.reason || got.N != c.n {
			t.Errorf("%s: %+v, want %q among %d", c.name, got, c.reason, c.n)
		}
	}
}

// slowKendall looks at every pair.
func slowKendall(x, y []float64) (tau float64, counts PairCounts) {
	for i := range x {
		for j := range i {
			sameX, sameY := x[i] == x[j], y[i] == y[j]
			switch {
			case sameX && sameY:
			case sameX:
				counts.TiesFirst++
			case sameY:
				counts.TiesSecond++
			case (x[i] < x[j]) == (y[i] < y[j]):
				counts.Concordant++
			default:
				counts.Discordant++
			}
		}
	}
	decided := counts.Concordant + counts.Discordant
	return float64(counts.Concordant-counts.Discordant) /
		math.Sqrt(float64(decided+counts.TiesFirst)*float64(decided+counts.TiesSecond)), counts
}

func TestKendallEqualsSlowVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		value := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.IntRange(0, 4),
			func(v int) float64 { return float64(v) }))
		x, y := rapid.SliceOfN(value, n, n).Draw(t, "x"), rapid.SliceOfN(value, n, n).Draw(t, "y")
		keptX, keptY := slices.Clone(x), slices.Clone(y)
		got, counts := Kendall(x, y)
		want, wantCounts := slowKendall(x, y)
		if counts != wantCounts {
			t.Fatalf("counts %+v, want %+v", counts, wantCounts)
		}
		if got.Defined() != !math.IsNaN(want) || got.Defined() && !near(got.Value, want, 1e-12) {
			t.Fatalf("%+v, want %v", got, want)
		}
		if got.Defined() && !(got.P >= 0 && got.P <= 1) {
			t.Fatalf("p = %v", got.P)
		}
		if !slices.Equal(x, keptX) || !slices.Equal(y, keptY) {
			t.Fatal("the variables have changed")
		}
	})
}

// Of all orders of the first variable, P - Q has mean 0 and exactly the variance that the normal
// approximation takes.
func TestKendallVarianceIsThatOfAllOrders(t *testing.T) {
	for _, c := range [][2][]float64{
		{{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}},
		{{1, 1, 2, 3, 3, 3}, {1, 2, 2, 4, 4, 4}},
		{{0, 1}, {0, 1}},
		{{1, 1, 2}, {1, 2, 2}},
	} {
		var sum, squares, orders float64
		permutations(slices.Clone(c[0]), 0, func(x []float64) {
			_, counts := slowKendall(x, c[1])
			above := float64(counts.Concordant - counts.Discordant)
			sum, squares, orders = sum+above, squares+above*above, orders+1
		})
		p := normalTauP(1, len(c[0]), tiesOf(c[0]), tiesOf(c[1]))
		if want := math.Erfc(1 / math.Sqrt(squares/orders) / math.Sqrt2); sum != 0 || !near(p, want, 1e-12) {
			t.Errorf("%v: p = %v, want %v; mean %v", c, p, want, sum/orders)
		}
	}
}

func permutations(values []float64, from int, visit func([]float64)) {
	if from == len(values) {
		visit(values)
	}
	for k := from; k < len(values); k++ {
		values[from], values[k] = values[k], values[from]
		permutations(values, from+1, visit)
		values[from], values[k] = values[k], values[from]
	}
}

func BenchmarkKendall(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 10000), make([]float64, 10000)
	for k := range x {
		x[k], y[k] = random.Float64(), float64(random.IntN(100))
	}
	for b.Loop() {
		Kendall(x, y)
	}
}
