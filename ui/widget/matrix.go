package widget

import (
	"image"
	"math"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
)

// box is a rectangle inside a widget.
type box struct{ x, y, width, height float32 }

// Picture is a matrix ready to be shown. It is immutable once it was handed to a widget.
type Picture struct {
	Matrix variance.Matrix
	Scale  render.Scale
	Axis   render.Axis // its Values have one entry per row, or none for an axis without ticks
	// Under and Over count the elements outside the scale.
	Under, Over int
}

// NewPicture makes a matrix ready to be shown; it may be called on any goroutine.
func NewPicture(m variance.Matrix, s render.Scale, axis render.Axis) Picture {
	p := Picture{Matrix: m, Scale: s, Axis: axis}
	p.Under, p.Over = s.Outside(m)
	return p
}

// Cell is an element of a matrix under the pointer or the keyboard's cursor: row I, column J.
type Cell struct {
	I, J   int
	Inside bool // false when the pointer has left the matrix; the rest is then meaningless
	Value  float64
}

// Mark outlines an element.
type Mark struct{ I, J int }

// Heatmap is a plot of a variance matrix, whose cells are told by row and column.
type Heatmap struct {
	Plot
	// OnHover reports the chosen element, and Inside false when there is none any more.
	OnHover func(Cell)
	// OnTapped reports an element that was clicked, or confirmed by Return.
	OnTapped func(Cell)
	// OnMoved reports an element that the arrow keys have moved to, and Inside false after Escape.
	OnMoved func(Cell)

	picture Picture
}

// NewHeatmap makes an empty heatmap.
func NewHeatmap() *Heatmap {
	h := &Heatmap{}
	h.begin(h)
	report := func(to *func(Cell)) func(int) {
		return func(item int) {
			if *to != nil {
				(*to)(h.cell(item))
			}
		}
	}
	h.Plot.OnItem, h.Plot.OnTapped, h.Plot.OnMoved = report(&h.OnHover), report(&h.OnTapped), report(&h.OnMoved)
	return h
}

// SetPicture shows a matrix. Marks stay, and the cursor while the matrix is the same.
func (h *Heatmap) SetPicture(p Picture) {
	marked := h.marked
	h.picture = p
	f := p.Matrix.Figure(p.Axis, p.Scale, "")
	if len(p.Axis.Values) != p.Matrix.N {
		f.X.Values, f.Y.Values = nil, nil
	}
	if h.SetFigure(f); !slices.Equal(h.marked, marked) {
		h.SetMarked(marked)
	}
}

// SetAbsent shows a hatched square with the reason why there is no matrix.
func (h *Heatmap) SetAbsent(reason string) {
	axis := h.picture.Axis
	if len(axis.Values) == 0 { // one of usual numbers, so that the square lines up with others
		axis = render.Axis{Unit: "°", Values: result.Edges(-15, 15, 30)}
	}
	f := variance.Matrix{}.Figure(axis, render.Scale{}, "")
	h.picture, f.Empty = Picture{Axis: h.picture.Axis}, reason
	h.SetFigure(f)
}

// Picture is what is shown; its matrix has N 0 when absent.
func (h *Heatmap) Picture() Picture { return h.picture }

// SetMarks outlines elements.
func (h *Heatmap) SetMarks(marks []Mark) {
	var items []int
	for _, m := range marks {
		if n := h.picture.Matrix.N; min(m.I, m.J) >= 0 && max(m.I, m.J) < n {
			items = append(items, m.I*n+m.J)
		}
	}
	if !slices.Equal(items, h.marked) {
		h.SetMarked(items)
	}
}

// Cursor is the chosen element.
func (h *Heatmap) Cursor() Cell { return h.cell(h.hovered) }

func (h *Heatmap) cell(item int) Cell {
	if item < 0 {
		return Cell{}
	}
	n := h.picture.Matrix.N
	return Cell{I: item / n, J: item % n, Inside: true, Value: h.picture.Matrix.Data[item]}
}

// FieldPicture is an interpolated matrix or a scatter picture, ready to be shown. It is immutable
// once it was handed to a widget.
type FieldPicture struct {
	Matrix scatter.Matrix
	Scale  render.Scale
	D      float64 // the end of both axes
	// Under and Over count the elements outside the scale.
	Under, Over int
	// Preview marks an approximation that the exact matrix will replace.
	Preview bool
}

// NewFieldPicture makes a matrix ready to be shown; it may be called on any goroutine.
func NewFieldPicture(m scatter.Matrix, s render.Scale, d float64) FieldPicture {
	p := FieldPicture{Matrix: m, Scale: s, D: d}
	p.Under, p.Over = s.Outside(variance.Matrix{N: m.R, Data: m.Values})
	return p
}

// FieldPoint is an element under the pointer or the keyboard's cursor: column A, row B, the
// distances in its middle, and its value.
type FieldPoint struct {
	A, B   int
	Inside bool // false when there is none; the rest is then meaningless
	X, Y   float64
	Value  float64
}

// Field is a plot of an interpolated matrix (spec/background.md sections 9 to 11), whose elements
// are told by their distances.
type Field struct {
	Plot
	// OnHover reports the chosen element, and Inside false when there is none any more.
	OnHover func(FieldPoint)
	// OnTapped reports an element that was clicked, or confirmed by Return.
	OnTapped func(FieldPoint)

	name    string
	picture FieldPicture
	barless bool
}

// NewField makes an empty field with a title.
func NewField(title string) *Field {
	f := &Field{}
	f.begin(f)
	f.SetTitle(title)
	report := func(to *func(FieldPoint)) func(int) {
		return func(item int) {
			if *to != nil {
				(*to)(f.point(item))
			}
		}
	}
	f.Plot.OnItem, f.Plot.OnTapped = report(&f.OnHover), report(&f.OnTapped)
	return f
}

// SetTitle changes the line above, which says of a preview that it is one.
func (f *Field) SetTitle(title string) {
	if f.name = title; f.picture.Preview {
		title += " (preview)"
	}
	f.Plot.SetTitle(title)
}

// SetBar shows or hides the colour bar: of fields side by side with one scale, one is enough.
func (f *Field) SetBar(shown bool) {
	if f.barless == shown {
		f.barless = !shown
		f.show("")
	}
}

// SetPicture shows a matrix; the cursor stays while it is the same.
func (f *Field) SetPicture(p FieldPicture) {
	f.picture = p
	f.SetTitle(f.name)
	f.show("")
}

// SetAbsent shows a hatched square with the reason why there is no matrix.
func (f *Field) SetAbsent(reason string) {
	f.picture = FieldPicture{}
	f.show(reason)
}

func (f *Field) show(absent string) {
	figure := f.picture.Matrix.Figure(f.picture.D, f.picture.Scale, "")
	figure.Empty, figure.Matrix.Barless = absent, f.barless
	f.SetFigure(figure)
}

// Picture is what is shown; its matrix has R 0 when absent.
func (f *Field) Picture() FieldPicture { return f.picture }

// Cursor is the chosen element.
func (f *Field) Cursor() FieldPoint { return f.point(f.hovered) }

func (f *Field) point(item int) FieldPoint {
	if item < 0 {
		return FieldPoint{}
	}
	x, y := f.middle(item)
	n := f.picture.Matrix.R
	return FieldPoint{A: item % n, B: item / n, Inside: true, X: x, Y: y, Value: f.picture.Matrix.Values[item]}
}

// RegionPicture is what Regions shows: a distribution over n x n regions on an image.
type RegionPicture struct {
	// Image lies below the cells, in gray and in its own proportions; nil for none, and then the
	// cells form a square. It must not be changed afterwards.
	Image  image.Image
	N      int       // 0 shows Absent
	Values []float64 // per region, row-major from the upper left; NaN is no value
	Scale  render.Scale
	Text   func(v float64) string // the number in a cell; nil for none
	Absent string                 // why there is nothing to show
}

// Regions is a plot of a distribution over regions of an image, which are told by their numbers
// from 1 on. A click gives it the keyboard.
type Regions struct {
	Plot
	// OnHover is told the region under the pointer or the cursor, 0 when it has left. OnChosen is
	// told a tap or Enter.
	OnHover, OnChosen func(region int)

	picture RegionPicture
}

// NewRegions makes an empty one.
func NewRegions() *Regions {
	r := &Regions{}
	r.begin(r)
	report := func(to *func(int)) func(int) {
		return func(item int) {
			if *to != nil {
				(*to)(item + 1)
			}
		}
	}
	r.Plot.OnItem, r.Plot.OnTapped = report(&r.OnHover), report(&r.OnChosen)
	return r
}

// SetPicture shows another distribution. Marks stay where they still fit.
func (r *Regions) SetPicture(p RegionPicture) {
	marked := r.Marked()
	r.picture = p
	for k := len(p.Values); k < p.N*p.N; k++ {
		p.Values = append(slices.Clip(p.Values), math.NaN())
	}
	f := result.Regions(p.N, p.Values, p.Scale, p.Image, "", p.Text)
	f.Empty, f.Matrix.Barless = p.Absent, true
	r.SetFigure(f)
	r.SetMarked(marked)
}

// Picture is what is shown.
func (r *Regions) Picture() RegionPicture { return r.picture }

// SetMarked outlines regions: the one that is hovered in a neighbour, those that nothing is lost
// with.
func (r *Regions) SetMarked(regions []int) {
	var items []int
	for _, region := range regions {
		if region >= 1 && region <= r.picture.N*r.picture.N {
			items = append(items, region-1)
		}
	}
	if !slices.Equal(items, r.marked) {
		r.Plot.SetMarked(items)
	}
}

// Marked are the outlined regions.
func (r *Regions) Marked() (regions []int) {
	for _, item := range r.marked {
		regions = append(regions, item+1)
	}
	return regions
}

// Region is the one under the pointer or the cursor, 0 for none.
func (r *Regions) Region() int { return r.hovered + 1 }

// Tapped implements fyne.Tappable.
func (r *Regions) Tapped(ev *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil && !onSign(ev.Position, r.Size()) {
		c.Focus(r)
	}
	r.Plot.Tapped(ev)
}
