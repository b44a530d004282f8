package ui

import (
	"github.com/variscope/variscope/ui/screen/inspect/compare"
	"github.com/variscope/variscope/ui/screen/inspect/graph"
	"github.com/variscope/variscope/ui/screen/inspect/images"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/preview"
	"github.com/variscope/variscope/ui/screen/inspect/sections"
)

// panes are the tabs of the inspect screen after the overview, in their order.
func (w *Window) panes(site pane.Site) []pane.Pane {
	ws := w.deps.Workspace
	w.preview, w.compare = preview.New(site, ws), compare.New(site, ws)
	return []pane.Pane{
		images.New(site, ws, w.previewImage), images.NewExtremes(site, ws, w.previewImage), w.preview,
		sections.New(site), graph.New(site, ws, w.deps.Layers, w.history.Did), w.compare,
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
