package clouds

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// listPane is the list of models, with what can be done with them.
type listPane struct {
	*kit.Records[Row]
	p      *Page
	run    *fynewidget.Button
	object fyne.CanvasObject
}

func newListPane(p *Page) *listPane {
	l := &listPane{p: p}
	h := p.deps.Host
	open := func(r Row) {
		if p.deps.Inspect != nil {
			p.deps.Inspect(r.Model.Hash)
		}
	}
	l.Records = &kit.Records[Row]{
		Host:  &kit.Host{Window: h.Window, Work: h.Work, Status: h.Say, ShowError: h.Fail, Refocus: p.Focus},
		Table: p.view.table(), OnOpen: open,
		OnSelect: func(r Row, ok bool) {
			if ok {
				h.Say(r.Detail())
				p.Select(r.Model.Hash)
			}
		},
	}
	l.run = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { p.start(p.view.without()) })
	inspect := fynewidget.NewButton("Inspect", func() {
		if r, ok := p.view.Selected(); ok {
			open(r)
		}
	})
	label := fynewidget.NewButton("Label…", func() {
		if p.deps.NewRound != nil {
			p.deps.NewRound(p.view.Selection.Hash)
		}
	})
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(inspect, label), l.run)
	l.object = container.NewBorder(nil, foot, nil, nil, l.Object())
	return l
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
	l.Select("") // the page follows its own choice
	l.Table = l.p.view.table()
	l.Set(l.p.view.Rows)
	l.selected()
}

// selected shows which model is looked at.
func (l *listPane) selected() {
	if r, ok := l.Selected(); !ok || r.Model.Hash != l.p.view.selected {
		l.Select(l.p.view.selected)
	}
}
