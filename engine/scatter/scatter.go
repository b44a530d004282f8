// Package scatter draws what a change of scene does inside a model: clouds of points over semantic distances, and the variance matrices that
// radial basis functions interpolate from them (spec/background.md sections 8 to 10, 12 and 13). It is pure, and results are the same bits for any number of
// goroutines.
package scatter

import "context"

// Cloud is the points of one model, position and reducer: for each target t and each ordered pair (i, j) of its m images, i = j included, x = Distances[t][i],
// y = Distances[t][j] and value |Signals[t][i] - Signals[t][j]|, in the order t, i, j. The points themselves are never stored.
type Cloud struct {
	Distances [][]float64 // T x m; image 0 is the target itself, at distance 0
	Signals   [][]float64 // T x m, scaled (Scale)
	// D is the end of both axes: the largest distance of the run's selection, the same for all models and reducers of a run.
	D float64
}

// Points is the number of points, T * m * m.
func (c Cloud) Points() int {
	n := 0
	for _, row := range c.Distances {
		n += len(row) * len(row)
	}
	return n
}

// Check says what is wrong with a cloud: no targets, rows of different lengths, numbers that are not finite, distances outside of [0, D], D not above 0.
func (c Cloud) Check() error { panic("not built yet") }

// Of is the cloud of the chosen targets (ascending), with the same D.
func (c Cloud) Of(targets []int) Cloud { panic("not built yet") }

// Interpolant is the setting of an interpolation: the full width of the circle and sigma, in pixels of the raster, and the number of neighbours of
// the made-up point; K = 0 is the first formula, without one.
type Interpolant struct {
	Size, Sigma float64
	K           int
}

// Interpolants are the three of the paper: I1, I2, I3.
func Interpolants() []Interpolant { return []Interpolant{{16, 5, 32}, {32, 2, 32}, {32, 10, 32}} }

// String is the canonical text "16,5,32", which ParseInterpolant reads; it reads I1, I2 and I3, too.
func (p Interpolant) String() string { panic("not built yet") }

// ParseInterpolant reads an interpolant. The error says what is wrong: three numbers, a size and a sigma above 0, K from 0.
func ParseInterpolant(text string) (Interpolant, error) { panic("not built yet") }

// DefaultRaster is R, the elements along a side.
const DefaultRaster = 64

// Matrix is an interpolated variance matrix: R x R, row b = 0 is y near 0, element (column a, row b) at index b*R + a. NaN where the first formula has no points.
type Matrix struct {
	R      int
	Values []float64
}

// At is element (column a, row b).
func (m Matrix) At(a, b int) float64 { return m.Values[b*m.R+a] }

// Interpolate computes the exact matrices of one cloud for several interpolants (spec section 10), in their order; points are neither merged nor binned. It uses all
// processors and ends early with ctx's error. The error is that of Check, of a raster below 4 or above 512, or of an interpolant that cannot be.
func Interpolate(ctx context.Context, c Cloud, raster int, list []Interpolant) ([]Matrix, error) {
	panic("not built yet")
}

// Bins is a cloud counted into cells, for previews and for the scatter picture: it is made once, and Preview is quick.
type Bins struct {
	Cells  int       // along a side
	D      float64   // the cloud's
	Counts []float64 // Cells x Cells, row by row from y = 0
	Sums   []float64 // of values
}

// Bin counts a cloud into cells x cells cells.
func Bin(ctx context.Context, c Cloud, cells int) (Bins, error) { panic("not built yet") }

// Means are the mean values per cell, NaN where there is no point: the scatter picture without the arbitrariness of what is drawn last.
func (b Bins) Means() Matrix { panic("not built yet") }

// Preview is what Interpolate gives when every point lies in the middle of its cell: an approximation for a slider that moves, within 100 ms.
func (b Bins) Preview(raster int, p Interpolant) Matrix { panic("not built yet") }

// Dots is the original scatter picture on side x side pixels: the value of the last point, in order of t, i, j, whose pixel it is; NaN without points.
func Dots(c Cloud, side int) Matrix { panic("not built yet") }

// Density is the number of points per pixel of the scatter picture.
func Density(c Cloud, side int) Matrix { panic("not built yet") }

// Scale is the per-model constant that signals of HEAD are divided by (spec section 8): for reducer max the mean over targets of |s(image 0)|, for mean that of the mean
// of absolute values, both given as the numbers themselves. One below 1e-12 is replaced by 1 and flagged.
func Scale(own []float64) (constant float64, flagged bool) { panic("not built yet") }

// Difference is the root mean square of the elements' differences of two matrices of one size; elements that are NaN in either are left out.
func Difference(a, b Matrix) float64 { panic("not built yet") }

// Shares are the shares of targets of spec section 12 (B3).
func Shares() []float64 { return []float64{1, 0.75, 0.5, 0.25, 0.1, 0.05} }

// Draw are the targets of a seeded sample of a share of n targets, ascending: floor(share * n), at least 1. draw tells several samples of one seed apart.
func Draw(n int, share float64, seed uint64, draw int) []int { panic("not built yet") }
