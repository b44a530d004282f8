package keywords

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// listPane is the list of keywords below the rule that finds them.
type listPane struct {
	p      *Page
	rule   *ruleBox
	filter *widget.Entry
	table  *widget.Table
	object fyne.CanvasObject
}

func newListPane(p *Page) *listPane {
	l := &listPane{p: p, filter: widget.NewEntry()}
	l.rule = newRuleBox(p.count, p.Focus)
	l.filter.SetPlaceHolder("filter keywords")
	l.filter.OnChanged = func(text string) {
		p.view.Filter(text)
		l.show()
	}
	l.filter.OnEscape = func() {
		l.filter.SetText("")
		p.Focus()
	}
	l.table = widget.NewTable(columns(), p.view.Len, p.view.Cell)
	l.table.OnHint = p.deps.Host.Say
	l.table.OnRow = func(row int) {
		p.view.Select(row)
		p.face.gallery.show(true)
	}
	l.table.OnCell = func(row, col int) {
		if col == colMark {
			l.mark(row)
		}
	}
	l.table.OnOpen = l.mark
	l.table.OnSort = func(col int) {
		p.view.SortBy(col)
		l.show()
	}
	l.table.OnRune = func(r rune) {
		if r == ' ' {
			l.mark(l.table.Selected())
		}
	}
	l.table.OnKey = l.key
	l.object = container.NewBorder(container.NewVBox(l.rule.object, l.filter), nil, nil, nil, evidence.Fit(l.table, columns))
	return l
}

// key uses Escape, which shows all images again, and the space bar, which marks.
func (l *listPane) key(ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		if !l.p.view.Clear() {
			return false
		}
		l.show()
		l.p.face.gallery.show(true)
		return true
	case fyne.KeySpace:
		return true // its rune marks
	}
	return false
}

// mark marks the keyword of a row, or takes its mark away.
func (l *listPane) mark(row int) {
	l.p.view.Mark(row)
	l.show()
	l.p.face.gallery.show(true)
}

// pick shows the images of a keyword by its name.
func (l *listPane) pick(name string) {
	v := l.p.view
	for row, item := range v.shown {
		if v.Keywords.Items[item] == name {
			v.Clear()
			v.Select(row)
			l.show()
			l.p.face.gallery.show(true)
			return
		}
	}
}

func (l *listPane) focus(c fyne.Canvas) {
	if c.Focused() != fyne.Focusable(l.table) {
		c.Focus(l.table)
	}
}

// show brings the list up to date.
func (l *listPane) show() {
	v := l.p.view
	l.table.Reload()
	l.table.SetSort(v.sorted, v.descending)
	l.table.SelectRow(v.Index())
}
