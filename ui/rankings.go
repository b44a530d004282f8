package ui

import (
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/screen/picturelabel"
	"github.com/variscope/variscope/ui/screen/ranking"
)

func (w *Window) makeRanking() *ranking.Screen {
	ws := w.deps.Workspace
	return ranking.New(w.kit(Ranking), ranking.Of(ws), "."+ws.Path(), w.labelImages)
}

// labelImages asks for the classes of images that a ranker wants to know.
func (w *Window) labelImages(ask ranking.Labelling, done func()) {
	w.changes(func() {
		picturelabel.Open(w.host(), w.deps.Workspace, w.label.Annotator(), picturelabel.Task(ask), done)
	})()
}

// importPredictions asks for predictions that were made elsewhere, and ranks on them when they are
// a table of their own.
func (w *Window) importPredictions() {
	w.changes(func() {
		dialogs.PredictionsDialog(w.host(), w.deps.Workspace, w.history.Did, func(source string) {
			w.Go(Ranking)
			w.ranking.Rank(source)
		})
	})()
}

// inspectImage opens a model with an image of the current suite under the whole family.
func (w *Window) inspectImage(model string, image int) {
	w.Inspect(model)
	w.previewImage(image)
}

// previewImage shows an image of the inspected model under the whole family.
func (w *Window) previewImage(image int) {
	w.preview.Choose(image)
	w.inspect.Front(w.preview.Key)
}
