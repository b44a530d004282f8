package widget

import (
	"image"
	"math"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

// Picture is a matrix ready to be shown. It is immutable once it was handed to a widget.
type Picture struct {
	Matrix variance.Matrix
	Scale  render.Scale
	Axis   render.Axis // its Values have one entry per row, or none for an axis without ticks
	Image  *image.RGBA // render.Raster of the matrix
	// Under and Over count the elements outside the scale.
	Under, Over int
}

// same tells whether two pictures show the same.
func (p Picture) same(q Picture) bool {
	return p.Matrix.N == q.Matrix.N && p.Scale == q.Scale && p.Axis.Name == q.Axis.Name && p.Axis.Unit == q.Axis.Unit &&
		slices.Equal(p.Axis.Values, q.Axis.Values) && sameNumbers(p.Matrix.Data, q.Matrix.Data)
}

// sameNumbers tells whether two lists hold the same numbers, with NaN in the same places.
func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// NewPicture rasters a matrix; it may be called on any goroutine and should not be called on Fyne's for large matrices.
func NewPicture(m variance.Matrix, s render.Scale, axis render.Axis) Picture {
	p := Picture{Matrix: m, Scale: s, Axis: axis, Image: render.Raster(m, s)}
	p.Under, p.Over = s.Outside(m)
	return p
}

// Cell is an element of a matrix under the pointer or the keyboard's cursor: row I, column J.
type Cell struct {
	I, J   int
	Inside bool // false when the pointer has left the matrix; the rest is then meaningless
	Value  float64
}

// same tells whether two cells say the same; a value that is NaN equals itself here.
func (c Cell) same(o Cell) bool {
	values := c.Value == o.Value || math.IsNaN(c.Value) && math.IsNaN(o.Value)
	c.Value, o.Value = 0, 0
	return values && c == o
}

// Mark outlines an element; I or J -1 outlines a whole column or row.
type Mark struct{ I, J int }

// square is where a matrix lies inside its widget: the top-left corner and the length of a side.
type square struct{ x, y, side float32 }

// cell is the element under a position; ok is false outside.
func (s square) cell(pos fyne.Position, n int) (i, j int, ok bool) {
	if s.side <= 0 || n == 0 {
		return 0, 0, false
	}
	x, y := (pos.X-s.x)/s.side, (pos.Y-s.y)/s.side
	if x < 0 || y < 0 || x >= 1 || y >= 1 {
		return 0, 0, false
	}
	return n - 1 - min(n-1, int(y*float32(n))), min(n-1, int(x*float32(n))), true
}

// box is the rectangle of a mark.
func (s square) box(m Mark, n int) (fyne.Position, fyne.Size) {
	cell := s.side / float32(n)
	pos, size := fyne.NewPos(s.x, s.y), fyne.NewSize(s.side, s.side)
	if m.J >= 0 {
		pos.X, size.Width = s.x+float32(m.J)*cell, cell
	}
	if m.I >= 0 {
		pos.Y, size.Height = s.y+float32(n-1-m.I)*cell, cell
	}
	return pos, size
}

// centre is the middle of row or column k, measured from the low end.
func (s square) centre(k, n int) float32 { return (float32(k) + 0.5) * s.side / float32(n) }
