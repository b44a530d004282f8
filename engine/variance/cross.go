package variance

import "slices"

// The bounds of Cross: how far the identity's column stands above its neighbours, as a share of
// their mean, and how many times as far as any other column.
const (
	crossShare = 0.2
	crossTimes = 3
)

// leastCross is the smallest matrix in which the identity's column can be compared with others:
// three on each side.
const leastCross = 7

// Cross tells whether the row and column of the identity, those in the middle of a matrix of a
// family (spec/variance.md section 2), stand out against their neighbours as a bright line of one
// element: the untouched image is not resampled, and all others are. The height of column c is the
// mean of m(i,c) less that of (m(i,c-1)+m(i,c+1))/2, over the rows that are not within one of c.
// There is a cross where the height of the middle is at least a fifth of the neighbours' mean and
// three times that of every column that is not next to it. Matrices of fewer than 7 or of an even
// number of transformations have none.
func Cross(m Matrix) bool {
	if m.N < leastCross || m.N%2 == 0 {
		return false
	}
	middle := m.N / 2
	own, level := height(m, middle)
	if !(own > 0 && own >= crossShare*level) {
		return false
	}
	var others []float64
	for c := 1; c < m.N-1; c++ {
		if c < middle-1 || c > middle+1 {
			other, _ := height(m, c)
			others = append(others, other)
		}
	}
	return own >= crossTimes*slices.Max(others)
}

// height is how far column c stands above its two neighbours, and the neighbours' mean.
func height(m Matrix, c int) (above, level float64) {
	n := 0
	for i := range m.N {
		if i >= c-1 && i <= c+1 {
			continue
		}
		beside := (m.At(i, c-1) + m.At(i, c+1)) / 2
		above += m.At(i, c) - beside
		level += beside
		n++
	}
	return above / float64(n), level / float64(n)
}
