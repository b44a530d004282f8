// Package findings is the page Findings of the Background screen: what a repository of models
// shows in the scenes of a selection: accuracies and labels, accuracy over distance, coverage,
// assessors, and statistics of the repository.
package findings

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps    page.Deps
	saver   *figures.Saver
	subject page.Subject
	view    *View
	renewal *background.Renewal
	known   bool // something was read
	tabs    *container.AppTabs
	parts   []part
	empty   *widget.Vacancy
	root    fyne.CanvasObject
}

var _ page.Page = (*Page)(nil)

// part is what stands on a tab.
type part interface {
	object() fyne.CanvasObject
	show()                       // brings it up to date when it is in front
	table() interface{ Focus() } // what gets the keyboard, nil for nothing
	entries() []*fyne.MenuItem   // what can be saved beside the charts' own menus
	moved()                      // another selection is looked at: what was asked for is dropped
	close()                      // ends what is under way
}

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	p := &Page{deps: deps, view: NewView(), empty: widget.NewVacancy()}
	p.saver = &figures.Saver{Window: deps.Host.Window, Work: deps.Host.Work, Status: deps.Host.Say, ShowError: deps.Host.Fail, Closed: p.Focus}
	p.renewal = background.NewRenewal(deps.Host.Work, "refresh what models do in the scenes", p.refresh)
	p.parts = []part{newModelsPart(p), newDistancePart(p), newCoveragePart(p), newLessonPart(p), newRepositoryPart(p)}
	p.tabs = container.NewAppTabs()
	for k, title := range []string{"Models", "Accuracy over distance", "Coverage", "Assessors", "Repository"} {
		p.tabs.Append(container.NewTabItem(title, p.parts[k].object()))
	}
	p.tabs.OnSelected = func(tab *container.TabItem) {
		deps.Host.Say("")
		p.front().show()
		tab.Content.Refresh() // the theme may have changed while it was hidden
		p.Focus()
	}
	p.tabs.Hide()
	p.root = container.NewStack(p.tabs, p.empty.Object())
	return p
}

// host is what the window gives the tables of the page.
func (p *Page) host() *kit.Host {
	h := p.deps.Host
	return &kit.Host{Window: h.Window, Work: h.Work, Status: h.Say, ShowError: h.Fail, Refocus: p.Focus}
}

// Title implements page.Page.
func (p *Page) Title() string { return "Findings" }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.root }

func (p *Page) front() part { return p.parts[p.tabs.SelectedIndex()] }

// Show implements page.Page.
func (p *Page) Show(s page.Subject) {
	if s.Selection != p.subject.Selection {
		p.renewal.Spoil()
		for _, one := range p.parts {
			one.moved()
		}
	}
	p.subject = s
	if !p.renewal.Show() && p.known && p.tabs.Visible() {
		p.front().show()
	}
}

// Hide implements page.Page.
func (p *Page) Hide() { p.renewal.Hide() }

// Changed implements page.Page.
func (p *Page) Changed(c store.Change) {
	switch c.Kind {
	case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.RoundChanged, store.LabelsChanged, store.BackgroundChanged:
		p.renewal.Changed()
	}
}

// Focus implements page.Page.
func (p *Page) Focus() {
	if t := p.front().table(); t != nil && p.renewal.Shown() && p.tabs.Visible() {
		t.Focus()
	}
}

// Close implements page.Page.
func (p *Page) Close() {
	if j := p.renewal.Job(); j != nil {
		j.Drop()
	}
	for _, one := range p.parts {
		one.close()
	}
}

// refresh reads anew, in the background.
func (p *Page) refresh() {
	var d Data
	selection, known := p.subject.Selection, p.view.Rows
	if !p.tabs.Visible() {
		p.empty.Say("Reading what models do in the scenes…")
	}
	p.renewal.Start("Read what models do in the scenes", func(ctx context.Context, progress *background.Progress) (err error) {
		d, err = read(ctx, p.deps.Workspace, selection, known, progress)
		return err
	}, func(err error) { p.ended(d, err) })
}

// ended shows what was read, or why nothing was.
func (p *Page) ended(d Data, err error) {
	again := widget.Help{Text: "Read again", Icon: theme.ViewRefreshIcon(), Do: p.refresh}
	switch {
	case err == nil:
		p.known = true
		p.view.Take(d)
		p.show()
	case errors.Is(err, background.ErrClosed):
	case present.Cancelled(err):
		p.renewal.Spoil()
		p.vacate("Reading was cancelled.", again)
	default:
		p.renewal.Spoil()
		p.vacate(present.Sentence(err), again)
		p.deps.Host.Fail(err)
	}
}

func (p *Page) vacate(text string, help ...widget.Help) {
	p.tabs.Hide()
	p.empty.Say(text, help...)
}

// show applies what was read.
func (p *Page) show() {
	if text, help, empty := p.vacancy(); empty {
		p.vacate(text, help...)
		return
	}
	p.empty.Hide()
	p.tabs.Show()
	p.front().show()
	if c := p.deps.Host.Window.Canvas(); c.Focused() == nil && c.Overlays().Top() == nil {
		p.Focus() // the table could not have it before
	}
}

// vacancy says why there is nothing to look at, and what helps; empty is false when there is
// something.
func (p *Page) vacancy() (text string, help []widget.Help, empty bool) {
	v := p.view
	switch {
	case v.Selection.Hash == "":
		return "There is no selection of testing scenes yet. Choose scenes for the targets first; findings are about models in them.",
			[]widget.Help{{Text: "Choose scenes…", Icon: theme.NavigateNextIcon(), Do: func() { p.deps.Open(page.Scenes, p.subject) }}}, true
	case v.Models == 0:
		return "This workspace has no models yet. Import some; they are then run in the testing scenes.",
			[]widget.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.deps.Import}}, true
	case len(v.Rows) == 0:
		return fmt.Sprintf("No model ran in the scenes of %s yet: %s", v.Selection.Name, v.Left[0].Reason),
			[]widget.Help{p.runHelp(v.Selection, v.withoutRun())}, true
	}
	return "", nil, false
}

// runHelp offers to run models in the scenes of a selection.
func (p *Page) runHelp(s store.SelectionRecord, models []string) widget.Help {
	h := widget.Help{Text: fmt.Sprintf("Run %s", present.Counted(int64(len(models)), "model")), Icon: theme.MediaPlayIcon()}
	if p.deps.Start != nil {
		h.Do = func() { p.run(s, models) }
	}
	return h
}

// run starts a run of models in the scenes of a selection.
func (p *Page) run(s store.SelectionRecord, models []string) {
	family, err := s.Family()
	if err != nil {
		p.deps.Host.Fail(err)
		return
	}
	p.deps.Start(job.Request{Models: models, Suite: s.Targets, Family: family, Positions: []string{model.CONF, model.Head}})
}

// menuButton opens a menu.
func (p *Page) menuButton(text string, icon fyne.Resource, items func() []*fyne.MenuItem) *fynewidget.Button {
	var b *fynewidget.Button
	b = fynewidget.NewButtonWithIcon(text, icon, func() { widget.PopUpBelow(b, p.deps.Host.Window.Canvas(), items()...) })
	return b
}

// exportButton offers what a tab can save.
func (p *Page) exportButton(of part) *fynewidget.Button {
	return p.menuButton("Export…", theme.DocumentSaveIcon(), of.entries)
}

// tableEntries save and copy a table.
func (p *Page) tableEntries(name string, table func() ([]string, [][]string)) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Copy table (CSV)", func() { p.saver.Copy(figures.TableCSV(table())) }),
		fyne.NewMenuItem("Save table as CSV…", func() { p.saver.Ask(figures.FileName("csv", name, p.view.Selection.Name), figures.TableCSV(table())) }),
	}
}

// with adds the entries of a figure below those of a table.
func with(items []*fyne.MenuItem, title string, figure []*fyne.MenuItem) []*fyne.MenuItem {
	child := fyne.NewMenuItem(title, nil)
	child.ChildMenu = fyne.NewMenu("", figure...)
	return append(items, child)
}

// note is a line that is cut where it is too long.
func note(text string) *fynewidget.Label {
	l := fynewidget.NewLabel(text)
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// caption is a small text of several lines.
func caption(text string) *fynewidget.Label {
	l := fynewidget.NewLabel(text)
	l.Wrapping, l.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	return l
}

// heading is the title of a chart.
func heading(text string) *fynewidget.Label {
	l := note(text)
	l.TextStyle.Bold = true
	return l
}
