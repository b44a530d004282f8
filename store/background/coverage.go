package background

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
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
func Cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, m model.Model, selection string, threshold float64, p engine.Progress) (c NeuronCoverage, reason string, err error) {
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
func Covered(ws *store.Workspace, m model.Model, selection store.SelectionRecord) (c NeuronCoverage, ok bool, reason string, err error) {
	c, info, reason, err := covered(ws, m, selection, background.DefaultThreshold)
	if err == nil && reason == "" && info.Spec.Position(model.Head) < 0 {
		reason = "its signals were computed without " + model.Head
	}
	return c, c.Neurons > 0, reason, err
}

// covered is the kept coverage, none without neurons, and the signals that it belongs to.
func covered(ws *store.Workspace, m model.Model, of store.SelectionRecord, threshold float64) (c NeuronCoverage, info store.SetInfo, reason string, err error) {
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

// cover opens the model as its run did and streams the composites through it.
func cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, m model.Model, spec signal.Spec, selection string, threshold float64, p engine.Progress) (c NeuronCoverage, err error) {
	n := &network{name: m.ID, feed: engine.Feed{
		Path: ws.ModelPath(m.Hash), Input: m.Graph.Input, Output: spec.Output, Tensors: []string{spec.Positions[spec.Position(model.Head)].Tensor},
	}}
	in := &n.feed.Input
	in.Batch, in.Channels, in.Height, in.Width = spec.Batch, spec.Channels, spec.Height, spec.Width
	if err := n.preprocess(spec.Preprocessing); err != nil {
		return c, err
	}
	var probed bool
	if n.feed.Shapes, probed = m.Probes[n.feed.ProbeName()]; !probed {
		found, err := rt.Probe(ctx, n.feed)
		if err != nil {
			return c, err
		}
		n.feed.Shapes = found.Shapes
	}
	composites, err := OpenContext(ctx, ws, selection)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, composites.Close()) }()
	session, err := rt.Open(ctx, n.feed)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	runner, err := session.Runner()
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	return n.cover(ctx, runner, composites, threshold, p)
}

func (n *network) cover(ctx context.Context, r engine.Runner, composites *Composites, threshold float64, p engine.Progress) (NeuronCoverage, error) {
	in := n.feed.Input
	to := n.fitting
	coverage, neurons := background.Coverage{Threshold: threshold}, 0
	add := func(row []float32) {
		neurons = len(row)
		coverage.Add(row)
	}
	p.SetTotal(int64(composites.Len()))
	var waiting [][]float32 // of several targets, for full batches
	for i := range composites.Len() {
		native, err := composites.Image(i)
		if err != nil {
			return NeuronCoverage{}, err
		}
		fitted := suite.Fit(native, to)
		if len(fitted.Pix) != in.Channels*in.Height*in.Width {
			return NeuronCoverage{}, fmt.Errorf("target %d becomes %d x %d pixels by the recipe in place of %d x %d", i, fitted.Height, fitted.Width, in.Height, in.Width)
		}
		for j := range composites.record.N {
			img := suite.Image{Channels: to.Channels, Height: to.Height, Width: to.Width, Pix: make([]float32, len(fitted.Pix))}
			if err := composites.Compose(img.Pix, fitted.Pix, i, j+1, to); err != nil {
				return NeuronCoverage{}, err
			}
			out := make([]float32, len(img.Pix))
			n.write.Write(out, img.Pix)
			waiting = append(waiting, out)
		}
		full := len(waiting) - len(waiting)%in.Batch
		if i == composites.Len()-1 {
			full = len(waiting)
		}
		if err := n.channels(ctx, r, waiting[:full], add); err != nil {
			return NeuronCoverage{}, err
		}
		waiting = append(waiting[:0], waiting[full:]...)
		p.Add(1)
	}
	return NeuronCoverage{Neurons: neurons, Share: coverage.Share()}, nil
}

// channels runs inputs and hands each one's means per channel of the second result on.
func (n *network) channels(ctx context.Context, r engine.Runner, inputs [][]float32, each func(row []float32)) error {
	return n.batches(ctx, r, inputs, func(_, count int) error {
		shape, values := r.Result(1)
		width := len(values) / n.feed.Input.Batch
		for x := range count {
			row, err := channelMeans(shape[1:], values[x*width:(x+1)*width])
			if err != nil {
				return err
			}
			if !finite(row) {
				return fmt.Errorf("%s holds numbers at %s that are not finite; its coverage cannot be computed", n.name, model.Head)
			}
			each(row)
		}
		return nil
	})
}

// channelMeans are the means per channel of one image's tensor: channels x height x width over
// space, tokens x channels over the tokens, channels as they are.
func channelMeans(shape []int64, values []float32) ([]float32, error) {
	channels, stride, step := 0, 1, 1 // value v of channel c lies at c*stride + v*step
	switch len(shape) {
	case 1:
		channels = int(shape[0])
	case 2:
		channels, step = int(shape[1]), int(shape[1])
	case 3:
		channels, stride = int(shape[0]), int(shape[1]*shape[2])
	}
	if channels < 1 || len(values)%channels != 0 || len(values) == 0 {
		return nil, fmt.Errorf("the tensor of %s has the shape %v per image; its channels can be told in CHANNELS, TOKENS x CHANNELS and CHANNELS x HEIGHT x WIDTH",
			model.Head, shape)
	}
	each := len(values) / channels
	row := make([]float32, channels)
	for c := range row {
		sum := 0.0
		for v := range each {
			sum += float64(values[c*stride+v*step])
		}
		row[c] = float32(sum / float64(each))
	}
	return row, nil
}
