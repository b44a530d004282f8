package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

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
		testdata.NearAll(t, fmt.Sprint(c.values), []float64{mean, deviation}, []float64{c.mean, c.deviation}, 0)
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
		testdata.Near(t, fmt.Sprintf("Quantile(%v, %g)", c.sorted, c.q), Quantile(c.sorted, c.q), c.want, 1e-12)
	}
}

func TestProgrammingErrorsPanic(t *testing.T) {
	three, two := []float64{1, 2, 3}, []float64{1, 2}
	for name, call := range map[string]func(){
		"no numbers":                   func() { Quantile(nil, 0.5) },
		"q above 1":                    func() { Quantile([]float64{1}, 1.1) },
		"q is NaN":                     func() { Quantile([]float64{1}, math.NaN()) },
		"Pearson, different lengths":   func() { Pearson(three, two) },
		"Kendall, different lengths":   func() { Kendall(three, two) },
		"Huber, different lengths":     func() { Huber(three, two) },
		"Clustered, different lengths": func() { Clustered([]int{1}, nil) },
	} {
		testdata.Panics(t, name, call)
	}
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
