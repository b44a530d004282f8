package agreement

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

// list is a table of models with everybody's labels; a row opens its model.
type list struct {
	s      *Screen
	items  []Item
	table  *widget.Table
	why    *fynewidget.Label
	open   *fynewidget.Button
	fitted *fyne.Container
	object *fyne.Container
}

func newList(s *Screen) *list {
	l := &list{s: s, why: wrapped("")}
	l.table = widget.NewTable(l.columns(), func() int { return len(l.items) }, l.cell)
	l.table.OnOpen = l.inspect
	l.table.OnRow = func(row int) {
		if row >= 0 && row < len(l.items) {
			l.open.Enable()
			s.deps.Status(l.items[row].ID + ": " + l.items[row].Summary(s.answer.view.Annotators))
		}
	}
	l.open = fynewidget.NewButtonWithIcon("Open model", theme.SearchIcon(), func() { l.inspect(l.table.Selected()) })
	l.open.Disable()
	l.fitted = evidence.Fit(l.table, l.columns)
	l.object = container.NewBorder(l.why, container.NewHBox(l.open), nil, nil, l.fitted)
	return l
}

func (l *list) columns() []widget.Column {
	columns := []widget.Column{{Title: "model", Width: 80}}
	for _, name := range l.s.answer.view.Annotators {
		columns = append(columns, widget.Column{Title: name, Width: 78})
	}
	return append(columns, widget.Column{Title: majorityName, Width: 78})
}

func (l *list) inspect(row int) {
	if row >= 0 && row < len(l.items) {
		l.s.deps.Inspect(l.items[row].Model)
	}
}

func (l *list) cell(row, col int) string {
	item := l.items[row]
	switch {
	case col == 0:
		return item.ID
	case col-1 < len(item.Labels):
		return dash(item.Labels[col-1])
	}
	return dash(item.Majority)
}

func dash(text string) string {
	if text == "" {
		return present.None
	}
	return text
}

// show puts items on the list; count of them there are, also where they are hidden. A model that was chosen stays so.
func (l *list) show(v View, items []Item, count int) {
	chosen := ""
	if row := l.table.Selected(); row >= 0 && row < len(l.items) {
		chosen = l.items[row].Model
	}
	l.items = items
	l.fitted.Refresh()
	l.table.Reload()
	l.table.SelectRow(-1)
	l.open.Disable()
	for row, item := range items {
		if item.Model == chosen {
			l.table.SelectRow(row)
			l.open.Enable()
		}
	}
	switch {
	case count == 0 && v.few(v.Rated):
		l.why.SetText(fmt.Sprintf("How many is %s.", veilReason()))
		l.why.Show()
	case count == 0:
		l.why.SetText("None.")
		l.why.Show()
	case v.Blind:
		l.why.SetText(fmt.Sprintf("%s. Which ones, and who said what, is hidden until the blind round is closed.", present.Counted(int64(count), "model")))
		l.why.Show()
	default:
		l.why.Hide()
	}
}
