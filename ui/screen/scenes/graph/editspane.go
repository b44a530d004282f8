package graph

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// editsPane lists the edits, of which each can be taken back.
type editsPane struct {
	p         *Page
	note      *fynewidget.Label
	table     *widget.Table
	back, all *fynewidget.Button
	object    fyne.CanvasObject
}

func newEditsPane(p *Page) *editsPane {
	e := &editsPane{p: p, note: fynewidget.NewLabel("")}
	e.note.Wrapping = fyne.TextWrapWord
	v := p.view
	var list fyne.CanvasObject
	e.table, list = listed(p, editColumns, func() int { return len(v.Record.Edits) }, v.EditCell)
	e.table.OnRow = func(row int) {
		if k, ok := v.editAt(row); ok {
			p.deps.Host.Say(v.editText(v.Record.Edits[k]))
		}
		widget.Enable(e.back, true)
	}
	e.table.OnKey = func(ev *fyne.KeyEvent) bool {
		if ev.Name != fyne.KeyDelete || e.back.Disabled() {
			return false
		}
		e.takeBack()
		return true
	}
	e.back = fynewidget.NewButtonWithIcon("Take this edit back", theme.ContentUndoIcon(), e.takeBack)
	e.all = fynewidget.NewButton("Take all back", p.takeAllBack)
	e.object = container.NewBorder(e.note, container.NewHBox(e.back, e.all), nil, nil, list)
	return e
}

func (e *editsPane) takeBack() {
	if k, ok := e.p.view.editAt(e.table.Selected()); ok {
		e.p.takeBack(k)
	}
}

// show brings the list up to date.
func (e *editsPane) show() {
	v := e.p.view
	e.note.SetText(v.EditsNote())
	e.table.SelectRow(-1)
	e.table.Reload()
	e.back.Disable()
	widget.Enable(e.all, len(v.Record.Edits) > 0)
}
