package ui

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/tour"
)

// tourSeen is what the preferences hold once the tour was offered: it comes by itself one time
// only.
const tourSeen = "seen"

// offerTour starts the tour where the window is the demo's and nobody has seen the tour here; what
// there is to see follows.
func (w *Window) offerTour() {
	if w.deps.Tour && w.deps.Preferences.StringWithFallback(keyTour, "") != tourSeen {
		then := func() {}
		if w.deps.Demo {
			then = w.showHighlights
		}
		w.tour(then)
	}
}

// startTour is the tour alone.
func (w *Window) startTour() { w.tour(func() {}) }

// tour leads through the window, and comes back to where it began. then follows.
func (w *Window) tour(then func()) {
	w.FocusMode(false)
	from := w.place
	w.deps.Preferences.SetString(keyTour, tourSeen)
	w.walk = tour.Start(tour.Options{
		Canvas: w.window.Canvas(), Steps: w.tourSteps(),
		Later: func(f func()) {
			w.work.Post(func() {
				if !w.closing {
					f()
				}
			})
		},
		Ended: func() {
			w.walk = nil
			w.Go(from)
			w.focusScreen()
			then()
		},
	})
}

// tourSteps are the way of the work: what is there, run, look, label, agree, and where help is.
func (w *Window) tourSteps() []tour.Step {
	at := func(place Place) func() { return func() { w.Go(place) } }
	return []tour.Step{
		{
			Title:  "Welcome to Variscope",
			Text:   w.welcome(),
			Enter:  at(Models),
			Target: whole(func() fyne.CanvasObject { return w.rail.object }),
		},
		{
			Title: "Your models",
			Text: "Every row is a classifier, with what is known of it and small pictures of its variance " +
				"matrices. Import… above brings your own, or drop files on the window.",
			Enter:  at(Models),
			Target: w.screenArea(Models),
		},
		{
			Title: "Run",
			Text: "A run shows a suite to the models, turned, brightened or scaled step by step, and keeps what " +
				"comes out. It works in the background, can be stopped at any time, and computes nothing twice.",
			Enter:  at(Models),
			Target: whole(func() fyne.CanvasObject { return w.toolbar.run }),
		},
		{
			Title: "Inspect a model",
			Text: "A matrix is calm where the model answers alike to two transformations, and bright where it does " +
				"not. Click on an element to see the images behind it.",
			Enter:  at(Inspect),
			Target: w.screenArea(Inspect),
		},
		{
			Title: "Label with the keyboard",
			Text: "Sign in to a round, look at the matrices and press I for invariant, B for borderline or V for " +
				"variant. A label is on disk before the screen says so, and Ctrl+Z takes it back.",
			Enter:  at(Label),
			Target: w.screenArea(Label),
		},
		{
			Title: "See how far you agree",
			Text: "Kappas move with every label. Ties and disagreements are decided here with a reason, and " +
				"assessors learn from what was agreed on.",
			Enter:  at(Agreement),
			Target: w.screenArea(Agreement),
		},
		{
			Title:  "Help is in the menu",
			Text:   "Help has the user guide, the keys of every screen, and this tour again.",
			Target: w.menuBar,
		},
	}
}

// welcome is what the tour begins with; only the demo has models and images of its own.
func (w *Window) welcome() string {
	if w.deps.Demo {
		return "It shows how invariant image classifiers are, and lets people agree on it. The screens at the left " +
			"follow the order of the work; this is the demo, with models and images of its own."
	}
	return "It shows how invariant image classifiers are, and lets people agree on it. The screens at the left " +
		"follow the order of the work."
}

// whole is where an object lies.
func whole(object func() fyne.CanvasObject) func() (fyne.Position, fyne.Size) {
	return func() (fyne.Position, fyne.Size) {
		o := object()
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
	}
}

// screenArea is where the screens lie, together with the entry of the rail for one of them.
func (w *Window) screenArea(place Place) func() (fyne.Position, fyne.Size) {
	entry := whole(func() fyne.CanvasObject { return w.rail.items[place] })
	screens := whole(func() fyne.CanvasObject { return w.stack })
	return func() (fyne.Position, fyne.Size) {
		from, _ := entry()
		at, size := screens()
		return fyne.NewPos(from.X, at.Y), fyne.NewSize(at.X+size.Width-from.X, size.Height)
	}
}

// menuBar is the strip above the window's content, of no height where the desktop shows the menu
// elsewhere.
func (w *Window) menuBar() (fyne.Position, fyne.Size) {
	below := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.frame)
	return fyne.Position{}, fyne.NewSize(w.window.Canvas().Size().Width, below.Y)
}
