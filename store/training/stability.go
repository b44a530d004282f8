package training

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/store"
)

// Stability says how much assessors, or features, depend on the images: one of both.
type Stability struct {
	Studies []assess.Evaluation   // by settings
	Curves  *assess.FeatureCurves // nil for studies of assessors
	// Measured are the models of Curves, by share of the images, with their matrices in this
	// layout.
	Measured [][]Measured
	Layout   feature.Layout
}

// MeasureStability measures the models of an Ask, which all can be measured, on parts of the
// images and answers a question about them: how assessors do that are trained and tested on
// different images (assess.Halves, assess.Shares), by the repetitions of a scheme, or how the
// features change with the share of the images (assess.FeatureCourses), which needs no labels.
// images is the size of the suite or, with a selection, the number of its targets. Ask.Images is
// not used.
func MeasureStability(ctx context.Context, ws *store.Workspace, ask Ask, from Labels, images int, kind assess.StudyKind,
	settings []assess.Settings, scheme assess.Scheme, p engine.Progress,
) (s Stability, err error) {
	study := assess.Study{Kind: kind, Repetitions: scheme.Repetitions, Seed: scheme.Seed}
	var parts [][]int
	if kind == assess.FeatureCurveStudy {
		ask.Layout, from = ask.Layout.Apart(scheme.Seed), Labels{}
		parts, err = assess.CurveSubsets(images, scheme.Seed)
	} else {
		parts, err = study.Subsets(images)
	}
	if err != nil {
		return s, err
	}
	measured, left, err := MeasureSubsets(ctx, ws, ask, parts, p)
	if err != nil {
		return s, err
	}
	if len(left) > 0 {
		why := errors.New(strings.Join(assess.Lines(left), "\n"))
		return s, fmt.Errorf("not every model can be measured on every part of the images:\n%w", why)
	}
	data := make([]assess.Data, len(measured))
	for k, models := range measured {
		if data[k], _, err = Label(ws, models, ask.Layout, from); err != nil {
			return s, err
		}
	}
	if kind == assess.FeatureCurveStudy {
		curves, err := assess.FollowShares(data, assess.CurveShares())
		return Stability{Curves: &curves, Measured: measured, Layout: ask.Layout}, err
	}
	s.Studies, err = study.Evaluate(ctx, data, settings, scheme, p)
	return s, err
}
