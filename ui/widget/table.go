package widget

import (
	"image"
	"image/color"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

var (
	_ fyne.SecondaryTappable = (*Table)(nil)
	_ fyne.Shortcutable      = (*Table)(nil)
	_ desktop.Keyable        = (*Table)(nil)
)

// Column is a column of a Table; Width in device-independent pixels.
type Column struct {
	Title string
	Width float32
	Right bool   // right aligned, for numbers
	Hint  string // what the column tells, "" for nothing
}

// pageRows is how far Page Up and Page Down go.
const pageRows = 10

// Table is Fyne's table with what a list of rows needs on top: headings that sort, whole rows
// selected by click or arrow keys, rows opened by double click or Return, and unused keys handed
// on.
type Table struct {
	widget.Table
	Keys
	// OnRow is called when another row is selected.
	OnRow func(row int)
	// OnCell is called after OnRow with every cell that is clicked, also in the row that was
	// selected.
	OnCell func(row, col int)
	// OnOpen is called for the selected row on Return and double click.
	OnOpen func(row int)
	// OnSort is called when a heading is clicked; the screen sorts and then calls Arranged.
	OnSort func(col int)
	// OnHint is called with the hint of the heading or cell under the pointer, and with "" when the
	// pointer leaves it.
	OnHint func(hint string)
	// Hint is what OnHint gets for a cell. It may be nil, as may all that follow.
	Hint func(row, col int) string
	// OnClick is asked about each click on a row, with the keys that were held; true means handled:
	// the row is not selected.
	OnClick func(row int, held fyne.KeyModifier) bool
	// OnMenu is called on a secondary click with the row under it, -1 for none, and the place in
	// the table.
	OnMenu func(row int, at fyne.Position)
	// OnShortcut is asked about shortcuts that are typed here, such as fyne.ShortcutCopy; true
	// means handled. All others go to the window.
	OnShortcut func(fyne.Shortcut) bool
	// OnGrown is called after the size of text has changed, before the table is drawn in it.
	OnGrown func()
	// Marked tells whether a row is marked.
	Marked func(row int) bool
	// OnTick is called when the check mark of a row is clicked, -1 for that of the headings, which
	// is set where AllMarked says so. Without OnTick there are no check marks.
	OnTick    func(row int)
	AllMarked func() bool
	// OnReach is called in place of OnRow when a key moves from one row to another while Shift is
	// held.
	OnReach func(from, to int)
	// Bar is the share, 0 to 1, of a cell's width that is coloured behind its text, NaN for none.
	Bar func(row, col int) float64
	// Colour names the colour of a cell's text, "" for the usual one.
	Colour func(row, col int) fyne.ThemeColorName
	// Picture is what stands in a cell in place of its text; a nil picture leaves the text.
	Picture func(row, col int) image.Image
	// RowHeight is the least height of rows; it is set before the table is shown.
	RowHeight float32

	headings   []*tableHeading // those that were shown; Fyne makes others only to measure them
	hint       string
	columns    []Column
	rowCount   func() int
	text       func(row, col int) string
	selected   int
	sorted     int
	descending bool
	lastTap    time.Time
	lastRow    int
	held       fyne.KeyModifier // with the button that is pressed
	shift      bool             // is held down
	drawn      float32          // the size of text that was drawn last
	lines      color.Color      // between the cells as they were drawn last
	empty      bool             // without rows, for a moment
}

// NewTable makes a table over rows of text. rows and cell are asked again at every Reload.
func NewTable(columns []Column, rows func() int, cell func(row, col int) string) *Table {
	t := &Table{rowCount: rows, text: cell, selected: -1, sorted: -1, lastRow: -1}
	t.Length = func() (int, int) {
		if t.empty {
			return 0, 0
		}
		return t.rowCount(), len(t.columns)
	}
	t.CreateCell = func() fyne.CanvasObject { return newTableCell(t.RowHeight) }
	t.UpdateCell = t.updateCell
	t.ShowHeaderRow = true
	t.CreateHeader = t.newHeading
	t.UpdateHeader = t.updateHeader
	t.Table.OnSelected = func(id widget.TableCellID) {
		t.choose(id.Row)
		if t.OnCell != nil && id.Row >= 0 && id.Row < t.rowCount() && id.Col >= 0 {
			t.OnCell(id.Row, id.Col)
		}
	}
	t.ExtendBaseWidget(t)
	t.SetColumns(columns)
	return t
}

// SetColumns changes the columns; the order of sorting is forgotten unless only widths change.
func (t *Table) SetColumns(columns []Column) {
	if !slices.EqualFunc(columns, t.columns, func(a, b Column) bool { return a.Title == b.Title }) {
		t.sorted = -1
	}
	t.columns = columns
	t.empty = true // each width that changes draws all cells anew
	for k, c := range columns {
		t.SetColumnWidth(k, c.Width)
	}
	t.empty = false
	t.Refresh()
}

// Refresh implements fyne.CanvasObject.
func (t *Table) Refresh() {
	if size := theme.TextSize(); size != t.drawn {
		before := t.drawn
		t.drawn = size
		if before > 0 && t.OnGrown != nil {
			t.OnGrown()
		}
	}
	t.Table.Refresh()
}

// Reload asks for all rows again. A selected row that is gone is unselected.
func (t *Table) Reload() {
	t.recolour()
	if t.selected >= t.rowCount() {
		t.SelectRow(-1)
	}
	t.Refresh()
}

// recolour has the lines between the cells drawn in the colours of the theme. A table that was
// hidden while the theme changed keeps the old ones otherwise: Fyne draws a line anew only when it
// is shown again.
func (t *Table) recolour() {
	now := theme.ColorForWidget(theme.ColorNameSeparator, t)
	if t.lines != nil && t.lines != now {
		t.empty = true
		t.Refresh()
		t.empty = false
	}
	t.lines = now
}

// Selected is the selected row, -1 for none.
func (t *Table) Selected() int { return t.selected }

// SelectRow selects a row and scrolls to it, or none with -1. It does not call OnRow.
func (t *Table) SelectRow(row int) {
	t.UnselectAll()
	t.selected = -1
	if row >= 0 && row < t.rowCount() {
		t.selected = row
		if t.Size().Height > 0 { // before the first layout everything would seem out of sight
			t.ScrollTo(widget.TableCellID{Row: row})
		}
	}
	t.Refresh()
}

// Arranged shows other rows, or the rows in another order: the column that they are sorted by, -1
// for none, and where the selected record stands now, -1 for nowhere. Nothing is scrolled, and
// OnRow is not called.
func (t *Table) Arranged(sorted int, descending bool, selected int) {
	t.UnselectAll()
	t.sorted, t.descending, t.selected = sorted, descending, selected
	t.recolour()
	t.Refresh()
}

// choose selects a row on behalf of the user.
func (t *Table) choose(row int) {
	if row < 0 || row >= t.rowCount() {
		return
	}
	changed := row != t.selected
	t.SelectRow(row)
	if changed && t.OnRow != nil {
		t.OnRow(row)
	}
}

func (t *Table) open() {
	if t.OnOpen != nil && t.selected >= 0 && t.selected < t.rowCount() {
		t.OnOpen(t.selected)
	}
}

// Tapped implements fyne.Tappable: two clicks on a row within Fyne's double tap time open it.
// DoubleTapped is not implemented, because Fyne would then hold back every single click.
func (t *Table) Tapped(ev *fyne.PointEvent) {
	held := t.held
	t.held = 0
	row, col := t.cellAt(*ev)
	if row >= 0 && t.tick(row, col, ev.Position.X) || row >= 0 && t.OnClick != nil && t.OnClick(row, held) {
		if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
			c.Focus(t)
		}
		return
	}
	t.Table.Tapped(ev)
	now := time.Now()
	if t.selected == t.lastRow && now.Sub(t.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay() {
		t.lastRow = -1
		t.open()
		return
	}
	t.lastRow, t.lastTap = t.selected, now
}

// tick tells whether a click at x is on the check mark of a row, and passes it on. The first column
// always stands at the left edge.
func (t *Table) tick(row, col int, x float32) bool {
	if t.OnTick == nil || col != 0 || x > tickRoom() {
		return false
	}
	t.OnTick(row)
	return true
}

// KeyDown implements desktop.Keyable: it follows the Shift key, which other key events do not tell.
func (t *Table) KeyDown(ev *fyne.KeyEvent) { t.hold(ev, true) }

// KeyUp implements desktop.Keyable.
func (t *Table) KeyUp(ev *fyne.KeyEvent) { t.hold(ev, false) }

func (t *Table) hold(ev *fyne.KeyEvent, down bool) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		t.shift = down
	}
}

// FocusLost implements fyne.Focusable: the release of a held key goes elsewhere.
func (t *Table) FocusLost() {
	t.shift = false
	t.Table.FocusLost()
}

// MouseDown implements desktop.Mouseable: a click does not tell which keys are held.
func (t *Table) MouseDown(ev *desktop.MouseEvent) {
	t.held = ev.Modifier
	t.Table.MouseDown(ev)
}

// TappedSecondary implements fyne.SecondaryTappable.
func (t *Table) TappedSecondary(ev *fyne.PointEvent) {
	if t.OnMenu != nil {
		row, _ := t.cellAt(*ev)
		t.OnMenu(row, ev.Position)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (t *Table) TypedShortcut(s fyne.Shortcut) {
	if t.OnShortcut != nil && t.OnShortcut(s) {
		return
	}
	if window, ok := fyne.CurrentApp().Driver().CanvasForObject(t).(fyne.Shortcutable); ok {
		window.TypedShortcut(s)
	}
}

// TypedRune implements fyne.Focusable.
func (t *Table) TypedRune(r rune) { t.passRune(r) }

// TypedKey implements fyne.Focusable: OnKey is asked first, then up, down, page, home and end
// select, Return opens.
func (t *Table) TypedKey(ev *fyne.KeyEvent) {
	if t.passKey(ev) {
		return
	}
	last := t.rowCount() - 1
	row := t.selected
	switch ev.Name {
	case fyne.KeyUp:
		row = max(row-1, 0)
	case fyne.KeyDown:
		row = min(row+1, last)
	case fyne.KeyPageUp:
		row = max(row-pageRows, 0)
	case fyne.KeyPageDown:
		row = min(row+pageRows, last)
	case fyne.KeyHome:
		row = 0
	case fyne.KeyEnd:
		row = last
	case fyne.KeyReturn, fyne.KeyEnter:
		t.open()
		return
	default:
		return
	}
	if t.shift && t.OnReach != nil && t.selected >= 0 {
		t.OnReach(t.selected, row)
		return
	}
	t.choose(row)
}
