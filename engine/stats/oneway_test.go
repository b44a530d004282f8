package stats

import (
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// What a design cannot tell is NaN, and the rest is there.
func TestOneWayWithoutGroups(t *testing.T) {
	for name, c := range map[string]struct {
		values          []float64
		groups          []int
		between, within float64
	}{
		"nothing":       {nil, nil, math.NaN(), math.NaN()},
		"one group":     {[]float64{1, 3}, []int{0, 0}, math.NaN(), math.Sqrt2},
		"groups of one": {[]float64{1, 3}, []int{0, 4}, math.NaN(), math.NaN()},
		"alike within":  {[]float64{1, 1, 3, 3}, []int{0, 0, 1, 1}, math.Sqrt2, 0},
		"constant":      {[]float64{0.1, 0.1, 0.1, 0.1, 0.1}, []int{0, 0, 0, 1, 1}, 0, 0},
	} {
		got := OneWay(c.values, c.groups)
		testdata.NearAll(t, name, []float64{got.Between, got.Within, got.ICC, got.P},
			[]float64{c.between, c.within, math.NaN(), math.NaN()}, 1e-12)
	}
}

func TestIntervalsWithoutVariance(t *testing.T) {
	for name, list := range map[string][]float64{"none": nil, "one": {0.5}, "constant": {0.1, 0.1, 0.1}} {
		if r := CorrectedT(list, 0.5); !math.IsNaN(r.P) || !math.IsNaN(r.Low) || r.N != len(list) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if low, high := Wilson(0, 0); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("Wilson's interval of nothing: %g..%g", low, high)
	}
}
