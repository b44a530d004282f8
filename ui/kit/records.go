package kit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// Records shows the records of a result.Table in the window, and is all that a screen needs of a
// table. It holds widgets and is none. A screen sets the exported fields once, puts Object into
// its layout, and calls Set after each reading:
//
//	open := func(r Row) { host.Inspect(r.Model) }
//	list := &kit.Records[Row]{Host: host, Table: invariance.Results, OnOpen: open}
//
//	content := list.Object()
//	list.Set(rows)
//
// People then sort by a click on a heading, filter in the line above (result.Filter says how),
// choose columns, mark rows (Space, Ctrl or Shift and click, Ctrl+A), copy and save them, and read
// a cell in full, with the reason where it is missing, in the status line. The host remembers the
// columns.
//
// Everything is called on the main goroutine, also the functions that Table and the fields name.
// Set keeps its rows: nobody changes them afterwards. What is saved is written in the background.
type Records[R any] struct {
	*Host
	// Table declares the columns. Its name also names the files that are saved and what is
	// remembered. Another one, such as for other annotators, is shown from the next Set on.
	Table result.Table[R]
	// OnSelect is called when another record is selected, and by Set with the new reading of the
	// selected one, or with ok false where it has gone. It may be nil, as may all that follow.
	OnSelect func(record R, ok bool)
	// OnOpen is called on a double click and on Return.
	OnOpen func(R)
	// OnColumn is called with the key of the column of a cell that is clicked, after OnSelect, and
	// of a heading by which somebody sorts: for charts of a column.
	OnColumn func(key string)
	// OnMarked is called after a person has marked records or taken marks away, and by Unmark.
	OnMarked func()
	// OnShown is called with the records that are shown, in their order, after either has changed:
	// for charts beside the table.
	OnShown func([]R)
	// Actions stand in the menu of the rows and, where they say so, as buttons above the table.
	Actions []Action[R]
	// Pictures are what stands in the cells of a column (its key) in place of its text. They are
	// asked about the rows in sight only, and again at Refresh; nil is no picture yet.
	Pictures map[string]func(R) image.Image
	// Colours name the colours of the texts in the cells of a column (its key), "" for the usual
	// one.
	Colours map[string]func(R) fyne.ThemeColorName
	// Bars are columns of shares (their keys) whose cells are coloured as far as the share is.
	Bars []string
	// Ticks shows the marks as check marks that can be clicked, for tables whose rows are marked
	// often.
	Ticks bool
	// Clauses, where it is not nil, adds a button "Filter": it lists the values of the columns with
	// their counts, to be chosen, below these clauses by their names.
	Clauses []Clause
	// Note is a line above the table about the records that are shown, such as what was left out
	// and why; "" for none.
	Note func(shown []R) string
	// Empty stands in place of a table without records; "" says that there are none. Before the
	// first Set nobody knows, and nothing is said.
	Empty string
	// Document is the head of saved JSON: schema, version, options. Without a schema it is
	// "variscope.NAME" by the table's name, version 1.
	Document result.Document
	// Command is the command that makes the table, "" for none; it may be nil.
	Command func() string
	// Beside stands left of the line above the table and takes half of the room, such as a form
	// that says which records are Set; nil for nothing.
	Beside fyne.CanvasObject
	// Plain leaves out the line above the table, for tables of few rows. Letters then go to Keys.
	Plain bool
	// Letters are characters that go to Keys, in small letters and capitals, where all others begin
	// the filter.
	Letters string
	// Keys gets the keys that the table does not use.
	Keys widget.Keys

	known    bool // something was Set
	rows     []R
	sheet    *result.Sheet
	places   map[string]int  // rows by ID
	fields   []int           // columns that are shown, places in the sheet
	columns  []widget.Column // as they stand, and what they would take to show all of their texts
	needs    []float32
	chosen   map[string]bool // columns that somebody showed or hid, by key
	filter   result.Filter
	order    result.Order
	shown    []int  // rows in their order
	selected string // ID, "" for none
	marked   map[string]bool
	anchor   string // ID of the row that a click with Shift reaches from

	table      *widget.Table
	instead    Look // shown in place of the table, nil for the table
	stack      *fyne.Container
	filters    *fynewidget.Button
	line       *widget.Entry
	over       *fyne.Container // above the table: line, chips, caption, buttons
	chips      *fyne.Container
	caption    *fynewidget.Label
	buttons    []*fynewidget.Button // of Actions, nil without
	columned   *fynewidget.Button
	more       *widget.HintButton
	note       *fynewidget.Label
	emptyState *widget.EmptyState
	object     *fyne.Container
}

// Object is what the screen shows.
func (r *Records[R]) Object() fyne.CanvasObject {
	r.build()
	return r.object
}

// Set shows another reading. Filter, order, columns, marks and selection stay, the latter two by
// ID, and nothing scrolls. Two records of one ID, and a wrong declaration (result.Table.Check),
// are errors, which are shown; the table stays as it was.
func (r *Records[R]) Set(rows []R) {
	r.build()
	err := r.Table.Check()
	sheet := r.Table.Sheet(rows)
	if err = cmp.Or(err, sheet.Check()); err != nil {
		r.Fail(fmt.Errorf("show rows: %w; the table stays as it was", err))
		return
	}
	r.known = true
	r.rows, r.sheet, r.places = rows, sheet, make(map[string]int, len(rows))
	for k := range rows {
		r.places[sheet.ID(k)] = k
	}
	for id := range r.marked {
		if _, ok := r.places[id]; !ok {
			delete(r.marked, id)
		}
	}
	had := r.selected
	if _, ok := r.places[had]; !ok {
		r.selected = ""
	}
	if r.sheet.Field(r.order.Key) < 0 {
		r.order = r.Table.First // another table has not the column that the rows were sorted by
	}
	r.setColumns()
	r.arrange()
	if had != "" {
		r.tellSelected()
	}
}

// Refresh draws the rows in sight anew, such as after their pictures have come.
func (r *Records[R]) Refresh() {
	r.build()
	r.redraw()
}

// Update shows newer values of the records that were Set, such as how far they are, several times
// a second: all rows stay where they are, also where order and filter now say otherwise, and
// OnShown is not called. Other records, or others in number, are Set.
func (r *Records[R]) Update(rows []R) {
	r.build()
	same := len(rows) == len(r.rows)
	for k := 0; same && k < len(rows); k++ {
		same = r.Table.ID(rows[k]) == r.sheet.ID(k)
	}
	sheet := r.Table.Sheet(rows)
	if !same || len(sheet.Fields) != len(r.sheet.Fields) {
		r.Set(rows)
		return
	}
	r.rows, r.sheet = rows, sheet
	wider := false
	for k, at := range r.fields {
		if need := r.width(&sheet.Fields[at]); need > r.needs[k] {
			r.needs[k], wider = need, true
		}
	}
	if wider {
		r.give(r.columns, r.table.Size().Width)
	}
	r.redraw()
	r.choiceChanged()
	if r.selected != "" {
		r.tellSelected()
	}
}

// Order is how the rows are sorted; SetOrder sorts them otherwise at once, Sort from the next Set
// on.
func (r *Records[R]) Order() result.Order { r.build(); return r.order }

// SetOrder sorts the rows. An order by no column leaves them as they were Set.
func (r *Records[R]) SetOrder(by result.Order) {
	r.build()
	r.order = by
	r.arrange()
}

// Selected is the selected record, also where the filter hides it.
func (r *Records[R]) Selected() (record R, ok bool) {
	k, ok := r.places[r.selected]
	if ok && r.selected != "" {
		record = r.rows[k]
	}
	return record, ok && r.selected != ""
}

// Select selects a record by its ID and brings it into sight; an unknown ID selects none. OnSelect
// is not called.
func (r *Records[R]) Select(id string) {
	r.build()
	if _, ok := r.places[id]; !ok {
		id = ""
	}
	r.selected = id
	r.show(r.place())
	r.choiceChanged()
}

// Shown are the records that meet the filter, in their order.
func (r *Records[R]) Shown() []R {
	list := make([]R, len(r.shown))
	for k, row := range r.shown {
		list[k] = r.rows[row]
	}
	return list
}

// Filter is the filter as it is typed.
func (r *Records[R]) Filter() string {
	r.build()
	return r.line.Text
}

// SetFilter shows only the records that meet a filter, "" for all.
func (r *Records[R]) SetFilter(text string) {
	r.build()
	r.line.SetText(text)
}

// Sort sorts the rows from the next Set on, such as where the columns of a Table are others then.
func (r *Records[R]) Sort(by result.Order) { r.build(); r.order = by }

// Focus gives the table the keyboard.
func (r *Records[R]) Focus() {
	r.build()
	if r.instead != nil {
		r.focus(r.instead)
		return
	}
	r.focus(r.table)
}

func (r *Records[R]) focus(on fyne.Focusable) {
	if r.Window != nil {
		r.Window.Canvas().Focus(on)
	}
}

// pictureHeight is the height of rows with pictures, for the usual size of text.
const pictureHeight = 42

func (r *Records[R]) build() {
	if r.object != nil {
		return
	}
	r.sheet, r.marked, r.chosen = r.Table.Sheet(nil), map[string]bool{}, map[string]bool{}
	if kept := r.remembered(r.key()); kept != "" {
		if err := json.Unmarshal([]byte(kept), &r.chosen); err != nil {
			r.chosen = map[string]bool{} // what another version kept
		}
	}
	r.order = r.Table.First
	r.buildTable()
	r.line = widget.NewEntry()
	r.line.OnChanged = func(text string) {
		r.filter = result.ParseFilter(text)
		r.arrange()
	}
	r.line.OnSubmitted = func(string) { r.Focus() }
	r.line.OnEscape = r.Focus
	r.note = fynewidget.NewLabel("")
	r.note.Wrapping = fyne.TextWrapWord
	r.note.Hide()
	r.emptyState = widget.NewEmptyState()
	r.stack = container.New(roomy{r.fit}, r.table, r.emptyState.Object())
	r.object = container.NewBorder(container.NewVBox(r.bar(), r.note), nil, nil, nil, r.stack)
	r.setColumns()
	r.arrange()
	r.Runs.Subscribe(r.choiceChanged)
}

func (r *Records[R]) buildTable() {
	t := widget.NewTable(nil, func() int { return len(r.shown) },
		func(row, col int) string { return r.field(col).Say(r.shown[row]) })
	t.StickyColumnCount = 1
	t.Marked = func(row int) bool { return r.marked[r.id(row)] }
	if len(r.Pictures) > 0 {
		t.RowHeight = pictureHeight * widget.Grown()
		t.Picture = func(row, col int) image.Image {
			if picture := r.Pictures[r.field(col).Key]; picture != nil {
				return picture(r.rows[r.shown[row]])
			}
			return nil
		}
	}
	if len(r.Colours) > 0 {
		t.Colour = func(row, col int) fyne.ThemeColorName {
			if colour := r.Colours[r.field(col).Key]; colour != nil {
				return colour(r.rows[r.shown[row]])
			}
			return ""
		}
	}
	if len(r.Bars) > 0 {
		t.Bar = func(row, col int) float64 {
			if f := r.field(col); slices.Contains(r.Bars, f.Key) {
				return f.Number(r.shown[row])
			}
			return math.NaN()
		}
	}
	if r.Ticks {
		t.OnTick, t.AllMarked = r.tick, func() bool { return len(r.shown) > 0 && r.allMarked() }
	}
	t.OnHint, t.Hint = r.Say, r.tell
	t.OnSort = r.sortBy
	t.OnRow, t.OnReach = r.choose, r.reach
	t.OnOpen = r.Open
	t.OnCell = func(_, col int) { call(r.OnColumn, r.field(col).Key) }
	t.OnClick = r.click
	t.OnMenu = func(row int, at fyne.Position) { r.openMenu(row, at, t) }
	t.OnGrown = func() { r.setColumns(); r.arrange() }
	t.OnShortcut, t.OnKey, t.OnRune = r.shortcut, r.typedKey, r.typed
	r.table = t
}

func (r *Records[R]) shortcut(s fyne.Shortcut) bool {
	switch s.(type) {
	case *fyne.ShortcutCopy:
		r.Saver().Copy(r.copied(sheetCSV))
	case *fyne.ShortcutSelectAll:
		r.markShown(true)
	default:
		return false
	}
	return true
}

// typedKey takes a key that does not move the selection.
func (r *Records[R]) typedKey(ev *fyne.KeyEvent) bool {
	if r.Keys.OnKey != nil && r.Keys.OnKey(ev) {
		return true
	}
	switch at := r.place(); {
	case ev.Name == fyne.KeySpace && at >= 0:
		r.mark(!r.marked[r.selected], at, at)
	case ev.Name == fyne.KeyEscape && len(r.marked) > 0:
		r.Unmark()
	case ev.Name == fyne.KeyEscape && r.line.Text != "":
		r.SetFilter("")
	}
	return false
}

// typed is a letter: it goes into the filter.
func (r *Records[R]) typed(c rune) {
	switch {
	case (r.Plain || strings.ContainsRune(r.Letters, unicode.ToLower(c))) && r.Keys.OnRune != nil:
		r.Keys.OnRune(c)
	case !r.Plain && c != ' ': // Space marks
		r.focus(r.line)
		r.line.TypedRune(c)
	}
}

// field is the column that stands at a place of the table.
func (r *Records[R]) field(col int) *result.Field { return &r.sheet.Fields[r.fields[col]] }

// id is the ID of the record in a row of the table.
func (r *Records[R]) id(row int) string { return r.sheet.ID(r.shown[row]) }

// place is the row of the table where the selected record stands, -1 where it is not shown.
func (r *Records[R]) place() int {
	if k, ok := r.places[r.selected]; ok && r.selected != "" {
		return slices.Index(r.shown, k)
	}
	return -1
}

// tell says a cell in full, after the name that stands first in its row.
func (r *Records[R]) tell(row, col int) string {
	text := r.field(col).Tell(r.shown[row])
	if col > 0 {
		text = r.field(0).Say(r.shown[row]) + ": " + text
	}
	return text
}

func (r *Records[R]) tellSelected() {
	if r.OnSelect != nil {
		r.OnSelect(r.Selected())
	}
}

// sortBy orders by a column, from the end that it declares; the same column again turns round.
func (r *Records[R]) sortBy(col int) {
	f := r.field(col)
	if r.order.Key == f.Key {
		r.order.Descending = !r.order.Descending
	} else {
		r.order = result.Order{Key: f.Key, Descending: f.Descending}
	}
	r.arrange()
	call(r.OnColumn, f.Key)
}

// arrange shows the rows that meet the filter, in their order.
func (r *Records[R]) arrange() {
	r.shown = r.sheet.Arrange(r.filter, r.order)
	sorted := slices.IndexFunc(r.fields, func(k int) bool { return r.sheet.Fields[k].Key == r.order.Key })
	r.table.Arranged(sorted, r.order.Descending, r.place())
	if r.instead != nil {
		r.instead.Refresh()
	}
	r.sayNote()
	r.sayEmpty()
	r.setChips()
	r.choiceChanged()
	if r.OnShown != nil && r.object != nil {
		r.OnShown(r.Shown())
	}
}

// unknown says which columns of the filter there are not, "" where there are all.
func (r *Records[R]) unknown() string {
	names := r.sheet.Unknown(r.filter)
	if len(names) == 0 {
		return ""
	}
	var keys []string
	for _, f := range r.sheet.Fields {
		if f.Show != result.FileOnly {
			keys = append(keys, f.Key)
		}
	}
	return fmt.Sprintf("There is no column %s, so it is looked for as a word. Columns are %s.",
		strings.Join(names, ", "), strings.Join(keys, ", "))
}

func (r *Records[R]) sayNote() {
	text := r.unknown()
	r.note.Importance = fynewidget.WarningImportance
	if text == "" {
		r.note.Importance = fynewidget.LowImportance
		if r.Note != nil {
			text = r.Note(r.Shown())
		}
	}
	if text != r.note.Text {
		r.note.SetText(text)
		widget.Show(r.note, text != "")
		r.layNote()
	}
}

// layNote gives the note the room that its lines need, which follows from its width, and the table
// the rest.
func (r *Records[R]) layNote() {
	over := r.object.Objects[1].(*fyne.Container)
	r.note.Resize(fyne.NewSize(r.object.Size().Width, r.note.MinSize().Height))
	for _, c := range []*fyne.Container{r.object, over} {
		c.Layout.Layout(c.Objects, c.Size())
	}
}

func (r *Records[R]) sayEmpty() {
	several := result.Plural(r.Table.Noun)
	switch {
	case !r.known:
		r.emptyState.Hide()
	case len(r.rows) == 0 && r.Empty != "":
		r.emptyState.Say(r.Empty)
	case len(r.rows) == 0:
		r.emptyState.Say(fmt.Sprintf("There are no %s.", several))
	case len(r.shown) == 0:
		r.emptyState.Say(fmt.Sprintf("None of %s meets the filter.", result.Counted(len(r.rows), r.Table.Noun)),
			widget.Help{Text: "Show all", Icon: theme.ContentClearIcon(), Do: func() { r.SetFilter(""); r.Focus() }})
	default:
		if r.emptyState.Visible() {
			r.emptyState.Hide()
		}
	}
	widget.Show(r.table, len(r.rows) > 0 && r.instead == nil)
	if r.instead != nil {
		widget.Show(r.instead, len(r.shown) > 0)
	}
}
