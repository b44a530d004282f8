package kit

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// key names what is remembered of the table.
func (r *Records[R]) key() string { return "columns." + r.Table.Name }

// bar is the line above the table: filter, chips of its clauses, counts, buttons.
func (r *Records[R]) bar() fyne.CanvasObject {
	r.chips, r.caption = container.NewHBox(), fynewidget.NewLabel("")
	buttons := container.NewHBox()
	if r.Clauses != nil {
		r.filters = fynewidget.NewButtonWithIcon("Filter", theme.MenuDropDownIcon(), r.openFilters)
		buttons.Add(r.filters)
	}
	more := ""
	for _, a := range r.Actions {
		var button *fynewidget.Button
		if a.Button {
			button = fynewidget.NewButtonWithIcon(a.Name, a.Icon, func() { a.Do(r.about(a, r.Chosen())) })
			buttons.Add(button)
		} else {
			more = "More"
		}
		r.buttons = append(r.buttons, button)
	}
	r.columned = fynewidget.NewButtonWithIcon("Columns", theme.MenuDropDownIcon(), r.openColumns)
	r.more = r.IconButton(theme.MoreVerticalIcon(), "What can be done with this table", func() {
		if more != "" {
			widget.PopUpBelow(r.more, r.Window.Canvas(), r.rowItems()...)
			return
		}
		widget.PopUpBelow(r.more, r.Window.Canvas(), append(r.FileItems(), r.columnsItem())...)
	})
	buttons.Add(r.columned)
	r.more.SetText(more)
	buttons.Add(r.more)
	r.over = container.New(barLayout{}, r.line, r.chips, r.caption, buttons)
	if r.Plain {
		r.over.Hide()
	}
	if r.Beside != nil {
		return container.NewGridWithColumns(2, r.Beside, r.over)
	}
	return r.over
}

// barLayout lays the filter line, its chips, the counts and the buttons side by side. Where there
// is little room the chips go first, then the counts.
type barLayout struct{}

// The least width of the filter line, and the one from which chips take their room from it.
const lineLeast, lineUsual = 110, 220

// MinSize implements fyne.Layout.
func (barLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	line, buttons := objects[0].MinSize(), objects[3].MinSize()
	return fyne.NewSize(lineLeast*widget.Grown()+buttons.Width, max(line.Height, buttons.Height))
}

// Layout implements fyne.Layout.
func (barLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	line, chips, caption, buttons := objects[0], objects[1], objects[2], objects[3]
	right := size.Width
	put := func(o fyne.CanvasObject, least float32) {
		width, gap := o.MinSize().Width, theme.Padding()
		if width == 0 || right-width-gap < least*widget.Grown() {
			o.Resize(fyne.NewSize(0, 0))
			o.Move(fyne.NewPos(-10000, 0)) // hiding it would lay all out again
			return
		}
		o.Resize(fyne.NewSize(width, size.Height))
		o.Move(fyne.NewPos(right-width, 0))
		right -= width + gap
	}
	put(buttons, 0)
	put(caption, lineLeast)
	put(chips, lineUsual)
	text := "Filter: word  -word  column<0.9"
	if right < lineUsual*widget.Grown() {
		text = "Filter"
	}
	if entry := line.(*widget.Entry); entry.PlaceHolder != text {
		entry.SetPlaceHolder(text)
	}
	line.Resize(fyne.NewSize(max(right, 0), size.Height))
	line.Move(fyne.NewPos(0, 0))
}

// setChips shows each clause of the filter, to be ended by a click.
func (r *Records[R]) setChips() {
	if r.Plain || len(r.chips.Objects) == 0 && len(r.filter.Clauses) == 0 {
		return
	}
	r.chips.RemoveAll()
	for k, c := range r.filter.Clauses {
		chip := fynewidget.NewButtonWithIcon(c.Say(), theme.ContentClearIcon(),
			func() { r.SetFilter(r.filter.Without(k).String()) })
		chip.IconPlacement = fynewidget.ButtonIconTrailingText
		r.chips.Add(chip)
	}
	r.layBar()
}

// layBar gives what stands above the table its room after a text in it has changed.
func (r *Records[R]) layBar() { r.over.Layout.Layout(r.over.Objects, r.over.Size()) }

// name is the column that names the records: the first one that is not for files alone. It is
// always shown.
func (r *Records[R]) name() int {
	at := slices.IndexFunc(r.sheet.Fields, func(f result.Field) bool { return f.Show != result.FileOnly })
	return max(at, 0)
}

// sees tells whether a column is shown.
func (r *Records[R]) sees(k int) bool {
	f := r.sheet.Fields[k]
	if on, ok := r.chosen[f.Key]; ok && f.Show != result.FileOnly && k != r.name() {
		return on
	}
	return k == r.name() || f.Show == result.Shown
}

// setColumns gives the table the columns of the sheet, in the widths that their contents need;
// arrange follows.
func (r *Records[R]) setColumns() {
	r.fields, r.needs = r.fields[:0], r.needs[:0]
	var list []widget.Column
	for k := range r.sheet.Fields {
		f := &r.sheet.Fields[k]
		if !r.sees(k) {
			continue
		}
		hint := f.Title
		if f.Help != "" {
			hint += ": " + f.Help
		}
		if f.Unit != "" {
			hint += " (" + f.Unit + ")"
		}
		r.fields, r.needs = append(r.fields, k), append(r.needs, r.width(f))
		list = append(list, widget.Column{Title: f.Title, Right: f.Format.Right(), Hint: hint})
	}
	offered := slices.ContainsFunc(r.sheet.Fields, func(f result.Field) bool { return f.Show == result.Offered })
	if offered != r.columned.Visible() { // else the menu has it
		widget.Show(r.columned, offered)
		r.layBar()
	}
	if len(r.needs) > 0 && r.Ticks {
		r.needs[0] += widget.TickWidth()
	}
	sticky := 1 // and pictures beside the name
	for sticky < len(r.fields) && r.Pictures[r.field(sticky).Key] != nil {
		sticky++
	}
	r.table.StickyColumnCount = sticky
	r.give(list, r.table.Size().Width)
}

// fit gives the columns their widths in a room.
func (r *Records[R]) fit(room float32) {
	if r.give(r.columns, room) {
		r.table.Refresh()
	}
}

// give gives columns the widths that they need, long texts a bound and what is left of the room.
// It tells whether any width has changed; the rows are still to be drawn then.
func (r *Records[R]) give(columns []widget.Column, room float32) bool {
	list, rest, cut := slices.Clone(columns), room-tableEdge, 0
	for k, need := range r.needs {
		list[k].Width = min(need, max(widest*widget.Grown(), widget.HeadingWidth(list[k].Title)))
		rest -= list[k].Width + theme.Padding()
		if need > list[k].Width {
			cut++
		}
	}
	for k, need := range r.needs {
		if more := need - list[k].Width; more > 0 && rest > 0 {
			more = min(more, rest/float32(cut))
			list[k].Width, rest = list[k].Width+more, rest-more
			cut--
		}
	}
	r.shrink(list, -rest)
	if slices.Equal(list, r.columns) { // widths that somebody has drawn stay
		return false
	}
	r.columns = list
	shown := r.shown
	r.shown = nil
	r.table.SetColumns(slices.Clone(list))
	r.shown = shown
	return true
}

// Height is what a table of so many rows needs, without the line above it.
func (r *Records[R]) Height(rows int) float32 {
	r.build()
	heading, cell := r.table.CreateHeader().MinSize().Height, r.table.CreateCell().MinSize().Height
	return heading + float32(rows)*(cell+theme.Padding()) + theme.Padding()
}

// Width is the width in which all columns are seen in full.
func (r *Records[R]) Width() float32 {
	width := float32(tableEdge)
	for _, need := range r.needs {
		width += need + theme.Padding()
	}
	return width
}

// shrink takes what the columns have too much from the texts, which then are cut, where that lets
// all columns be seen at once.
func (r *Records[R]) shrink(columns []widget.Column, over float32) {
	const least = 0.6 // of its width keeps a column
	spare := make([]float32, len(columns))
	all := float32(0)
	for k, c := range columns {
		if f := r.field(k).Format; !c.Right && f != result.Label { // "vari…" could be two labels
			spare[k] = max(c.Width-max(least*c.Width, widget.HeadingWidth(c.Title)), 0)
			all += spare[k]
		}
	}
	if over <= 0 || over > all {
		return
	}
	for k := range columns {
		columns[k].Width -= spare[k] * over / all
	}
}

// tableEdge is the width of a table's scroll bar.
const tableEdge = 8

// roomy gives its objects all of its room, the first one's columns too.
type roomy struct{ fit func(room float32) }

// MinSize implements fyne.Layout.
func (roomy) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout implements fyne.Layout.
func (l roomy) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
	l.fit(size.Width)
}

// widest is how wide a column of texts becomes where there is no room left, for the usual size of
// text.
const widest = 260

// width is what the heading and the longest cell of a column need. Texts are measured by their
// letters, and only the longest one as it is drawn.
func (r *Records[R]) width(f *result.Field) float32 {
	least := widget.HeadingWidth(f.Title)
	if picture := r.Pictures[f.Key]; picture != nil {
		for _, row := range r.rows[:min(len(r.rows), 20)] {
			if p := picture(row); p != nil && p.Bounds().Dy() > 0 {
				shape := float32(p.Bounds().Dx()) / float32(p.Bounds().Dy())
				return max(least, (pictureHeight*widget.Grown()-2)*shape+widget.CellWidth(""))
			}
		}
		return max(least, pictureHeight*widget.Grown())
	}
	longest, length := "", float32(0)
	try := func(text string) {
		if l := letters(text); l > length {
			longest, length = text, l
		}
	}
	for _, row := range samples(f, r.sheet.Len()) {
		try(f.Say(row))
	}
	switch f.Format {
	case result.Number, result.Coefficient, result.P, result.Share, result.Points:
		try(f.Format.Say(1e-12, f.Decimals)) // <0.001
	}
	return max(least, widget.CellWidth(longest))
}

// samples are the rows among whose cells the longest one is: all for texts; for numbers those of
// the ends of values and intervals, and some more.
func samples(f *result.Field, n int) []int {
	const some = 100
	step := 1
	if !f.Format.Textual() {
		step = max(1, n/some)
	}
	var rows []int
	for row := 0; row < n; row += step {
		rows = append(rows, row)
	}
	if step == 1 {
		return rows
	}
	ends := [6]int{}
	best := [6]float64{}
	for k := range best {
		best[k] = math.Inf(-1)
	}
	for row := range n {
		low, high := f.Interval(row)
		for k, v := range [3]float64{f.Number(row), low, high} {
			if v > best[2*k] {
				best[2*k], ends[2*k] = v, row
			}
			if -v > best[2*k+1] {
				best[2*k+1], ends[2*k+1] = -v, row
			}
		}
	}
	return append(rows, ends[:]...)
}

// letters is about how wide a text is, in digits, without drawing it.
func letters(text string) float32 {
	width := float32(0)
	for _, c := range text {
		switch {
		case c == 'i' || c == 'l' || c == 'j' || c == 't' || c == 'f' || c == 'I' || c >= '!' && c <= '/' &&
			c != '%' && c != '+':
			width += 0.55
		case c == ' ':
			width += 0.45
		case c == '%':
			width += 1.45
		case c == 'm' || c == 'w' || c == 'W' || c == 'M' || c == '@':
			width += 1.5
		case c >= 'A' && c <= 'Z':
			width += 1.2
		case c > 0x2e80: // East Asian scripts
			width += 1.8
		case strings.ContainsRune("ckrsvxyz", c):
			width += 0.85
		case strings.ContainsRune("bdghnopqu", c):
			width += 1.07
		default:
			width++
		}
	}
	return width
}

func (r *Records[R]) columnsItem() *fyne.MenuItem {
	return fyne.NewMenuItem("Columns…", r.openColumns)
}

// openColumns opens the list of columns, to show and hide them.
func (r *Records[R]) openColumns() {
	rows := container.NewVBox()
	for k := range r.sheet.Fields {
		f := &r.sheet.Fields[k]
		if k == r.name() || f.Show == result.FileOnly {
			continue
		}
		check := fynewidget.NewCheck(f.Title, nil)
		check.Checked = r.sees(k)
		check.OnChanged = func(on bool) { r.showColumn(f.Key, on) }
		rows.Add(check)
	}
	under := fyne.CanvasObject(r.more)
	if r.columned.Visible() {
		under = r.columned
	}
	if r.Plain {
		under = r.table
	}
	r.popUp(under, container.NewVScroll(rows), fyne.NewSize(240*widget.Grown(), rows.MinSize().Height+16), r.Focus)
}

func (r *Records[R]) showColumn(key string, on bool) {
	r.chosen[key] = on
	if kept, err := json.Marshal(r.chosen); err == nil {
		r.remember(r.key(), string(kept))
	}
	r.setColumns()
	r.arrange()
}

// popUp opens content under an object, inside the window. Escape and a click beside it close it.
// Then what is behind it has the keyboard: focus, which is called before, gives it that.
func (h *Host) popUp(under, content fyne.CanvasObject, size fyne.Size, focus func()) {
	c := h.Window.Canvas()
	focus()
	ground := widget.NewSurface(content)
	p := fynewidget.NewPopUp(ground, c)
	ground.OnKey = func(ev *fyne.KeyEvent) bool {
		if ev.Name == fyne.KeyEscape {
			p.Hide()
		}
		return true
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(under).AddXY(0, under.Size().Height)
	at.X = max(0, min(at.X, c.Size().Width-size.Width-16))
	at.Y = max(0, min(at.Y, c.Size().Height-160))
	size.Height = min(size.Height, c.Size().Height-at.Y-24)
	p.ShowAtPosition(at)
	p.Resize(size)
	ground.TakeIn(c) // so that Escape closes it
}

// openMenu opens the menu of a row, which becomes the selected one unless it is marked.
func (r *Records[R]) openMenu(row int, at fyne.Position, over fyne.CanvasObject) {
	if row >= 0 && !r.marked[r.id(row)] && r.id(row) != r.selected {
		r.show(row)
		r.choose(row)
	}
	menu := fyne.NewMenu("", r.rowItems()...)
	fynewidget.ShowPopUpMenuAtRelativePosition(menu, r.Window.Canvas(), at, over)
}

// rowItems are the entries of the menu of the rows.
func (r *Records[R]) rowItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	chosen := r.Chosen()
	for _, a := range r.Actions {
		records := r.about(a, chosen)
		name, can := r.offered(a, records)
		item := fyne.NewMenuItem(name, func() { a.Do(records) })
		item.Disabled = !can
		items = append(items, item)
	}
	if one, ok := r.Selected(); ok && r.OnOpen != nil {
		items = append(items, fyne.NewMenuItem("Open", func() { r.OnOpen(one) }))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	all := fyne.NewMenuItem("Mark all that are shown", func() { r.markShown(true) })
	none := fyne.NewMenuItem("Unmark all", r.Unmark)
	all.Disabled, none.Disabled = len(r.shown) == 0, len(r.marked) == 0
	items = append(items, all, none, fyne.NewMenuItemSeparator())
	return append(items, append(r.FileItems(), r.columnsItem())...)
}
