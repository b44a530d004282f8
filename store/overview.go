package store

import (
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/database"
)

// Glance is what a list of models shows of one of them under a suite and a family.
type Glance struct {
	Model model.Model
	State State
	// Problem says why the model's settings cannot be read; its state is None then.
	Problem error
	// Damaged is what is wrong with a file of its signals that was found damaged, nil for nothing.
	Damaged *DamagedError
	// Summary is that of what the state rests on, a set or what a round package brought, without
	// its matrices; its Key is empty when there is none.
	Summary database.Summary
}

// Overview reads all models with their states and summaries in one transaction, by id in natural
// order. It is made for workspaces of thousands of models: names of tensors, loss curves and
// matrices, the large parts, are left out. An empty suite or family leaves every model without
// signals.
func (w *Workspace) Overview(suiteHash, family string) ([]Glance, error) {
	var list []Glance
	err := w.View(func(tx *database.Tx) error {
		models, err := database.Models.All(tx)
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

func glance(tx *database.Tx, m model.Model, suiteHash, family string) (Glance, error) {
	g := Glance{Model: m, State: None}
	if suiteHash == "" || family == "" {
		return g, nil
	}
	settings, err := m.Settings()
	if err != nil {
		g.Problem = err
		return g, nil
	}
	found, err := basisOf(tx, m, settings, suiteHash, family)
	g.State, g.Damaged = found.state, found.damaged
	switch {
	case err != nil:
	case found.set.Key != "":
		g.Summary, _, err = database.GetSummary(tx, found.set.Key, database.WithoutMatrices)
	case found.packaged.Key != "":
		g.Summary = found.packaged.Summary()
		clear(g.Summary.Matrices) // they have names alone
	}
	return g, err
}
