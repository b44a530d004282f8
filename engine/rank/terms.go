package rank

import (
	"context"
	"math"
)

// terms are the parts of Q that belong to one sample, model by model.
type terms struct {
	right  []float64 // c_ij, given
	excess []float64 // c_ij - sigma(x_ij)
	slope  []float64 // sigma'(x_ij)
}

func newTerms(models int) *terms {
	return &terms{right: make([]float64, models), excess: make([]float64, models), slope: make([]float64, models)}
}

// sums over the models of one sample, at x_ij = exp(b_i) a_j.
type sums struct {
	likelihood float64 // c ln sigma(x) + (1-c) ln sigma(-x)
	pull       float64 // (c - sigma(x)) x: what draws b_i away from its prior
	curvature  float64 // sigma'(x) x^2
}

// manyFactors is after how many factors of 1..2 their product is taken the logarithm of, well
// before it overflows.
const manyFactors = 512

// at computes excess and slope and their sums for a sample of this easiness exp(b).
func (t *terms) at(specialty []float64, easiness float64) sums {
	var s sums
	product := 1.0 // of 1 + exp(-|x|), to take one logarithm instead of many
	for j, a := range specialty {
		x, c := easiness*a, t.right[j]
		small := math.Exp(-math.Abs(x))
		inverse := 1 / (1 + small)
		t.slope[j] = small * inverse * inverse
		if x >= 0 {
			s.likelihood -= (1 - c) * x
			t.excess[j] = c - inverse
		} else {
			s.likelihood += c * x
			t.excess[j] = c - small*inverse
		}
		s.pull += t.excess[j] * x
		s.curvature += t.slope[j] * x * x
		product *= 1 + small
		if j%manyFactors == manyFactors-1 {
			s.likelihood -= math.Log(product)
			product = 1
		}
	}
	s.likelihood -= math.Log(product)
	return s
}

// sample looks at one sample after the other. A goroutine has its own.
type sample struct {
	*terms
	shares []float64 // per class: what is believed of the taken sample, where a model predicts it
	wrong  float64   // as in beliefs
}

func (v *votes) newSample() *sample {
	return &sample{terms: newTerms(v.models()), shares: make([]float64, v.data.Classes)}
}

// take looks at the i-th kept sample: how probable it is that each model's prediction is true.
func (s *sample) take(v *votes, i int) {
	classes, shares := v.beliefs.of(i)
	for k, class := range classes {
		s.shares[class] = shares[k]
	}
	for j, class := range v.row(i) {
		s.right[j] = s.shares[class]
	}
	s.wrong = v.beliefs.wrong[i]
}

// lean is a sample's part of Q, as a function of its easiness b.
type lean struct {
	easiness float64 // exp(b)
	value    float64
	slope    float64 // dQ/db
	bend     float64 // -d2Q/db2
}

// lean computes that, and the terms, for the taken sample.
func (s *sample) lean(specialty []float64, b, prior float64) lean {
	easiness, away := math.Exp(b), b-prior
	sum := s.at(specialty, easiness)
	return lean{
		easiness: easiness,
		value:    sum.likelihood - s.wrong - away*away/2,
		slope:    sum.pull - away,
		bend:     1 + sum.curvature - sum.pull,
	}
}

// expectation is the part of Q that belongs to a span of samples. It fills in their slopes and adds
// up those of the specialties.
func (s *sample) expectation(v *votes, over span, at point, slopes, specialty []float64) float64 {
	value := 0.0
	for i := over.from; i < over.to; i++ {
		s.take(v, i)
		l := s.lean(at.specialty, at.easiness[i], v.prior.easiness[i])
		value += l.value
		slopes[i] = l.slope
		for j, excess := range s.excess {
			specialty[j] += excess * l.easiness
		}
	}
	return value
}

// constant is what Q holds beside sums over samples and models: the prior of the labels and the
// normal priors' densities.
func (v *votes) constant() float64 {
	m := float64(len(v.kept))
	return -m*math.Log(float64(v.data.Classes)) - (float64(v.models())+m)/2*math.Log(2*math.Pi)
}

// priorOf is the logarithm of a specialty's normal priors, all models together, without their
// constant.
func (v *votes) priorOf(specialty []float64) float64 {
	sum := 0.0
	for j, a := range specialty {
		sum -= (a - v.prior.specialty[j]) * (a - v.prior.specialty[j]) / 2
	}
	return sum
}

// expectation is Q (spec/laf.md section 2) at a point with what is believed, and fills in its
// gradient.
func (v *votes) expectation(ctx context.Context, at, gradient point) (float64, error) {
	values := make([]float64, v.stripeCount())
	parts := make([]float64, v.stripeCount()*v.models())
	err := v.each(ctx, func() func(span) {
		one := v.newSample()
		return func(s span) {
			part := parts[s.stripe*v.models() : (s.stripe+1)*v.models()]
			values[s.stripe] += one.expectation(v, s, at, gradient.easiness, part)
		}
	})
	if err != nil {
		return 0, err
	}
	for j, a := range at.specialty {
		gradient.specialty[j] = v.prior.specialty[j] - a
	}
	q := v.constant() + v.priorOf(at.specialty)
	for k, value := range values {
		q += value
		for j, slope := range parts[k*v.models() : (k+1)*v.models()] {
			gradient.specialty[j] += slope
		}
	}
	return q, nil
}
