package dscore

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets: what is looked at and what can be done above, the tabs, and
// what stands there while there is nothing.
type face struct {
	s       *Screen
	root    *fyne.Container
	suite   *widget.Choice
	names   map[string]string // hashes of suites by their names in the menu
	grid    *widget.Picker
	compute *fynewidget.Button
	export  *fynewidget.Button
	caption *fynewidget.Label
	tabs    *container.AppTabs
	empty   *widget.Vacancy
	quiet   bool    // the menus are being filled: their callbacks do not count
	grown   float32 // the size of text that the columns are for

	main    *modelsPane
	several *severalPane
	lose    *losePane
	compare *comparePane
	left    *leftPane
	pages   []page
}

// page is what stands on a tab.
type page interface {
	show() // brings it up to date when it is in front
}

func newFace(s *Screen) *face {
	f := &face{s: s, empty: widget.NewVacancy()}
	f.main, f.several, f.lose, f.compare, f.left = newModelsPane(s), newSeveralPane(s), newLosePane(s), newComparePane(s), newLeftPane(s)
	f.pages = []page{f.main, f.several, f.lose, f.compare, f.left}
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Models", f.main.object),
		container.NewTabItem("Several n", f.several.object),
		container.NewTabItem("What would I lose?", f.lose.object),
		container.NewTabItem("Side by side", f.compare.object),
		container.NewTabItem("Left out", f.left.Object()))
	f.tabs.OnSelected = func(tab *container.TabItem) {
		s.deps.Status("")
		f.page().show()
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	f.tabs.Hide()
	f.main.detail.average.arrived = f.averaged
	f.root = evidence.Margin(container.NewBorder(f.head(), nil, nil, nil, container.NewStack(f.tabs, f.empty.Object())))
	return f
}

func (f *face) head() fyne.CanvasObject {
	s := f.s
	f.suite = widget.NewChoice(func(name string) {
		if hash, ok := f.names[name]; ok && !f.quiet {
			s.ShowSuite(hash)
		}
	})
	f.suite.PlaceHolder = "no suite"
	f.grid = widget.NewPicker(func(key string) {
		for _, g := range s.view.Grids {
			if gridKey(g.Mask, g.Shift) == key {
				s.ShowGrid(g)
				return
			}
		}
	})
	f.grid.PlaceHolder = "nothing computed"
	f.compute = fynewidget.NewButtonWithIcon("Compute…", theme.MediaPlayIcon(), s.askCompute)
	f.compute.Hidden = s.deps.Start == nil
	f.export = fynewidget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), func() { f.popUp(f.export, f.exportMenu()) })
	f.caption = fynewidget.NewLabel("")
	f.caption.Truncation = fyne.TextTruncateEllipsis
	f.export.Disable()
	f.compute.Disable()
	line := container.NewGridWithColumns(3, evidence.Named("suite", f.suite), evidence.Named("regions", f.grid.Select), f.caption)
	return container.NewBorder(nil, nil, nil, container.NewHBox(f.compute, f.export), line)
}

// gridKey names a grid in the menu.
func gridKey(mask, shift string) string { return mask + " " + shift }

func (f *face) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, f.s.deps.Window.Canvas(), items...)
}

// page is the one whose tab is open.
func (f *face) page() page { return f.pages[f.tabs.SelectedIndex()] }

// working says that something is being computed; how far that is stands in the window's last line,
// with a way to cancel it.
func (f *face) working() {
	if !f.tabs.Visible() {
		f.empty.Say("Computing D-Scores…")
		return
	}
	f.caption.SetText("Computing…")
}

// stopped says why what is shown is not what was asked for.
func (f *face) stopped(why string) {
	if !f.tabs.Visible() {
		f.again(why)
		return
	}
	f.caption.SetText(why)
}

// show applies what was read.
func (f *face) show() {
	v := f.s.view
	f.fillMenus()
	widget.Enable(f.compute, v.Suite.Hash != "" && len(v.withConvolution()) > 0 && v.labelled())
	vacant, empty := v.vacancy()
	widget.Enable(f.export, !empty)
	if empty {
		f.tabs.Hide()
		f.caption.SetText("")
		f.lacks(vacant)
		return
	}
	f.empty.Hide()
	f.tabs.Show()
	f.tabs.Items[len(f.tabs.Items)-1].Text = f.left.title()
	f.tabs.Refresh()
	f.caption.SetText(v.Caption())
	f.grown = widget.Grown()
	f.main.detail.average.want(v.Suite) // lies below the maps of other tabs too
	f.page().show()
	if c := f.s.deps.Window.Canvas(); c.Focused() == nil && c.Overlays().Top() == nil {
		f.s.Focus() // the table could not have it before
	}
}

// averaged shows the average image that was made, or that there is none.
func (f *face) averaged() {
	f.main.detail.draw()
	switch p := f.page().(type) {
	case *comparePane:
		p.show()
	case *losePane:
		p.drawMaps()
	}
}

// fillMenus offers what can be looked at, and shows what is.
func (f *face) fillMenus() {
	f.quiet = true
	defer func() { f.quiet = false }()
	v := f.s.view
	f.suite.SetNodes(dialogs.SuiteNodes(v.Suites))
	_, f.names = dialogs.SuiteNames(v.Suites)
	f.suite.ClearSelected()
	for name, hash := range f.names {
		if hash == v.Suite.Hash {
			f.suite.SetSelected(name)
		}
	}
	var list []widget.Option
	for _, g := range v.Grids {
		list = append(list, widget.Option{Key: gridKey(g.Mask, g.Shift), Name: g.String()})
	}
	f.grid.Offer(list, gridKey(v.Grid().Mask, v.Grid().Shift))
	widget.Enable(f.grid, len(list) > 0)
}

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.grown != widget.Grown() && f.tabs.Visible() {
		f.grown = widget.Grown()
		f.page().show()
	}
}

// rest lets go of what is only needed while the screen is shown.
func (f *face) rest() { f.main.detail.rest() }

func (f *face) close() { f.main.detail.close() }

// widths are the columns of a table of texts, each as wide as its longest text, at most a number
// of them. The first is a name.
func widths(titles, hints []string, rows int, cell func(row, col int) string) []widget.Column {
	const looked = 200 // of longer tables the first lines tell
	list := make([]widget.Column, len(titles))
	for col, title := range titles {
		width := widget.HeadingWidth(title)
		for row := range min(rows, looked) {
			width = max(width, widget.CellWidth(cell(row, col)))
		}
		list[col] = widget.Column{Title: title, Width: min(width, mostWidth*widget.Grown()), Right: col > 0}
		if col < len(hints) {
			list[col].Hint = hints[col]
		}
	}
	return list
}

// mostWidth is the largest width of a column with names.
const mostWidth = 260

// withoutName is a list without an element.
func withoutName(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(n string) bool { return n == name })
}
