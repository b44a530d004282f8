// Package resample resizes images by the triangle filter of spec/dscore.md section 2, the "antialiased bilinear" of the usual
// image libraries: separable, half-pixel centres, support widened by the scale. It is pure.
package resample

import "math"

// Filter is the weights of one output entry: those of the source entries First, First+1, ... They sum to 1.
type Filter struct {
	First   int
	Weights []float64
}

// Sum is the output entry of a line of source entries that lie stride apart in from, added up in their order.
func (f Filter) Sum(from []float64, stride int) float64 {
	s := 0.0
	for k, w := range f.Weights {
		s += float64(w * from[(f.First+k)*stride])
	}
	return s
}

// Triangle is the filter of every output of a side that is resized from src to dst entries, both at least 1. Weights at the
// ends of a filter may be 0; a side that keeps its size is left as it is, to the bit.
func Triangle(src, dst int) []Filter {
	scale := float64(src) / float64(dst)
	reach := max(scale, 1)
	filters := make([]Filter, dst)
	for o := range filters {
		centre := (float64(o) + 0.5) * scale
		first := max(0, int(math.Floor(centre-reach+0.5)))
		end := min(src, int(math.Floor(centre+reach+0.5)))
		f := Filter{First: first, Weights: make([]float64, end-first)}
		total := 0.0
		for k := range f.Weights {
			f.Weights[k] = max(0, 1-math.Abs((float64(first+k)+0.5-centre)/reach))
			total += f.Weights[k]
		}
		for k := range f.Weights {
			f.Weights[k] /= total
		}
		filters[o] = f
	}
	return filters
}
