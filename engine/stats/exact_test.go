package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowExactP measures every order of y and counts those at least as far on either side.
func slowExactP(x, y []float64, value func(x, y []float64) float64) float64 {
	observed := value(x, y)
	var orders, above, below float64
	permutations(slices.Clone(y), 0, func(order []float64) {
		v := value(x, order)
		orders++
		if v >= observed-1e-12 {
			above++
		}
		if v <= observed+1e-12 {
			below++
		}
	})
	return min(1, 2*min(above, below)/orders)
}

func slowSpearman(x, y []float64) float64 {
	return stat.Correlation(slowRanks(x), slowRanks(y), nil)
}

func slowTau(x, y []float64) float64 {
	tau, _ := slowKendall(x, y)
	return tau
}

// checkExactPs compares the three p-values of two variables with what all orders give.
func checkExactPs(t testdata.TB, x, y []float64) {
	tau, _ := Kendall(x, y)
	for _, c := range []struct {
		name string
		got  Correlation
		slow func(x, y []float64) float64
	}{
		{"Pearson", Pearson(x, y), func(x, y []float64) float64 { return stat.Correlation(x, y, nil) }},
		{"Spearman", Spearman(x, y), slowSpearman},
		{"Kendall", tau, slowTau},
	} {
		if !c.got.Defined() {
			continue
		}
		if want := slowExactP(x, y, c.slow); c.got.PBy != Exact || !near(c.got.P, want, 1e-12) {
			t.Fatalf("%s of %v and %v: %+v, want p %v", c.name, x, y, c.got, want)
		}
		if c.got.P < leastP(len(x))-1e-15 {
			t.Fatalf("%s of %v and %v: p %v is below that of the most extreme order", c.name, x, y, c.got.P)
		}
	}
}

func TestExactPEqualsAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "n")
		number := func(v int) float64 { return float64(v) / 10 }
		value := rapid.OneOf(rapid.Map(rapid.IntRange(-9999, 9999), number), rapid.Map(rapid.IntRange(0, 3), number))
		checkExactPs(t, rapid.SliceOfN(value, n, n).Draw(t, "x"), rapid.SliceOfN(value, n, n).Draw(t, "y"))
	})
	checkExactPs(t, []float64{3, 1, 4, 1, 5, 9, 2, 6}, []float64{2, 7, 1, 8, 2, 8, 1, 8})
}

// The smallest p of n pairs is 2/n!.
func TestPOfTheMostExtremeOrder(t *testing.T) {
	x, factorial := []float64{1}, 1.0
	for n := 2; n <= 12; n++ {
		x, factorial = append(x, float64(n)), factorial*float64(n)
		falling := slices.Clone(x)
		slices.Reverse(falling)
		for _, y := range [][]float64{x, falling} {
			got, _ := Kendall(x, y)
			if !near(got.P, 2/factorial, 1e-18) || got.PBy != Exact {
				t.Errorf("Kendall of %d in order: %+v", n, got)
			}
			if n > 2 {
				for _, c := range []Correlation{Pearson(x, y), Spearman(x, y)} {
					if math.Abs(c.Value) != 1 || !near(c.P, 2/factorial, 1e-18) || (c.PBy == Exact) != (n <= 9) {
						t.Errorf("%d in order: %+v", n, c)
					}
				}
			}
		}
	}
}

// TestExactTauEqualsWholeNumbers compares with counts of orders in whole numbers of any size.
func TestExactTauEqualsWholeNumbers(t *testing.T) {
	for _, n := range []int{2, 3, 7, 23, 50} {
		counts := []*big.Int{big.NewInt(1)}
		orders := big.NewInt(1)
		for size := 2; size <= n; size++ {
			next := make([]*big.Int, len(counts)+size-1)
			for k := range next {
				next[k] = new(big.Int)
				for before := range size {
					if at := k - before; at >= 0 && at < len(counts) {
						next[k].Add(next[k], counts[at])
					}
				}
			}
			counts = next
			orders.Mul(orders, big.NewInt(int64(size)))
		}
		tail := new(big.Int)
		for k := range int64(len(counts)) {
			tail.Add(tail, counts[k])
			share, _ := new(big.Rat).SetFrac(tail, orders).Float64()
			want := min(1, 2*share)
			if 2*k > int64(len(counts)-1) {
				break
			}
			for _, discordant := range []int64{k, int64(len(counts)-1) - k} {
				if got := exactTauP(n, discordant); !near(got, want, 1e-12*want) {
					t.Fatalf("%d discordant pairs among %d: p %v, want %v", discordant, n, got, want)
				}
			}
		}
	}
}

// A p-value is never 0, and the approximations begin where the exact distributions end.
func TestPIsNeverBelowTheMostExtremeOrder(t *testing.T) {
	for _, n := range []int{10, 51, 200} {
		x := make([]float64, n)
		for k := range x {
			x[k] = float64(k)
		}
		tau, _ := Kendall(x, x)
		if r := Pearson(x, x); r.PBy != StudentsT || !(r.P > 0) || r.P < leastP(n) {
			t.Errorf("n %d: %+v", n, r)
		}
		if wantBy := map[bool]string{true: Exact, false: Normal}[n <= mostExactKendall]; tau.PBy != wantBy ||
			!(tau.P > 0) {
			t.Errorf("n %d: %+v", n, tau)
		}
	}
	ties := []float64{1, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	if tau, _ := Kendall(ties, ties); tau.PBy != Normal {
		t.Errorf("ten with ties: %+v", tau)
	}
}

func TestPearsonInterval(t *testing.T) {
	// atanh(0.8) +- 1.959964 / sqrt(7).
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	y := []float64{2, 1, 4, 3, 6, 5, 8, 7, 10, 9}
	r := Pearson(x, y)
	z := 0.5 * math.Log((1+r.Value)/(1-r.Value))
	low, high := z-1.959963984540054/math.Sqrt(7), z+1.959963984540054/math.Sqrt(7)
	if r.IntervalBy != FisherZ || !near(r.Low, math.Tanh(low), 1e-12) || !near(r.High, math.Tanh(high), 1e-12) {
		t.Errorf("%+v", r)
	}
	if line := Pearson(x, x); line.HasInterval() || line.NoInterval != OnALine {
		t.Errorf("%+v", line)
	}
	if three := Pearson(x[:3], y[:3]); three.HasInterval() || three.NoInterval != FewForZ {
		t.Errorf("%+v", three)
	}
}

// The resamples of the intervals are weighted without sorting; slowly they are lists of pairs
// that are measured anew.
func TestIntervalsEqualSlowVersion(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, 12), make([]float64, 12)
	for k := range x {
		x[k], y[k] = float64(random.IntN(6)), float64(random.IntN(5))+x[k]
	}
	for _, c := range []struct {
		stream uint64
		got    Correlation
		slow   func(x, y []float64) float64
	}{
		{streamSpearman, SpearmanInterval(x, y, 9), slowSpearman},
		{streamKendall, first(KendallInterval(x, y, 9)), slowTau},
	} {
		var values []float64
		rng := rand.New(rand.NewPCG(9, c.stream))
		at := make([]int, len(x)) // the pairs as the intervals number them
		for k := range at {
			at[k] = k
		}
		if c.stream == streamKendall {
			slices.SortFunc(at, func(a, b int) int { return 100*int(x[a]-x[b]) + int(y[a]-y[b]) })
		}
		for range DefaultResamples {
			var u, v []float64
			for range x {
				k := at[rng.IntN(len(x))]
				u, v = append(u, x[k]), append(v, y[k])
			}
			if value := c.slow(u, v); !math.IsNaN(value) {
				values = append(values, value)
			}
		}
		slices.Sort(values)
		low, high := Quantile(values, 0.025), Quantile(values, 0.975)
		if !c.got.HasInterval() || c.got.IntervalBy != Bootstrap || !near(c.got.Low, low, 1e-12) ||
			!near(c.got.High, high, 1e-12) {
			t.Errorf("%+v, want %v to %v", c.got, low, high)
		}
	}
}

func first(c Correlation, _ PairCounts) Correlation { return c }

func TestRankIntervalReasons(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7}
	for _, c := range []struct {
		name   string
		got    Correlation
		reason string
	}{
		{"few", SpearmanInterval(x[:5], x[:5], 1), "fewer than 6 pairs"},
		{"few, Kendall", first(KendallInterval(x[:5], x[:5], 1)), "fewer than 6 pairs"},
		{"one order", SpearmanInterval(x, x, 1), OneOrder},
		{"one order, Kendall", first(KendallInterval(x, x, 1)), OneOrder},
		{"undefined", SpearmanInterval(x, make([]float64, 7), 1), ""},
		{"not asked for", Spearman(x, x), ""},
	} {
		if c.got.HasInterval() || c.got.NoInterval != c.reason {
			t.Errorf("%s: %+v, want %q", c.name, c.got, c.reason)
		}
	}
}

// The example of Benjamini and Hochberg 1995, section 4: at 5 % the four smallest are discoveries.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{
		0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
		0.6528, 0.7590, 1,
	}
	for k, q := range BenjaminiHochberg(p) {
		want := 1.0 // the definition: the smallest of p_i m / i over all i from k on
		for i := k; i < len(p); i++ {
			want = min(want, p[i]*float64(len(p))/float64(i+1))
		}
		if !near(q, want, 1e-15) || (q <= 0.05) != (k < 4) {
			t.Errorf("q of %v is %v, want %v", p[k], q, want)
		}
	}
	testdata.NearAll(t, "q", BenjaminiHochberg([]float64{0.03, math.NaN(), 0.01, 0.01}),
		[]float64{0.03, math.NaN(), 0.015, 0.015}, 1e-15)
	testdata.Is(t, "of no test", len(BenjaminiHochberg(nil)), 0)
}

func BenchmarkExactPOfNine(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 9), make([]float64, 9)
	for k := range x {
		x[k], y[k] = random.Float64(), random.Float64()
	}
	for b.Loop() {
		Spearman(x, y)
	}
}
