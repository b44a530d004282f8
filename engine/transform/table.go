package transform

import "math"

// table is one geometric transformation for one image size. Every output pixel is in one of the
// lists.
type table struct {
	holes   []int32  // black
	moves   []move   // nearest
	squares []square // bilinear, all four neighbours inside the image
	patches []patch  // bicubic, all sixteen neighbours inside the image
	rim     rim      // bilinear and bicubic where a neighbour lies outside
	// reach is the largest pixel that squares and rim read, end the largest that they write.
	reach, end int
}

type move struct{ dst, src int32 }

// square reads src, src+1, src+width, src+width+1.
type square struct {
	dst, src           int32
	w00, w01, w10, w11 float32
}

// patch reads 4 x 4 pixels from src on; the weights are separable.
type patch struct {
	dst, src int32
	wy, wx   [4]float32
}

// rim holds taps of any number per output pixel: pixel dst[n] has the taps first[n] to first[n+1].
type rim struct {
	dst   []int32
	first []int32
	taps  []tap
	clip  bool
}

type tap struct {
	src    int32
	weight float32
}

// tapBytes is the usual size of a table per output pixel.
func tapBytes(i Interpolation) int64 {
	switch i {
	case Nearest:
		return 8
	case Bicubic:
		return 40
	}
	return 24
}

func newTable(g grid, at locate, interpolation Interpolation, border Border) table {
	b := builder{grid: g, border: border}
	b.rim.first = []int32{0}
	b.rim.clip = interpolation == Bicubic
	for y := range g.height {
		for x := range g.width {
			sy, sx := at(float64(y)-g.cy, float64(x)-g.cx)
			sy, sx = border.tame(sy, g.height), border.tame(sx, g.width)
			dst := int32(y*g.width + x)
			covered := false
			switch interpolation {
			case Nearest:
				covered = b.nearest(dst, sy, sx)
			case Bicubic:
				covered = b.bicubic(dst, sy, sx)
			default:
				covered = b.bilinear(dst, sy, sx)
			}
			if !covered {
				b.holes = append(b.holes, dst)
			}
		}
	}
	for _, s := range b.squares {
		b.reach, b.end = max(b.reach, int(s.src)+g.width+1), max(b.end, int(s.dst))
	}
	for _, t := range b.rim.taps {
		b.reach = max(b.reach, int(t.src))
	}
	for _, d := range b.rim.dst {
		b.end = max(b.end, int(d))
	}
	return b.table
}

type builder struct {
	table
	grid
	border Border
	ys, xs [4]int
	wy, wx [4]float64
}

// nearest puts a pixel into a list; false for a black one. So do bilinear and bicubic.
func (b *builder) nearest(dst int32, sy, sx float64) bool {
	// A half that rounding has moved a little must not go one way here and the other way in the
	// next pixel.
	const half = 0.5 + 1e-9
	y := b.border.index(int(math.Floor(sy+half)), b.height)
	x := b.border.index(int(math.Floor(sx+half)), b.width)
	if y < 0 || x < 0 {
		return false
	}
	b.moves = append(b.moves, move{dst, int32(y*b.width + x)})
	return true
}

func (b *builder) bilinear(dst int32, sy, sx float64) bool {
	y0, x0 := math.Floor(sy), math.Floor(sx)
	fy, fx := sy-y0, sx-x0
	y, x := int(y0), int(x0)
	if y >= 0 && y+1 < b.height && x >= 0 && x+1 < b.width {
		b.squares = append(b.squares, square{
			dst: dst, src: int32(y*b.width + x),
			w00: float32((1 - fy) * (1 - fx)), w01: float32((1 - fy) * fx),
			w10: float32(fy * (1 - fx)), w11: float32(fy * fx),
		})
		return true
	}
	b.wy, b.wx = [4]float64{1 - fy, fy}, [4]float64{1 - fx, fx}
	return b.general(dst, y, x, 2)
}

func (b *builder) bicubic(dst int32, sy, sx float64) bool {
	y0, x0 := math.Floor(sy), math.Floor(sx)
	for k := range 4 {
		b.wy[k] = keys(sy - y0 + 1 - float64(k))
		b.wx[k] = keys(sx - x0 + 1 - float64(k))
	}
	y, x := int(y0)-1, int(x0)-1
	if y < 0 || y+3 >= b.height || x < 0 || x+3 >= b.width {
		return b.general(dst, y, x, 4)
	}
	p := patch{dst: dst, src: int32(y*b.width + x)}
	for k := range 4 {
		p.wy[k], p.wx[k] = float32(b.wy[k]), float32(b.wx[k])
	}
	b.patches = append(b.patches, p)
	return true
}

// general adds the side x side taps from (y, x) on with the weights wy, wx; those outside go where
// the border says. false where none reads the image.
func (b *builder) general(dst int32, y, x, side int) bool {
	for k := range side {
		b.ys[k], b.xs[k] = b.border.index(y+k, b.height), b.border.index(x+k, b.width)
	}
	before := len(b.rim.taps)
	for j := range side {
		for k := range side {
			w := float32(b.wy[j] * b.wx[k])
			if b.ys[j] >= 0 && b.xs[k] >= 0 && w != 0 {
				b.rim.taps = append(b.rim.taps, tap{int32(b.ys[j]*b.width + b.xs[k]), w})
			}
		}
	}
	if len(b.rim.taps) == before {
		return false
	}
	b.rim.dst = append(b.rim.dst, dst)
	b.rim.first = append(b.rim.first, int32(len(b.rim.taps)))
	return true
}

// keys is Keys' cubic convolution kernel with a = -0.5.
func keys(x float64) float64 {
	const a = -0.5
	x = math.Abs(x)
	switch {
	case x <= 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return ((a*x-5*a)*x+8*a)*x - 4*a
	}
	return 0
}

// tame brings a source coordinate that is far outside near the image without changing what is read
// there, so that it fits an int. n is the image's side.
func (b Border) tame(c float64, n int) float64 {
	if b == Reflect && n > 1 {
		return math.Mod(c, float64(2*(n-1)))
	}
	const reach = 4 // further than any kernel
	return max(-reach, min(float64(n)+reach, c))
}

// index is the pixel that stands at place i of a side of n pixels, -1 for black.
func (b Border) index(i, n int) int {
	if i >= 0 && i < n {
		return i
	}
	switch {
	case b == Edge || b == Reflect && n == 1:
		return max(0, min(n-1, i))
	case b == Reflect:
		period := 2 * (n - 1)
		i = ((i % period) + period) % period
		return min(i, period-i)
	}
	return -1
}
