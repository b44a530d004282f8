package clouds

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the page's widgets: the list of models with what belongs to the selected one on the
// left, the matrices on the right, and what stands there while there is nothing.
type face struct {
	p      *Page
	root   *fyne.Container
	body   *container.Split
	empty  *widget.Vacancy
	list   *listPane
	free   *freePane
	images *imagesPane
	notes  *fynewidget.Label
	tabs   *container.AppTabs
	bar    *controls
	deck   *deck
	curve  *curve
	foot   *fynewidget.Label
	resume *fynewidget.Button
	grown  float32 // the size of text that the list is for
}

// The tabs below the list.
const freeTab, imagesTab, notesTab = 0, 1, 2

// The shares of the width and height that the list takes.
const leftShare, listShare = 0.3, 0.5

func newFace(p *Page) *face {
	f := &face{p: p, empty: widget.NewVacancy(), foot: fynewidget.NewLabel(""), notes: fynewidget.NewLabel("")}
	f.list, f.free, f.images, f.curve = newListPane(p), newFreePane(p), newImagesPane(p), newCurve(p)
	f.bar, f.deck = newControls(p), newDeck(p, f.curve.object)
	f.notes.Wrapping = fyne.TextWrapWord
	f.notes.Selectable = true
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Free", f.free.object),
		container.NewTabItem("Images", f.images.object),
		container.NewTabItem("Notes", container.NewVScroll(f.notes)))
	f.tabs.OnSelected = func(tab *container.TabItem) { tab.Content.Refresh() }
	left := container.NewVSplit(f.list.object, f.tabs)
	left.Offset = listShare
	f.foot.Truncation = fyne.TextTruncateEllipsis
	f.resume = fynewidget.NewButtonWithIcon("Compute again", theme.ViewRefreshIcon(), p.board.resume)
	f.resume.Hide()
	foot := container.NewBorder(nil, nil, nil, f.resume, f.foot)
	right := container.NewBorder(f.bar.object, foot, nil, nil, f.deck.object)
	f.body = container.NewHSplit(left, right)
	f.body.Offset = leftShare
	f.body.Hide()
	f.root = container.New(layout.NewStackLayout(), f.body, f.empty.Object())
	return f
}

// working says that something is being read.
func (f *face) working() {
	if !f.body.Visible() {
		f.empty.Say("Reading what models did in scenes…")
	}
}

// again says why there is nothing and offers to try again.
func (f *face) again(why string) {
	if f.body.Visible() {
		f.stopped(why)
		return
	}
	f.empty.Say(why, widget.Help{Text: "Read again", Icon: theme.ViewRefreshIcon(), Do: f.p.again})
}

// stopped says why what is shown is not what was asked for.
func (f *face) stopped(why string) {
	f.foot.SetText(why)
	f.resume.Hidden = f.p.board.sheet == nil || f.p.board.sheet.exact
	f.root.Refresh()
}

// show applies what was read.
func (f *face) show() {
	v := f.p.view
	if text, empty := v.vacancy(); empty {
		f.body.Hide()
		f.vacant(text)
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.grown = widget.Grown()
	f.list.show()
	f.showSettings()
	f.images.retry()
	if f.p.deps.Host.Window.Canvas().Focused() == nil {
		f.p.Focus() // the list could not have it before
	}
}

// vacant says what is missing, with the buttons that help.
func (f *face) vacant(text string) {
	p := f.p
	var help []widget.Help
	switch {
	case p.view.Selection.Hash == "":
		help = append(help, widget.Help{Text: "Choose scenes", Icon: theme.NavigateNextIcon(), Do: func() { p.deps.Open(page.Scenes, p.subject) }})
	case len(p.view.Rows) == 0:
		help = append(help, widget.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.deps.Import})
	case p.deps.Start != nil:
		run := fmt.Sprintf("Run %s", present.Counted(int64(len(p.view.without())), "model"))
		help = append(help, widget.Help{Text: run, Icon: theme.MediaPlayIcon(), Do: func() { p.start(p.view.without()) }})
	}
	f.empty.Say(text, help...)
}

// showSettings brings menus, sliders and entries up to date.
func (f *face) showSettings() {
	f.bar.show()
	f.free.show()
}

// showSheet shows matrices.
func (f *face) showSheet(s *sheet) {
	f.deck.show(s)
	f.resume.Hide()
	f.foot.SetText(s.foot())
	f.notes.SetText(notesText(s.ask.evidence))
	f.bar.measured(s)
	if s.ask.settings.Mode == One {
		f.curve.show(s.ask)
	}
}

// unshown says why no matrix is shown.
func (f *face) unshown() {
	f.deck.clear("choose a model that ran")
	f.foot.SetText("")
	f.notes.SetText("")
	if r, ok := f.p.view.Selected(); ok {
		f.foot.SetText(fmt.Sprintf("%s: %s", r.Model.ID, r.Reason))
	}
}

// hovered says what is under the pointer, or what is shown.
func (f *face) hovered(text string) {
	if s := f.p.board.sheet; text == "" && s != nil {
		text = s.foot()
	}
	if f.foot.Text != text {
		f.foot.SetText(text)
	}
}

// look shows the images behind an element.
func (f *face) look(e element) {
	f.images.look(e)
	f.tabs.SelectIndex(imagesTab)
}

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.grown != widget.Grown() && f.body.Visible() {
		f.grown = widget.Grown()
		f.list.show()
	}
}
