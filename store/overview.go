package store

import (
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/model"
)

// Glance is what a list of models shows of one of them under a suite and a family.
type Glance struct {
	Model model.Model
	State State
	// Problem says why the model's settings cannot be read; its state is None then.
	Problem error
	// Summary is that of the set that the state rests on, without its matrices; its Key is empty when there is none.
	Summary Summary
}

// Overview reads all models with their states and summaries in one transaction, by id in natural order. It is made for
// workspaces of thousands of models: names of tensors, loss curves and matrices, the large parts, are left out. An empty
// suite or family leaves every model without signals.
func (w *Workspace) Overview(suiteHash, family string) ([]Glance, error) {
	var list []Glance
	err := w.view(func(tx *bbolt.Tx) error {
		models, err := all[model.Model](tx, bucketModels)
		if err != nil {
			return err
		}
		sortModels(models)
		list = make([]Glance, len(models))
		for i, m := range models {
			if list[i], err = glance(tx, m, suiteHash, family); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

func glance(tx *bbolt.Tx, m model.Model, suiteHash, family string) (Glance, error) {
	g := Glance{Model: m, State: None}
	if suiteHash == "" || family == "" {
		return g, nil
	}
	settings, err := m.Settings()
	if err != nil {
		g.Problem = err
		return g, nil
	}
	sets, err := glanceSets(tx, m, suiteHash, family)
	if err != nil {
		return g, err
	}
	var best SetInfo
	for _, info := range sets {
		switch {
		case !fits(info.Spec, m, settings):
			g.State = stronger(g.State, Stale)
		case info.Finished:
			g.State = Ready
			if best.Key == "" || betterSet(info, best) {
				best = info
			}
		case info.Recorded > 0:
			g.State = stronger(g.State, Partial)
		}
	}
	if best.Key != "" {
		g.Summary, err = headOfSummary(tx, best.Key)
		return g, err
	}
	if g.State == None {
		old, err := hasOldContent(tx, m.Hash, suiteHash, family)
		if old {
			g.State = Stale
		}
		return g, err
	}
	return g, nil
}

func glanceSets(tx *bbolt.Tx, m model.Model, suiteHash, family string) (sets []SetInfo, err error) {
	err = eachSet(tx, m.Hash, suiteHash, family, func(info SetInfo) { sets = append(sets, info) })
	return sets, err
}
