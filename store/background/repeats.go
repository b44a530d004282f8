package background

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
)

// Repeats is how far matrices of repeated runs lie apart.
type Repeats = background.Repeats

// Repeated compares the matrices of a model in the scenes of several selections with each other,
// way by way and interpolant by interpolant, on common axes: their end is the largest distance of
// all. A selection without signals of the model takes no part and is named in left, with the
// reason; ways with fewer than two selections are left out. Progress counts selections.
func Repeated(ctx context.Context, ws *store.Workspace, m model.Model, measure Measure, raster int,
	selections []store.SelectionRecord, p engine.Progress,
) (list []Repeats, left map[string]string, err error) {
	clouds, chosen, names, left, err := repeatedClouds(ctx, ws, m, measure, selections)
	if err != nil {
		return nil, nil, err
	}
	ways := background.Ways(chosen)
	far := 0.0
	for _, c := range clouds {
		far = max(far, c.D)
	}
	p.SetTotal(int64(len(clouds)))
	fields := make([][]scatter.Matrix, len(clouds)) // selection, interpolant
	for k, c := range clouds {
		c.D = far
		if fields[k], err = scatter.Interpolate(ctx, c, raster, scatter.Interpolants()); err != nil {
			return nil, nil, fmt.Errorf("model %s, %s in the scenes of %s: %w", m.ID, measure, names[k], err)
		}
		p.Add(1)
	}
	of := Repeats{Model: m.ID, Hash: m.Hash, Measure: string(measure)}
	return background.Compare(of, ways, names, scatter.Interpolants(), fields), left, nil
}

// repeatedClouds are the clouds of the selections that the model ran in, with these and their
// names.
func repeatedClouds(
	ctx context.Context, ws *store.Workspace, m model.Model, measure Measure, selections []store.SelectionRecord,
) (clouds []scatter.Cloud, chosen []background.Selection, names []string, left map[string]string, err error) {
	left = map[string]string{}
	for _, s := range selections {
		e, reason, err := Read(ctx, ws, m, s.Hash)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		cloud, ok := e.Clouds[measure]
		if !ok {
			if reason == "" {
				reason = e.Absent[measure]
			}
			left[s.Name] = reason
			continue
		}
		clouds, chosen, names = append(clouds, cloud), append(chosen, e.Selection.Selection), append(names, s.Name)
	}
	return clouds, chosen, names, left, nil
}
