package feature

import (
	"math"

	"github.com/variscope/variscope/engine/variance"
)

// mean counts from the first value, so that equal values have exactly their value as mean and no
// deviation. It is 0 for no values.
func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	first, sum := values[0], 0.0
	for _, v := range values {
		sum += v - first
	}
	return first + sum/float64(len(values))
}

// squares is the sum of squared deviations from the mean.
func squares(values []float64) float64 {
	centre, sum := mean(values), 0.0
	for _, v := range values {
		d := v - centre
		sum += float64(d * d)
	}
	return sum
}

// deviation is the standard deviation in the population form, 0 for no values.
func deviation(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return math.Sqrt(squares(values) / float64(len(values)))
}

// gradient is the differences between neighbouring elements, line by line.
type gradient struct {
	values []float64
	ends   []int // of the lines in values
}

func newGradient(n int) gradient {
	return gradient{values: make([]float64, 0, n*n), ends: make([]int, 0, n)}
}

func (g *gradient) add(v float64) { g.values = append(g.values, v) }

func (g *gradient) endLine() { g.ends = append(g.ends, len(g.values)) }

// lineDeviation is the mean of the lines' standard deviations, a line of one value counting as 0.
func (g gradient) lineDeviation() float64 {
	if len(g.ends) == 0 {
		return 0
	}
	sum, from := 0.0, 0
	for _, to := range g.ends {
		sum += deviation(g.values[from:to])
		from = to
	}
	return sum / float64(len(g.ends))
}

// lowerTriangle are the elements (i, j), i > j, row by row.
func lowerTriangle(m variance.Matrix) []float64 {
	values := make([]float64, 0, m.N*(m.N-1)/2)
	for i := range m.N {
		values = append(values, m.Data[i*m.N:][:i]...)
	}
	return values
}

// appendDiagonal appends the elements (j+r, j), j ascending.
func appendDiagonal(dst []float64, m variance.Matrix, r int) []float64 {
	for j := range m.N - r {
		dst = append(dst, m.At(j+r, j))
	}
	return dst
}

// shareAbove is the share of the values that are strictly above tau.
func shareAbove(values []float64, tau float64) float64 {
	count := 0
	for _, v := range values {
		if v > tau {
			count++
		}
	}
	return float64(count) / float64(len(values))
}

// meanSquare is the mean of the squared values.
func meanSquare(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v * v)
	}
	return sum / float64(len(values))
}
