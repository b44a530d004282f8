package models

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
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
	warns    bool // its text stands on a badge
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
	text    *canvas.Text // a label costs ten times as much, and there are hundreds of cells
	picture *parts.Strip
	check   *widget.Icon
	badge   *parts.Badge
}

func newCellRenderer(c *cell) *cellRenderer {
	r := &cellRenderer{
		cell: c, ground: canvas.NewRectangle(color.Transparent), text: canvas.NewText("", nil),
		picture: parts.NewStrip(5, thumbSize), check: widget.NewIcon(nil), badge: parts.NewBadge(),
	}
	r.Refresh()
	return r
}

func (r *cellRenderer) Destroy()           {}
func (r *cellRenderer) MinSize() fyne.Size { return r.cell.MinSize() }

func (r *cellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.text, r.picture, r.check, r.badge}
}

func (r *cellRenderer) Layout(size fyne.Size) {
	// The ground reaches over the gaps between cells, so that a selected row is one band.
	gap := r.cell.Theme().Size(theme.SizeNamePadding)
	r.ground.Move(fyne.NewPos(-gap/2, -gap/2))
	r.ground.Resize(size.Add(fyne.NewSize(gap, gap)))
	r.layoutText(size)
	r.picture.Move(fyne.NewPos(4, (size.Height-thumbSize)/2))
	r.picture.Resize(fyne.NewSize(thumbsWidth, thumbSize))
	r.layoutBadge(size)
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
	warning := ""
	if content.warns {
		warning = content.text
	}
	if r.badge.Text() != warning {
		r.badge.SetText(warning)
		r.layoutBadge(r.cell.Size())
	}
	parts.Show(r.badge, warning != "")
	r.refreshText(content)
	parts.Show(r.picture, content.picture != nil)
	r.picture.SetImage(content.picture)
	parts.Show(r.check, content.check)
	if content.check {
		r.check.SetResource(theme.CheckButtonIcon())
		if content.checked {
			r.check.SetResource(theme.NewPrimaryThemedResource(theme.CheckButtonCheckedIcon()))
		}
	}
}

func (r *cellRenderer) refreshText(content cellContent) {
	th, variant := r.cell.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.text.Alignment = fyne.TextAlignLeading
	if content.numeric {
		r.text.Alignment = fyne.TextAlignTrailing
	}
	r.text.TextSize = th.Size(theme.SizeNameText)
	name := theme.ColorNameForeground
	if content.isState {
		name = stateColour(content.state)
	}
	r.text.Color = th.Color(name, variant)
	parts.Show(r.text, content.text != "" && !content.warns)
	r.layoutText(r.cell.Size())
	r.text.Refresh()
}

func (r *cellRenderer) layoutBadge(size fyne.Size) {
	least := r.badge.MinSize()
	r.badge.Move(fyne.NewPos(4, (size.Height-least.Height)/2))
	r.badge.Resize(fyne.NewSize(min(least.Width, max(size.Width-8, 0)), least.Height))
}

// layoutText puts the text in the middle of the cell's height, cut to its width.
func (r *cellRenderer) layoutText(size fyne.Size) {
	pad := r.cell.Theme().Size(theme.SizeNameInnerPadding)
	width := max(size.Width-2*pad, 0)
	r.text.Text = fit(r.cell.content.text, r.text, width)
	height := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(pad, (size.Height-height)/2))
	r.text.Resize(fyne.NewSize(width, height))
}

func stateColour(s State) fyne.ThemeColorName {
	switch s {
	case Failed:
		return theme.ColorNameError
	case Stale:
		return theme.ColorNameWarning
	case Running, Paused, Queued:
		return theme.ColorNamePrimary
	case NoSignals:
		return theme.ColorNamePlaceHolder
	}
	return theme.ColorNameForeground
}

// heading is the head of a column; tapping it sorts.
type heading struct {
	widget.BaseWidget
	screen *Screen
	col    int
	label  *widget.Label
	check  *widget.Icon
}

func newHeading(s *Screen) *heading {
	h := &heading{screen: s, label: widget.NewLabel(""), check: widget.NewIcon(nil)}
	h.check.Hide()
	h.label.TextStyle.Bold = true
	h.label.Truncation = fyne.TextTruncateEllipsis
	h.ExtendBaseWidget(h)
	return h
}

// Heads tells that the heading is reached by Tab, beside the rows.
func (h *heading) Heads() bool { return true }

// Tapped sorts by the column, or checks and clears all rows shown.
func (h *heading) Tapped(*fyne.PointEvent) { h.screen.sortBy(h.col) }

// CreateRenderer implements fyne.Widget.
func (h *heading) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(h.label, container.NewCenter(h.check)))
}

// setCheck shows the check mark of all rows.
func (h *heading) setCheck(col int, all bool) {
	h.col = col
	h.label.SetText("")
	h.check.SetResource(theme.CheckButtonIcon())
	if all {
		h.check.SetResource(theme.NewPrimaryThemedResource(theme.CheckButtonCheckedIcon()))
	}
	h.check.Show()
}

func (h *heading) set(col int, text string, numeric bool) {
	h.col = col
	h.check.Hide()
	h.label.Alignment = fyne.TextAlignLeading
	if numeric {
		h.label.Alignment = fyne.TextAlignTrailing
	}
	h.label.SetText(text)
}
