package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// Intervals are the features of rows, which Ask has measured, with what resamples of the images say
// of them. Models that have too few images are left out. Progress counts resamples.
func Intervals(
	ctx context.Context, ws *store.Workspace, ask Ask, rows []Row, b variance.Bootstrap, p engine.Progress,
) (list []feature.Interval, left []LeftOut, err error) {
	p.SetTotal(int64(len(rows) * b.Resamples))
	for _, r := range rows {
		err := onBasis(ctx, ws, ask, r.Model, func(on assess.Basis) error {
			some, err := on.Layout.Intervals(ctx, on.Set, on.Images, r.Vector, b, p)
			for k := range some {
				some[k].Model = r.Model.ID
			}
			list = append(list, some...)
			return err
		})
		if errors.Is(err, variance.ErrFewImages) {
			left = append(left, LeftOut{
				ID: r.Model.ID, Hash: r.Model.Hash, Reason: result.Because("few_images", "%s", err),
			})
			err = nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("resamples of the images of model %s: %w", r.Model.ID, err)
		}
	}
	return list, left, nil
}

// Resample judges models, which Ask has measured, on resamples of their images, and fills these in.
// measured are the models by row of the data. Progress counts resamples.
func Resample(
	ctx context.Context, ws *store.Workspace, ask Ask, measured []Measured, a *assess.Assessor, list []assess.Judgement,
	b variance.Bootstrap, p engine.Progress,
) error {
	p.SetTotal(int64(len(list) * b.Resamples))
	for k := range list {
		m := measured[list[k].Row].Model
		err := onBasis(ctx, ws, ask, m, func(on assess.Basis) (err error) {
			list[k].Resampled, err = a.Resample(ctx, on, b, p)
			return err
		})
		if err != nil {
			return fmt.Errorf("resamples of the images of model %s: %w", m.ID, err)
		}
	}
	return nil
}

// onBasis reads what a model is measured on, for as long as do lasts.
func onBasis(ctx context.Context, ws *store.Workspace, ask Ask, m model.Model, do func(on assess.Basis) error) error {
	on, err := ws.Suite(ask.Suite)
	if err != nil {
		return err
	}
	basis, err := ws.Basis(ctx, store.FeatureRequest{
		Model: m, Suite: on, Family: ask.Family, Layout: ask.Layout, Images: ask.Images,
	})
	if err != nil {
		return err
	}
	return do(basis)
}
