package ranking

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets: the line of choices, what is being done, and the tabs.
type face struct {
	s       *Screen
	root    *fyne.Container
	source  *widget.Choice
	truth   *fynewidget.Select
	models  *fynewidget.Button
	rankers *fynewidget.Button
	export  *fynewidget.Button
	caption *fynewidget.Label
	cancel  *fynewidget.Button // while ranking is under way
	tabs    *container.AppTabs
	empty   *widget.Vacancy
	grown   float32 // the size of text that the columns are for
	quiet   bool    // the menus are being filled: their callbacks do not count

	pages      []page
	main       *rankingPage
	budget     *budgetPage
	conditions *conditionsPage
	left       *leftPage
}

// page is one tab.
type page interface {
	show()    // another answer, or the tab came to the front
	changed() // another answer whose numbers are not those of before: what was measured of it is void
	close()
}

func newFace(s *Screen) *face {
	f := &face{s: s, empty: widget.NewVacancy()}
	f.buildHead()
	f.main, f.left = newRankingPage(s), newLeftPage(s)
	f.budget, f.conditions = newBudgetPage(s), newConditionsPage(s)
	images, rankers := newImagesPage(s), newRankersPage(s)
	f.pages = []page{f.main, images, rankers, f.budget, f.conditions, f.left}
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Ranking", f.main.object),
		container.NewTabItem("Images", images.object),
		container.NewTabItem("Rankers", rankers.object),
		container.NewTabItem("Budget", f.budget.object),
		container.NewTabItem("Conditions", f.conditions.object),
		container.NewTabItem("Left out", f.left.list.Object()))
	f.tabs.OnSelected = func(tab *container.TabItem) {
		f.page().show()
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	f.tabs.Hide()
	f.root = evidence.Margin(container.NewBorder(f.head(), nil, nil, nil, container.NewStack(f.tabs, f.empty.Object())))
	s.board.laid, s.board.told = f.arrange, f.told
	return f
}

// arrange offers to cancel what is under way.
func (f *face) arrange() {
	f.cancel.Hidden = !f.s.board.busy()
	f.root.Refresh()
}

// told says in the caption how far the ranking is: nothing moves for it.
func (f *face) told(now widget.ProgressState) {
	switch {
	case now.Phase != "":
		f.caption.SetText(now.Phase)
	case now.Detail != "":
		f.caption.SetText(fmt.Sprintf("Ranking: %s", now.Detail))
	default:
		f.caption.SetText("Ranking…")
	}
}

func (f *face) buildHead() {
	s := f.s
	f.source = widget.NewChoice(func(string) { f.choseSource() })
	f.source.PlaceHolder = "…"
	f.truth = fynewidget.NewSelect(truthNames(), func(string) { f.choseTruth() })
	f.truth.PlaceHolder = "…"
	f.models = fynewidget.NewButtonWithIcon("Models…", theme.ListIcon(), s.askModels)
	f.rankers = fynewidget.NewButtonWithIcon("Rankers…", theme.SettingsIcon(), s.askRankers)
	f.export = fynewidget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), f.openExport)
	f.export.Disable()
	f.models.Disable()
	f.cancel = fynewidget.NewButtonWithIcon("Cancel", theme.CancelIcon(), s.board.cancel)
	f.cancel.Importance = fynewidget.LowImportance
	f.cancel.Hide()
	f.caption = fynewidget.NewLabel("")
	f.caption.Truncation = fyne.TextTruncateEllipsis
}

// head is what is ranked, and below it what came of it with what can be done.
func (f *face) head() fyne.CanvasObject {
	s := f.s
	truth := container.NewHBox(fynewidget.NewLabel("true classes"), wide(150*widget.Grown(), f.truth))
	first := container.NewBorder(nil, nil, fynewidget.NewLabel("Rank on"), truth, f.source)
	buttons := container.NewHBox(f.cancel, f.models, f.rankers)
	if s.deps.ImportPredictions != nil {
		buttons.Add(fynewidget.NewButtonWithIcon("Import predictions…", theme.ContentAddIcon(), s.deps.ImportPredictions))
	}
	buttons.Add(f.export)
	return container.NewVBox(first, container.NewBorder(nil, nil, nil, buttons, f.caption))
}

// wide gives an object a width of its own.
func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(width, o.MinSize().Height), o)
}

// truths are where true classes can come from, in the order of the menu.
func truths() []predictions.Truth {
	return []predictions.Truth{predictions.OfSuite, predictions.ByHand, predictions.NoTruth}
}

func truthNames() []string {
	return []string{"of the suite", "given by hand", "none"}
}

// page is the one whose tab is open.
func (f *face) page() page { return f.pages[f.tabs.SelectedIndex()] }

// fill offers what can be chosen, and shows what is.
func (f *face) fill(source Source) {
	f.quiet = true
	defer func() { f.quiet = false }()
	f.source.SetNodes(f.s.offered)
	if _, ok := find(f.s.sources, source.ID); ok {
		f.source.SetSelected(source.title())
	} else {
		f.source.PlaceHolder = "nothing to rank on"
		f.source.ClearSelected()
	}
	f.truth.SetSelectedIndex(max(slices.Index(truths(), f.s.settings.Truth), 0))
}

func (f *face) choseSource() {
	at := slices.IndexFunc(f.s.sources, func(s Source) bool { return s.title() == f.source.Selected })
	if !f.quiet && at >= 0 {
		f.s.Show(f.s.sources[at].ID)
	}
}

func (f *face) choseTruth() {
	if at := f.truth.SelectedIndex(); !f.quiet && at >= 0 {
		next := f.s.settings
		next.Truth = truths()[at]
		f.s.Set(next)
	}
}

// working shows that models are being ranked.
func (f *face) working() {
	if !f.tabs.Visible() {
		f.empty.Say("Reading predictions and ranking…")
	}
}

// stopped says why what is shown is not what was asked for.
func (f *face) stopped(why string) {
	if !f.tabs.Visible() {
		f.again(why)
		return
	}
	f.caption.SetText(why)
}

// vacant shows why there is nothing.
func (f *face) vacant(v vacancy) {
	f.tabs.Hide()
	f.export.Disable()
	f.models.Disable()
	if len(f.s.view.Material.Data.Models) > 0 {
		f.models.Enable() // too many may have been left out
	}
	f.caption.SetText("")
	f.lacks(v)
	for _, p := range f.pages {
		p.changed()
	}
}

// show shows an answer; other tells that its numbers are not those of before.
func (f *face) show(other bool) {
	f.empty.Hide()
	f.tabs.Show()
	f.export.Enable()
	f.models.Enable()
	f.caption.SetText(f.s.view.Caption())
	f.tabs.Items[len(f.tabs.Items)-1].Text = f.left.title()
	f.tabs.Refresh()
	if other {
		for _, p := range f.pages {
			p.changed()
		}
	}
	f.page().show()
	if c := f.s.deps.Window.Canvas(); c.Focused() == nil && c.Overlays().Top() == nil {
		f.focus() // the table could not have it before
	}
}

// selected shows which model is selected.
func (f *face) selected() { f.main.selected() }

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.grown != widget.Grown() && f.tabs.Visible() {
		f.page().show()
	}
}

// focus gives the table the keyboard.
func (f *face) focus() {
	c := f.s.deps.Window.Canvas()
	if f.s.renewal.Shown() && f.tabs.Visible() && f.tabs.SelectedIndex() == 0 && c.Focused() != fyne.Focusable(f.main.table) {
		c.Focus(f.main.table)
	}
}

func (f *face) close() {
	for _, p := range f.pages {
		p.close()
	}
}
