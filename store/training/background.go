package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	scenes "github.com/variscope/variscope/engine/background"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// prepareScenes checks what all models share when interpolated matrices of a selection are measured.
func (g *gauge) prepareScenes() error {
	switch images := g.ask.Images.String(); {
	case g.ask.Selection == "":
		return errors.New("interpolated matrices are of a selection of testing scenes; name one")
	case g.subsets != nil:
		return errors.New("interpolated matrices are measured over all targets, not over subsets; their stability under fewer targets is studied by shares")
	case images != variance.AllImages().String():
		return fmt.Errorf("interpolated matrices are measured over all targets; the choice %s of images is one of variance matrices", images)
	}
	_, err := g.ws.Selection(g.ask.Selection)
	return err
}

// scenes measures a model's interpolated matrices.
func (g *gauge) scenes(ctx context.Context, m model.Model) (outcome, error) {
	o := outcome{model: m}
	if m.ID == "" {
		o.reason = notHere
		return o, nil
	}
	e, reason, err := background.Read(ctx, g.ws, m, g.ask.Selection)
	if err != nil || reason != "" {
		o.reason = reason
		return o, err
	}
	if o.reason = g.lacks(e); o.reason != "" {
		return o, nil
	}
	whole, reduced, err := g.matrices(ctx, e)
	if err != nil {
		return o, fmt.Errorf("model %s: %w", m.ID, err)
	}
	vector, err := g.ask.Layout.Rasters(whole, reduced)
	if err != nil { // it concerns this model alone
		o.reason = err.Error()
		return o, nil
	}
	o.features = []store.Features{{
		Vector: vector, Scores: ScoresOf(e.Outcome, e.Selection.N), Accuracy: e.Outcome.Accuracy, Images: e.Outcome.Targets,
	}}
	return o, nil
}

// lacks says which of the layout's clouds a model does not have, or has damaged; "" for none.
func (g *gauge) lacks(e background.Evidence) string {
	for _, modality := range g.ask.Layout.Modalities {
		cloud, ok := e.Clouds[background.Measure(modality)]
		if !ok {
			return modality + ": " + cmp.Or(e.Absent[background.Measure(modality)], "it is not there")
		}
		if err := cloud.Check(); err != nil {
			return modality + ": " + err.Error()
		}
	}
	return ""
}

// matrices are a model's interpolated matrices in the layout's order, and for ssty those of a sub-sample of the targets, nil where
// the layout needs none.
func (g *gauge) matrices(ctx context.Context, e background.Evidence) (whole, reduced []scatter.Matrix, err error) {
	l := g.ask.Layout
	list := l.Interpolants()
	for _, modality := range l.Modalities {
		measure := background.Measure(modality)
		some, err := background.Matrices(ctx, g.ws, e, measure, l.Background.Raster, list)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", modality, err)
		}
		whole = append(whole, some...)
		if !l.NeedsReduced() {
			continue
		}
		cloud := e.Clouds[measure]
		fewer := cloud.Of(scatter.Draw(len(cloud.Distances), l.Share, l.Seed, 0))
		if some, err = scatter.Interpolate(ctx, fewer, l.Background.Raster, list); err != nil {
			return nil, nil, fmt.Errorf("%s, the sub-sample: %w", modality, err)
		}
		reduced = append(reduced, some...)
	}
	return whole, reduced, nil
}

// ScoresOf are the scores of the baseline that a model's outcome in n scenes per target gives: correct_product is worst-case accuracy
// (spec/background.md section 12), and the others are read over the target itself and its composites as spec/assessors.md reads them
// over transformations.
func ScoresOf(o scenes.Outcome, n int) assess.Scores {
	unchanged := 0
	for _, share := range o.ChangedPerTarget {
		if share == 0 {
			unchanged++
		}
	}
	s := unknown()
	s.CorrectProduct = o.WorstCase
	s.CorrectMean = (o.Accuracy + float64(float64(n)*o.MeanComposite)) / float64(n+1)
	if len(o.ChangedPerTarget) > 0 {
		s.ConsistencyProduct, s.ConsistencyMean = float64(unchanged)/float64(len(o.ChangedPerTarget)), 1-o.ChangedShare
	}
	return s
}
