package rank

import "math"

// The strong Wolfe conditions of a step along a direction (Nocedal and Wright, "Numerical Optimization", equations 3.7), with the
// published code's constants.
const (
	sufficientDecrease = 1e-4
	curvatureShare     = 0.4
	maxProbes          = 100
	furthest           = 4 // times the last stretch, a step without bounds may go on by
	leastShrink        = 0.66
	narrowest          = 1e-14 // of an interval, relative
)

// probe is what a function of the step is at one step.
type probe struct{ at, value, slope float64 }

func (p probe) finite() bool { return !math.IsNaN(p.value-p.value) && !math.IsNaN(p.slope-p.slope) }

// tilted is the probe of the function less a line through 0.
func (p probe) tilted(slope float64) probe {
	return probe{at: p.at, value: p.value - p.at*slope, slope: p.slope - slope}
}

// interval is where a line search looks (Moré and Thuente, "Line search algorithms with guaranteed sufficient decrease", 1994).
type interval struct {
	best, other probe   // the lower end and, once bracketed, the end on the minimum's other side
	bracketed   bool    // whether a minimum lies between them
	low, high   float64 // steps that may be tried next
}

// wolfe finds a step at which the strong Wolfe conditions hold for a function that is probed at steps, from its probe at 0 and a
// first step; the step is the last one probed. found is false where none is found within reason.
func wolfe(look func(step float64) (probe, error), start probe, first float64) (found bool, last probe, err error) {
	in := interval{best: start, other: start, high: (1 + furthest) * first}
	gentle := sufficientDecrease * start.slope
	width, wider := math.Inf(1), math.Inf(1)
	descending := true // no step yet that is low enough and on the rise
	at := first
	for range maxProbes {
		if last, err = look(at); err != nil {
			return false, last, err
		}
		if !last.finite() {
			in.high = at
			at = in.best.at + (at-in.best.at)/2
			continue
		}
		low := last.value <= start.value+at*gentle
		if low && math.Abs(last.slope) <= -curvatureShare*start.slope {
			return true, last, nil
		}
		if in.exhausted(at) {
			return false, last, nil
		}
		descending = descending && !(low && last.slope >= 0)
		tilt := 0.0
		if descending && last.value <= in.best.value && !low {
			tilt = gentle
		}
		at = in.narrow(last, tilt)
		if in.bracketed {
			if stretch := math.Abs(in.other.at - in.best.at); stretch >= leastShrink*wider {
				at = in.best.at + (in.other.at-in.best.at)/2
			}
			wider, width = width, math.Abs(in.other.at-in.best.at)
		}
		at = in.bound(at)
	}
	return false, last, nil
}

// exhausted tells whether a bracket has shrunk to where rounding decides.
func (in *interval) exhausted(at float64) bool {
	return in.bracketed && (at <= in.low || at >= in.high || in.high-in.low <= narrowest*in.high)
}

// bound sets the limits of the next step and keeps it within reason.
func (in *interval) bound(at float64) float64 {
	if !in.bracketed {
		stretch := at - in.best.at
		in.low, in.high = at+1.1*stretch, at+furthest*stretch
		return at
	}
	in.low, in.high = min(in.best.at, in.other.at), max(in.best.at, in.other.at)
	if at <= in.low || at >= in.high || in.high-in.low <= narrowest*in.high {
		return in.best.at
	}
	return at
}

// narrow takes a probe in and says which step to try next. tilt is the slope of a line that is taken away for the comparison.
func (in *interval) narrow(last probe, tilt float64) float64 {
	best, other, trial := in.best.tilted(tilt), in.other.tilted(tilt), last.tilted(tilt)
	turned := trial.slope*math.Copysign(1, best.slope) < 0
	next := in.trial(best, other, trial)
	switch {
	case trial.value > best.value:
		in.other, in.bracketed = last, true
	case turned:
		in.other, in.best, in.bracketed = in.best, last, true
	default:
		in.best = last
	}
	return next
}

// trial is the next step: the minimum of a cubic through two probes, or of a parabola, whichever is safer.
func (in *interval) trial(best, other, trial probe) float64 {
	switch {
	case trial.value > best.value: // too far: the minimum lies between
		cubic, square := cubicMinimum(best, trial), parabolaMinimum(best, trial)
		if math.Abs(cubic-best.at) < math.Abs(square-best.at) {
			return cubic
		}
		return cubic + (square-cubic)/2
	case trial.slope*math.Copysign(1, best.slope) < 0: // past the minimum
		return further(trial.at, cubicMinimum(trial, best), secant(trial, best))
	case math.Abs(trial.slope) < math.Abs(best.slope): // on the way down, flatter
		return in.flatter(best, other, trial)
	case in.bracketed:
		return cubicMinimum(trial, other)
	}
	return in.end(best, trial)
}

// end is the furthest step in the direction from best to trial.
func (in *interval) end(best, trial probe) float64 {
	if trial.at > best.at {
		return in.high
	}
	return in.low
}

// flatter is the next step where the slope has the same sign and is smaller: the cubic's minimum only where it lies ahead.
func (in *interval) flatter(best, other, trial probe) float64 {
	cubic, line := cubicMinimum(trial, best), secant(trial, best)
	if !((cubic-trial.at)*(trial.at-best.at) > 0) {
		cubic = in.end(best, trial)
	}
	if !in.bracketed {
		return min(max(further(trial.at, cubic, line), in.low), in.high)
	}
	next := line
	if math.Abs(cubic-trial.at) < math.Abs(line-trial.at) {
		next = cubic
	}
	limit := trial.at + leastShrink*(other.at-trial.at)
	if trial.at > best.at {
		return min(limit, next)
	}
	return max(limit, next)
}

// further is the one of two steps that is further from a place.
func further(from, a, b float64) float64 {
	if math.Abs(a-from) > math.Abs(b-from) {
		return a
	}
	return b
}

// cubicMinimum is the step at which the cubic with the values and slopes of two probes is least (Nocedal and Wright, equation 3.59).
func cubicMinimum(a, b probe) float64 {
	theta := 3*(a.value-b.value)/(b.at-a.at) + a.slope + b.slope
	scale := max(math.Abs(theta), math.Abs(a.slope), math.Abs(b.slope))
	root := scale * math.Sqrt(max(0, (theta/scale)*(theta/scale)-(a.slope/scale)*(b.slope/scale)))
	if b.at < a.at {
		root = -root
	}
	return a.at + (root-a.slope+theta)/(2*root-a.slope+b.slope)*(b.at-a.at)
}

// parabolaMinimum is that of the parabola with both values and the slope of a.
func parabolaMinimum(a, b probe) float64 {
	return a.at + a.slope/((a.value-b.value)/(b.at-a.at)+a.slope)/2*(b.at-a.at)
}

// secant is where the line through both slopes is 0.
func secant(a, b probe) float64 { return a.at + a.slope/(a.slope-b.slope)*(b.at-a.at) }
