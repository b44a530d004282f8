package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Measure measures the models one after the other (a model's signals are in memory only while its
// turn lasts), several at a time, in the order of Ask.Models (all: natural order of their ids).
// cache may be nil. Progress counts models; p may be nil.
//
// A model without usable signals is left out with the reason, also one that only a round package
// brought: its matrices have no sub-sample for SSTY and no predictions (see
// store.Workspace.FeatureSet). Interpolated matrices are those that the workspace keeps
// (background.Matrices), so cache is not asked for them. Errors are what concerns all models: a
// layout, suite or choice of images that cannot be, a workspace that cannot be read, an ended ctx.
func Measure(
	ctx context.Context, ws *store.Workspace, ask Ask, cache *Cache, p engine.Progress,
) ([]Measured, []LeftOut, error) {
	measured, left, err := (&gauge{ws: ws, ask: ask, cache: cache}).measure(ctx, p)
	if err != nil {
		return nil, nil, fmt.Errorf("measure features: %w", err)
	}
	return measured[0], left, nil
}

// MeasureSubsets is Measure for several choices of images at once: result[s][m] is model m over
// subsets[s] (ascending image numbers), so that each model's signals are read once. Ask.Images is
// not used. A model that is left out is left out of all.
func MeasureSubsets(
	ctx context.Context, ws *store.Workspace, ask Ask, subsets [][]int, p engine.Progress,
) ([][]Measured, []LeftOut, error) {
	if len(subsets) == 0 {
		return nil, nil, errors.New("measure features: no subsets of images are given")
	}
	measured, left, err := (&gauge{ws: ws, ask: ask, subsets: subsets}).measure(ctx, p)
	if err != nil {
		return nil, nil, fmt.Errorf("measure features: %w", err)
	}
	return measured, left, nil
}

// gauge measures the models of one Ask.
type gauge struct {
	ws      *store.Workspace
	ask     Ask
	suite   suite.Manifest
	subsets [][]int // nil for Ask.Images
	cache   *Cache
	choice  string // what the cache's keys have in common
}

// outcome is a model's features per subset, or the reason why it has none.
type outcome struct {
	model    model.Model
	features []store.Features
	reason   result.Reason
	device   string // the kind that has computed the signals
}

func (g *gauge) measure(ctx context.Context, p engine.Progress) ([][]Measured, []LeftOut, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	if err := g.prepare(); err != nil {
		return nil, nil, err
	}
	models, err := lookup.Models(g.ws, g.ask.Models)
	if err != nil {
		return nil, nil, err
	}
	outcomes := make([]outcome, len(models))
	one := g.one
	if g.ask.Layout.OfBackground() {
		one = g.scenes
	}
	err = lookup.Each(ctx, len(models), g.ask.Workers, p, func(ctx context.Context, i int) (err error) {
		outcomes[i], err = one(ctx, models[i])
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	measured := make([][]Measured, max(1, len(g.subsets)))
	var left []LeftOut
	for _, o := range outcomes {
		if !o.reason.None() {
			left = append(left, LeftOut{ID: o.model.ID, Hash: o.model.Hash, Reason: o.reason})
			continue
		}
		for s, f := range o.features {
			measured[s] = append(measured[s], Measured{
				Model: o.model, Vector: f.Vector, Scores: f.Scores, Accuracy: f.Accuracy, Chance: f.Chance.Level(),
				Device: o.device,
			})
		}
	}
	if g.ask.Layout.OfBackground() {
		for _, list := range measured {
			for i := range list {
				list[i].Selection = g.ask.Selection
			}
		}
	}
	return measured, left, nil
}

// prepare checks what all models share.
func (g *gauge) prepare() (err error) {
	if g.ask.Layout, err = g.ask.Layout.Validate(); err != nil {
		return err
	}
	switch {
	case g.ask.Layout.OfBackground():
		err = g.prepareScenes()
	case g.ask.Selection != "":
		err = errors.New("a selection of testing scenes has interpolated matrices and no variance matrices; " +
			"measure those")
	default:
		g.suite, err = g.ws.Suite(g.ask.Suite)
	}
	if err != nil {
		return err
	}
	for s, images := range g.subsets {
		switch {
		case len(images) == 0:
			return fmt.Errorf("subset %d of the images is empty", s+1)
		case !ascending(images):
			return fmt.Errorf("subset %d of the images is not in ascending order, or names one twice", s+1)
		case images[0] < 0 || images[len(images)-1] >= g.suite.Images:
			return fmt.Errorf("subset %d names images %d..%d; suite %s has %d", s+1, images[0], images[len(images)-1],
				g.suite.Name, g.suite.Images)
		}
	}
	g.choice = fmt.Sprintf("%+v|%s", g.ask.Layout, g.ask.Images)
	return nil
}

func ascending(images []int) bool {
	for i := 1; i < len(images); i++ {
		if images[i] <= images[i-1] {
			return false
		}
	}
	return true
}

// one measures a model, or finds what was measured before.
func (g *gauge) one(ctx context.Context, m model.Model) (outcome, error) {
	o := outcome{model: m}
	if m.ID == "" {
		o.reason = lookup.NotHere
		return o, nil
	}
	q := store.FeatureRequest{
		Model: m, Suite: g.suite, Family: g.ask.Family, Layout: g.ask.Layout, Images: g.ask.Images, Subsets: g.subsets,
	}
	info, err := g.ws.FeatureSet(q)
	if err == nil {
		o.device = info.Device()
		o.features, err = g.features(ctx, info, q)
	}
	var lacks *store.NoFeaturesError
	if errors.As(err, &lacks) {
		o.reason, err = lacks.Reason, nil
	}
	return o, err
}

func (g *gauge) features(ctx context.Context, info store.SetInfo, q store.FeatureRequest) ([]store.Features, error) {
	if g.cache == nil {
		return g.ws.Features(ctx, info, q)
	}
	key := fmt.Sprintf("%s|%v|%s", info.Key, info.ClassMap, g.choice)
	if f, ok := g.cache.get(key); ok {
		return []store.Features{f}, nil
	}
	list, err := g.ws.Features(ctx, info, q)
	if err == nil {
		g.cache.put(key, list[0])
	}
	return list, err
}

// width is how many numbers a vector and its matrices hold.
func width(v feature.Vector) int {
	n := len(v.Values)
	for _, m := range v.Matrices {
		n += len(m.Data)
	}
	return n
}
