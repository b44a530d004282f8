package rank

import (
	"context"
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// startOf are the votes of data with the first E-step made, as before the first M-step.
func startOf(t *testing.T, d Data) *votes {
	t.Helper()
	v := testdata.Must(newVotes(context.Background(), d, true))(t)
	v.workers, v.beliefs = 1, newBeliefs(v)
	testdata.OK(t, v.believe(context.Background(), v.prior))
	return v
}

// TestExactEndsAtAMaximum: from the prior, and from far away, where Q is not concave, the gradient
// vanishes and Q is what it says and not lower than before.
func TestExactEndsAtAMaximum(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(100) {
		near := startOf(t, tinyData(seed))
		far, at := votesOf(t, tinyData(seed), true, seed)
		for j := range at.specialty {
			at.specialty[j] *= 10
		}
		for v, start := range map[*votes]point{near: near.prior, far: at} {
			before, _ := v.expectation(ctx, start, newPoint(v))
			top, q, err := v.newNewton().maximise(ctx, start)
			testdata.OK(t, err)
			gradient := newPoint(v)
			again, _ := v.expectation(ctx, top, gradient)
			largest := gradient.largest()
			if largest > gradientGoal || math.Abs(q-again) > 1e-12*math.Abs(q) || q < before {
				t.Errorf("seed %d: gradient %v, Q is said to be %v, is %v, was %v", seed, largest, q, again, before)
			}
		}
	}
}

// TestReferenceStopsNearTheMaximum: 25 steps of conjugate gradients end where the gradient is
// small, or at least higher.
func TestReferenceStopsNearTheMaximum(t *testing.T) {
	ctx := context.Background()
	arrived := 0
	const trials = 100
	for seed := range uint64(trials) {
		v := startOf(t, simulated(seed, 6, 60, 4))
		start, _ := v.expectation(ctx, v.prior, newPoint(v))
		top, q, err := v.newConjugate().maximise(ctx, v.prior)
		testdata.OK(t, err)
		gradient := newPoint(v)
		again, _ := v.expectation(ctx, top, gradient)
		if math.Abs(q-again) > 1e-12*math.Abs(q) || q <= start {
			t.Errorf("seed %d: Q is said to be %v, is %v, was %v", seed, q, again, start)
		}
		exact, best, _ := v.newNewton().maximise(ctx, v.prior)
		if q > best+1e-9 || best-q > 0.1 {
			t.Errorf("seed %d: Q %v after conjugate gradients, %v at the maximum", seed, q, best)
		}
		if gradient.largest() <= conjugateGoal {
			arrived++
			nearPoints(t, "reference", top, exact, 0.02)
		}
	}
	if arrived < trials/4 { // 25 steps are often too few
		t.Errorf("conjugate gradients arrive in %d of %d cases", arrived, trials)
	}
}
