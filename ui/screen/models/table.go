package models

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// table is Fyne's table with rows in place of cells: the keyboard moves the selected row, Enter opens it, Space checks it.
type table struct {
	widget.Table
	screen *Screen
}

func newTable(s *Screen) *table {
	t := &table{screen: s}
	t.Length = func() (rows, cols int) { return s.view.Len(), len(s.view.Columns()) }
	t.CreateCell = func() fyne.CanvasObject { return newCell(s) }
	t.UpdateCell = func(id widget.TableCellID, o fyne.CanvasObject) { t.update(id, o.(*cell)) }
	t.ShowHeaderRow = true
	t.HideSeparators = true
	t.CreateHeader = func() fyne.CanvasObject { return newHeading(s) }
	t.UpdateHeader = func(id widget.TableCellID, o fyne.CanvasObject) { t.updateHeading(id.Col, o.(*heading)) }
	t.StickyColumnCount = 3
	t.ExtendBaseWidget(t)
	return t
}

// columnsChanged gives every column its width.
func (t *table) columnsChanged() {
	for i, c := range t.screen.view.Columns() {
		t.SetColumnWidth(i, c.Width)
	}
}

func (t *table) update(id widget.TableCellID, c *cell) {
	columns := t.screen.view.Columns()
	row, ok := t.screen.view.At(id.Row)
	if !ok || id.Col >= len(columns) {
		c.set(id.Row, id.Col, cellContent{})
		return
	}
	column := columns[id.Col]
	content := cellContent{
		text: row.Text(column.Key), numeric: column.Numeric, selected: t.screen.view.IsSelected(row.Model.Hash),
		hovered: t.screen.hovered == id.Row, state: row.State, isState: column.Key == keyState,
	}
	switch column.Key {
	case keyThumbs:
		content.picture = row.Thumbs
	case keyCheck:
		content.check, content.checked = true, t.screen.view.Checked(row.Model.Hash)
	}
	c.set(id.Row, id.Col, content)
}

func (t *table) updateHeading(col int, h *heading) {
	columns := t.screen.view.Columns()
	if col < 0 || col >= len(columns) {
		h.set(col, "", false)
		return
	}
	c := columns[col]
	text := c.Title
	key, descending := t.screen.view.Order()
	switch {
	case c.Key == keyCheck && t.screen.view.AllShownChecked():
		text = "☑"
	case c.Key == keyCheck:
		text = "☐"
	case c.Key == key && descending:
		text += " ↓"
	case c.Key == key:
		text += " ↑"
	}
	h.set(col, text, c.Numeric)
}

func (t *table) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil && t.Visible() {
		c.Focus(t)
	}
}

// FocusGained does nothing: the selected row shows where the keyboard is.
func (t *table) FocusGained() {}

// FocusLost does nothing.
func (t *table) FocusLost() {}

// TypedKey moves the selected row.
func (t *table) TypedKey(e *fyne.KeyEvent) {
	s := t.screen
	at := -1
	if r, ok := s.view.Selected(); ok {
		at = s.view.Index(r.Model.Hash)
	}
	page := max(1, int(t.Size().Height/(rowHeight+4))-2)
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.openSelected()
		return
	case fyne.KeySpace:
		if r, ok := s.view.Selected(); ok {
			s.view.Check(r.Model.Hash, !s.view.Checked(r.Model.Hash))
		}
	case fyne.KeyDown:
		at++
	case fyne.KeyUp:
		at--
	case fyne.KeyPageDown:
		at += page
	case fyne.KeyPageUp:
		at -= page
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = s.view.Len() - 1
	default:
		return
	}
	t.moveTo(at)
}

func (t *table) moveTo(at int) {
	s := t.screen
	at = min(max(at, 0), s.view.Len()-1)
	if r, ok := s.view.At(at); ok {
		s.view.Select(r.Model.Hash)
		t.showRow(at)
	}
	t.Refresh()
	s.refreshChoice()
}

// showRow scrolls so that a row can be seen, without moving sideways.
func (t *table) showRow(at int) { t.ScrollTo(widget.TableCellID{Row: at, Col: 0}) }

// TypedRune begins to filter: what is typed over the list goes into the filter.
func (t *table) TypedRune(r rune) {
	if r == ' ' {
		return // Space checks the row, see TypedKey
	}
	s := t.screen
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.filter); c != nil {
		c.Focus(s.filter)
		s.filter.TypedRune(r)
	}
}
