package widget

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// tableHeading is a bold cell that can be clicked; a plain cell leaves clicks to the table.
type tableHeading struct {
	tableCell
	table *Table
}

func newTableHeading(t *Table) *tableHeading {
	h := &tableHeading{table: t}
	h.ground, h.bar, h.words, h.share = canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewText("", nil),
		math.NaN()
	h.words.TextStyle.Bold = true
	h.ExtendBaseWidget(h)
	return h
}

// Heads tells that the heading is reached by Tab, beside the rows.
func (h *tableHeading) Heads() bool { return h.words.Text != "" }

// Tapped implements fyne.Tappable.
func (h *tableHeading) Tapped(ev *fyne.PointEvent) {
	if !h.table.tick(-1, h.col, ev.Position.X) {
		if h.table.OnSort != nil {
			h.table.OnSort(h.col)
		}
	}
}

// usualText is the size of text that the widths of columns are meant for.
const usualText = 14

// Grown is how much larger text is than usual: what is as wide as its text has to be is so many
// times as wide.
func Grown() float32 { return theme.TextSize() / usualText }

// HeadingWidth is the least width of a column that shows its whole title, also when it is sorted
// by.
func HeadingWidth(title string) float32 {
	return measure(title+" ↑", theme.TextSize(), true).Width + 2*cellPadding
}

// TickWidth is what a check mark adds to the width of the first column.
func TickWidth() float32 { return tickRoom() - cellPadding }

// CellWidth is the least width of a column that shows a whole text in its cells.
func CellWidth(text string) float32 {
	return measure(text, theme.TextSize(), false).Width + 2*cellPadding
}

func (t *Table) newHeading() fyne.CanvasObject { return newTableHeading(t) }

func (t *Table) updateHeader(id widget.TableCellID, object fyne.CanvasObject) {
	if id.Col < 0 || id.Col >= len(t.columns) {
		return
	}
	heading := object.(*tableHeading)
	if !slices.Contains(t.headings, heading) {
		t.headings = append(t.headings, heading)
	}
	heading.tail = ""
	if id.Col == t.sorted {
		heading.tail = " ↑"
		if t.descending {
			heading.tail = " ↓"
		}
	}
	heading.ticks, heading.all = t.OnTick != nil, t.OnTick != nil && id.Col == 0 && t.AllMarked()
	heading.show(t.columns[id.Col].Title, t.columns[id.Col].Right, false, id.Col)
}

// MouseIn implements desktop.Hoverable.
func (t *Table) MouseIn(ev *desktop.MouseEvent) {
	t.hintAt(ev)
}

// MouseMoved implements desktop.Hoverable. The table and not the heading listens: with the pointer
// between two headings Fyne's table changes their widths.
func (t *Table) MouseMoved(ev *desktop.MouseEvent) { t.hintAt(ev) }

// MouseOut implements desktop.Hoverable.
func (t *Table) MouseOut() {
	t.Table.MouseOut()
	t.tellHint("")
}

// cellAt is the cell at a place of the table, -1, -1 for none. Fyne's table tells it only of a
// cell that it highlights.
func (t *Table) cellAt(at fyne.PointEvent) (row, col int) {
	row, col = -1, -1
	t.Table.OnHighlighted = func(id widget.TableCellID) { row, col = id.Row, id.Col }
	t.Table.MouseOut() // what is highlighted already is not told again
	t.Table.MouseMoved(&desktop.MouseEvent{PointEvent: at})
	t.Table.OnHighlighted = nil
	return row, col
}

// hintAt tells the hint of the heading or cell under the pointer.
func (t *Table) hintAt(ev *desktop.MouseEvent) {
	row, col := t.cellAt(ev.PointEvent)
	if t.OnHint == nil {
		return
	}
	driver, hint := fyne.CurrentApp().Driver(), ""
	if row >= 0 && t.Hint != nil {
		hint = t.Hint(row, col)
	}
	for _, h := range t.headings {
		if ev.Position.Y > h.Size().Height || h.col >= len(t.columns) || t.columns[h.col].Hint == "" {
			continue
		}
		at := ev.AbsolutePosition.Subtract(driver.AbsolutePositionForObject(h))
		if at.X >= 0 && at.Y >= 0 && at.X < h.Size().Width && at.Y < h.Size().Height {
			hint = t.columns[h.col].Hint
		}
	}
	t.tellHint(hint)
}

func (t *Table) tellHint(hint string) {
	if t.OnHint != nil && t.hint != hint {
		t.hint = hint
		t.OnHint(hint)
	}
}
