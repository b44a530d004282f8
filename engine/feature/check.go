package feature

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/variance"
)

// largestElement keeps sums of squares over any matrix that fits into memory finite.
const largestElement = 1e140

// tolerance is how far a matrix may be from symmetric, as a share of its largest element
// (spec/features.md).
const tolerance = 1e-9

// check refuses what is no variance matrix.
func check(m variance.Matrix) error {
	if m.N < 2 {
		return fmt.Errorf("a variance matrix of %d transformations has no features: at least two are needed",
			max(m.N, 0))
	}
	if len(m.Data) != m.N*m.N {
		return fmt.Errorf("a variance matrix of %d transformations needs %d x %d elements, not %d", m.N, m.N, m.N,
			len(m.Data))
	}
	for k, v := range m.Data {
		if err := checkElement(v); err != nil {
			return fmt.Errorf("row %d, column %d of the variance matrix: %w", k/m.N, k%m.N, err)
		}
	}
	limit := tolerance * m.Max()
	for i := range m.N {
		if m.At(i, i) > limit {
			return fmt.Errorf("element %d of the variance matrix's diagonal is %v, not 0", i, m.At(i, i))
		}
		for j := range i {
			if math.Abs(m.At(i, j)-m.At(j, i)) > limit {
				return fmt.Errorf("the variance matrix is not symmetric: "+
					"%v at row %d, column %d but %v at row %d, column %d", m.At(i, j), i, j, m.At(j, i), j, i)
			}
		}
	}
	return nil
}

func checkElement(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%v is not a finite number", v)
	case v < 0:
		return fmt.Errorf("%v is negative", v)
	case v > largestElement:
		return fmt.Errorf("%v is above %g, too large to be squared and summed", v, largestElement)
	}
	return nil
}

func checkReduced(m variance.Matrix, n int) error {
	if m.N != n {
		return fmt.Errorf("the matrix of the sub-sample has %d transformations, the whole one %d", m.N, n)
	}
	if err := check(m); err != nil {
		return fmt.Errorf("the sub-sample: %w", err)
	}
	return nil
}
