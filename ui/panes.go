package ui

import (
	"github.com/variscope/variscope/ui/screen/inspect/compare"
	"github.com/variscope/variscope/ui/screen/inspect/element"
	"github.com/variscope/variscope/ui/screen/inspect/graph"
	"github.com/variscope/variscope/ui/screen/inspect/images"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/preview"
	"github.com/variscope/variscope/ui/screen/inspect/sections"
)

// panes are the tabs of the inspect screen after the overview, in their order.
func (w *Window) panes(site pane.Site) []pane.Tab {
	ws := w.deps.Workspace
	w.preview, w.compare = preview.New(site, ws), compare.New(site, ws)
	return []pane.Tab{
		element.New(site, w.preview.Follow, w.previewImage).Tab,
		images.New(site, ws, w.preview.Follow, w.previewImage).Tab,
		images.NewExtremes(site, ws, w.preview.Follow, w.previewImage).Tab, w.preview.Tab, sections.New(site).Tab,
		graph.New(site, ws, w.deps.Layers, w.history.Did).Tab, w.compare.Tab,
	}
}

// beside shows a matrix of the model on the Inspect screen beside the same one under another
// family.
func (w *Window) beside(family, modality string) {
	w.inspect.Front(w.compare.Key)
	w.compare.Beside(family, modality)
}

// compareModels shows models side by side.
func (w *Window) compareModels(hashes []string) {
	w.Go(Inspect)
	w.inspect.Front(w.compare.Key)
	w.compare.Compare(hashes)
}
