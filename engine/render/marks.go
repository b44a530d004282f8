package render

import (
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
