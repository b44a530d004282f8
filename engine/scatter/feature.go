package scatter

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/stats"
)

// Feature is a measurement of an interpolated matrix (spec/background.md section 13).
type Feature int

// The features, in the order of a vector.
const (
	Mean Feature = iota
	Std
	Max
	ErrorRate  // share of elements >= the threshold
	Corner     // mean of the upper right R/4 x R/4 block minus that of the lower left one
	Grad       // mean length of the gradient
	Continuity // weighted standard deviations along the diagonals
	Count      = iota
)

// DefaultThreshold is that of ErrorRate.
const DefaultThreshold = 0.15

var featureWords = [Count]string{"mean", "std", "max", "error_rate", "corner", "grad", "continuity"}

// String is the spec's word: "mean", "error_rate", ...
func (f Feature) String() string {
	if f < 0 || int(f) >= Count {
		return fmt.Sprintf("Feature(%d)", int(f))
	}
	return featureWords[f]
}

// Measure computes the features of a matrix without NaN; with NaN it is an error that says how many
// elements have no value. Std is the population form. Blocks of Corner are R/4 elements a side,
// rounded down, at least 1. Gradients are per element: central differences (f(k+1) - f(k-1)) / 2,
// one-sided at edges. Continuity is the weighted mean of the population standard deviations along
// the diagonals r = 1 .. R-1 above the main one, weights (R-r)/R: sum of w std / sum of w.
func Measure(m Matrix, threshold float64) ([Count]float64, error) {
	if err := checkMatrix(m); err != nil {
		return [Count]float64{}, fmt.Errorf("measure an interpolated matrix: %w", err)
	}
	var f [Count]float64
	f[Mean], f[Std] = stats.Moments(m.Values)
	f[Max] = slices.Max(m.Values)
	over := 0
	for _, v := range m.Values {
		if v >= threshold {
			over++
		}
	}
	f[ErrorRate] = float64(over) / float64(len(m.Values))
	side := max(m.R/4, 1)
	f[Corner] = m.block(m.R-side, side) - m.block(0, side)
	f[Grad] = m.gradient()
	f[Continuity] = m.continuity()
	return f, nil
}

func checkMatrix(m Matrix) error {
	if m.R < 2 || len(m.Values) != m.R*m.R {
		return fmt.Errorf("%d values for %d x %d elements; 2 x 2 is the least", len(m.Values), m.R, m.R)
	}
	absent := 0
	for _, v := range m.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			absent++
		}
	}
	if absent > 0 {
		return fmt.Errorf("%d of %d elements have no value; take an interpolant with neighbours (K above 0)", absent,
			len(m.Values))
	}
	return nil
}

// block is the mean of the side x side elements from (low, low) on.
func (m Matrix) block(low, side int) float64 {
	sum := 0.0
	for b := low; b < low+side; b++ {
		for a := low; a < low+side; a++ {
			sum += m.At(a, b)
		}
	}
	return sum / float64(side*side)
}

func (m Matrix) gradient() float64 {
	sum := 0.0
	for b := range m.R {
		low, high := max(b-1, 0), min(b+1, m.R-1)
		for a := range m.R {
			left, right := max(a-1, 0), min(a+1, m.R-1)
			x := (m.At(right, b) - m.At(left, b)) / float64(right-left)
			y := (m.At(a, high) - m.At(a, low)) / float64(high-low)
			sum += math.Sqrt(float64(x*x) + float64(y*y))
		}
	}
	return sum / float64(len(m.Values))
}

func (m Matrix) continuity() float64 {
	sum, weights := 0.0, 0.0
	for r := 1; r < m.R; r++ {
		diagonal := make([]float64, m.R-r)
		for a := range diagonal {
			diagonal[a] = m.At(a, a+r)
		}
		_, std := stats.Moments(diagonal)
		weight := float64(m.R-r) / float64(m.R)
		sum += float64(weight * std)
		weights += weight
	}
	return sum / weights
}
