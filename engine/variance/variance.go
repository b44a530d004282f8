// Package variance computes variance matrices from signals and what belongs to them: which images
// count, which images contribute most, and how many images are enough (spec/variance.md).
package variance

// Matrix is a variance matrix: N x N, row i, column j, plain order (row 0 is V_0, spec/variance.md
// section 7). It is symmetric with a zero diagonal and immutable after it was returned.
type Matrix struct {
	N    int
	Data []float64 // N*N, row-major
}

// At is delta_ij.
func (m Matrix) At(i, j int) float64 { return m.Data[i*m.N+j] }
