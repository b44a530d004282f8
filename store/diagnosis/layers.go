package diagnosis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Layer is what deleting regions of one layer alone costs.
type Layer struct {
	Number         int    // of the Conv node, from 1
	Tensor         string // the Conv's output; "" where the model does not have so many
	AfterBatchNorm bool   // regions were deleted behind the batch-norm that follows
	Mask, Key      string // canonical text of the masks, and their set of signals
	Images         int    // with a label
	Original       float64
	Variants       []float64 // accuracy per region
	// Loss is the interval of original - variant per region; a region whose interval lies below the tolerance is one that
	// nothing is lost with.
	Loss []dscore.Interval
	// Reason says why there are no numbers of the layer in spite of its signals: they are stale or damaged. Empty where there are.
	Reason string
}

// Layers are, for one model, suite and n, the accuracies with the regions of one layer alone deleted: one entry per layer (its
// number counts Conv nodes from 1) that has a set of signals for masks of it alone, in their order. Of a layer with two such
// sets that of the plain masks counts, not the one behind batch-norm. Errors are a suite that is not there or has no labels, a
// workspace that cannot be read or written, an ended ctx.
func Layers(ctx context.Context, ws *store.Workspace, m model.Model, suite string, n int) ([]Layer, error) {
	s, err := ws.Suite(suite)
	if err != nil {
		return nil, fmt.Errorf("layers of model %s: %w", m.ID, err)
	}
	labels := lookup.Labels(s)
	if labels == nil {
		return nil, fmt.Errorf("layers of model %s on %s: %s", m.ID, s.Name, NoLabels)
	}
	layers, err := layersOf(ws, m, suite, n)
	if err != nil {
		return nil, fmt.Errorf("layers of model %s: %w", m.ID, err)
	}
	how, err := Ask{}.how(1)
	if err != nil {
		return nil, err
	}
	all := layering{ws, m, suite, labels, how.bootstrap}
	for k := range layers {
		if err := all.fill(ctx, &layers[k]); err != nil {
			return nil, fmt.Errorf("layer %d of model %s: %w", layers[k].Number, m.ID, err)
		}
	}
	return layers, nil
}

// layersOf finds the layers with finished sets of masks of them alone.
func layersOf(ws *store.Workspace, m model.Model, suite string, n int) ([]Layer, error) {
	sets, err := ws.Sets(m.Hash, suite, "")
	if err != nil {
		return nil, err
	}
	var list []Layer
	for _, info := range sets {
		f, err := transform.ParseAny(info.Spec.Family)
		if err != nil || !info.Finished {
			continue
		}
		masks, ok := f.Masked()
		if !ok || masks.N != n || len(masks.Layers) != 1 {
			continue
		}
		l := Layer{Number: masks.Layers[0], AfterBatchNorm: masks.AfterBatchNorm, Mask: f.String()}
		if at := l.Number - 1; at < len(m.Graph.Convs) {
			l.Tensor = m.Graph.Convs[at]
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b Layer) int { return cmp.Or(cmp.Compare(a.Number, b.Number), before(a, b)) })
	return slices.CompactFunc(list, func(a, b Layer) bool { return a.Number == b.Number }), nil
}

// before puts plain masks before those behind batch-norm.
func before(a, b Layer) int {
	switch {
	case a.AfterBatchNorm == b.AfterBatchNorm:
		return 0
	case b.AfterBatchNorm:
		return -1
	}
	return 1
}

// layering is what the layers of a question share.
type layering struct {
	ws      *store.Workspace
	model   model.Model
	suite   string
	labels  []int
	options dscore.BootstrapOptions
}

// fill computes a layer's numbers, or reads what is kept of them.
func (a layering) fill(ctx context.Context, l *Layer) error {
	info, reason, err := lookup.Set(a.ws, a.model, a.suite, l.Mask)
	if l.Reason = reason.Text; err != nil || !reason.None() {
		return err
	}
	l.Key = info.Key
	name := lossName(info, a.labels, a.options)
	if l.read(a.ws, name, info) {
		return nil
	}
	if err = a.compute(ctx, l, info); err != nil {
		why, other := lookup.Reason(err)
		l.Reason, err = why.Text, other
		return err
	}
	return a.ws.KeepValue(name, keptLayer{l.Images, l.Original, l.Variants, l.Loss})
}

// keptLayer is what is kept of a layer.
type keptLayer struct {
	Images   int
	Original float64
	Variants []float64
	Loss     []dscore.Interval
}

func (l *Layer) read(ws *store.Workspace, name string, info store.SetInfo) bool {
	var k keptLayer
	found, err := ws.KeptValue(name, &k)
	regions := info.Transformations - 1
	if err != nil || !found || k.Images < 1 || len(k.Variants) != regions || len(k.Loss) != regions {
		return false
	}
	l.Images, l.Original, l.Variants, l.Loss = k.Images, k.Original, k.Variants, k.Loss
	return true
}

func (a layering) compute(ctx context.Context, l *Layer, info store.SetInfo) error {
	if len(a.labels) != info.Spec.Images {
		return lookup.Unusable(errors.New(unlabelled(a.labels, info)))
	}
	masked, err := read(ctx, a.ws, info, a.labels)
	if err != nil {
		return err
	}
	// Nothing is shifted here; the variants stand in for what the intervals of losses do not look at.
	h := dscore.Hits{Grid: side(info.Transformations - 1), Classes: info.Classes, Original: masked[0], Variants: masked[1:]}
	h.Shifted = h.Variants
	accuracies, err := h.Accuracies()
	if err != nil {
		return lookup.Unusable(err)
	}
	intervals, err := dscore.Bootstrap(ctx, h, a.options, nil)
	if err != nil {
		return err
	}
	l.Images, l.Original, l.Variants, l.Loss = len(h.Original), accuracies.Original, accuracies.Variants, intervals.Loss
	return nil
}

// side is n of n x n regions.
func side(regions int) int {
	n := 0
	for n*n < regions {
		n++
	}
	return n
}
