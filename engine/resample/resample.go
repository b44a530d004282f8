// Package resample resizes images by the triangle filter of spec/dscore.md section 2, the "antialiased bilinear" of the usual
// image libraries: separable, half-pixel centres, support widened by the scale. It is pure.
package resample

// Filter is the weights of one output entry: those of the source entries First, First+1, ... They sum to 1.
type Filter struct {
	First   int
	Weights []float64
}

// Triangle is the filter of every output of a side that is resized from src to dst entries.
func Triangle(src, dst int) []Filter { panic("not built yet") }
