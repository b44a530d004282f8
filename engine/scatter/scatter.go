// Package scatter draws what a change of scene does inside a model: clouds of points over semantic
// distances, and the variance matrices that radial basis functions interpolate from them
// (spec/background.md sections 8 to 10, 12 and 13). It is pure, and results are the same bits for
// any number of goroutines.
package scatter

import (
	"context"
	"fmt"
	"math"
	"runtime"
)

// Cloud is the points of one model, position and reducer: for each target t and each ordered pair
// (i, j) of its m images, i = j included, x = Distances[t][i], y = Distances[t][j] and value
// |Signals[t][i] - Signals[t][j]|, in the order t, i, j. The points themselves are never stored.
type Cloud struct {
	Distances [][]float64 // T x m; image 0 is the target itself, at distance 0
	Signals   [][]float64 // T x m, scaled (Scale)
	// D is the end of both axes: the largest distance of the run's selection, the same for all
	// models and reducers of a run.
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

// Check says what is wrong with a cloud: no targets, rows of different lengths, numbers that are
// not finite, distances outside of [0, D], D not above 0.
func (c Cloud) Check() error {
	if len(c.Distances) == 0 || len(c.Distances[0]) == 0 {
		return fmt.Errorf("the cloud has no targets; choose at least one")
	}
	if len(c.Signals) != len(c.Distances) {
		return fmt.Errorf("the cloud has distances of %d targets and signals of %d; both must be of the same targets",
			len(c.Distances), len(c.Signals))
	}
	if !(c.D > 0) || math.IsInf(c.D, 0) {
		return fmt.Errorf("the axes of the cloud end at %v; the largest distance must be a finite number above 0", c.D)
	}
	m := len(c.Distances[0])
	for t, distances := range c.Distances {
		if len(distances) != m || len(c.Signals[t]) != m {
			return fmt.Errorf("target %d has %d distances and %d signals, the first target has %d images; "+
				"all must have as many", t, len(distances), len(c.Signals[t]), m)
		}
		for i, d := range distances {
			if !(d >= 0 && d <= c.D) {
				return fmt.Errorf("image %d of target %d lies at distance %v, outside of the axes 0 to %v",
					i, t, d, c.D)
			}
			if s := c.Signals[t][i]; math.IsNaN(s) || math.IsInf(s, 0) {
				return fmt.Errorf("the signal of image %d of target %d is %v; run the model again", i, t, s)
			}
		}
	}
	return nil
}

// Of is the cloud of the chosen targets (ascending), with the same D.
func (c Cloud) Of(targets []int) Cloud {
	of := Cloud{Distances: make([][]float64, len(targets)), Signals: make([][]float64, len(targets)), D: c.D}
	for k, t := range targets {
		of.Distances[k], of.Signals[k] = c.Distances[t], c.Signals[t]
	}
	return of
}

// value is that of point (i, j) of target t.
func (c Cloud) value(t, i, j int) float64 { return math.Abs(c.Signals[t][i] - c.Signals[t][j]) }

// DefaultRaster is R, the elements along a side.
const DefaultRaster = 64

// The least and the largest raster.
const (
	leastRaster   = 4
	largestRaster = 512
)

// Matrix is an interpolated variance matrix: R x R, row b = 0 is y near 0, element (column a, row
// b) at index b*R + a. NaN where the first formula has no points.
type Matrix struct {
	R      int
	Values []float64
}

// At is element (column a, row b).
func (m Matrix) At(a, b int) float64 { return m.Values[b*m.R+a] }

// Interpolate computes the exact matrices of one cloud for several interpolants (spec section 10),
// in their order; points are neither merged nor binned. It uses all processors and ends early with
// ctx's error. The error is that of Check, of a raster below 4 or above 512, or of an interpolant
// that cannot be.
//
// An element of the first formula (K = 0) is NaN where its circle is empty, and where all of its
// points lie so many sigmas away that their weights are 0. Matrices are symmetric but where points
// at exactly one distance from an element compete for the last place among its K nearest: there,
// too, the lower index wins.
func Interpolate(ctx context.Context, c Cloud, raster int, list []Interpolant) ([]Matrix, error) {
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("interpolate: %w", err)
	}
	if err := checkRaster(raster); err != nil {
		return nil, fmt.Errorf("interpolate: %w", err)
	}
	for _, p := range list {
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("interpolate: %w", err)
		}
	}
	return place(c.Distances, c.value, c.D, raster).interpolate(ctx, list, runtime.GOMAXPROCS(0))
}

func checkRaster(raster int) error {
	if raster < leastRaster || raster > largestRaster {
		return fmt.Errorf("a raster of %d elements a side; take %d to %d", raster, leastRaster, largestRaster)
	}
	return nil
}
