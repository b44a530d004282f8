package rank

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// conjugate is the M-step of the reference mode: nonlinear conjugate gradients of Polak and
// Ribiere, never negative (Nocedal and Wright, algorithm 5.4 with equation 5.45), stopped as early
// as the published code stops. All vectors hold the specialties, then the easinesses; the function
// that is minimised is -Q.
type conjugate struct {
	*votes
	x, gradient, direction []float64
	value                  float64
	trial, trialGradient   []float64
}

const (
	conjugateGoal  = 0.01 // largest gradient component
	conjugateSteps = 25
	// descentShare is how much of the steepest descent a direction must keep; else the search
	// starts anew from the gradient.
	descentShare = 0.01
	slightlyMore = 1.01 // than the step that would gain as much as the last one did (equation 3.60)
)

func (v *votes) newConjugate() *conjugate {
	size := v.models() + len(v.kept)
	c := &conjugate{votes: v}
	for _, vector := range []*[]float64{&c.x, &c.gradient, &c.direction, &c.trial, &c.trialGradient} {
		*vector = make([]float64, size)
	}
	return c
}

// asPoint is the vector seen as a point.
func (c *conjugate) asPoint(vector []float64) point {
	return point{specialty: vector[:c.models()], easiness: vector[c.models():]}
}

// evaluate is -Q at a vector, and fills in its gradient.
func (c *conjugate) evaluate(ctx context.Context, x, gradient []float64) (float64, error) {
	q, err := c.expectation(ctx, c.asPoint(x), c.asPoint(gradient))
	floats.Scale(-1, gradient)
	return -q, err
}

// maximise climbs from a point, with what is believed there.
func (c *conjugate) maximise(ctx context.Context, from point) (point, float64, error) {
	copy(c.x, from.specialty)
	copy(c.x[c.models():], from.easiness)
	value, err := c.evaluate(ctx, c.x, c.gradient)
	if err != nil {
		return point{}, 0, err
	}
	c.value = value
	before := value + floats.Norm(c.gradient, 2)/2 // so that the first step has about length 1
	c.steepest()
	for range conjugateSteps {
		if floats.Norm(c.gradient, math.Inf(1)) <= conjugateGoal {
			break
		}
		now := c.value
		found, err := c.advance(ctx, before)
		if err != nil {
			return point{}, 0, err
		}
		if !found {
			break
		}
		before = now
	}
	return c.asPoint(c.x).clone(), -c.value, nil
}

// steepest turns the direction straight down.
func (c *conjugate) steepest() { floats.ScaleTo(c.direction, -1, c.gradient) }

// advance makes one step. before is the value before the last one.
func (c *conjugate) advance(ctx context.Context, before float64) (found bool, err error) {
	start := probe{value: c.value, slope: floats.Dot(c.gradient, c.direction)}
	first := min(1, 2*slightlyMore*(c.value-before)/start.slope)
	if !(first > 0) {
		first = 1
	}
	look := func(step float64) (probe, error) {
		floats.AddScaledTo(c.trial, c.x, step, c.direction)
		value, err := c.evaluate(ctx, c.trial, c.trialGradient)
		return probe{at: step, value: value, slope: floats.Dot(c.trialGradient, c.direction)}, err
	}
	found, last, err := wolfe(look, start, first)
	if err != nil || !found {
		return false, err
	}
	change := 0.0 // the direction becomes conjugate to the last one, by the gradients before and after the step
	for k, g := range c.trialGradient {
		change += g * (g - c.gradient[k])
	}
	share := max(0, change/floats.Dot(c.gradient, c.gradient))
	for k, g := range c.trialGradient {
		c.direction[k] = share*c.direction[k] - g
	}
	c.value = last.value
	c.x, c.trial = c.trial, c.x
	c.gradient, c.trialGradient = c.trialGradient, c.gradient
	if floats.Dot(c.direction, c.gradient) > -descentShare*floats.Dot(c.gradient, c.gradient) {
		c.steepest()
	}
	return true, nil
}
