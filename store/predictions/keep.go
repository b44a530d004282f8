package predictions

import (
	"github.com/variscope/variscope/store"
)

// Keep adds a table to a workspace, under its name; see store.Workspace.AddPredictions.
func Keep(ws *store.Workspace, t Table) (store.PredictionTable, error) {
	record := store.PredictionTable{
		Name: t.Name, Suite: t.Suite, Models: t.Models, Samples: t.Samples, Classes: t.Classes,
		ClassNames: t.ClassNames, SampleNames: t.SampleNames,
	}
	return ws.AddPredictions(record, store.Predictions{
		Labels: t.Labels, Truth: t.Truth, Probabilities: t.Probabilities,
	})
}
