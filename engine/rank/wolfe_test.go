package rank

import (
	"errors"
	"fmt"
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
	return last.value <= start.value+sufficientDecrease*last.at*start.slope && math.Abs(last.slope) <= -curvatureShare*start.slope
}

// TestWolfeOnKnownCurves takes the first four test functions of Moré and Thuente (1994, section 5), from steps that are far too
// small to far too large.
func TestWolfeOnKnownCurves(t *testing.T) {
	curves := map[string]curve{
		"rational": func(a float64) (float64, float64) {
			return -a / (a*a + 2), (a*a - 2) / ((a*a + 2) * (a*a + 2))
		},
		"flat power": func(a float64) (float64, float64) {
			const b = 0.004
			x := a + b
			return math.Pow(x, 5) - 2*math.Pow(x, 4), 5*math.Pow(x, 4) - 8*x*x*x
		},
		"ripples": ripples,
		"two roots": func(a float64) (float64, float64) {
			const near, far = 0.001, 0.001
			g := func(b float64) float64 { return math.Sqrt(1+b*b) - b }
			value := g(near)*math.Hypot(1-a, far) + g(far)*math.Hypot(a, near)
			return value, g(near)*(a-1)/math.Hypot(1-a, far) + g(far)*a/math.Hypot(a, near)
		},
		"parabola": func(a float64) (float64, float64) { return (a - 3) * (a - 3), 2 * (a - 3) },
	}
	for name, f := range curves {
		for _, first := range []float64{1e-3, 0.1, 1, 10, 1e3} {
			found, start, last, probes := search(t, f, first)
			if !found || !strong(start, last) || probes > 40 {
				t.Errorf("%s from %v: found %v, %+v after %d probes", name, first, found, last, probes)
			}
		}
	}
}

// ripples falls to 1 and rises after it, with small waves all along.
func ripples(a float64) (float64, float64) {
	const b, waves = 0.01, 39
	base, slope := 1-a, -1.0
	switch {
	case a >= 1+b:
		base, slope = a-1, 1
	case a > 1-b:
		base, slope = (a-1)*(a-1)/(2*b)+b/2, (a-1)/b
	}
	angle := waves * math.Pi / 2 * a
	return base + 2*(1-b)/(waves*math.Pi)*math.Sin(angle), slope + (1-b)*math.Cos(angle)
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

func TestInterpolation(t *testing.T) {
	// x^3 - 3x has its minimum at 1, (x - 2)^2 at 2, where the line of its slope is 0.
	at := func(x float64) probe { return probe{at: x, value: x*x*x - 3*x, slope: 3*x*x - 3} }
	for _, pair := range [][2]float64{{0, 3}, {3, 0}, {0.5, 0.75}, {2, 1.5}, {-0.5, 4}} {
		testdata.Near(t, fmt.Sprintf("cubic through %v", pair), cubicMinimum(at(pair[0]), at(pair[1])), 1, 1e-12)
	}
	square := func(x float64) probe { return probe{at: x, value: (x - 2) * (x - 2), slope: 2 * (x - 2)} }
	for _, pair := range [][2]float64{{0, 5}, {5, 0}, {1, 1.5}} {
		a, b := square(pair[0]), square(pair[1])
		if parabolaMinimum(a, b) != 2 || secant(a, b) != 2 {
			t.Errorf("through %v: parabola %v, slopes %v", pair, parabolaMinimum(a, b), secant(a, b))
		}
	}
}
