package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		values          []float64
		mean, deviation float64
	}{
		{nil, math.NaN(), math.NaN()},
		{[]float64{-3}, -3, 0},
		{[]float64{1, 2, 3, 4}, 2.5, math.Sqrt(1.25)},
		{[]float64{2, math.Inf(1)}, math.Inf(1), math.NaN()},
	} {
		mean, deviation := Moments(c.values)
		if !slices.EqualFunc([]float64{mean, deviation}, []float64{c.mean, c.deviation},
			func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("Moments(%v) = %v, %v, want %v, %v", c.values, mean, deviation, c.mean, c.deviation)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		q      float64
		want   float64
	}{
		{[]float64{7}, 0, 7},
		{[]float64{7}, 0.3, 7},
		{[]float64{7}, 1, 7},
		{[]float64{1, 2}, 0.5, 1.5},
		{[]float64{1, 2}, 1, 2},
		{[]float64{0, 10, 20, 30, 40}, 0.025, 1},
		{[]float64{0, 10, 20, 30, 40}, 0.975, 39},
		{[]float64{0, 10, 20, 30, 40}, 0.5, 20},
		{[]float64{math.Inf(-1), math.Inf(-1), 3}, 0.25, math.Inf(-1)},
	} {
		if got := Quantile(c.sorted, c.q); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("Quantile(%v, %g) = %g, want %g", c.sorted, c.q, got, c.want)
		}
	}
}

func TestQuantilePanicsOnProgrammingErrors(t *testing.T) {
	for name, call := range map[string]func(){
		"no numbers": func() { Quantile(nil, 0.5) },
		"q above 1":  func() { Quantile([]float64{1}, 1.1) },
		"q is NaN":   func() { Quantile([]float64{1}, math.NaN()) },
	} {
		testdata.Panics(t, name, call)
	}
}

// The quantile is monotone in q, stays inside the data, and reaches each data point at its own
// position.
func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 40).Draw(t, "data")
		slices.Sort(data)
		a := rapid.Float64Range(0, 1).Draw(t, "a")
		b := rapid.Float64Range(a, 1).Draw(t, "b")
		low, high := Quantile(data, a), Quantile(data, b)
		if low > high+1e-6 || low < data[0]-1e-6 || high > data[len(data)-1]+1e-6 {
			t.Fatalf("quantiles %g and %g of %v at %g and %g", low, high, data, a, b)
		}
		for k, v := range data {
			if len(data) == 1 {
				continue
			}
			if got := Quantile(data, float64(k)/float64(len(data)-1)); math.Abs(got-v) > 1e-6 {
				t.Fatalf("position %d: %g, want %g", k, got, v)
			}
		}
	})
}

func TestPlanIsSeeded(t *testing.T) {
	draw := func(seed, stream uint64) [][]int {
		var all [][]int
		Plan{Items: 7, Resamples: 20, Seed: seed, Stream: stream}.Each(func(items []int) {
			all = append(all, slices.Clone(items))
		})
		return all
	}
	first := draw(1, 2)
	if len(first) != 20 {
		t.Fatalf("%d resamples, want 20", len(first))
	}
	for k, items := range first {
		if len(items) != 7 || slices.Min(items) < 0 || slices.Max(items) > 6 {
			t.Errorf("resample %d is %v", k, items)
		}
	}
	same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal[[]int]) }
	if !same(first, draw(1, 2)) {
		t.Error("equal seeds draw different resamples")
	}
	if same(first, draw(2, 2)) || same(first, draw(1, 3)) {
		t.Error("another seed or stream draws the same resamples")
	}
}

func TestPlanGiven(t *testing.T) {
	given := [][]int{{0, 0}, {1, 0}}
	p := Plan{Items: 2, Resamples: 99, Given: given}
	var seen [][]int
	p.Each(func(items []int) { seen = append(seen, items) })
	if p.Count() != 2 || !slices.EqualFunc(seen, given, slices.Equal[[]int]) {
		t.Errorf("%d resamples %v, want the given ones", p.Count(), seen)
	}
	testdata.Is(t, "a plan without items makes", (Plan{Items: 0, Resamples: 5}).Count(), 0)
	testdata.Is(t, "a negative number makes", (Plan{Items: 3, Resamples: -5}).Count(), 0)
}

func BenchmarkEach600(b *testing.B) {
	for b.Loop() {
		sum := 0
		Plan{Items: 600, Resamples: DefaultResamples, Seed: 1}.Each(func(items []int) { sum += items[0] })
	}
}

func TestIntervalJSON(t *testing.T) {
	for want, iv := range map[string]Interval{
		`{"low":0.25,"high":1}`:                                  {Low: 0.25, High: 1},
		`{"low":null,"high":null,"reason":"fewer than 5 items"}`: {Reason: "fewer than 5 items"},
	} {
		testdata.Is(t, "got", string(testdata.Must(json.Marshal(iv))(t)), want)
	}
}

// Whole numbers are added up exactly in any order.
func TestSquaredDistanceOfAnyLength(t *testing.T) {
	for n := range 10 {
		a, b, want := make([]float64, n), make([]float64, n), 0.0
		for k := range n {
			a[k], b[k] = float64(k+1), float64(-k*k)
			want += (a[k] - b[k]) * (a[k] - b[k])
		}
		testdata.Is(t, fmt.Sprint(n), SquaredDistance(a, b), want)
	}
}

func TestLargestIsTheFirstOfEqualOnes(t *testing.T) {
	for want, numbers := range map[int][]int{0: nil, 1: {-1, 3, 3, 2}, 2: {-3, -2, -1}} {
		testdata.Is(t, fmt.Sprint(numbers), Largest(numbers), want)
	}
}
