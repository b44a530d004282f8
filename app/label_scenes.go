package app

import (
	"fmt"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// ofScenes is a round on the interpolated matrices of a selection. Without named models it has all
// that ran in its scenes.
func (c *labelCommand) ofScenes(ws *store.Workspace) (label.Round, error) {
	if c.Suite != "" || c.Family != "" {
		return label.Round{}, usageError("--selection brings its suite and has no family; leave --suite and --family out")
	}
	record, err := findSelection(ws, c.Selection)
	if err != nil {
		return label.Round{}, err
	}
	chosen, err := hashes(ws, c.Models)
	if err == nil && chosen == nil {
		chosen, err = ranIn(ws, record)
	}
	return label.Round{
		Kind: label.BackgroundRound, Suite: record.Targets, Selection: record.Hash, Modalities: c.Modalities, Interpolants: c.Interpolant, Classes: 3,
		Guideline: assets.BackgroundGuideline, Models: chosen,
	}, err
}

// ranIn lists the models that have signals in the scenes of a selection.
func ranIn(ws *store.Workspace, record store.SelectionRecord) ([]string, error) {
	family, err := record.Family()
	if err != nil {
		return nil, err
	}
	models, err := ws.Models()
	if err != nil {
		return nil, err
	}
	var hashes []string
	for _, m := range models {
		_, reason, err := lookup.Set(ws, m, record.Targets, family)
		if err != nil {
			return nil, err
		}
		if reason.None() {
			hashes = append(hashes, m.Hash)
		}
	}
	if len(hashes) == 0 {
		return nil, fmt.Errorf("no model ran in the scenes of selection %s: run them first with `variscope background run`, or name models with --models", record.Name)
	}
	return hashes, nil
}
