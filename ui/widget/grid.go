package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

var (
	_ fyne.Focusable    = (*Grid)(nil)
	_ fyne.Tappable     = (*Grid)(nil)
	_ desktop.Hoverable = (*Grid)(nil)
)

// GridCell is one cell of a Grid. Shade is the strength of its background from 0 to 1, below 0 for
// none; Warm takes the colour of warnings for it, such as for a negative correlation. Hint explains
// the cell, for OnHint.
type GridCell struct {
	Text, Hint string
	Shade      float64
	Warm       bool
}

// Grid is a small table with headings on both sides and shaded cells: kappas between annotators,
// confusions. It is as large as its content. Pointer and arrow keys choose a cell.
type Grid struct {
	keyed
	// OnTapped is called for a cell that was clicked or confirmed by Return.
	OnTapped func(row, col int)
	// OnHint gets the hint of the cell under the pointer or the cursor, "" when there is none.
	OnHint func(text string)

	corner        string
	columns, rows []string
	cells         [][]GridCell
	row, col      int // selected, -1 for none
	hoverRow      int
	hoverCol      int
	sizes         gridSizes
}

func (g *Grid) start() { g.row, g.col, g.hoverRow, g.hoverCol = -1, -1, -1, -1 }

// SetCells shows other content: cells[r][c] stands under columns[c] beside rows[r]. The selection
// is kept where it fits. The slices must not be changed afterwards.
func (g *Grid) SetCells(corner string, columns, rows []string, cells [][]GridCell) {
	g.corner, g.columns, g.rows, g.cells = corner, columns, rows, cells
	if g.row >= len(rows) || g.col >= len(columns) {
		g.row, g.col = -1, -1
	}
	g.hoverRow, g.hoverCol = -1, -1
	g.Refresh()
}

// Select marks a cell; row or col -1 marks none. It does not call OnTapped.
func (g *Grid) Select(row, col int) {
	if _, ok := g.cell(row, col); !ok {
		row, col = -1, -1
	}
	g.row, g.col = row, col
	g.Refresh()
}

// Selected is the marked cell, -1, -1 for none.
func (g *Grid) Selected() (row, col int) { return g.row, g.col }

// cell is the content at a place; ok is false outside and where a row is short.
func (g *Grid) cell(row, col int) (c GridCell, ok bool) {
	if row < 0 || col < 0 || row >= len(g.cells) || col >= len(g.cells[row]) {
		return GridCell{}, false
	}
	return g.cells[row][col], true
}

// Tapped implements fyne.Tappable.
func (g *Grid) Tapped(ev *fyne.PointEvent) {
	row, col := g.sizes.at(ev.Position)
	if _, ok := g.cell(row, col); !ok {
		return
	}
	g.Select(row, col)
	g.confirm()
}

func (g *Grid) confirm() {
	if g.OnTapped != nil && g.row >= 0 {
		g.OnTapped(g.row, g.col)
	}
}

// MouseIn implements desktop.Hoverable.
func (g *Grid) MouseIn(ev *desktop.MouseEvent) { g.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (g *Grid) MouseMoved(ev *desktop.MouseEvent) { g.hover(g.sizes.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (g *Grid) MouseOut() { g.hover(-1, -1) }

func (g *Grid) hover(row, col int) {
	c, ok := g.cell(row, col)
	if !ok {
		row, col = -1, -1
	}
	if row == g.hoverRow && col == g.hoverCol {
		return
	}
	g.hoverRow, g.hoverCol = row, col
	g.hint(c.Hint)
	g.Refresh()
}

func (g *Grid) hint(text string) {
	if g.OnHint != nil {
		g.OnHint(text)
	}
}

// TypedKey implements fyne.Focusable: arrows move the selection, Return confirms it.
func (g *Grid) TypedKey(ev *fyne.KeyEvent) {
	if g.passKey(ev) || len(g.rows) == 0 || len(g.columns) == 0 {
		return
	}
	if ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter {
		g.confirm()
		return
	}
	x, y := arrowOf(ev.Name)
	if x == 0 && y == 0 {
		return
	}
	row, col := 0, 0 // the first arrow selects the first cell
	if g.row >= 0 {
		row, col = g.row+int(y), g.col+int(x)
	}
	g.Select(min(max(row, 0), len(g.rows)-1), min(max(col, 0), len(g.columns)-1))
	c, _ := g.cell(g.row, g.col)
	g.hint(c.Hint)
}

// CreateRenderer implements fyne.Widget.
func (g *Grid) CreateRenderer() fyne.WidgetRenderer {
	g.ExtendBaseWidget(g)
	r := &gridRenderer{g: g}
	r.drawn = drawn{of: g, draw: r.build}
	r.build(fyne.Size{})
	return r
}
