// Package findings is the page Findings of the Background screen: what a repository of models
// shows in the scenes of a selection: accuracies and labels, accuracy over distance, coverage,
// assessors, and statistics of the repository.
package findings

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	*kit.Screen[struct{}, Data]
	site     page.Site
	subject  page.Subject
	view     *View
	tabs     *kit.Tabs
	models   *modelsPart
	distance *distancePart
	coverage *coveragePart
	accuracy *accuracyPart
	whole    *repositoryPart
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(site page.Site) *Page {
	p := &Page{site: site, view: NewView()}
	host := site.Kit(func() { p.Focus() })
	p.Screen = &kit.Screen[struct{}, Data]{Host: host} // the parts are made from it
	p.models, p.distance, p.coverage = newModelsPart(p), newDistancePart(p), newCoveragePart(p)
	p.accuracy, p.whole = newAccuracyPart(p), newRepositoryPart(p)
	p.tabs = kit.NewTabs(host, "findings",
		kit.Tab{Key: "models", Title: "Models", Page: p.models},
		kit.Tab{Key: "distance", Title: "Accuracy over distance", Page: p.distance},
		kit.Tab{Key: "coverage", Title: "Coverage", Page: p.coverage},
		kit.Tab{Key: "assessors", Title: "Assessors", Page: p.accuracy},
		kit.Tab{Key: "repository", Title: "Repository", Page: p.whole})
	p.Screen = kit.New(kit.Screen[struct{}, Data]{
		Host: host, Name: "Read what models do in the scenes", Doing: "Reading what models do in the scenes…",
		Key: "findings",
		Load: func(struct{}) kit.Work[Data] {
			selection, known := p.subject.Selection, p.view.Rows
			return func(ctx context.Context, progress engine.Progress) (Data, error) {
				return read(ctx, site.Workspace, selection, known, progress)
			}
		},
		On: []store.ChangeKind{
			store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.RoundChanged,
			store.LabelsChanged, store.BackgroundChanged,
		},
		Tabs: p.tabs, Empty: p.empty,
	})
	return p
}

// Look implements page.Page.
func (p *Page) Look(s page.Subject) {
	other := s.Selection != p.subject.Selection
	if p.subject = s; other {
		p.distance.forget()
		p.coverage.selected = ""
		p.accuracy.train.drop()
		p.Changed()
	}
}

// empty takes data in and says why there is nothing to look at, and what helps.
func (p *Page) empty(d Data) (e kit.Empty, is bool) {
	p.view.Take(d)
	v := p.view
	switch {
	case v.Selection.Hash == "":
		return kit.Empty{
			Text: "There is no selection of testing scenes yet. " +
				"Choose scenes for the targets first; findings are about models in them.",
			Help: []kit.Help{{
				Text: "Choose scenes…", Icon: theme.NavigateNextIcon(),
				Do: func() { p.site.Open(page.Scenes, p.subject) },
			}},
		}, true
	case v.Models == 0:
		return kit.Empty{
			Text: "This workspace has no models yet. Import some; they are then run in the testing scenes.",
			Help: []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: p.site.Import}},
		}, true
	case len(v.Rows) == 0:
		return kit.Empty{
			Text:    fmt.Sprintf("No model ran in the scenes of %s yet: %s", v.Selection.Name, v.Left[0].Reason),
			Missing: page.Missing(v.Selection, v.withoutRun()),
		}, true
	}
	return e, false
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

// titled puts a title over a chart or a table.
func titled(title string, o fyne.CanvasObject) fyne.CanvasObject {
	head := note(title)
	head.TextStyle.Bold = true
	return container.NewBorder(head, nil, nil, nil, o)
}

// matrices is the command that measures what the models do in the scenes.
func (p *Page) matrices() string { return p.site.Matrices(nil, []string{p.view.Selection.Name}, nil) }

// figure makes a figure that is saved under the names of what is shown and of the selection.
func (p *Page) figure(what string) *kit.Figure {
	return &kit.Figure{Host: p.Host, Name: func() []string { return []string{what, p.view.Selection.Name} }}
}
