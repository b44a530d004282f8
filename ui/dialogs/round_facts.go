package dialogs

import (
	"maps"
	"slices"
	"strings"

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

// startFamily is the current family, else one that has signals, else the usual one.
func (f roundFacts) startFamily() string {
	if f.current.Family != "" {
		return f.current.Family
	}
	for _, key := range slices.Sorted(maps.Keys(f.ready)) {
		if source, family, _ := strings.Cut(key, "\n"); source == f.current.Suite {
			return family
		}
	}
	return usualFamily()
}

// valueOf returns the value of a model (hash) in a column of the records, nil for no column.
func (f roundFacts) valueOf(column string) func(hash string) string {
	if column == "" {
		return nil
	}
	values := map[string]string{}
	for _, m := range f.models {
		values[m.Hash] = m.Value(column)
	}
	return func(hash string) string { return values[hash] }
}

// readyModels are the models that have signals, by suite and family. Those of transformation sets
// have no matrices to label.
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
