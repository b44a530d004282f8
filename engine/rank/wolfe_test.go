package rank

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// curve is a function of a step with its slope.
type curve func(step float64) (value, slope float64)

// search looks for a step along a curve and returns the number of probes.
func search(t testdata.TB, f curve, first float64) (found bool, start, last probe, probes int) {
	start.value, start.slope = f(0)
	found, last, err := wolfe(func(step float64) (probe, error) {
		probes++
		value, slope := f(step)
		return probe{at: step, value: value, slope: slope}, nil
	}, start, first)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return found, start, last, probes
}

// strong tells whether the strong Wolfe conditions hold.
func strong(start, last probe) bool {
	return last.value <= start.value+sufficientDecrease*last.at*start.slope &&
		math.Abs(last.slope) <= -curvatureShare*start.slope
}

func TestWolfeOnQuartics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		square := rapid.Float64Range(-5, 5).Draw(t, "square")
		cube := rapid.Float64Range(-5, 5).Draw(t, "cube")
		slope := -rapid.Float64Range(0.01, 10).Draw(t, "slope")
		first := rapid.Float64Range(1e-4, 50).Draw(t, "first")
		found, start, last, _ := search(t, func(a float64) (float64, float64) {
			return slope*a + square*a*a + cube*a*a*a + a*a*a*a, slope + 2*square*a + 3*cube*a*a + 4*a*a*a
		}, first)
		if !found || !strong(start, last) {
			t.Fatalf("found %v: %+v from %+v", found, last, start)
		}
	})
}

// TestWolfeBacksOffFromOverflow: beyond 2 the function is not a number.
func TestWolfeBacksOffFromOverflow(t *testing.T) {
	for _, beyond := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		found, start, last, _ := search(t, func(a float64) (float64, float64) {
			if a > 2 {
				return beyond, beyond
			}
			return (a - 1) * (a - 1), 2 * (a - 1)
		}, 100)
		if !found || !strong(start, last) {
			t.Errorf("beyond is %v: found %v, %+v", beyond, found, last)
		}
	}
}

func TestWolfeGivesUp(t *testing.T) {
	for name, f := range map[string]curve{
		"no bottom":        func(a float64) (float64, float64) { return -a, -1 },
		"slope that lies":  func(a float64) (float64, float64) { return a, -1 },
		"nothing but NaNs": func(float64) (float64, float64) { return math.NaN(), -1 },
	} {
		if found, _, last, probes := search(t, f, 1); found || probes > maxProbes {
			t.Errorf("%s: found %+v after %d probes", name, last, probes)
		}
	}
	stop := errors.New("stop")
	_, _, err := wolfe(func(float64) (probe, error) { return probe{}, stop }, probe{slope: -1}, 1)
	testdata.ErrorIs(t, "the error of a probe is lost", err, stop)
}
