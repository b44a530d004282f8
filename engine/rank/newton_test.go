package rank

import (
	"context"
	"math"
	"math/rand/v2"
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

// TestExactEndsAtAMaximum: the gradient vanishes, Q is what it says, and no step away from there
// leads higher.
func TestExactEndsAtAMaximum(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(100) {
		v := startOf(t, tinyData(seed))
		start, _ := v.expectation(ctx, v.prior, newPoint(v))
		top, q, err := v.newNewton().maximise(ctx, v.prior)
		if err != nil {
			t.Fatal(err)
		}
		gradient := newPoint(v)
		again, _ := v.expectation(ctx, top, gradient)
		if largest := gradient.largest(); largest > gradientGoal {
			t.Errorf("seed %d: the gradient is %v at the maximum", seed, largest)
		}
		if math.Abs(q-again) > 1e-12*math.Abs(q) || q < start {
			t.Errorf("seed %d: Q is said to be %v, is %v, was %v", seed, q, again, start)
		}
		if near := highestAround(v, top, seed); near > q+1e-12*math.Abs(q) {
			t.Errorf("seed %d: Q is %v, and %v nearby", seed, q, near)
		}
	}
}

// highestAround is the largest Q of random points near another.
func highestAround(v *votes, top point, seed uint64) float64 {
	rng, highest := rand.New(rand.NewPCG(seed, 11)), math.Inf(-1)
	for range 20 {
		near := top.clone()
		for j := range near.specialty {
			near.specialty[j] += 1e-3 * rng.NormFloat64()
		}
		for i := range near.easiness {
			near.easiness[i] += 1e-3 * rng.NormFloat64()
		}
		q, _ := v.expectation(context.Background(), near, newPoint(v))
		highest = max(highest, q)
	}
	return highest
}

// TestExactFromAnywhere starts far from the prior, where Q is not concave, and still climbs to a
// maximum.
func TestExactFromAnywhere(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(100) {
		v, at := votesOf(t, tinyData(seed), true, seed)
		if len(v.kept) == 0 {
			continue
		}
		for j := range at.specialty {
			at.specialty[j] *= 10
		}
		before, _ := v.expectation(ctx, at, newPoint(v))
		top, q, err := v.newNewton().maximise(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		gradient := newPoint(v)
		if _, err := v.expectation(ctx, top, gradient); err != nil || gradient.largest() > gradientGoal || q < before {
			t.Errorf("seed %d: gradient %v, Q from %v to %v, %v", seed, gradient.largest(), before, q, err)
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
		if err != nil {
			t.Fatal(err)
		}
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
