package widget

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
)

var (
	_ fyne.Widget            = (*Field)(nil)
	_ fyne.Focusable         = (*Field)(nil)
	_ fyne.Tappable          = (*Field)(nil)
	_ fyne.SecondaryTappable = (*Field)(nil)
	_ desktop.Hoverable      = (*Field)(nil)
)

// FieldPicture is an interpolated matrix or a scatter picture, ready to be shown. It is immutable once it was handed to a widget.
type FieldPicture struct {
	Matrix scatter.Matrix
	Scale  render.Scale
	D      float64     // the end of both axes
	Image  *image.RGBA // render.RasterField of the matrix
	// Under and Over count the elements outside the scale.
	Under, Over int
	// Preview marks an approximation that the exact matrix will replace.
	Preview bool
}

// NewFieldPicture rasters a matrix; it may be called on any goroutine and should not be called on Fyne's for large matrices.
func NewFieldPicture(m scatter.Matrix, s render.Scale, d float64) FieldPicture {
	p := FieldPicture{Matrix: m, Scale: s, D: d, Image: render.RasterField(m, s)}
	p.Under, p.Over = s.Outside(variance.Matrix{N: m.R, Data: m.Values})
	return p
}

// FieldPoint is an element under the pointer or the keyboard's cursor: column A, row B, the distances in its middle, and its
// value.
type FieldPoint struct {
	A, B   int
	Inside bool // false when there is none; the rest is then meaningless
	X, Y   float64
	Value  float64
}

// same tells whether two points say the same; a value that is NaN equals itself here.
func (p FieldPoint) same(o FieldPoint) bool {
	values := p.Value == o.Value || math.IsNaN(p.Value) && math.IsNaN(o.Value)
	p.Value, o.Value = 0, 0
	return values && p == o
}

// Field shows an interpolated matrix (spec/background.md sections 9 to 11) as a crisp square with the distances on both axes,
// the origin at the bottom-left: its title above, its colour bar at the right, and a mark where it is a preview. The pointer, or
// the arrow keys when it has the focus, choose an element, which a crosshair shows and OnHover reports. It never takes the focus
// by a click, so that a label surface keeps it.
type Field struct {
	keyed
	// OnHover reports the chosen element, and Inside false when there is none any more.
	OnHover func(FieldPoint)
	// OnTapped reports an element that was clicked, or confirmed by Return.
	OnTapped func(FieldPoint)
	// Menu are the entries of the menu that copies and saves; nil for no menu.
	Menu func() []*fyne.MenuItem

	title, xName, yName string
	picture             FieldPicture
	reason              string
	bar                 *ColourBar
	barless             bool
	mark                *Badge
	cursor              FieldPoint
	area                square
}

// NewField makes an empty field with a title.
func NewField(title string) *Field {
	f := &Field{title: title, bar: NewColourBar(), mark: NewBadge()}
	f.ExtendBaseWidget(f)
	return f
}

// SetTitle changes the line above.
func (f *Field) SetTitle(title string) {
	f.title = title
	f.Refresh()
}

// SetNames names the axes, "" for none. Small fields have no room for them.
func (f *Field) SetNames(x, y string) {
	f.xName, f.yName = x, y
	f.Refresh()
}

// SetBar shows or hides the colour bar: of fields side by side with one scale, one is enough.
func (f *Field) SetBar(shown bool) {
	f.barless = !shown
	f.Refresh()
}

// SetPicture shows a matrix; the cursor stays where it still fits.
func (f *Field) SetPicture(p FieldPicture) {
	if p.D != f.picture.D || p.Scale != f.picture.Scale || p.Preview != f.picture.Preview || !sameNumbers(p.Matrix.Values, f.picture.Matrix.Values) {
		f.Leave() // what was read out is of the matrix before
	}
	f.picture, f.reason = p, ""
	f.bar.SetScale(p.Scale)
	f.bar.SetOutside(p.Under > 0, p.Over > 0)
	f.Refresh()
}

// SetAbsent shows a hatched square with the reason why there is no matrix.
func (f *Field) SetAbsent(reason string) {
	f.picture, f.reason = FieldPicture{}, reason
	f.Leave()
	f.Refresh()
}

// Picture is what is shown; its matrix has R 0 when absent.
func (f *Field) Picture() FieldPicture { return f.picture }

// Cursor is the chosen element.
func (f *Field) Cursor() FieldPoint { return f.cursor }

// Follow shows the crosshair where another field of the same raster has it, without a report.
func (f *Field) Follow(p FieldPoint) {
	at := FieldPoint{}
	if p.Inside {
		at = f.element(p.A, p.B)
	}
	if !at.same(f.cursor) {
		f.cursor = at
		f.Refresh()
	}
}

// element describes element (a, b); it is not inside where there is none.
func (f *Field) element(a, b int) FieldPoint {
	n := f.picture.Matrix.R
	if a < 0 || b < 0 || a >= n || b >= n {
		return FieldPoint{}
	}
	step := f.picture.D / float64(n)
	x, y := (float64(a)+0.5)*step, (float64(b)+0.5)*step
	return FieldPoint{A: a, B: b, Inside: true, X: x, Y: y, Value: f.picture.Matrix.At(a, b)}
}

// point chooses element (a, b), or none when there is no such element, and reports a change.
func (f *Field) point(a, b int) {
	at := f.element(a, b)
	if at.same(f.cursor) {
		return
	}
	f.cursor = at
	if f.OnHover != nil {
		f.OnHover(at)
	}
	f.Refresh()
}

// Leave takes the cursor away, and with it what was read out.
func (f *Field) Leave() { f.point(-1, -1) }

// MouseIn implements desktop.Hoverable.
func (f *Field) MouseIn(ev *desktop.MouseEvent) { f.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (f *Field) MouseMoved(ev *desktop.MouseEvent) {
	if b, a, ok := f.area.cell(ev.Position, f.picture.Matrix.R); ok {
		f.point(a, b)
		return
	}
	f.Leave()
}

// MouseOut implements desktop.Hoverable.
func (f *Field) MouseOut() { f.Leave() }

// Tapped implements fyne.Tappable.
func (f *Field) Tapped(ev *fyne.PointEvent) {
	if f.Menu != nil && onSign(ev.Position, f.Size()) {
		popUp(f, ev.Position, f.Menu)
		return
	}
	if b, a, ok := f.area.cell(ev.Position, f.picture.Matrix.R); ok {
		f.point(a, b)
		f.confirm()
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (f *Field) TappedSecondary(ev *fyne.PointEvent) { popUp(f, ev.Position, f.Menu) }

func (f *Field) confirm() {
	if f.OnTapped != nil && f.cursor.Inside {
		f.OnTapped(f.cursor)
	}
}

// FocusLost implements fyne.Focusable.
func (f *Field) FocusLost() {
	f.keyed.FocusLost()
	f.Leave()
}

// TypedKey implements fyne.Focusable: arrows move the cursor, Return confirms, Escape leaves.
func (f *Field) TypedKey(ev *fyne.KeyEvent) {
	n := f.picture.Matrix.R
	if f.passKey(ev) || n == 0 {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		f.confirm()
	case fyne.KeyEscape:
		f.Leave()
	default:
		a, b := n/2, n/2
		if f.cursor.Inside {
			a, b = f.cursor.A, f.cursor.B
		}
		if x, y := arrowOf(ev.Name); x != 0 || y != 0 {
			f.point(min(max(a+int(x), 0), n-1), min(max(b-int(y), 0), n-1))
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return newFieldRenderer(f)
}
