package widget

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

var (
	_ fyne.Widget       = (*Heatmap)(nil)
	_ fyne.Focusable    = (*Heatmap)(nil)
	_ fyne.Tappable     = (*Heatmap)(nil)
	_ desktop.Hoverable = (*Heatmap)(nil)
)

// Heatmap shows a matrix as a crisp square with the sampling values on both axes, delta_00 at the bottom-left
// (spec/variance.md section 7). The pointer, or the arrow keys when it has focus, choose an element, which OnHover
// reports. It never takes the focus by a click, so that a label surface keeps it.
type Heatmap struct {
	keyed
	// OnHover reports the chosen element, and Inside false when there is none any more.
	OnHover func(Cell)
	// OnTapped reports an element that was clicked, or confirmed by Return.
	OnTapped func(Cell)
	// OnMoved reports an element that the arrow keys have moved to, and Inside false after Escape.
	OnMoved func(Cell)

	picture Picture
	reason  string
	marks   []Mark
	cursor  Cell
	area    square
	tiled   bool // inside a MatrixTile, which has made the room and wants squares to line up
}

// NewHeatmap makes an empty heatmap.
func NewHeatmap() *Heatmap {
	h := &Heatmap{}
	h.ExtendBaseWidget(h)
	return h
}

// SetPicture shows a matrix. Marks stay where they still fit, the cursor while the matrix with its axis and colours is the same.
func (h *Heatmap) SetPicture(p Picture) {
	if !p.same(h.picture) {
		h.Leave()
	}
	h.picture, h.reason = p, ""
	h.Refresh()
}

// SetAbsent shows a hatched square with the reason why there is no matrix.
func (h *Heatmap) SetAbsent(reason string) {
	h.picture, h.reason = Picture{}, reason
	h.Leave()
	h.Refresh()
}

// Picture is what is shown; its matrix has N 0 when absent.
func (h *Heatmap) Picture() Picture { return h.picture }

// SetMarks outlines elements, rows or columns.
func (h *Heatmap) SetMarks(marks []Mark) {
	if slices.Equal(h.marks, marks) {
		return
	}
	h.marks = slices.Clone(marks)
	h.Refresh()
}

// Cursor is the chosen element.
func (h *Heatmap) Cursor() Cell { return h.cursor }

// point chooses element (i, j), or none when it lies outside the matrix, and reports a change.
func (h *Heatmap) point(i, j int) {
	n := h.picture.Matrix.N
	if i < 0 || j < 0 || i >= n || j >= n {
		h.Leave()
		return
	}
	cell := Cell{I: i, J: j, Inside: true, Value: h.picture.Matrix.At(i, j)}
	if cell.same(h.cursor) {
		return
	}
	h.cursor = cell
	h.report()
}

// Leave takes the cursor away, and with it what was read out.
func (h *Heatmap) Leave() {
	if !h.cursor.Inside {
		return
	}
	h.cursor = Cell{}
	h.report()
}

func (h *Heatmap) report() {
	if h.OnHover != nil {
		h.OnHover(h.cursor)
	}
	h.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (h *Heatmap) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Heatmap) MouseMoved(ev *desktop.MouseEvent) {
	if i, j, ok := h.area.cell(ev.Position, h.picture.Matrix.N); ok {
		h.point(i, j)
		return
	}
	h.Leave()
}

// MouseOut implements desktop.Hoverable.
func (h *Heatmap) MouseOut() { h.Leave() }

// Tapped implements fyne.Tappable.
func (h *Heatmap) Tapped(ev *fyne.PointEvent) {
	if i, j, ok := h.area.cell(ev.Position, h.picture.Matrix.N); ok {
		h.point(i, j)
		h.confirm()
	}
}

func (h *Heatmap) confirm() {
	if h.OnTapped != nil && h.cursor.Inside {
		h.OnTapped(h.cursor)
	}
}

// FocusLost implements fyne.Focusable.
func (h *Heatmap) FocusLost() {
	h.keyed.FocusLost()
	h.Leave()
}

// TypedKey implements fyne.Focusable: arrows move the cursor (up is a larger i), Return confirms, Escape leaves.
func (h *Heatmap) TypedKey(ev *fyne.KeyEvent) {
	if h.passKey(ev) {
		return
	}
	n := h.picture.Matrix.N
	if n == 0 {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		h.confirm()
	case fyne.KeyEscape:
		h.Leave()
		h.moved()
	default:
		if x, y := arrowOf(ev.Name); x != 0 || y != 0 {
			i, j := h.start(n)
			h.point(min(max(i-int(y), 0), n-1), min(max(j+int(x), 0), n-1))
			h.moved()
		}
	}
}

func (h *Heatmap) moved() {
	if h.OnMoved != nil {
		h.OnMoved(h.cursor)
	}
}

// start is where the arrow keys go on from: the cursor, else the one marked element, else the middle.
func (h *Heatmap) start(n int) (i, j int) {
	if h.cursor.Inside {
		return h.cursor.I, h.cursor.J
	}
	if len(h.marks) == 1 && h.marks[0].I >= 0 && h.marks[0].J >= 0 {
		return h.marks[0].I, h.marks[0].J
	}
	return n / 2, n / 2
}

// CreateRenderer implements fyne.Widget.
func (h *Heatmap) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	return newHeatmapRenderer(h)
}
