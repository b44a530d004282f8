package ui

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/demo"
	"github.com/variscope/variscope/ui/widget"
)

// highlightsTitle is the title of the page, and its entry in the menu.
const highlightsTitle = "What you can see here"

// highlight is something worth seeing in the demo, and the way there. go takes the id of what find
// looks up in the workspace, off the main goroutine; a nil find takes nothing.
type highlight struct {
	title, text string
	find        func(*store.Workspace) (string, error)
	show        func(id string)
}

// highlights are what the demo has to show.
func (w *Window) highlights() []highlight {
	at := func(place Place) func(string) { return func(string) { w.Go(place) } }
	return []highlight{
		{
			"Fourteen models at a glance",
			"What they were trained on, how accurate they are, and small pictures of their variance " +
				"matrices under rotation.", nil, at(Models),
		},
		{
			"A model that rotation disturbs",
			"s19 never saw a turned image. Its matrices grow bright away from the diagonal: click " +
				"on an element to see the images behind it.", modelOf("s19"), w.Inspect,
		},
		{
			"A model that was trained for it",
			"s08 was, with images turned by up to 15 degrees. " +
				"Compare its matrices with those of s19.", modelOf("s08"), w.Inspect,
		},
		{
			"A round to label yourself",
			"Choose a name, look at the matrices, and press I for invariant or V for variant.", nil, at(Label),
		},
		{
			"How far raters agree", "Three raters have labelled all models. These are " + label.ByRuleNote +
				": nobody has given " +
				"them, so that there is something to measure.",
			func(ws *store.Workspace) (string, error) {
				rounds, err := ws.Rounds()
				for _, r := range rounds {
					if r.ByRule {
						return r.ID, err
					}
				}
				return "", errors.Join(err, store.ErrNotFound)
			},
			func(id string) { w.agreement.ShowRound(id); w.Go(Agreement) },
		},
		{
			"An assessor that judges models",
			"A random forest has learnt from the example labels. It judges every model, and says why.",
			func(ws *store.Workspace) (string, error) {
				_, err := ws.AssessorData(demo.ExampleAssessor)
				return demo.ExampleAssessor, err
			},
			func(name string) { w.Go(Assessors); w.assessors.Look(name) },
		},
		{
			"Where a model looks",
			"D-Scores compare the regions in which models look with those in which the " +
				"features of the images lie.", nil, at(DScore),
		},
		{
			"The same things before other backgrounds",
			"Targets are laid on scenes that are more and more distant in meaning. " +
				"The matrices show what changes.",
			func(ws *store.Workspace) (string, error) {
				list, err := ws.Selections()
				if err != nil || len(list) == 0 {
					return "", errors.Join(err, store.ErrNotFound)
				}
				return list[0].Hash, nil
			},
			func(hash string) { w.Go(Background); w.scenes.ShowMatrices(hash) },
		},
	}
}

// modelOf finds the hash of a model by its id.
func modelOf(id string) func(*store.Workspace) (string, error) {
	return func(ws *store.Workspace) (string, error) {
		m, err := ws.FindModel(id)
		return m.Hash, err
	}
}

// showHighlights shows the page with a link to each highlight.
func (w *Window) showHighlights() {
	if w.closing {
		return
	}
	page := w.host().NewDialog(highlightsTitle, fyne.NewSize(760, 620))
	rows := container.NewVBox()
	for _, s := range w.highlights() {
		link := fynewidget.NewHyperlink(s.title, nil)
		link.OnTapped = func() { page.Close(); w.visit(s) }
		link.TextStyle.Bold = true
		text := widget.Wrapped(s.text)
		rows.Add(container.New(layout.NewCustomPaddedVBoxLayout(-8), link, text))
	}
	page.Show(container.NewVScroll(rows), page.CloseButton("Close"))
	page.Present(nil)
}

// visit goes to a highlight. What the demo is still making is said to come.
func (w *Window) visit(s highlight) {
	if s.find == nil {
		s.show("")
		return
	}
	id := ""
	w.work.Quiet("find what is to be seen", func(context.Context) (err error) {
		id, err = s.find(w.deps.Workspace)
		return err
	}, func(err error) {
		switch {
		case errors.Is(err, store.ErrNotFound):
			w.Say("This is not there: it was removed, or the demo is still being made. Try again in a few seconds.")
		case err != nil:
			w.ShowError(err)
		default:
			s.show(id)
		}
	})
}
