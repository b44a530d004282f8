package render

import (
	"image"
	"image/color"
	"math"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// Raster draws a matrix as N x N pixels, one per element: element (i, j) is the pixel at x = j, y =
// N-1-i, so that delta_00 lies at the bottom-left and the main diagonal runs to the top-right
// (spec/variance.md section 7). Values outside the scale have its marker colours; NaN elements
// alternate between two greys, which looks hatched.
func Raster(m variance.Matrix, s Scale) *image.RGBA {
	return cellPixels(result.Matrix{Rows: m.N, Columns: m.N, Values: m.Data, Colours: s}, false)
}

// Outside counts the elements of m below Low and above High.
func (s Scale) Outside(m variance.Matrix) (under, over int) {
	return result.Matrix{Values: m.Data, Colours: s}.Outside()
}

// ColourBar draws the scale as 1 x n pixels, High at the top (y = 0), Low at the bottom.
func ColourBar(s Scale, n int) *image.RGBA { return colourBar(s, n) }

// colourBar draws colours as 1 x n pixels, their high end at the top (y = 0), the low one at the
// bottom.
func colourBar(colours result.Colours, n int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 1, n))
	low, high := colours.Ends()
	if s, ok := colours.(Scale); ok { // one without width has its colours all the same
		s.Low, s.High = low, high
		colours = s
	}
	for y := range n {
		at := 1.0
		if n > 1 {
			at = 1 - float64(y)/float64(n-1)
		}
		img.SetRGBA(0, y, colours.Color(low+at*(high-low)))
	}
	return img
}

// Hatch draws size x size pixels of grey diagonals: the picture of a matrix that is absent.
func Hatch(size int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			c := color.RGBA{0xc9, 0xc9, 0xc9, 0xff}
			if (x+y)%8 < 2 {
				c = color.RGBA{0x8c, 0x8c, 0x8c, 0xff}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// Tile is one thumbnail of a Strip: a matrix under its scale, or a hatched square where Matrix.N is
// 0.
type Tile struct {
	Matrix variance.Matrix
	Scale  Scale
}

// Strip draws tiles side by side as one picture, each size x size pixels with gap transparent
// pixels between them: (len(tiles)*(size+gap) - gap) x size. Enlarging repeats elements; shrinking
// averages the colours of the elements under a pixel, so that no row or column of a matrix is lost.
func Strip(tiles []Tile, size, gap int) *image.RGBA {
	if len(tiles) == 0 || size < 1 {
		return image.NewRGBA(image.Rect(0, 0, 0, 0))
	}
	img := image.NewRGBA(image.Rect(0, 0, len(tiles)*(size+gap)-gap, size))
	for k, tile := range tiles {
		square := Hatch(size)
		if tile.Matrix.N > 0 {
			square = resample(Raster(tile.Matrix, tile.Scale), size)
		}
		left := k * (size + gap)
		for y := range size {
			copy(img.Pix[img.PixOffset(left, y):], square.Pix[square.PixOffset(0, y):square.PixOffset(0, y)+4*size])
		}
	}
	return img
}

// resample scales a square opaque picture to size x size: nearest element when it grows, mean over
// the covered area when it shrinks.
func resample(src *image.RGBA, size int) *image.RGBA {
	n := src.Rect.Dx()
	dst := image.NewRGBA(image.Rect(0, 0, size, size))
	if size >= n {
		for y := range size {
			for x := range size {
				dst.SetRGBA(x, y, src.RGBAAt(x*n/size, y*n/size))
			}
		}
		return dst
	}
	taps := covers(n, size)
	for y := range size {
		for x := range size {
			dst.SetRGBA(x, y, mean(src, taps[x], taps[y]))
		}
	}
	return dst
}

// cover is the part of a source row under one pixel: elements first.. with these weights, which sum
// to 1.
type cover struct {
	first   int
	weights []float64
}

func covers(n, size int) []cover {
	list := make([]cover, size)
	width := float64(n) / float64(size)
	for k := range list {
		low, high := float64(k)*width, float64(k+1)*width
		list[k].first = int(low)
		for e := int(low); e < n && float64(e) < high-1e-9; e++ {
			share := math.Min(high, float64(e+1)) - math.Max(low, float64(e))
			list[k].weights = append(list[k].weights, share/width)
		}
	}
	return list
}

func mean(src *image.RGBA, across, down cover) color.RGBA {
	var r, g, b float64
	for dy, wy := range down.weights {
		for dx, wx := range across.weights {
			c := src.RGBAAt(across.first+dx, down.first+dy)
			w := wx * wy
			r, g, b = r+float64(w*float64(c.R)), g+float64(w*float64(c.G)), b+float64(w*float64(c.B))
		}
	}
	return color.RGBA{uint8(r + 0.5), uint8(g + 0.5), uint8(b + 0.5), 0xff}
}
