package rank

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// The strong Wolfe conditions of a step along a direction (Nocedal and Wright, "Numerical
// Optimization", equations 3.7), with the published code's constants.
const (
	sufficientDecrease = 1e-4
	curvatureShare     = 0.4
	maxProbes          = 100
	narrowest          = 1e-14 // of an interval, relative
)

// probe is what a function of the step is at one step.
type probe struct{ at, value, slope float64 }

func (p probe) finite() bool { return !math.IsNaN(p.value-p.value) && !math.IsNaN(p.slope-p.slope) }

// wolfe finds a step at which the strong Wolfe conditions hold for a function that is probed at
// steps, from its probe at 0 and a first step; the step is the last one probed. Where the function
// is not finite it starts again with half the step. found is false where none is found within
// reason.
func wolfe(look func(step float64) (probe, error), start probe, first float64) (found bool, last probe, err error) {
	search := optimize.MoreThuente{
		DecreaseFactor: sufficientDecrease, CurvatureFactor: curvatureShare, StepTolerance: narrowest,
	}
	search.Init(start.value, start.slope, first)
	at := first
	for range maxProbes {
		if last, err = look(at); err != nil {
			return false, last, err
		}
		if !last.finite() {
			at /= 2
			search.Init(start.value, start.slope, at)
			continue
		}
		operation, next, err := search.Iterate(last.value, last.slope)
		if err != nil || operation == optimize.MajorIteration {
			return err == nil, last, nil
		}
		at = next
	}
	return false, last, nil
}
