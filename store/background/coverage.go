package background

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// NeuronCoverage is the share of a model's neurons, the channels of HEAD, that the composites of a
// selection cover (spec/background.md section 12, diversity).
type NeuronCoverage struct {
	Neurons int     `json:"neurons"`
	Share   float64 `json:"share"`
}

// Cover computes the neuron coverage of a model over a selection that it was run on: all
// composites go through the model once more, since a run keeps no channels. The result is kept in
// the workspace with the signals' name. threshold is 0 for background.DefaultThreshold; reason
// says in words why there is none: no run yet, no HEAD. Progress counts targets. Results are the
// same for any number of processors.
func Cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, m model.Model, selection string,
	threshold float64, p engine.Progress,
) (c NeuronCoverage, reason string, err error) {
	if threshold == 0 {
		threshold = background.DefaultThreshold
	}
	record, err := ws.Selection(selection)
	if err != nil {
		return c, "", err
	}
	c, info, reason, err := covered(ws, m, record, threshold)
	if err != nil || reason != "" || c.Neurons > 0 {
		return c, reason, err
	}
	e, reason, err := Read(ctx, ws, m, selection)
	if err != nil || reason != "" {
		return c, reason, err
	}
	spec := info.Spec
	if spec.Position(model.Head) < 0 {
		return c, e.Absent[HeadMax], nil
	}
	if rt == nil {
		return c, "", engine.ErrNoRuntime
	}
	if c, err = cover(ctx, ws, rt, m, spec, selection, threshold, p); err != nil {
		return c, "", fmt.Errorf("neuron coverage of model %s: %w", m.ID, err)
	}
	return c, "", ws.KeepValue(coverageName(info, threshold), c)
}

// Covered is the coverage that Cover kept for a model and the default threshold; ok is false where
// it has not computed it. reason says in words why there are no signals to compute it for. It is
// quick, and the record needs no scenes.
func Covered(
	ws *store.Workspace, m model.Model, selection store.SelectionRecord,
) (c NeuronCoverage, ok bool, reason string, err error) {
	c, info, reason, err := covered(ws, m, selection, background.DefaultThreshold)
	if err == nil && reason == "" && info.Spec.Position(model.Head) < 0 {
		reason = "its signals were computed without " + model.Head
	}
	return c, c.Neurons > 0, reason, err
}

// covered is the kept coverage, none without neurons, and the signals that it belongs to.
func covered(
	ws *store.Workspace, m model.Model, of store.SelectionRecord, threshold float64,
) (c NeuronCoverage, info store.SetInfo, reason string, err error) {
	family, err := of.Family()
	if err != nil {
		return c, info, "", err
	}
	info, why, err := lookup.Set(ws, m, of.Targets, family)
	if err != nil || !why.None() {
		return c, info, why.Text, err
	}
	if found, err := ws.KeptValue(coverageName(info, threshold), &c); err != nil || !found {
		return NeuronCoverage{}, info, "", nil // what cannot be read is computed again
	}
	return c, info, "", nil
}

func coverageName(info store.SetInfo, threshold float64) string {
	return fmt.Sprintf("coverage/1/%s/%v", info.Key, threshold)
}

// cover streams the composites through the model as its run did.
func cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, m model.Model, spec signal.Spec,
	selection string, threshold float64, p engine.Progress,
) (c NeuronCoverage, err error) {
	in := m.Graph.Input
	in.Batch, in.Channels, in.Height, in.Width = spec.Batch, spec.Channels, spec.Height, spec.Width
	order := engine.Rows{
		Feed: engine.Feed{
			Path: ws.ModelPath(m.Hash), Input: in, Output: spec.Output,
			Tensors: []string{spec.Positions[spec.Position(model.Head)].Tensor},
		},
		Numbers: engine.Channels, Prep: spec.Preprocessing,
	}
	var probed bool
	if order.Feed.Shapes, probed = m.Probes[order.Feed.ProbeName()]; !probed {
		found, err := rt.Probe(ctx, order.Feed)
		if err != nil {
			return c, err
		}
		order.Feed.Shapes = found.Shapes
	}
	composites, err := OpenContext(ctx, ws, selection)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, composites.Close()) }()
	order.Scenes = composites.record.N
	for i := range composites.Len() {
		order.Images = append(order.Images, i)
	}
	coverage := background.Coverage{Threshold: threshold}
	p.SetTotal(int64(composites.Len()))
	err = rt.Rows(ctx, order, composites, func(k int, row []float64) error {
		means := make([]float32, len(row))
		for at, v := range row {
			means[at] = float32(v)
		}
		coverage.Add(means)
		c.Neurons = len(row)
		if (k+1)%order.Scenes == 0 {
			p.Add(1)
		}
		return nil
	})
	c.Share = coverage.Share()
	return c, err
}
