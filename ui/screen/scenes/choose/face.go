package choose

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the page's widgets: what can be done above; targets on the left, their contact sheet
// and numbers in the middle, one picture on the right; and what stands there while there is no
// selection.
type face struct {
	p       *Page
	root    *fyne.Container
	main    *fyne.Container
	empty   *widget.Vacancy
	summary *fynewidget.Label
	choose  *fynewidget.Button
	run     *fynewidget.Button
	round   *fynewidget.Button
	export  *fynewidget.Button
	remove  *fynewidget.Button
	grown   float32 // the size of text that the columns are for

	filter  *widget.Entry
	caption *fynewidget.Label
	table   *widget.Table
	list    *fyne.Container
	missing *picture.Missing
	sheet   *sheet
	detail  *detail
	strip   *strip
}

func newFace(p *Page) *face {
	f := &face{p: p, empty: widget.NewVacancy(), summary: fynewidget.NewLabel("")}
	f.summary.Truncation = fyne.TextTruncateEllipsis
	f.choose = fynewidget.NewButtonWithIcon("Choose scenes…", theme.ContentAddIcon(), p.askNew)
	f.run = fynewidget.NewButtonWithIcon("Run models…", theme.MediaPlayIcon(), p.askRun)
	f.round = fynewidget.NewButton("New round…", func() { p.deps.NewRound(p.view.Record.Hash) })
	f.export = fynewidget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), func() { f.popUp(f.export, p.exportMenu()) })
	f.remove = fynewidget.NewButtonWithIcon("Remove…", theme.DeleteIcon(), p.askRemove)
	f.missing = picture.NewMissing(func(suite string) { p.deps.Locate(suite) })
	f.sheet, f.detail, f.strip = newSheet(p), newDetail(p), newStrip(p)
	toolbar := container.NewBorder(nil, nil, container.NewHBox(f.choose, f.run, f.round, f.export, f.remove), nil, f.summary)
	inner := container.NewHSplit(container.New(above{}, f.sheet.object, f.strip.object), f.detail.object)
	inner.Offset = 0.66
	body := container.NewHSplit(f.targets(), inner)
	body.Offset = 0.26
	f.main = container.NewBorder(container.NewVBox(toolbar, f.missing.Object()), nil, nil, nil, body)
	f.main.Hide()
	f.root = container.NewStack(f.main, f.empty.Object())
	return f
}

// above gives the contact sheet what the numbers below it leave.
type above struct{}

// stripShare is the share of the height that the numbers have, between these bounds.
const stripShare, stripLeast, stripMost = 0.32, 200, 300

func (above) height(size fyne.Size) float32 {
	return min(max(size.Height*stripShare, stripLeast*widget.Grown()), stripMost*widget.Grown())
}

// Layout implements fyne.Layout.
func (l above) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	below := l.height(size)
	gap := theme.Padding()
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, size.Height-below-gap))
	objects[1].Move(fyne.NewPos(0, size.Height-below))
	objects[1].Resize(fyne.NewSize(size.Width, below))
}

// MinSize implements fyne.Layout.
func (above) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), a.Height+theme.Padding()+max(b.Height, stripLeast))
}

// targets is the list of targets with its filter.
func (f *face) targets() fyne.CanvasObject {
	v := f.p.view
	f.filter, f.caption = widget.NewEntry(), fynewidget.NewLabel("")
	f.filter.SetPlaceHolder("Filter: words, d>0.5, vetoed>0")
	f.filter.OnChanged = func(text string) {
		v.Filter(text)
		f.arranged()
	}
	f.caption.Truncation = fyne.TextTruncateEllipsis
	f.table = widget.NewTable(nil, v.Len, f.cell)
	f.table.OnRow = func(row int) { f.p.look(v.At(row)) }
	f.table.OnSort = func(column int) {
		v.SortBy(v.Columns()[column])
		f.arranged()
	}
	f.table.OnHint = f.p.deps.Host.Say
	f.table.OnRune = f.typed
	f.list = evidence.Fit(f.table, f.columns)
	return container.NewBorder(container.NewVBox(f.filter, f.caption), nil, nil, nil, f.list)
}

// mostWidth is the largest width of a column, keywordsWidth that of the last one, which takes what
// is left.
const mostWidth, keywordsWidth = 110, 90

// slack is added to the width of a column of numbers, none of which may be cut where there is
// little room.
const slack = 12

// looked is how many rows tell how wide a column is.
const looked = 200

// heading is the title of a column of the list and what it tells.
func heading(column int) widget.Column {
	switch column {
	case columnName:
		return widget.Column{Title: "target", Hint: "name of the image without folders"}
	case columnClass:
		return widget.Column{Title: "class"}
	case columnDistance:
		return widget.Column{Title: "d", Right: true, Hint: "mean semantic distance of the target's scenes"}
	case columnVerdicts:
		return widget.Column{Title: "✓✗", Hint: "how many of its scenes were approved and vetoed"}
	}
	return widget.Column{Title: "keywords", Hint: "the target's own keywords; sorted by their number"}
}

func (f *face) columns() []widget.Column {
	v := f.p.view
	var list []widget.Column
	for _, column := range v.Columns() {
		c := heading(column)
		most := float32(mostWidth)
		if column == columnKeywords {
			most = keywordsWidth
		}
		c.Width = widget.HeadingWidth(c.Title)
		for row := range min(v.Len(), looked) {
			c.Width = max(c.Width, widget.CellWidth(v.Cell(row, column)))
		}
		switch column {
		case columnVerdicts:
			c.Width = max(c.Width, widget.CellWidth("✓00 ✗0")) // they come while one looks
		case columnDistance:
			c.Width += slack
		}
		c.Width = min(c.Width, most*widget.Grown())
		list = append(list, c)
	}
	return list
}

// cell is the text of a cell of the table.
func (f *face) cell(row, col int) string {
	columns := f.p.view.Columns()
	if col >= len(columns) {
		return ""
	}
	return f.p.view.Cell(row, columns[col])
}

func (f *face) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, f.p.deps.Host.Window.Canvas(), items...)
}

// waiting says that the first reading is under way.
func (f *face) waiting() {
	f.main.Hide()
	f.empty.Say("Reading the scenes…")
}

// failed says why nothing can be shown.
func (f *face) failed(why string) {
	f.main.Hide()
	f.empty.Say(why, widget.Help{Text: "Read again", Icon: theme.ViewRefreshIcon(), Do: f.p.refresh})
}

// show applies what was read.
func (f *face) show() {
	v := f.p.view
	if vacant, empty := v.vacancy(); empty {
		f.main.Hide()
		f.lacks(vacant)
		return
	}
	appears := !f.main.Visible()
	f.empty.Hide()
	f.main.Show()
	f.summary.SetText(v.Summary())
	f.grown = widget.Grown()
	f.arranged()
	f.list.Refresh()
	f.sheet.offer()
	f.strip.offer()
	f.looked()
	f.sayMissing()
	if appears && f.p.deps.Host.Window.Canvas().Focused() == nil {
		f.focus() // it could not have it before
	}
}

// arranged shows the list after its order or filter changed.
func (f *face) arranged() {
	v := f.p.view
	column, descending := v.Order()
	f.table.SetSort(slices.Index(v.Columns(), column), descending)
	f.table.Reload()
	f.table.SelectRow(v.Row())
	f.caption.SetText(v.Caption())
}

// looked shows the target that is looked at.
func (f *face) looked() {
	f.sheet.show(true)
	f.detail.show()
	f.strip.show()
}

// judged shows verdicts.
func (f *face) judged() {
	f.table.Refresh()
	f.sheet.show(false)
	f.detail.show()
}

// arrived puts pictures where they are waited for.
func (f *face) arrived() {
	f.sayMissing()
	f.sheet.wall.Update()
	f.detail.picture()
}

// sayMissing shows or hides the line about images that are gone.
func (f *face) sayMissing() {
	if f.missing.Show(f.p.rack.Problem(), "") {
		f.main.Refresh()
	}
}

// focus gives the contact sheet the keyboard, unless the list has it.
func (f *face) focus() {
	c := f.p.deps.Host.Window.Canvas()
	if !f.main.Visible() || c.Overlays().Top() != nil {
		return
	}
	if now := c.Focused(); now == fyne.Focusable(f.table) || now == fyne.Focusable(f.filter) {
		return
	}
	f.sheet.surface.TakeIn(c)
}

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.main.Visible() && f.grown != widget.Grown() {
		f.grown = widget.Grown()
		f.list.Refresh()
		f.looked()
	}
}

func (f *face) close() { f.strip.close() }

// typed are the keys of verdicts, wherever the keyboard is.
func (f *face) typed(r rune) {
	switch r {
	case 'a', 'A':
		f.p.judge(Approved)
	case 'v', 'V':
		f.p.judge(Vetoed)
	}
}

// look looks at another target.
func (p *Page) look(target int) {
	if target >= 0 && target != p.view.Target() {
		p.view.Look(target)
		p.face.looked()
	}
}

// step looks at the target so many rows further down.
func (p *Page) step(by int) {
	row := min(max(p.view.Row()+by, 0), p.view.Len()-1)
	p.face.table.SelectRow(row)
	p.look(p.view.At(row))
}
