package assess

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fitLinear fits y (S values in [0, 1]) on x (S rows of F finite numbers) after normalising rows or
// columns.
func fitLinear(x [][]float64, y []float64, zScores bool) (*Linear, error) {
	l := &Linear{ZScores: zScores}
	if zScores {
		l.Mean, l.Std = columnScales(x)
	}
	z := make([][]float64, len(x))
	for s, row := range x {
		z[s] = l.normal(make([]float64, len(row)), row)
	}
	l.Centre = columnMeans(z)
	var err error
	if l.Coefficients, err = leastSquares(z, l.Centre, y); err != nil {
		return nil, err
	}
	l.Intercept = floats.Sum(y)/float64(len(y)) - floats.Dot(l.Coefficients, l.Centre)
	if math.IsNaN(l.Intercept) || math.IsInf(l.Intercept, 0) {
		return nil, errors.New("the regression has no finite solution; a feature's numbers are too large")
	}
	return l, nil
}

// normal writes the row as the regression sees it to dst and returns dst: divided by its L2 norm (a
// row of zeros stays), or as z-scores.
func (l *Linear) normal(dst, x []float64) []float64 {
	if l.ZScores {
		for c, v := range x {
			dst[c] = (v - l.Mean[c]) / l.Std[c]
		}
		return dst
	}
	norm := floats.Norm(x, 2)
	if math.IsInf(norm, 1) { // the length of the row is beyond float64, its direction is not
		x = floats.ScaleTo(dst, 0x1p-64, x)
		norm = floats.Norm(x, 2)
	}
	norm = cmp.Or(norm, 1)
	for c, v := range x {
		dst[c] = v / norm
	}
	return dst
}

// Value is the regression's value at x: about 0 for invariant, 1 for variant, not held to [0, 1].
func (l *Linear) Value(x []float64) float64 {
	return l.Intercept + floats.Dot(l.Coefficients, l.normal(make([]float64, len(x)), x))
}

// columnScales are means and deviations (divisor S) of the columns. A column that does not vary, or
// too little for its squares to be told from 0, has deviation 1, so that it becomes about 0.
func columnScales(x [][]float64) (mean, std []float64) {
	mean = columnMeans(x)
	std = make([]float64, len(mean))
	for c := range std {
		for _, row := range x {
			std[c] += float64((row[c] - mean[c]) * (row[c] - mean[c]))
		}
		std[c] = math.Sqrt(std[c] / float64(len(x)))
		if std[c] == 0 {
			std[c] = 1
		}
	}
	return mean, std
}

// columnMeans counts from the first row, so that a column that does not vary has exactly its value
// as mean.
func columnMeans(x [][]float64) []float64 {
	mean := make([]float64, len(x[0]))
	for c := range mean {
		first := x[0][c]
		for _, row := range x {
			mean[c] += row[c] - first
		}
		mean[c] = first + mean[c]/float64(len(x))
	}
	return mean
}

// leastSquares is the minimum-norm solution for centred data: with Z - centre = U diag(s) V^T it is
// V diag(1/s) U^T (y - mean y), where singular values below S * 2^-52 * the largest count as 0.
// Where even the largest is no more than the rounding of the numbers in z, as for rows that differ
// in length alone, all coefficients are 0.
func leastSquares(z [][]float64, centre, y []float64) ([]float64, error) {
	rows, columns := len(z), len(centre)
	centred := mat.NewDense(rows, columns, nil)
	for s, row := range z {
		floats.SubTo(centred.RawRowView(s), row, centre)
	}
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDThin) {
		return nil,
			errors.New("the regression's singular values did not converge; leave out features with extreme numbers")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	singular := svd.Values(nil)
	least := float64(rows) * 0x1p-52 * singular[0]
	middle := floats.Sum(y) / float64(rows)
	coefficients := make([]float64, columns)
	largest := 0.0
	for _, row := range z {
		largest = max(largest, floats.Norm(row, math.Inf(1)))
	}
	if singular[0] <= float64(max(rows, columns))*0x1p-52*largest {
		return coefficients, nil
	}
	for k, s := range singular {
		if s == 0 || s < least {
			continue
		}
		step := 0.0
		for row := range rows {
			step += float64(u.At(row, k) * (y[row] - middle))
		}
		for c := range coefficients {
			coefficients[c] += float64(step / s * v.At(c, k))
		}
	}
	return coefficients, nil
}

// class is the class whose position is nearest to value, the more variant one of two equally near.
func (l *Linear) class(value float64, classes int) int {
	class := 0
	for class+1 < classes && value >= (float64(class)+0.5)/float64(classes-1) {
		class++
	}
	return class
}

// shares spread 1 over the two classes between whose positions the value lies, in proportion to its
// nearness to each.
func (l *Linear) shares(value float64, classes int) []float64 {
	p := make([]float64, classes)
	place := min(max(value, 0), 1) * float64(classes-1)
	low := min(int(place), classes-2)
	p[low+1] = place - float64(low)
	p[low] = 1 - p[low+1]
	return p
}

func (l *Linear) validate(width int) error {
	if l.ZScores != (l.Mean != nil) || (l.Mean == nil) != (l.Std == nil) {
		return errors.New("the regression's means and deviations do not fit to its normalisation")
	}
	if math.IsNaN(l.Intercept) || math.IsInf(l.Intercept, 0) {
		return fmt.Errorf("the regression's intercept is %v", l.Intercept)
	}
	for _, list := range []struct {
		name   string
		values []float64
		least  float64 // they are above it
		given  bool
	}{
		{"coefficients", l.Coefficients, math.Inf(-1), true},
		{"centre", l.Centre, math.Inf(-1), true},
		{"means", l.Mean, math.Inf(-1), l.ZScores},
		{"deviations", l.Std, 0, l.ZScores},
	} {
		if !list.given {
			continue
		}
		if len(list.values) != width {
			return fmt.Errorf("the regression has %d %s for %d features", len(list.values), list.name, width)
		}
		for _, v := range list.values {
			if !(v > list.least) || math.IsInf(v, 0) {
				return fmt.Errorf("the regression's %s contain %v", list.name, v)
			}
		}
	}
	return nil
}
