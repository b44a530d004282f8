package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// The robust line of spec/ei.md: the usual tuning constant of Huber's weights, what turns a median
// of absolute residuals into a standard deviation, and when the rounds end.
const (
	huberTuning  = 1.345
	medianToStd  = 0.6744897501960817
	huberChange  = 1e-12 // of a coefficient, relative to 1 + its size
	huberFlat    = 1e-12 // scale relative to max(1, max|y|), below which the points lie on the line
	huberLongest = 5000  // rounds
)

// The reasons why there is no line.
const (
	FewPoints = "fewer than 2 points"
	XFixed    = "all x are equal"
	TooFar    = "the numbers are too large for a line"
)

// Line is y = Intercept + Slope x. Reason is not empty when there is none, and the numbers mean
// nothing then.
type Line struct {
	Intercept, Slope float64
	Scale            float64 // of the residuals: median(|r|) / 0.6744897501960817
	Rounds           int
	Settled          bool // false: the limit of rounds was reached; the line is the last one
	Reason           string
}

// Defined tells whether there is a line.
func (l Line) Defined() bool { return l.Reason == "" }

// At is the line's value at x.
func (l Line) At(x float64) float64 { return l.Intercept + float64(l.Slope*x) }

// Huber fits a line by iteratively reweighted least squares with tuning constant 1.345
// (spec/ei.md). All x equal, or fewer than two points, give a line with a reason, and so do numbers
// whose squares no float64 holds. It panics when x and y differ in length; the values must be
// finite.
func Huber(x, y []float64) Line {
	line := LeastSquares(x, y)
	if !line.Defined() {
		return line
	}
	// The rounds are made about the middle of x, so that residuals keep their digits where x lie
	// close together far from 0.
	middle := slices.Min(x)/2 + slices.Max(x)/2
	x = slices.Clone(x)
	floats.AddConst(-middle, x)
	line = line.moved(middle).settle(x, y, middle)
	if !line.Defined() {
		return line
	}
	return line.moved(-middle)
}

// moved is the same line over x less by.
func (l Line) moved(by float64) Line {
	l.Intercept = l.At(by)
	return l
}

// settle reweights from a line on until it stays. x are less middle, to which the spec's intercept
// belongs.
func (l Line) settle(x, y []float64, middle float64) Line {
	flat := huberFlat * max(1, floats.Norm(y, math.Inf(1)))
	weights, sizes := make([]float64, len(x)), make([]float64, len(x))
	for l.Rounds = 1; l.Rounds <= huberLongest; l.Rounds++ {
		l.Scale = l.scale(x, y, sizes)
		if l.Scale <= flat {
			l.Settled = true
			return l
		}
		bound := huberTuning * l.Scale
		for k := range x {
			weights[k] = 1
			if size := math.Abs(y[k] - l.At(x[k])); size > bound {
				weights[k] = bound / size
			}
		}
		next, ok := weighted(x, y, weights)
		if !ok {
			return Line{Reason: TooFar}
		}
		l.Settled = still(l.At(-middle), next.At(-middle)) && still(l.Slope, next.Slope)
		l.Intercept, l.Slope = next.Intercept, next.Slope
		if l.Settled {
			l.Scale = l.scale(x, y, sizes)
			return l
		}
	}
	l.Rounds = huberLongest
	l.Scale = l.scale(x, y, sizes)
	return l
}

// LeastSquares is the ordinary fit; its Scale is that of Huber's formula over its residuals.
// Otherwise as Huber.
func LeastSquares(x, y []float64) Line {
	if len(x) != len(y) {
		panic(fmt.Sprintf("stats: a line through %d x and %d y", len(x), len(y)))
	}
	switch {
	case len(x) < 2:
		return Line{Reason: FewPoints}
	case slices.Min(x) == slices.Max(x):
		return Line{Reason: XFixed}
	}
	weights := slices.Repeat([]float64{1}, len(x))
	line, ok := weighted(x, y, weights)
	if !ok {
		return Line{Reason: TooFar}
	}
	line.Scale, line.Settled = line.scale(x, y, weights), true
	if math.IsInf(line.Scale, 1) {
		return Line{Reason: TooFar}
	}
	return line
}

// weighted is the line with the smallest weighted sum of squared residuals. Sums are of deviations
// from the weighted means, which lose no digits to a large offset. ok is false when a number is
// beyond what float64 holds.
func weighted(x, y, weights []float64) (line Line, ok bool) {
	var total, sumX, sumY float64
	x, y = x[:len(weights)], y[:len(weights)]
	for k, w := range weights {
		total += w
		sumX += float64(w * x[k])
		sumY += float64(w * y[k])
	}
	meanX, meanY := sumX/total, sumY/total
	var xx, xy float64
	for k, w := range weights {
		d := x[k] - meanX
		wd := float64(w * d)
		xx += float64(wd * d)
		xy += float64(wd * (y[k] - meanY))
	}
	line.Slope = xy / xx
	line.Intercept = meanY - float64(line.Slope*meanX)
	return line, !math.IsNaN(line.Slope-line.Slope) && !math.IsNaN(line.Intercept-line.Intercept)
}

// scale is median(|r|) about zero as a standard deviation; sizes is room for the residuals.
func (l Line) scale(x, y, sizes []float64) float64 {
	for k := range x {
		sizes[k] = math.Abs(y[k] - l.At(x[k]))
	}
	return median(sizes) / medianToStd
}

// still tells whether a coefficient no longer moves.
func still(before, after float64) bool {
	return math.Abs(after-before) < huberChange*(1+math.Abs(after))
}

// median is the middle value, or the mean of the two middle ones; it changes the order of values.
// The work grows with their number only, since a fit takes it in every round.
func median(values []float64) float64 {
	half := len(values) / 2
	low, high := 0, len(values)-1
	for low < high {
		pivot, i, j := values[low+(high-low)/2], low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case half <= j:
			high = j
		case half >= i:
			low = i
		default:
			low, high = half, half
		}
	}
	if len(values)%2 == 1 {
		return values[half]
	}
	return values[half]/2 + slices.Max(values[:half])/2
}
