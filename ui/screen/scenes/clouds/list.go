package clouds

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// listPane is the list of models, with what can be done with them.
type listPane struct {
	p       *Page
	filter  *widget.Entry
	table   *widget.Table
	run     *fynewidget.Button
	inspect *fynewidget.Button
	label   *fynewidget.Button
	fit     *fyne.Container
	object  fyne.CanvasObject
}

// The widths of the list's columns: shares of its width.
const nameWidth, numberWidth = 84, 74

func newListPane(p *Page) *listPane {
	l := &listPane{p: p}
	columns := func() []widget.Column {
		var list []widget.Column
		for _, c := range Columns() {
			width := float32(numberWidth)
			if c.Value == nil {
				width = nameWidth
			}
			list = append(list, widget.Column{Title: c.Title, Hint: c.Hint, Width: width, Right: c.Value != nil})
		}
		return list
	}
	l.table = widget.NewTable(columns(), p.view.Len, p.view.Cell)
	l.table.OnHint = p.deps.Host.Say
	l.table.OnRow = func(row int) {
		if r, ok := p.view.At(row); ok {
			p.deps.Host.Say(p.view.Detail(row))
			p.Select(r.Model.Hash)
		}
	}
	l.table.OnOpen = func(row int) {
		if r, ok := p.view.At(row); ok {
			l.open(r.Model.Hash)
		}
	}
	l.table.OnSort = func(col int) {
		p.view.SortBy(col)
		l.arranged()
	}
	l.table.OnRune = func(r rune) { // begins to filter
		if r != ' ' {
			p.deps.Host.Window.Canvas().Focus(l.filter)
			l.filter.TypedRune(r)
		}
	}
	l.filter = widget.NewEntry()
	l.filter.SetPlaceHolder("Filter: vgg  -vit  worst>0.3")
	l.filter.OnChanged = func(text string) {
		p.view.Filter(text)
		l.arranged()
	}
	l.filter.OnSubmitted = func(string) { p.Focus() }
	l.filter.OnEscape = p.Focus
	l.run = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { p.start(p.view.without()) })
	l.inspect = fynewidget.NewButton("Inspect", func() {
		if r, ok := p.view.Selected(); ok {
			l.open(r.Model.Hash)
		}
	})
	l.label = fynewidget.NewButton("Label…", func() {
		if p.deps.NewRound != nil {
			p.deps.NewRound(p.view.Selection.Hash)
		}
	})
	l.fit = evidence.Fit(l.table, columns)
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(l.inspect, l.label), l.run)
	l.object = container.NewBorder(l.filter, foot, nil, nil, l.fit)
	return l
}

func (l *listPane) open(hash string) {
	if l.p.deps.Inspect != nil {
		l.p.deps.Inspect(hash)
	}
}

// show brings the list up to date.
func (l *listPane) show() {
	left := len(l.p.view.without())
	l.run.SetText(fmt.Sprintf("Run %s", present.Counted(int64(left), "model")))
	l.run.Hidden = l.p.deps.Start == nil
	widget.Enable(l.run, left > 0)
	if left == 0 {
		l.run.SetText("All ran")
	}
	l.fit.Refresh()
	l.arranged()
}

// arranged shows other models, or the models in another order.
func (l *listPane) arranged() {
	col, descending := l.p.view.Order()
	l.table.SetSort(col, descending)
	l.table.Reload()
	l.table.SelectRow(l.p.view.Index())
}

// selected shows which model is looked at.
func (l *listPane) selected() {
	if at := l.p.view.Index(); at != l.table.Selected() {
		l.table.SelectRow(at)
	}
}
