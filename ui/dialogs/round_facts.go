package dialogs

import (
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// roundFacts is what the dialog needs to know of the workspace.
type roundFacts struct {
	runFacts
	ready  map[string][]string // models with signals, by suite and family
	people []store.Annotator
	sceneFacts
}

func gatherRound(ws *store.Workspace) (f roundFacts, err error) {
	if f.runFacts, err = gather(ws); err != nil {
		return f, err
	}
	if f.people, err = ws.Annotators(); err != nil {
		return f, err
	}
	if f.ready, err = readyModels(ws, f.models); err != nil {
		return f, err
	}
	f.sceneFacts, err = gatherScenes(ws, f.models)
	return f, err
}

// readyModels are the models that have signals, by suite and family. Those of transformation sets have no matrices to label.
func readyModels(ws *store.Workspace, models []model.Model) (map[string][]string, error) {
	ready := map[string][]string{}
	for _, m := range models {
		sets, err := ws.Sets(m.Hash, "", "")
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			if transform.IsSet(set.Spec.Family) {
				continue
			}
			key := set.Spec.Source + "\n" + set.Spec.Family
			if !slices.Contains(ready[key], m.Hash) {
				ready[key] = append(ready[key], m.Hash)
			}
		}
	}
	return ready, nil
}
