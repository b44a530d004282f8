package diagnosis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Layers are, for one model, suite and n, the accuracies with the regions of one layer alone
// deleted: one entry per layer (its number counts Conv nodes from 1) that has a set of signals for
// masks of it alone, in their order. Of a layer with two such sets that of the plain masks counts,
// not the one behind batch-norm. Errors are a suite that is not there or has no labels, a
// workspace that cannot be read or written, an ended ctx.
func Layers(ctx context.Context, ws *store.Workspace, m model.Model, suiteHash string, n int) ([]dscore.Layer, error) {
	s, err := ws.Suite(suiteHash)
	if err != nil {
		return nil, fmt.Errorf("layers of model %s: %w", m.ID, err)
	}
	labels := lookup.Labels(s)
	if labels == nil {
		return nil, fmt.Errorf("layers of model %s on %s: %s", m.ID, s.Name, noLabels)
	}
	layers, err := layersOf(ws, m, s, n)
	if err != nil {
		return nil, fmt.Errorf("layers of model %s: %w", m.ID, err)
	}
	how, err := Ask{}.how(1)
	if err != nil {
		return nil, err
	}
	all := layering{ws, m, suiteHash, labels, how.bootstrap}
	for k := range layers {
		if err := all.fill(ctx, &layers[k]); err != nil {
			return nil, fmt.Errorf("layer %d of model %s: %w", layers[k].Number, m.ID, err)
		}
	}
	return layers, nil
}

// layersOf finds the layers with finished sets of masks of them alone.
func layersOf(ws *store.Workspace, m model.Model, s suite.Manifest, n int) ([]dscore.Layer, error) {
	sets, err := ws.Sets(m.Hash, s.Hash, "")
	if err != nil {
		return nil, err
	}
	var list []dscore.Layer
	for _, info := range sets {
		f, err := transform.ParseAny(info.Spec.Family)
		if err != nil || !info.Finished {
			continue
		}
		masks, ok := f.Masked()
		if !ok || masks.N != n || len(masks.Layers) != 1 {
			continue
		}
		l := dscore.Layer{
			Model: m, Suite: s.Hash, SuiteName: s.Name, N: n, FeatureMap: model.FeatureMap{Number: masks.Layers[0]},
			AfterBatchNorm: masks.AfterBatchNorm, Mask: f.String(),
		}
		if at := l.Number - 1; at < len(m.Graph.Convs) {
			l.Tensor = m.Graph.Convs[at]
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b dscore.Layer) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), before(a, b))
	})
	return slices.CompactFunc(list, func(a, b dscore.Layer) bool { return a.Number == b.Number }), nil
}

// before puts plain masks before those behind batch-norm.
func before(a, b dscore.Layer) int {
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
func (a layering) fill(ctx context.Context, l *dscore.Layer) error {
	info, reason, err := lookup.Set(a.ws, a.model, a.suite, l.Mask)
	if l.Reason = reason; err != nil || !reason.None() {
		return err
	}
	l.Key = info.Key
	name := lossName(info, a.labels, a.options)
	if readLayer(l, a.ws, name, info) {
		return nil
	}
	if err = a.compute(ctx, l, info); err != nil {
		l.Reason, err = lookup.Reason(err)
		return err
	}
	return a.ws.KeepValue(name, keptLayer{l.Images, l.Original, l.Variants, l.Intervals})
}

// keptLayer is what is kept of a layer.
type keptLayer struct {
	Images   int
	Original float64
	Variants []float64
	Loss     []dscore.Interval
}

func readLayer(l *dscore.Layer, ws *store.Workspace, name string, info store.SetInfo) bool {
	var k keptLayer
	found, err := ws.KeptValue(name, &k)
	regions := info.Transformations - 1
	if err != nil || !found || k.Images < 1 || len(k.Variants) != regions || len(k.Loss) != regions {
		return false
	}
	l.Images, l.Original, l.Variants, l.Intervals = k.Images, k.Original, k.Variants, k.Loss
	return true
}

func (a layering) compute(ctx context.Context, l *dscore.Layer, info store.SetInfo) error {
	if len(a.labels) != info.Spec.Images {
		return lookup.Unusable(errors.New(unlabelled(a.labels, info).Text))
	}
	masked, err := read(ctx, a.ws, info, a.labels)
	if err != nil {
		return err
	}
	n := int(math.Sqrt(float64(info.Transformations - 1))) // of n x n regions
	// Nothing is shifted here; the variants stand in for what the intervals of losses do not look
	// at.
	h := dscore.Hits{Grid: n, Classes: info.Classes, Original: masked[0], Variants: masked[1:]}
	h.Shifted = h.Variants
	accuracies, err := h.Accuracies()
	if err != nil {
		return lookup.Unusable(err)
	}
	intervals, err := dscore.Bootstrap(ctx, h, a.options, nil)
	if err != nil {
		return err
	}
	l.Images, l.Original, l.Variants, l.Intervals = len(h.Original), accuracies.Original, accuracies.Variants,
		intervals.Loss
	return nil
}
