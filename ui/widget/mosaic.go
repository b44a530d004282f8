package widget

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

var (
	_ desktop.Hoverable      = (*Mosaic)(nil)
	_ fyne.Tappable          = (*Mosaic)(nil)
	_ fyne.SecondaryTappable = (*Mosaic)(nil)
	_ fyne.Focusable         = (*Mosaic)(nil)
)

// MosaicData is what a Mosaic shows.
type MosaicData struct {
	// Title and Note are not drawn on the screen; they head and foot the figures that are saved.
	Title, Note  string
	XName, YName string
	Rows         []string // names, from the top
	Columns      []string // names, from the left
	Kinds        []Group  // what cells can be
	Cells        [][]int  // row x column: an index into Kinds, -1 for an empty cell
	// Empty is the text shown when there is nothing to draw.
	Empty string
}

// Mosaic draws a rectangle of coloured cells that fills its place: which models are right about
// which images. The pointer reads cells off; a click and the arrow keys choose a row.
type Mosaic struct {
	keyed
	// OnHover reports the cell under the pointer, row and col -1 when it has left.
	OnHover func(row, col int)
	// OnTapped is called with the cell that was clicked, or with column -1 for a row that the arrow
	// keys have chosen.
	OnTapped func(row, col int)
	// Menu are the entries of the menu that copies and saves; nil for no menu.
	Menu func() []*fyne.MenuItem

	data     MosaicData
	area     mosaicArea
	row, col int // under the pointer, -1 for none
	selected int // row, -1 for none
	version  int // of what the picture shows
}

// mosaicArea is where the cells lie inside the widget.
type mosaicArea struct {
	left, top, width, height float32
	rows, columns            int
}

// at is the cell at a position, -1, -1 outside.
func (a mosaicArea) at(pos fyne.Position) (row, col int) {
	x, y := pos.X-a.left, pos.Y-a.top
	if a.rows == 0 || a.columns == 0 || x < 0 || y < 0 || x >= a.width || y >= a.height {
		return -1, -1
	}
	return min(int(y/a.height*float32(a.rows)), a.rows-1), min(int(x/a.width*float32(a.columns)), a.columns-1)
}

// NewMosaic makes an empty mosaic.
func NewMosaic() *Mosaic {
	m := &Mosaic{row: -1, col: -1, selected: -1}
	m.ExtendBaseWidget(m)
	return m
}

// SetData shows other cells and ends the selection. The slices must not be changed afterwards.
func (m *Mosaic) SetData(d MosaicData) {
	m.point(-1, -1) // what was read out is of the data before
	m.data, m.selected = d, -1
	m.version++
	m.Refresh()
}

// Data is what is shown.
func (m *Mosaic) Data() MosaicData { return m.data }

// Select marks a row, -1 for none. It does not call OnTapped.
func (m *Mosaic) Select(row int) {
	if row < 0 || row >= len(m.data.Rows) {
		row = -1
	}
	if row != m.selected {
		m.selected = row
		m.Refresh()
	}
}

// Selected is the marked row, -1 for none.
func (m *Mosaic) Selected() int { return m.selected }

// MouseIn implements desktop.Hoverable.
func (m *Mosaic) MouseIn(ev *desktop.MouseEvent) { m.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (m *Mosaic) MouseMoved(ev *desktop.MouseEvent) { m.point(m.area.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (m *Mosaic) MouseOut() { m.point(-1, -1) }

func (m *Mosaic) point(row, col int) {
	if row == m.row && col == m.col {
		return
	}
	m.row, m.col = row, col
	if m.OnHover != nil {
		m.OnHover(row, col)
	}
	m.Refresh()
}

// Tapped implements fyne.Tappable.
func (m *Mosaic) Tapped(ev *fyne.PointEvent) {
	if m.Menu != nil && onSign(ev.Position, m.Size()) {
		popUp(m, ev.Position, m.Menu)
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(m); c != nil {
		c.Focus(m)
	}
	if row, col := m.area.at(ev.Position); row >= 0 {
		m.choose(row, col)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (m *Mosaic) TappedSecondary(ev *fyne.PointEvent) { popUp(m, ev.Position, m.Menu) }

func (m *Mosaic) choose(row, col int) {
	m.Select(row)
	if m.OnTapped != nil {
		m.OnTapped(row, col)
	}
}

// TypedKey implements fyne.Focusable: OnKey is asked first, then up, down, page, home and end
// choose a row.
func (m *Mosaic) TypedKey(ev *fyne.KeyEvent) {
	last := len(m.data.Rows) - 1
	if m.passKey(ev) || last < 0 {
		return
	}
	row := m.selected
	switch ev.Name {
	case fyne.KeyUp:
		row--
	case fyne.KeyDown:
		row++
	case fyne.KeyPageUp:
		row -= pageRows
	case fyne.KeyPageDown:
		row += pageRows
	case fyne.KeyHome:
		row = 0
	case fyne.KeyEnd:
		row = last
	default:
		return
	}
	m.choose(min(max(row, 0), last), -1)
}

// picture has a pixel per cell in the colours of the kinds.
func (m *Mosaic) picture(st style) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, max(len(m.data.Columns), 1), max(len(m.data.Rows), 1)))
	for r, row := range m.data.Cells {
		for c, kind := range row {
			if kind >= 0 && kind < len(m.data.Kinds) {
				img.SetNRGBA(c, r, colourOf(m.data.Kinds[kind].Look, st.background))
			}
		}
	}
	return img
}

// CreateRenderer implements fyne.Widget.
func (m *Mosaic) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	return newMosaicRenderer(m)
}
