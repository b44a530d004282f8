package desk

import (
	"fmt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// scenes adds the interpolated matrices that a background round shows of a model, and their
// thumbnail. Masks, backgrounds and the scenes themselves are not in a package: where it is
// opened, its matrices can be labelled and not be computed anew.
func (w *packing) scenes(m model.Model) error {
	e, reason, err := background.RoundEvidence(w.ctx, w.ws, w.round, m)
	if err != nil {
		return err
	}
	if reason != "" {
		return fmt.Errorf("model %s has no matrices for the round: %s", m.ID, reason)
	}
	e.Round = w.round.ID // what came with the package of another round goes with this one
	if err := w.addEvidence(allPath(m.Hash), e); err != nil {
		return err
	}
	var tiles []render.Tile
	for _, measure := range w.round.Modalities {
		for _, p := range w.round.Interpolants {
			tiles = append(tiles, render.Tile{
				Matrix: e.Matrices[store.FieldName(measure, p)],
				Scale:  render.FieldScale(w.round.Ranges[measure].High, nil),
			})
		}
	}
	return w.thumbnail(m.Hash, tiles)
}
