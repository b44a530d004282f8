package corrupt

import "math"

// fixedBits is the precision of the weights that Pillow resamples 8-bit images with.
const fixedBits = 22

// boxes are the outputs of a box filter along one side: output o is the weighted sum of the entries
// first[o]...
type boxes struct {
	first   []int
	weights [][]int64 // times 2^fixedBits
}

// boxed resamples a side of src entries to dst, with the weights of Pillow's BOX.
func boxed(src, dst int) boxes {
	b := boxes{first: make([]int, dst), weights: make([][]int64, dst)}
	scale := float64(src) / float64(dst)
	wide := max(1, scale)
	for o := range dst {
		centre := (float64(o) + 0.5) * scale
		first := max(0, int(centre-wide/2+0.5))
		end := min(src, int(centre+wide/2+0.5))
		inside := make([]float64, end-first)
		sum := 0.0
		for k := range inside {
			if at := (float64(first+k) - centre + 0.5) / wide; at > -0.5 && at <= 0.5 {
				inside[k] = 1
				sum++
			}
		}
		b.first[o], b.weights[o] = first, make([]int64, len(inside))
		for k, w := range inside {
			b.weights[o][k] = int64(0.5 + w/sum*(1<<fixedBits))
		}
	}
	return b
}

// across resamples every row of length width, rounding to whole numbers.
func (b boxes) across(dst, src []uint8, width int) {
	side := len(b.first)
	for y := range len(src) / width {
		row := src[y*width:][:width]
		for o, first := range b.first {
			dst[y*side+o] = b.sum(o, row[first:], 1)
		}
	}
}

// down resamples every column of rows of length width, rounding to whole numbers.
func (b boxes) down(dst, src []uint8, width int) {
	for o, first := range b.first {
		for x := range width {
			dst[o*width+x] = b.sum(o, src[first*width+x:], width)
		}
	}
}

func (b boxes) sum(o int, from []uint8, stride int) uint8 {
	sum := int64(1 << (fixedBits - 1))
	for k, w := range b.weights[o] {
		sum += w * int64(from[k*stride])
	}
	return uint8(max(0, min(255, sum>>fixedBits)))
}

// pixelate reduces and enlarges again.
type pixelate struct {
	height, width       int
	shortened, narrowed int
	shorten, narrow     boxes
	lengthen, widen     boxes
}

// preparePixelate reduces each side to floor(side c), at least one pixel.
func preparePixelate(s setup) (filter, error) {
	small := func(side int) int { return max(1, int(math.Floor(float64(side)*s.p[0]))) }
	p := pixelate{height: s.height, width: s.width, shortened: small(s.height), narrowed: small(s.width)}
	p.shorten, p.narrow = boxed(p.height, p.shortened), boxed(p.width, p.narrowed)
	p.lengthen, p.widen = boxed(p.shortened, p.height), boxed(p.narrowed, p.width)
	return p.apply, nil
}

// apply goes along the rows first in both directions, as Pillow does.
func (p pixelate) apply(c *call, r raster) error {
	a, b := c.bytes(r.area())
	for channel := range r.channels {
		plane := r.plane(channel)
		for i, v := range plane {
			a[i] = byteOf(v)
		}
		p.narrow.across(b, a, p.width)
		p.shorten.down(a, b[:p.narrowed*p.height], p.narrowed)
		p.widen.across(b, a[:p.narrowed*p.shortened], p.narrowed)
		p.lengthen.down(a, b[:p.width*p.shortened], p.width)
		for i := range plane {
			plane[i] = steps[a[i]]
		}
	}
	return nil
}
