package ui

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/screen/inspect/compare"
	"github.com/variscope/variscope/ui/screen/inspect/graph"
	"github.com/variscope/variscope/ui/screen/inspect/images"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/preview"
	"github.com/variscope/variscope/ui/screen/inspect/sections"
	"github.com/variscope/variscope/ui/widget"
)

// panes are the tabs below the matrices of the inspect screen, in their order.
func (w *Window) panes(host pane.Host) []pane.Pane {
	ws := w.deps.Workspace
	// The keys that a pane does not use are the screen's. The screen is made after its panes.
	keys := widget.Keys{
		OnRune: func(r rune) { w.inspect.TypedRune(r) },
		OnKey:  func(ev *fyne.KeyEvent) bool { return w.inspect.TypedKey(ev.Name) },
	}
	locate := func(suite string) { dialogs.LocateDialog(w.host(), ws, suite, w.history.Did) }
	w.preview = preview.New(preview.Deps{Host: host, Work: w.work, Store: ws, Window: w.window, Keys: keys, Locate: locate})
	behind := images.Deps{
		Host: host, Work: w.work, Store: ws, Window: w.window, Keys: keys, Locate: locate,
		Preview: w.previewImage,
	}
	w.compare = compare.New(compare.Deps{Host: host, Work: w.work, Store: ws, Window: w.window, Keys: keys})
	return []pane.Pane{
		images.New(behind), images.NewExtremes(behind), w.preview,
		sections.New(sections.Deps{Host: host, Work: w.work, Window: w.window, Keys: keys}),
		graph.New(graph.Deps{Host: host, Work: w.work, Store: ws, Layers: w.deps.Layers, Did: w.history.Did, Keys: keys}),
		w.compare,
	}
}

// beside shows a matrix of the model on the Inspect screen beside the same one under another
// family.
func (w *Window) beside(family, modality string) {
	w.inspect.Front(w.compare)
	w.compare.Beside(family, modality)
}

// compareModels shows models side by side.
func (w *Window) compareModels(hashes []string) {
	w.Go(Inspect)
	w.inspect.Front(w.compare)
	w.compare.Compare(hashes)
}
