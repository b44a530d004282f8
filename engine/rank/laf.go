package rank

import (
	"context"
	"math"
	"runtime"

	"github.com/variscope/variscope/engine/result"
)

// LaFOptions of LaF. The zero value is LaF as specified, with the exact M-step.
type LaFOptions struct {
	Reference    bool // the published code's conjugate gradient, tolerance 0.01, 25 iterations
	NoPruning    bool // keep unanimous samples
	NoOptimising bool // stop at the majority vote: scores are the prior specialties
	// Tolerance of the loop's relative change of Q; 0 for 1e-5. The fixed point of the golden
	// values takes 1e-13.
	Tolerance float64
	Workers   int // goroutines; 0 for one per processor. The result has the same bits for any number.
}

// LaFResult is a ranking with what it rests on.
type LaFResult struct {
	Kept           []int     // samples that are not unanimous (all without pruning), ascending
	Pseudo         []int32   // majority label of each kept sample
	PriorSpecialty []float64 // A_j: agreement of each model with the majority
	PriorEasiness  []float64 // E_i per kept sample: share of models that agree
	Specialty      []float64 // a_j, the scores; nil when there is no ranking or without optimising
	Easiness       []float64 // b_i per kept sample, log-easiness: data difficulty is its negative
	// most probable label of each kept sample after the last E-step, the smallest of equal ones
	Labels []int32
	Sure   []float64 // its probability
	// kept x classes: P_ic of the last E-step; only when Kept has at most 1e6/classes samples, else
	// nil
	Posterior     []float64
	Rounds        int // M-steps
	QFirst, QLast float64
	Settled       bool // false: 1000 rounds were not enough
	Rank          []int
	Reason        result.Reason // why there is no ranking, with the code Unanimous; all models then rank 1
}

// Scores are what the models are ranked by: their specialties, without optimising the prior ones;
// nil when there is no ranking.
func (r LaFResult) Scores() []float64 {
	switch {
	case !r.Reason.None():
		return nil
	case r.Specialty == nil:
		return r.PriorSpecialty
	}
	return r.Specialty
}

const (
	defaultTolerance = 1e-5 // of the loop: relative change of Q
	maxRounds        = 1000
	mostPosterior    = 1_000_000 // numbers of LaFResult.Posterior
)

// LaF ranks models by prune, majority and expectation maximisation (spec/laf.md section 2). The
// error is the end of ctx or what Data.Check says of the predictions (two models suffice here).
// Beside the predictions it keeps a few numbers per kept sample and a fixed number of matrices of
// models x models.
//
// Where all models agree on everything there is no ranking, with or without pruning.
func LaF(ctx context.Context, d Data, o LaFOptions) (LaFResult, error) {
	if err := d.check(2); err != nil {
		return LaFResult{}, err
	}
	v, err := newVotes(ctx, d, !o.NoPruning)
	if err != nil {
		return LaFResult{}, err
	}
	r := LaFResult{Kept: v.kept, Pseudo: v.pseudo, PriorSpecialty: v.prior.specialty, PriorEasiness: v.prior.easiness}
	switch {
	case !v.disputed:
		r.Reason, r.PriorSpecialty = everyUnanimous, nil
		r.Rank = Competition(make([]float64, len(d.Models)))
		return r, nil
	case o.NoOptimising:
		r.Rank, r.Settled = Competition(r.PriorSpecialty), true
		return r, nil
	}
	v.workers = o.Workers
	if v.workers < 1 {
		v.workers = runtime.GOMAXPROCS(0)
	}
	if err := v.maximiseExpectation(ctx, o, &r); err != nil {
		return LaFResult{}, err
	}
	r.Rank = Competition(r.Specialty)
	return r, nil
}

// maximiser is an M-step: it maximises Q with what is believed, starting from a point, and says
// what Q is at its maximum.
type maximiser interface {
	maximise(ctx context.Context, from point) (point, float64, error)
}

func (v *votes) maximiser(reference bool) maximiser {
	if reference {
		return v.newConjugate()
	}
	return v.newNewton()
}

// maximiseExpectation is the loop of E-steps and M-steps.
func (v *votes) maximiseExpectation(ctx context.Context, o LaFOptions, r *LaFResult) error {
	tolerance := o.Tolerance
	if tolerance <= 0 {
		tolerance = defaultTolerance
	}
	v.beliefs = newBeliefs(v)
	at := v.prior
	if err := v.believe(ctx, at); err != nil {
		return err
	}
	q, err := v.expectation(ctx, at, newPoint(v))
	if err != nil {
		return err
	}
	r.QFirst = q
	for m := v.maximiser(o.Reference); r.Rounds < maxRounds && !r.Settled; r.Rounds++ {
		if err := v.believe(ctx, at); err != nil {
			return err
		}
		if at, r.QLast, err = m.maximise(ctx, at); err != nil {
			return err
		}
		r.Settled = math.Abs((r.QLast-q)/q) <= tolerance // Q sums logarithms of probabilities and is never 0
		q = r.QLast
	}
	r.Specialty, r.Easiness = at.specialty, at.easiness
	return v.describe(ctx, r)
}

// describe fills in what the last E-step says of the samples.
func (v *votes) describe(ctx context.Context, r *LaFResult) error {
	classes := v.data.Classes
	r.Labels, r.Sure = make([]int32, len(v.kept)), make([]float64, len(v.kept))
	if len(v.kept) <= mostPosterior/classes {
		r.Posterior = make([]float64, len(v.kept)*classes)
	}
	return v.each(ctx, func() func(span) {
		return func(s span) {
			for i := s.from; i < s.to; i++ {
				r.Labels[i], r.Sure[i] = v.beliefs.best(i)
				if r.Posterior != nil {
					v.beliefs.write(i, r.Posterior[i*classes:(i+1)*classes])
				}
			}
		}
	})
}
