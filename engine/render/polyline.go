package render

import (
	"image"
	"image/color"
	"math"
)

// Point is a position in a picture, in pixels from the top-left corner; (0.5, 0.5) is the middle of the first pixel.
type Point struct{ X, Y float64 }

// Stroke is how a Polyline looks: its width and dashes in pixels. Dash 0 draws a whole line, else strokes and gaps of
// that length alternate.
type Stroke struct {
	Colour color.NRGBA
	Width  float64
	Dash   float64
}

// Polyline draws smooth lines through the points onto img, each pixel once, so that joints and crossings of a line with
// itself do not get darker. Points outside img are allowed; a NaN breaks the line.
func Polyline(img *image.NRGBA, points []Point, s Stroke) {
	bounds := img.Bounds()
	cover := coverage{size: bounds.Size(), share: make([]float64, bounds.Dx()*bounds.Dy())}
	gone := 0.0
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		if math.IsNaN(length) || math.IsInf(length, 0) {
			gone = 0
			continue
		}
		cover.segment(a, b, s, gone)
		gone += length
	}
	for i, share := range cover.share {
		if share > 0 {
			at := img.Pix[(i/bounds.Dx())*img.Stride+(i%bounds.Dx())*4:]
			blend(at[:4:4], s.Colour, share)
		}
	}
}

// coverage is the share of each pixel of a picture that lines cover, row by row.
type coverage struct {
	size  image.Point
	share []float64
}

// segment raises the coverage to the share of each pixel that lies within half the stroke's width of the line from a to
// b. gone is the length of the lines before it, for the dashes.
func (c coverage) segment(a, b Point, s Stroke, gone float64) {
	reach := s.Width/2 + 1
	x0, x1 := int(math.Floor(math.Min(a.X, b.X)-reach)), int(math.Ceil(math.Max(a.X, b.X)+reach))
	y0, y1 := int(math.Floor(math.Min(a.Y, b.Y)-reach)), int(math.Ceil(math.Max(a.Y, b.Y)+reach))
	dx, dy := b.X-a.X, b.Y-a.Y
	square := dx*dx + dy*dy
	for y := max(y0, 0); y < min(y1, c.size.Y); y++ {
		for x := max(x0, 0); x < min(x1, c.size.X); x++ {
			px, py := float64(x)+0.5-a.X, float64(y)+0.5-a.Y
			along := 0.0
			if square > 0 {
				along = math.Min(1, math.Max(0, (px*dx+py*dy)/square))
			}
			if s.Dash > 0 && int((gone+along*math.Sqrt(square))/s.Dash)%2 == 1 {
				continue
			}
			share := s.Width/2 + 0.5 - math.Hypot(px-along*dx, py-along*dy)
			if i := y*c.size.X + x; share > c.share[i] {
				c.share[i] = math.Min(share, 1)
			}
		}
	}
}

// blend lays c with a share of its opacity over a pixel (R, G, B, A, not premultiplied).
func blend(pixel []uint8, c color.NRGBA, share float64) {
	over := share * float64(c.A) / 255
	under := float64(pixel[3]) / 255 * (1 - over)
	whole := over + under
	if whole == 0 {
		return
	}
	for k, v := range [3]uint8{c.R, c.G, c.B} {
		pixel[k] = uint8((float64(v)*over+float64(pixel[k])*under)/whole + 0.5)
	}
	pixel[3] = uint8(whole*255 + 0.5)
}
