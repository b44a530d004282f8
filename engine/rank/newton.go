package rank

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newton is the exact M-step: Newton's method over specialties and easinesses together, damped
// where Q is not concave or a step would be long (Levenberg and Marquardt). With much damping the
// way is that of steepest ascent, so that the climb ends on the hill on which it began; near the
// top there is none, and a few steps reach it to the last digits.
//
// The easinesses of two samples have nothing to do with each other, so their block of the Hessian
// is diagonal, and what remains to be solved is the Schur complement, models x models.
type newton struct {
	*votes
	parts   []hillPart // per stripe
	spare   point      // for the next trial
	damping float64    // what is added to all curvatures
}

const (
	gradientGoal = 1e-8 // spec/laf.md: the largest gradient component
	// stepGoal is the length that the last step stays below: it says how far the maximum still is,
	// so that models of the same predictions get the same score.
	stepGoal      = 1e-10
	maxInner      = 5000 // steps
	maxDampings   = 60   // tries to make a step
	longestStep   = 0.5  // in any number
	shortStep     = longestStep / 2
	leastDamping  = 0.1
	moreDamping   = 4
	roundingShare = 1e-13 // of Q, by which it may seem to fall
	coupledRows   = 32    // rows that are gathered before they are multiplied
)

// hill is Q around a point, with the easinesses eliminated from the damped equations of a step.
type hill struct {
	value    float64
	steepest float64       // the largest gradient component
	concave  bool          // with regard to every easiness
	gradient []float64     // of the specialties
	bend     *mat.SymDense // what the step of the specialties times it must be the gradient
}

// hillPart sums up the samples of a stripe.
type hillPart struct {
	value, steepest float64
	concave         bool
	gradient        []float64 // dQ/da_j without the prior
	drawn           []float64 // what the easinesses' gradients add when they are eliminated
	bend            []float64 // -d2Q/da_j2 without the prior
	coupling        blas64.Symmetric
	// Of a move: Q at its end and the longest step of an easiness.
	moved, longest float64
}

func (v *votes) newNewton() *newton {
	n := v.models()
	parts := make([]hillPart, v.stripeCount())
	for k := range parts {
		parts[k] = hillPart{
			gradient: make([]float64, n),
			drawn:    make([]float64, n),
			bend:     make([]float64, n),
			coupling: blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)},
		}
	}
	return &newton{votes: v, parts: parts, spare: newPoint(v)}
}

// maximise climbs from a point, with what is believed there, to where the gradient vanishes.
func (w *newton) maximise(ctx context.Context, from point) (point, float64, error) {
	at := from.clone()
	w.damping = 0
	for range maxInner {
		here, length, err := w.advance(ctx, at)
		if err != nil {
			return point{}, 0, err
		}
		if length == 0 || here.steepest <= gradientGoal && length <= stepGoal {
			return at, here.value, nil
		}
		at, w.spare = w.spare, at
	}
	here, err := w.look(ctx, at)
	return at, here.value, err
}

// advance makes spare the next point, and says what the hill is at the present one and how long the
// step is: 0 where no step leads upwards, so that only rounding is left.
func (w *newton) advance(ctx context.Context, at point) (hill, float64, error) {
	var here hill
	for range maxDampings {
		var err error
		if here, err = w.look(ctx, at); err != nil {
			return hill{}, 0, err
		}
		step, ok := here.step()
		if ok && floats.Norm(step, math.Inf(1)) <= longestStep {
			value, length, err := w.move(ctx, at, step)
			if err != nil {
				return hill{}, 0, err
			}
			if length <= longestStep && value >= here.value-roundingShare*math.Abs(here.value) {
				w.relax(length)
				return here, length, nil
			}
		}
		w.damping = max(leastDamping, moreDamping*w.damping)
	}
	return here, 0, nil
}

// relax damps the next step less after a short one.
func (w *newton) relax(length float64) {
	if length < shortStep {
		w.damping /= moreDamping
	}
	if w.damping < leastDamping {
		w.damping = 0
	}
}

// step is that of the specialties; ok is false where the damped function is not concave.
func (h hill) step() (step []float64, ok bool) {
	var factor mat.Cholesky
	if !h.concave || !factor.Factorize(h.bend) {
		return nil, false
	}
	n := len(h.gradient)
	solved := mat.NewVecDense(n, nil)
	if err := factor.SolveVecTo(solved, mat.NewVecDense(n, h.gradient)); err != nil {
		return nil, false // too badly conditioned
	}
	return solved.RawVector().Data, true
}

// look measures the hill at a point.
func (w *newton) look(ctx context.Context, at point) (hill, error) {
	for k := range w.parts {
		w.parts[k].clear()
	}
	err := w.each(ctx, func() func(span) {
		one, rows := w.newSample(), make([]float64, coupledRows*w.models())
		return func(s span) { w.lookSpan(s, at, one, rows) }
	})
	if err != nil {
		return hill{}, err
	}
	return w.gather(at), nil
}

func (p *hillPart) clear() {
	p.value, p.steepest, p.concave = 0, 0, true
	clear(p.gradient)
	clear(p.drawn)
	clear(p.bend)
	clear(p.coupling.Data)
}

// lookSpan adds the samples of a span to their stripe's part. memory holds rows until they are
// multiplied.
func (w *newton) lookSpan(s span, at point, one *sample, memory []float64) {
	part, n := &w.parts[s.stripe], w.models()
	rows := blas64.General{Cols: n, Stride: n, Data: memory}
	for i := s.from; i < s.to; i++ {
		one.take(w.votes, i)
		l := one.lean(at.specialty, at.easiness[i], w.prior.easiness[i])
		l.bend += w.damping
		part.value += l.value
		part.steepest = max(part.steepest, math.Abs(l.slope))
		if !(l.bend > 0) {
			part.concave = false // the point is looked at again with more damping
			return
		}
		part.add(one, at.specialty, l, rows.Data[rows.Rows*n:(rows.Rows+1)*n])
		if rows.Rows++; rows.Rows == coupledRows || i == s.to-1 {
			blas64.Syrk(blas.Trans, 1, rows, 1, part.coupling)
			rows.Rows = 0
		}
	}
}

// coupling is d2Q/da_j db of the taken sample.
func (s *sample) coupling(j int, specialty []float64, l lean) float64 {
	return l.easiness * (s.excess[j] - s.slope[j]*l.easiness*specialty[j])
}

// add sums up a sample's derivatives. row takes its coupling over the root of its curvature: the
// Schur complement takes away the product of that column with itself.
func (p *hillPart) add(one *sample, specialty []float64, l lean, row []float64) {
	root := 1 / math.Sqrt(l.bend)
	for j, excess := range one.excess {
		p.gradient[j] += excess * l.easiness
		p.bend[j] += one.slope[j] * l.easiness * l.easiness
		row[j] = one.coupling(j, specialty, l) * root
		p.drawn[j] += row[j] * root * l.slope
	}
}

// gather adds the parts in their order, and the priors of the specialties.
func (w *newton) gather(at point) hill {
	n := w.models()
	sum := hill{value: w.constant() + w.priorOf(at.specialty), concave: true, gradient: make([]float64, n)}
	drawn, bend := make([]float64, n), make([]float64, n*n)
	for j, a := range at.specialty {
		sum.gradient[j] = w.prior.specialty[j] - a
		bend[j*n+j] = 1 + w.damping
	}
	for _, part := range w.parts {
		sum.value += part.value
		sum.steepest = max(sum.steepest, part.steepest)
		sum.concave = sum.concave && part.concave
		floats.Add(sum.gradient, part.gradient)
		floats.Add(drawn, part.drawn)
		floats.Sub(bend, part.coupling.Data)
		for j, curvature := range part.bend {
			bend[j*n+j] += curvature
		}
	}
	sum.steepest = max(sum.steepest, floats.Norm(sum.gradient, math.Inf(1)))
	floats.Add(sum.gradient, drawn)
	sum.bend = mat.NewSymDense(n, bend)
	return sum
}

// move makes spare the point after a step of the specialties, each easiness following by the damped
// equations, and says what Q is there and how long the step was in its longest component.
func (w *newton) move(ctx context.Context, at point, step []float64) (value, longest float64, err error) {
	floats.AddTo(w.spare.specialty, at.specialty, step)
	for k := range w.parts {
		w.parts[k].moved, w.parts[k].longest = 0, 0
	}
	err = w.each(ctx, func() func(span) {
		one := w.newSample()
		return func(s span) { w.moveSpan(s, at, step, one) }
	})
	if err != nil {
		return 0, 0, err
	}
	value, longest = w.constant()+w.priorOf(w.spare.specialty), floats.Norm(step, math.Inf(1))
	for _, part := range w.parts {
		value += part.moved
		longest = max(longest, part.longest)
	}
	return value, longest, nil
}

func (w *newton) moveSpan(s span, at point, step []float64, one *sample) {
	part := &w.parts[s.stripe]
	for i := s.from; i < s.to; i++ {
		one.take(w.votes, i)
		l := one.lean(at.specialty, at.easiness[i], w.prior.easiness[i])
		slope := l.slope
		for j, change := range step {
			slope += one.coupling(j, at.specialty, l) * change
		}
		change := slope / (l.bend + w.damping)
		part.longest = max(part.longest, math.Abs(change))
		w.spare.easiness[i] = at.easiness[i] + change
		part.moved += one.lean(w.spare.specialty, w.spare.easiness[i], w.prior.easiness[i]).value
	}
}
