package render

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shape is the form of a point, so that groups of points differ by more than their colour.
type Shape int

// The shapes.
const (
	Disc Shape = iota
	Square
	Triangle
	Ring
	Diamond
	Cross // lies over other points
)

// Group is a kind of points or bars: its name in the legend, the shape of its points, and its colour.
type Group struct {
	Name   string
	Shape  Shape
	Colour color.RGBA
}

// Mark draws a smooth point of a shape on img, with its middle at `at`; size is the radius of the disc in pixels, and the
// other shapes cover about as much. Points beside img are allowed; one that is not finite is not drawn.
func Mark(img *image.NRGBA, at Point, s Shape, size float64, c color.NRGBA) {
	bounds := img.Bounds()
	reach := 1.7*size + 1 // the corners of the triangle
	if !(at.X > -reach && at.X < float64(bounds.Dx())+reach && at.Y > -reach && at.Y < float64(bounds.Dy())+reach) {
		return // beside img, or NaN
	}
	x0, x1 := max(math.Floor(at.X-reach), 0), min(math.Ceil(at.X+reach), float64(bounds.Dx()))
	y0, y1 := max(math.Floor(at.Y-reach), 0), min(math.Ceil(at.Y+reach), float64(bounds.Dy()))
	for y := int(y0); y < int(y1); y++ {
		for x := int(x0); x < int(x1); x++ {
			share := 0.5 - s.distance(float64(x)+0.5-at.X, float64(y)+0.5-at.Y, size)
			if share > 0 {
				pixel := img.Pix[y*img.Stride+x*4:]
				blend(pixel[:4:4], c, min(share, 1))
			}
		}
	}
}

// distance is how far a place lies outside the shape around the origin, negative inside.
func (s Shape) distance(x, y, size float64) float64 {
	switch s {
	case Square:
		return max(math.Abs(x), math.Abs(y)) - 0.88*size
	case Triangle: // equilateral, its top up: the farthest of its three sides, moved down a little to stand in line
		inner := 0.75 * size
		y -= 0.25 * inner
		return max(y, math.Sqrt(3)/2*math.Abs(x)-y/2) - inner
	case Diamond:
		return (math.Abs(x)+math.Abs(y))/math.Sqrt2 - 0.88*size
	case Ring:
		return math.Abs(math.Hypot(x, y)-0.85*size) - 0.22*size
	case Cross:
		return max(math.Abs(math.Abs(x)-math.Abs(y))/math.Sqrt2-0.2*size, max(math.Abs(x), math.Abs(y))-1.2*size)
	}
	return math.Hypot(x, y) - size
}

// glyph draws the shape in figures.
func (s Shape) glyph() draw.GlyphDrawer {
	switch s {
	case Square:
		return draw.BoxGlyph{}
	case Triangle:
		return draw.PyramidGlyph{}
	case Ring:
		return draw.RingGlyph{}
	case Diamond:
		return diamondGlyph{}
	case Cross:
		return draw.CrossGlyph{}
	}
	return draw.CircleGlyph{}
}

// diamondGlyph is a square on its corner.
type diamondGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamondGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	reach := 1.25 * style.Radius
	c.SetColor(style.Color)
	var p vg.Path
	p.Move(vg.Point{X: at.X, Y: at.Y + reach})
	p.Line(vg.Point{X: at.X + reach, Y: at.Y})
	p.Line(vg.Point{X: at.X, Y: at.Y - reach})
	p.Line(vg.Point{X: at.X - reach, Y: at.Y})
	p.Close()
	c.Fill(p)
}
