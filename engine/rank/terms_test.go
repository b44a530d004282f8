package rank

import (
	"context"
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestGradientIsTheSlope compares with quotients of differences.
func TestGradientIsTheSlope(t *testing.T) {
	const small = 1e-5
	ctx := context.Background()
	v, _ := votesOf(t, simulated(3, 7, 40, 5), false, 5)
	at, gradient, unused := randomPoint(v, 6), newPoint(v), newPoint(v)
	testdata.Must(v.expectation(ctx, at, gradient))(t)
	check := func(what string, values, slopes []float64) {
		for k, middle := range values {
			var q [2]float64
			for side, step := range []float64{-small, small} {
				values[k] = middle + step
				q[side], _ = v.expectation(ctx, at, unused)
			}
			values[k] = middle
			if slope := (q[1] - q[0]) / (2 * small); math.Abs(slope-slopes[k]) > 1e-6*(1+math.Abs(slope)) {
				t.Errorf("%s %d: slope %v, want %v", what, k, slopes[k], slope)
			}
		}
	}
	check("specialty", at.specialty, gradient.specialty)
	check("easiness", at.easiness, gradient.easiness)
}

func TestTermsOfManyModels(t *testing.T) {
	const models = 3*manyFactors + 17 // several products of factors
	terms, specialty := newTerms(models), make([]float64, models)
	want := 0.0
	for j := range specialty {
		specialty[j], terms.right[j] = math.Sin(float64(j)), 0.5+0.5*math.Cos(float64(3*j))
		x := 0.01 * specialty[j]
		want += terms.right[j]*logSigma(x) + (1-terms.right[j])*logSigma(-x)
	}
	testdata.Near(t, "likelihood", terms.at(specialty, 0.01).likelihood, want, 1e-10)
}

func TestTermsFarOut(t *testing.T) {
	terms := newTerms(3)
	copy(terms.right, []float64{1, 0, 0.5})
	got := terms.at([]float64{1e3, -1e3, -1e3}, 10)
	if want := -5e3; got.likelihood != want || got.curvature != 0 {
		t.Errorf("%+v, want likelihood %v and no curvature", got, want)
	}
	if terms.excess[0] != 0 || terms.excess[1] != 0 || terms.excess[2] != 0.5 {
		t.Errorf("excess %v", terms.excess)
	}
}

func nearPoints(t *testing.T, what string, got, want point, tolerance float64) {
	t.Helper()
	testdata.NearAll(t, what+", specialty", got.specialty, want.specialty, tolerance)
	testdata.NearAll(t, what+", easiness", got.easiness, want.easiness, tolerance)
}
