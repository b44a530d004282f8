package background

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
)

// ShareDraws are the samples per share: enough to see how much they differ.
const ShareDraws = 5

// ShareEffects are how far a model's matrices of smaller shares of the targets lie from those of
// all, for scatter.Interpolants and scatter.Shares. They take many matrices and are kept in the
// workspace: those that are not are computed only where compute is set, else found is false.
func ShareEffects(
	ctx context.Context, ws *store.Workspace, e Evidence, measure Measure, seed uint64, compute bool, p engine.Progress,
) (s background.ShareEffects, found bool, err error) {
	name := fmt.Sprintf("rbfshares/1/%s/%s/%d/%d", e.Model.Hash+e.Set.Key, measure, seed, ShareDraws)
	three := scatter.Interpolants()
	found, err = ws.KeptValue(name, &s)
	found = found && err == nil && len(s.Mean) == len(three) && len(s.Std) == len(three)
	if found || !compute {
		return s, found, nil // what cannot be read counts as not kept
	}
	whole, err := Matrices(ctx, ws, e, measure, scatter.DefaultRaster, three)
	if err != nil {
		return s, false, err
	}
	sampling := scatter.Sampling{Draws: ShareDraws, Seed: seed, Whole: whole}
	effects, err := scatter.ByShare(ctx, e.Clouds[measure], scatter.DefaultRaster, three, sampling, p)
	if err != nil {
		return s, false, err
	}
	s = background.NewShareEffects(scatter.Shares(), effects)
	return s, true, ws.KeepValue(name, s)
}
