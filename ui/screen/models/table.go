package models

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

var (
	_ desktop.Keyable   = (*table)(nil)
	_ fyne.Shortcutable = (*table)(nil)
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
		hovered: t.screen.hovered == id.Row, state: row.State, isState: column.Key == keyState, warns: column.Key == keyChance,
	}
	switch column.Key {
	case keyThumbs:
		content.picture = t.screen.stripOf(row)
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
	case c.Key == keyCheck:
		h.setCheck(col, t.screen.view.AllShownChecked())
		return
	case c.Key == key && descending:
		text += " ↓"
	case c.Key == key:
		text += " ↑"
	}
	h.set(col, text, c.Numeric)
}

// FocusGained does nothing: the selected row shows where the keyboard is.
func (t *table) FocusGained() {}

// FocusLost forgets a held Shift key, whose release goes elsewhere.
func (t *table) FocusLost() { t.screen.shift = false }

// KeyDown and KeyUp follow the Shift key, which Fyne's key events do not tell.
func (t *table) KeyDown(e *fyne.KeyEvent) { t.screen.held(e, true) }
func (t *table) KeyUp(e *fyne.KeyEvent)   { t.screen.held(e, false) }

// TypedKey moves the selected row and acts on it.
func (t *table) TypedKey(e *fyne.KeyEvent) {
	t.screen.typedKey(e.Name, grid{columns: 1, page: max(1, int(t.Size().Height/(rowHeight+4))-2)})
}

// TypedRune begins to filter.
func (t *table) TypedRune(r rune) { t.screen.typedRune(r) }

// TypedShortcut takes Ctrl+A.
func (t *table) TypedShortcut(shortcut fyne.Shortcut) { t.screen.typedShortcut(shortcut) }

// showRow scrolls so that a row can be seen, without moving sideways.
func (t *table) showRow(at int) { t.ScrollTo(widget.TableCellID{Row: at, Col: 0}) }
