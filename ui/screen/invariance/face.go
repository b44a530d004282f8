package invariance

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets: what can be done above, the tabs, and what stands there while there is nothing.
type face struct {
	s           *Screen
	root        *fyne.Container
	run, export *fynewidget.Button
	caption     *fynewidget.Label
	tabs        *container.AppTabs
	body        fyne.CanvasObject
	empty       *widget.Vacancy

	results  *resultsPane
	models   *studyPane
	suites   *studyPane
	forecast *forecastPane
	left     *leftPane
	pages    []page
}

// page is what stands on a tab; show brings it up to date when it is in front.
type page interface{ show() }

func newFace(s *Screen) *face {
	f := &face{s: s, empty: widget.NewVacancy()}
	f.caption = fynewidget.NewLabel("")
	f.caption.Truncation = fyne.TextTruncateEllipsis
	f.run = fynewidget.NewButtonWithIcon("Compute…", theme.MediaPlayIcon(), func() { f.popUp(f.run, f.runMenu()) })
	f.export = fynewidget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), func() { f.popUp(f.export, f.exportMenu()) })
	f.results, f.forecast, f.left = newResultsPane(s), newForecastPane(s), newLeftPane(s)
	f.models, f.suites = newModelsPane(s), newSuitesPane(s)
	f.pages = []page{f.results, f.models, f.suites, f.forecast, f.left, casesPane{}}
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Results", f.results.object),
		container.NewTabItem("Over models", f.models.object),
		container.NewTabItem("Over suites", f.suites.object),
		container.NewTabItem("Predict accuracy", f.forecast.object),
		container.NewTabItem("Left out", f.left.object),
		container.NewTabItem("What is EI?", newCases(s.saver)))
	f.tabs.OnSelected = func(tab *container.TabItem) {
		f.page().show()
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	f.body = f.tabs
	f.body.Hide()
	head := container.NewBorder(nil, nil, nil, container.NewHBox(f.run, f.export), f.caption)
	f.root = evidence.Margin(container.NewBorder(head, nil, nil, nil, container.NewStack(f.body, f.empty.Object())))
	f.export.Disable()
	return f
}

func (f *face) close() { f.results.lows.close() }

// page is the one whose tab is open.
func (f *face) page() page { return f.pages[f.tabs.SelectedIndex()] }

func (f *face) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, f.s.deps.Window.Canvas(), items...)
}

// working shows whether something is being measured.
func (f *face) working(on bool) {
	switch {
	case !on:
		f.empty.Hide()
	case !f.s.known || len(f.s.view.Rows) == 0:
		f.body.Hide()
		f.measuring()
	default:
		f.caption.SetText("Measuring…")
	}
}

// stopped says that what is shown is not what was asked for.
func (f *face) stopped(why string) {
	if !f.body.Visible() {
		f.again(why)
		return
	}
	f.caption.SetText(why)
}

// show applies what was measured.
func (f *face) show() {
	vacant, empty := f.s.view.vacancy()
	if empty {
		f.body.Hide()
		f.export.Disable()
		f.caption.SetText("")
		f.lacks(vacant)
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.export.Enable()
	f.tabs.Items[4].Text = "Left out"
	if n := len(f.s.view.Left); n > 0 {
		f.tabs.Items[4].Text = fmt.Sprintf("Left out %d", n)
	}
	f.tabs.Refresh()
	f.caption.SetText(f.s.view.Caption())
	f.page().show()
	if f.s.deps.Window.Canvas().Focused() == nil && f.s.deps.Window.Canvas().Overlays().Top() == nil {
		f.s.Focus() // the table could not have it before
	}
}

// runMenu offers to compute the usual sets where models lack them, and the run dialog.
func (f *face) runMenu() []*fyne.MenuItem {
	v := f.s.view
	var items []*fyne.MenuItem
	for _, g := range v.gaps(v.runSuite()) {
		item := fyne.NewMenuItem(v.gapText(g), func() { f.s.start(g) })
		item.Disabled = f.s.deps.Start == nil
		items = append(items, item)
	}
	if len(items) == 0 && v.runSuite() != "" {
		done := fyne.NewMenuItem(fmt.Sprintf("rot90 and grayscale are there for all models on %s", v.suiteName(v.runSuite())), nil)
		done.Disabled = true
		items = append(items, done)
	}
	if f.s.deps.Run != nil {
		items = append(items, fyne.NewMenuItem("Something else…", func() { f.s.deps.Run(nil) }))
	}
	return items
}

// start computes a set for the models that lack it.
func (s *Screen) start(g Gap) { s.deps.Start(g.Models, s.view.runSuite(), g.Set) }

func (f *face) exportMenu() []*fyne.MenuItem {
	s := f.s
	table := func() figures.Figure {
		return figures.Figure{Name: []string{"invariance"}, CSV: figures.TableCSV(s.view.Table())}
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy table (CSV)", func() { s.saver.Copy(table().CSV) }),
		fyne.NewMenuItem("Table as CSV…", func() { s.saver.Ask("invariance.csv", table().CSV) }),
		fyne.NewMenuItem("Every transformation as CSV…", func() { s.saver.Ask("invariance-transformations.csv", figures.TableCSV(s.view.Steps())) }),
	}
	if made, ok := f.forecast.made(); ok {
		items = append(items, fyne.NewMenuItem("Predicted accuracies as CSV…", func() { s.saver.Ask("predicted-accuracy.csv", figures.TableCSV(made.Table())) }))
	}
	return items
}
