package graph

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// The tabs beside the graph.
const (
	tabRules = iota
	tabEdges
	tabEdits
)

// graphShare is the share of the width that the graph takes.
const graphShare = 0.46

// face holds the page's widgets: what can be done above, the graph, and rules, edges and edits
// beside it.
type face struct {
	p       *Page
	root    *fyne.Container
	add     *fynewidget.Button
	own     []*fynewidget.Button // what needs an ontology
	export  *fynewidget.Button
	caption *fynewidget.Label
	body    *container.Split
	graph   *graphPane
	tabs    *container.AppTabs
	rules   *rulesPane
	edges   *edgesPane
	edits   *editsPane
	empty   *widget.Vacancy
	grown   float32 // the size of text that the columns are for
}

func newFace(p *Page) *face {
	f := &face{p: p, empty: widget.NewVacancy()}
	f.graph, f.rules, f.edges, f.edits = newGraphPane(p), newRulesPane(p), newEdgesPane(p), newEditsPane(p)
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Rules", f.rules.object),
		container.NewTabItem("Edges", f.edges.object),
		container.NewTabItem("Edits", f.edits.object))
	f.tabs.OnSelected = func(tab *container.TabItem) {
		p.deps.Host.Say("")
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	f.body = container.NewHSplit(f.graph.object, f.tabs)
	f.body.Offset = graphShare
	f.body.Hide()
	f.root = container.NewBorder(f.head(), nil, nil, nil, container.NewStack(f.body, f.empty.Object()))
	return f
}

func (f *face) head() fyne.CanvasObject {
	p := f.p
	f.add = fynewidget.NewButtonWithIcon("New ontology…", theme.ContentAddIcon(), p.askNew)
	change := fynewidget.NewButtonWithIcon("Change…", theme.SettingsIcon(), p.askChange)
	rename := fynewidget.NewButtonWithIcon("Rename…", theme.DocumentCreateIcon(), p.askRename)
	double := fynewidget.NewButtonWithIcon("Duplicate…", theme.ContentCopyIcon(), p.askDuplicate)
	remove := fynewidget.NewButtonWithIcon("Remove…", theme.DeleteIcon(), p.askRemove)
	f.export = fynewidget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), func() { f.popUp(f.export, p.exportMenu()) })
	f.own = []*fynewidget.Button{change, rename, double, remove, f.export}
	f.caption = fynewidget.NewLabel("")
	f.caption.Truncation = fyne.TextTruncateEllipsis
	f.enable(false)
	f.add.Disable()
	return container.NewVBox(container.NewHBox(f.add, change, rename, double, remove, f.export), f.caption)
}

func (f *face) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, f.p.deps.Host.Window.Canvas(), items...)
}

// enable lets what needs an ontology be used or not.
func (f *face) enable(on bool) {
	for _, b := range f.own {
		widget.Enable(b, on)
	}
}

// stopped says why what is shown is not what was asked for.
func (f *face) stopped(why string) {
	if f.body.Visible() {
		f.caption.SetText(why)
		return
	}
	f.empty.Say(why, widget.Help{Text: "Try again", Icon: theme.ViewRefreshIcon(), Do: f.p.refresh})
}

// show applies what was read.
func (f *face) show() {
	v := f.p.view
	widget.Enable(f.add, len(v.Tables) > 0)
	f.enable(v.Has)
	if f.vacant() {
		widget.Enable(f.export, false)
		f.body.Hide()
		f.caption.SetText("")
		return
	}
	f.empty.Hide()
	first := !f.body.Visible()
	f.body.Show()
	f.grown = widget.Grown()
	f.caption.SetText(v.Caption())
	f.graph.show()
	f.rules.show()
	f.edges.show()
	f.edits.show()
	f.tabs.Items[tabEdits].Text = v.EditsTitle()
	f.tabs.Refresh()
	if c := f.p.deps.Host.Window.Canvas(); first && c.Focused() == nil && c.Overlays().Top() == nil {
		f.p.Focus() // the graph could not have it before
	}
}

// vacant says why there is nothing to show, and what to do; false where there is something.
func (f *face) vacant() bool {
	p, v := f.p, f.p.view
	newOne := widget.Help{Text: "New ontology…", Icon: theme.ContentAddIcon(), Do: p.askNew}
	changed := widget.Help{Text: "Change…", Icon: theme.SettingsIcon(), Do: p.askChange}
	switch {
	case len(v.Tables) == 0:
		f.empty.Say("An ontology says which keywords go together. It is made of a table of the keywords of images, and this workspace has none yet.",
			widget.Help{Text: "Keywords of images", Icon: theme.NavigateNextIcon(), Do: func() { p.deps.Open(page.Keywords, p.subject) }})
	case !v.Has:
		f.empty.Say(fmt.Sprintf("No ontology was made of the keyword table %s yet. It is a graph of which keywords go together: scenes that are plausible for an image are found along its edges.",
			v.Table.Name), newOne)
	case v.Fault != nil:
		f.empty.Say(present.Sentence(v.Fault), changed)
	case len(v.Graph.Nodes) == 0:
		f.empty.Say(fmt.Sprintf("The ontology %s is empty: no keyword is in %s of the %s of %s. Lower its least support, or look at the keywords.", v.Record.Name,
			present.Percent(v.Record.MinSupport), present.Counted(int64(v.Graph.Transactions), "image"), v.Table.Name), changed, newOne)
	default:
		return false
	}
	return true
}

// chosen shows another chosen keyword.
func (f *face) chosen() {
	f.edges.show()
	f.rules.named()
}

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.grown != widget.Grown() && f.body.Visible() {
		f.show()
	}
}

// cut is a line of text that is cut where it is too long.
func cut() *fynewidget.Label {
	label := fynewidget.NewLabel("")
	label.Truncation = fyne.TextTruncateEllipsis
	return label
}

// listed makes a table of a list that fills its place.
func listed(p *Page, columns func() []widget.Column, rows func() int, cell func(row, col int) string) (*widget.Table, fyne.CanvasObject) {
	t := widget.NewTable(columns(), rows, cell)
	t.OnHint = p.deps.Host.Say
	return t, evidence.Fit(t, columns)
}

// headingWidth is the width of a column of numbers at the usual size of text: a fitted table makes
// it wider as text grows.
func headingWidth(title string) float32 { return widget.HeadingWidth(title) / widget.Grown() }
