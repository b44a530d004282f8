package models

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

const rowHeight = thumbSize + 8

// cell is one cell of the table: a text, a strip of thumbnails or a check mark on the ground of its row. It takes the
// mouse itself, because the table knows cells and the screen means rows.
type cell struct {
	widget.BaseWidget
	screen   *Screen
	row, col int
	content  cellContent
}

// cellContent is what a cell shows.
type cellContent struct {
	text     string
	picture  image.Image
	check    bool // shows a check mark, checked or not
	checked  bool
	numeric  bool
	selected bool
	hovered  bool
	state    State
	isState  bool
}

var (
	_ desktop.Mouseable   = (*cell)(nil)
	_ desktop.Hoverable   = (*cell)(nil)
	_ fyne.DoubleTappable = (*cell)(nil)
)

func newCell(s *Screen) *cell {
	c := &cell{screen: s}
	c.ExtendBaseWidget(c)
	return c
}

func (c *cell) set(row, col int, content cellContent) {
	if c.row == row && c.col == col && c.content == content {
		return
	}
	c.row, c.col, c.content = row, col, content
	c.Refresh()
}

// MouseDown selects the row at once; waiting for a Tapped would take the length of a double tap.
func (c *cell) MouseDown(e *desktop.MouseEvent) {
	onCheck := c.col >= 0 && c.col < len(c.screen.view.Columns()) && c.screen.view.Columns()[c.col].Key == keyCheck
	c.screen.mouse(e, c.row, onCheck)
}

func (c *cell) MouseUp(*desktop.MouseEvent)         {}
func (c *cell) DoubleTapped(*fyne.PointEvent)       { c.screen.openRow(c.row, c.col) }
func (c *cell) MouseIn(*desktop.MouseEvent)         { c.screen.hover(c.row) }
func (c *cell) MouseMoved(*desktop.MouseEvent)      {}
func (c *cell) MouseOut()                           { c.screen.hover(-1) }
func (c *cell) MinSize() fyne.Size                  { return fyne.NewSize(30, rowHeight) }
func (c *cell) CreateRenderer() fyne.WidgetRenderer { return newCellRenderer(c) }

type cellRenderer struct {
	cell    *cell
	ground  *canvas.Rectangle
	text    *widget.Label
	picture *parts.Strip
	check   *widget.Icon
}

func newCellRenderer(c *cell) *cellRenderer {
	r := &cellRenderer{
		cell: c, ground: canvas.NewRectangle(color.Transparent), text: widget.NewLabel(""),
		picture: parts.NewStrip(5, thumbSize), check: widget.NewIcon(nil),
	}
	r.text.Truncation = fyne.TextTruncateEllipsis
	r.Refresh()
	return r
}

func (r *cellRenderer) Destroy()           {}
func (r *cellRenderer) MinSize() fyne.Size { return r.cell.MinSize() }

func (r *cellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.text, r.picture, r.check}
}

func (r *cellRenderer) Layout(size fyne.Size) {
	// The ground reaches over the gaps between cells, so that a selected row is one band.
	gap := r.cell.Theme().Size(theme.SizeNamePadding)
	r.ground.Move(fyne.NewPos(-gap/2, -gap/2))
	r.ground.Resize(size.Add(fyne.NewSize(gap, gap)))
	text := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(0, (size.Height-text)/2))
	r.text.Resize(fyne.NewSize(size.Width, text))
	r.picture.Move(fyne.NewPos(4, (size.Height-thumbSize)/2))
	r.picture.Resize(fyne.NewSize(thumbsWidth, thumbSize))
	icon := r.cell.Theme().Size(theme.SizeNameInlineIcon)
	r.check.Move(fyne.NewPos((size.Width-icon)/2, (size.Height-icon)/2))
	r.check.Resize(fyne.NewSquareSize(icon))
}

func (r *cellRenderer) Refresh() {
	content := r.cell.content
	th, variant := r.cell.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.ground.FillColor = color.Transparent
	switch {
	case content.selected:
		r.ground.FillColor = th.Color(theme.ColorNameSelection, variant)
	case content.hovered:
		r.ground.FillColor = th.Color(theme.ColorNameHover, variant)
	}
	r.ground.Refresh()
	r.refreshText(content)
	show(r.picture, content.picture != nil)
	r.picture.SetImage(content.picture)
	show(r.check, content.check)
	if content.check {
		r.check.SetResource(theme.CheckButtonIcon())
		if content.checked {
			r.check.SetResource(theme.NewPrimaryThemedResource(theme.CheckButtonCheckedIcon()))
		}
	}
}

func (r *cellRenderer) refreshText(content cellContent) {
	r.text.Alignment = fyne.TextAlignLeading
	if content.numeric {
		r.text.Alignment = fyne.TextAlignTrailing
	}
	r.text.Importance = widget.MediumImportance
	if content.isState {
		r.text.Importance = importance(content.state)
	}
	show(r.text, content.text != "")
	r.text.SetText(content.text)
}

func importance(s State) widget.Importance {
	switch s {
	case Failed:
		return widget.DangerImportance
	case Stale:
		return widget.WarningImportance
	case Running, Paused, Queued:
		return widget.HighImportance
	case NoSignals:
		return widget.LowImportance
	}
	return widget.MediumImportance
}

// heading is the head of a column; tapping it sorts.
type heading struct {
	widget.BaseWidget
	screen *Screen
	col    int
	label  *widget.Label
}

func newHeading(s *Screen) *heading {
	h := &heading{screen: s, label: widget.NewLabel("")}
	h.label.TextStyle.Bold = true
	h.label.Truncation = fyne.TextTruncateEllipsis
	h.ExtendBaseWidget(h)
	return h
}

// Tapped sorts by the column, or checks and clears all rows shown.
func (h *heading) Tapped(*fyne.PointEvent) { h.screen.sortBy(h.col) }

func (h *heading) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.label) }

func (h *heading) set(col int, text string, numeric bool) {
	h.col = col
	h.label.Alignment = fyne.TextAlignLeading
	if numeric {
		h.label.Alignment = fyne.TextAlignTrailing
	}
	h.label.SetText(text)
}
