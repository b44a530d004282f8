package agreement

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets: what is common to the pages, and the pages.
type face struct {
	s        *Screen
	root     *fyne.Container
	rounds   *fynewidget.Select
	leaveOut *fynewidget.Check
	desks    *fynewidget.Button
	close    *fynewidget.Button
	heading  *fynewidget.Label
	body     *container.AppTabs
	empty    *widget.Vacancy // until there is a round
	quiet    bool

	*figures
	course *coursePage
	kinds  *kindsPage
	queue  *queuePage
}

func newFace(s *Screen) *face {
	f := &face{s: s}
	f.rounds = fynewidget.NewSelect(nil, func(string) { f.chosen() })
	f.rounds.PlaceHolder = "no round yet"
	f.leaveOut = fynewidget.NewCheck("leave own vote out of the majority", func(on bool) { s.LeaveOneOut(on) })
	f.close = fynewidget.NewButton("Close round…", s.AskClose)
	f.desks = fynewidget.NewButtonWithIcon("Other desks", theme.MailSendIcon(), f.openDesks)
	f.heading = wrapped("")
	f.empty = widget.NewVacancy()
	buttons := container.NewHBox(f.leaveOut)
	if s.deps.Invite != nil || s.deps.Send != nil || s.deps.Merge != nil {
		buttons.Add(f.desks)
	}
	buttons.Add(f.close)
	head := container.NewBorder(nil, nil, fynewidget.NewLabel("Round"), buttons, f.rounds)
	f.figures, f.course, f.kinds, f.queue = newFigures(s), newCoursePage(s), newKindsPage(s), newQueuePage(s)
	f.body = container.NewAppTabs(
		container.NewTabItem("Measures", f.figures.object),
		container.NewTabItem("Over time", f.course.object),
		container.NewTabItem("By kind of model", f.kinds.object),
		container.NewTabItem("Adjudicate", f.queue.object))
	f.body.OnSelected = func(tab *container.TabItem) {
		tab.Content.Refresh()
		f.queue.come(tab == f.body.Items[3])
	}
	f.body.Hide()
	f.close.Disable()
	f.root = evidence.Margin(container.NewBorder(container.NewVBox(head, f.heading), nil, nil, nil,
		container.NewStack(f.empty.Object(), f.body)))
	return f
}

func wrapped(text string) *fynewidget.Label {
	l := fynewidget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

func caption(text string) *fynewidget.Label {
	return fynewidget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// openDesks shows what there is to do with other desks.
func (f *face) openDesks() {
	v, ok := f.s.View()
	var items []*fyne.MenuItem
	if d := f.s.deps; ok && d.Invite != nil {
		items = append(items, fyne.NewMenuItem("Invite: write a round package…", func() { d.Invite(v.Round.ID) }))
	}
	if d := f.s.deps; ok && d.Send != nil {
		items = append(items, fyne.NewMenuItem("Send the labels of this desk…", func() { d.Send(v.Round.ID) }))
	}
	if f.s.deps.Merge != nil {
		items = append(items, fyne.NewMenuItem("Merge labels of other desks…", f.s.deps.Merge))
	}
	widget.PopUpBelow(f.desks, f.s.deps.Window.Canvas(), items...)
}

// chosen reacts to the menu of rounds.
func (f *face) chosen() {
	at := f.rounds.SelectedIndex()
	if f.quiet || at < 0 || at >= len(f.s.answer.rounds) || at == f.s.answer.at {
		return
	}
	f.figures.forget()
	f.queue.forget()
	f.s.ShowRound(f.s.answer.rounds[at].ID)
}

func names(rounds []label.Round) []string {
	list := make([]string, len(rounds))
	for k, r := range rounds {
		list[k] = r.Name
		for _, before := range list[:k] {
			if before == list[k] {
				list[k] = r.Name + " (" + r.ID + ")"
			}
		}
	}
	return list
}

// show applies what was read.
func (f *face) show(a answer) {
	f.quiet = true
	f.rounds.Options = names(a.rounds)
	if a.at >= 0 {
		f.rounds.SetSelectedIndex(a.at)
	} else {
		f.rounds.ClearSelected()
	}
	f.quiet = false
	if a.at < 0 {
		f.body.Hide()
		f.empty.Say("No round yet. Create one on the Label screen; agreement appears here as soon as two people have labelled the same model.")
		f.close.Disable()
		f.heading.SetText("")
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.close.Enable()
	f.close.SetText("Close round…")
	if a.view.Round.Closed {
		f.close.SetText("Open round again…")
	}
	f.heading.SetText(a.view.Heading())
	f.showFigures(a.view)
	f.course.show(a.view.Course)
	f.queue.show(a)
	f.body.Items[3].Text = "Adjudicate"
	if n := len(a.view.Cases) - decided(a.view.Cases); n > 0 {
		f.body.Items[3].Text = fmt.Sprintf("Adjudicate %d", n)
	}
	f.body.Refresh()
}

// showFigures shows what intervals belong to.
func (f *face) showFigures(v View) {
	f.figures.show(v)
	f.kinds.show(v)
}
