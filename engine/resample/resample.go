// Package resample resizes images by the filters of Pillow: separable, half-pixel centres, support
// widened by the scale where the image shrinks. The bilinear one is the triangle filter of
// spec/dscore.md section 2. It is pure.
package resample

import "math"

// Filter is the weights of one output entry: those of the source entries First, First+1, ... They
// sum to 1.
type Filter struct {
	First   int
	Weights []float64
}

// Sum is the output entry of a line of source entries that lie stride apart in from, added up in
// their order.
func (f Filter) Sum(from []float64, stride int) float64 {
	s := 0.0
	for k, w := range f.Weights {
		s += float64(w * from[(f.First+k)*stride])
	}
	return s
}

// Whole rounds the weights to multiples of 2^-22, as Pillow does for images of 8 bits: sums over
// whole levels are then exact.
func (f Filter) Whole() {
	const unit = 1 << 22
	for k, w := range f.Weights {
		f.Weights[k] = math.Round(w*unit) / unit
	}
}

// Kernel is the name of a filter.
type Kernel string

// The filters of spec/recipe.md section 1. Nearest takes one entry.
const (
	Nearest  Kernel = "nearest"
	Box      Kernel = "box"
	Bilinear Kernel = "bilinear"
	Bicubic  Kernel = "bicubic" // a = -0.5
	Lanczos  Kernel = "lanczos" // 3 lobes
)

// Kernels are all filters.
func Kernels() []Kernel { return []Kernel{Nearest, Box, Bilinear, Bicubic, Lanczos} }

// weight is the weight at distance x from the centre, before the weights are divided by their sum.
func (k Kernel) weight(x float64) float64 {
	switch k {
	case Box:
		if x > -0.5 && x <= 0.5 {
			return 1
		}
		return 0
	case Bicubic:
		const a = -0.5
		switch x = math.Abs(x); {
		case x < 1:
			return ((a+2)*x-(a+3))*x*x + 1
		case x < 2:
			return (((x-5)*x+8)*x - 4) * a
		}
		return 0
	case Lanczos:
		if x < -3 || x >= 3 {
			return 0
		}
		return sinc(x) * sinc(x/3)
	}
	return max(0, 1-math.Abs(x))
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// Triangle is the bilinear filter of every output of a side that is resized from src to dst
// entries, both at least 1. Weights at the ends of a filter may be 0; a side that keeps its size is
// left as it is, to the bit.
func Triangle(src, dst int) []Filter { return Filters(Bilinear, src, dst, 0, dst, true) }

// Filters are the filters of count outputs, from number first on, of a side that is resized from
// src to dst entries, all at least 1. Unless widened, a filter keeps its own width where the side
// shrinks, and skips entries.
func Filters(k Kernel, src, dst, first, count int, widened bool) []Filter {
	scale := float64(src) / float64(dst)
	wider := 1.0
	if widened {
		wider = max(scale, 1)
	}
	filters := make([]Filter, count)
	if k == Nearest {
		// Pillow adds up the places. Where one lies between two entries, rounding can take the
		// lower one.
		at := scale * 0.5
		for o := range first + count {
			if o >= first {
				filters[o-first] = Filter{min(src-1, int(at)), []float64{1}}
			}
			at += scale
		}
		return filters
	}
	for i := range filters {
		filters[i] = k.filter(src, (float64(first+i)+0.5)*scale, wider)
	}
	return filters
}

// filter is the filter of one output whose centre lies at a place of the source.
func (k Kernel) filter(src int, centre, wider float64) Filter {
	reach := map[Kernel]float64{Box: 0.5, Bilinear: 1, Bicubic: 2, Lanczos: 3}[k] * wider
	first := max(0, int(math.Floor(centre-reach+0.5)))
	end := min(src, int(math.Floor(centre+reach+0.5)))
	f := Filter{First: first, Weights: make([]float64, end-first)}
	total := 0.0
	for i := range f.Weights {
		f.Weights[i] = k.weight((float64(first+i) + 0.5 - centre) / wider)
		total += f.Weights[i]
	}
	for i := range f.Weights {
		f.Weights[i] /= total
	}
	return f
}
