package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	scenes "github.com/variscope/variscope/engine/background"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/lookup"
)

// prepareScenes checks what all models share when interpolated matrices of a selection are
// measured.
func (g *gauge) prepareScenes() error {
	if g.ask.Selection == "" {
		return errors.New("interpolated matrices are of a selection of testing scenes; name one")
	}
	if g.subsets == nil && g.ask.Images.Share < 1 {
		g.ask.Layout = g.ask.Layout.Apart(g.ask.Images.Seed)
	}
	record, err := g.ws.Selection(g.ask.Selection)
	if err != nil {
		return err
	}
	g.suite, err = g.ws.Suite(record.Targets)
	return err
}

// scenes measures a model's interpolated matrices over the chosen targets.
func (g *gauge) scenes(ctx context.Context, m model.Model) (outcome, error) {
	o := outcome{model: m}
	if m.ID == "" {
		o.reason = lookup.NotHere
		return o, nil
	}
	e, reason, err := background.Read(ctx, g.ws, m, g.ask.Selection)
	if err != nil {
		return o, err
	}
	if reason = cmp.Or(reason, g.lacks(e)); reason != "" {
		o.reason = notMeasured(reason)
		return o, nil
	}
	choices, err := g.targets(e)
	if errors.Is(err, variance.ErrNoImages) {
		o.reason = result.Reason{Code: signal.NoImages, Text: err.Error()}
		return o, nil
	}
	if err != nil {
		return o, err
	}
	for _, targets := range choices {
		f, reason, err := g.over(ctx, e, targets)
		if err != nil {
			return o, err
		}
		if reason != "" {
			o.reason, o.features = notMeasured(reason), nil
			return o, nil
		}
		o.features = append(o.features, f)
	}
	return o, nil
}

// notMeasured is why a model has no interpolated matrices.
func notMeasured(reason string) result.Reason {
	return result.Reason{Code: assess.NotMeasured, Text: reason}
}

// lacks says which of the layout's clouds a model does not have, or has damaged; "" for none.
func (g *gauge) lacks(e background.Evidence) string {
	for _, modality := range g.ask.Layout.Modalities {
		if _, ok := e.Clouds[background.Measure(modality)]; !ok {
			return modality + ": " + cmp.Or(e.Absent[background.Measure(modality)], "it is not there")
		}
	}
	return ""
}

// targets are the choices of targets: the subsets that were asked for, else the one of Ask.Images.
func (g *gauge) targets(e background.Evidence) ([][]int, error) {
	if g.subsets != nil {
		return g.subsets, nil
	}
	chosen, err := g.ask.Images.Choose(lookup.Labels(g.suite), e.Predictions[0], e.Set.ClassMap)
	return [][]int{chosen}, err
}

// over measures a model over some targets (ascending); reason says why this model has no features.
func (g *gauge) over(
	ctx context.Context, e background.Evidence, targets []int,
) (f store.Features, reason string, err error) {
	var fewer []int // places among the targets
	drawn := g.ask.Layout.Drawn(len(e.Labels))
	for k, t := range targets {
		if _, found := slices.BinarySearch(drawn, t); found {
			fewer = append(fewer, k)
		}
	}
	if len(targets) < len(e.Labels) {
		e = some(e, g.ask.Layout, targets)
	}
	whole, reduced, err := g.matrices(ctx, e, fewer)
	if err != nil {
		return f, "", fmt.Errorf("model %s: %w", e.Model.ID, err)
	}
	vector, err := g.ask.Layout.Rasters(whole, reduced)
	if err != nil { // it concerns this model alone
		return f, err.Error(), nil
	}
	return store.Features{
		Vector: vector, Scores: ScoresOf(e.Outcome, e.Selection.N), Accuracy: e.Outcome.Accuracy, Images: len(targets),
	}, "", nil
}

// noClass stands for the class of a target that the model does not know: no prediction is right
// about it.
const noClass = math.MaxInt32

// some is the evidence of some targets: the layout's clouds and the outcome. Signals stay divided
// by the constants of all targets.
func some(e background.Evidence, layout feature.Layout, targets []int) background.Evidence {
	clouds := map[background.Measure]scatter.Cloud{}
	for _, modality := range layout.Modalities {
		measure := background.Measure(modality)
		clouds[measure] = e.Clouds[measure].Of(targets)
	}
	e.Clouds = clouds
	labels := make([]int, len(targets))
	for k, t := range targets {
		if labels[k] = e.Labels[t]; labels[k] < -1 {
			labels[k] = noClass
		}
	}
	predictions := make([][]int32, len(e.Predictions))
	for j, row := range e.Predictions {
		for _, t := range targets {
			predictions[j] = append(predictions[j], row[t])
		}
	}
	e.Outcome = scenes.Judge(predictions, labels)
	return e
}

// matrices are a model's interpolated matrices in the layout's order, and for ssty those of fewer
// targets, nil where the layout needs none or no target is left. Those of a choice are kept in
// the workspace; those of the many subsets of a study are not.
func (g *gauge) matrices(
	ctx context.Context, e background.Evidence, fewer []int,
) (whole, reduced []scatter.Matrix, err error) {
	l := g.ask.Layout
	list := l.Interpolants()
	for _, modality := range l.Modalities {
		measure := background.Measure(modality)
		cloud := e.Clouds[measure]
		var own []scatter.Matrix
		if g.subsets == nil {
			own, err = background.Matrices(ctx, g.ws, e, measure, l.Background.Raster, list)
		} else {
			own, err = scatter.Interpolate(ctx, cloud, l.Background.Raster, list)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", modality, err)
		}
		whole = append(whole, own...)
		if !l.NeedsReduced() || len(fewer) == 0 {
			continue
		}
		if own, err = scatter.Interpolate(ctx, cloud.Of(fewer), l.Background.Raster, list); err != nil {
			return nil, nil, fmt.Errorf("%s, the sub-sample: %w", modality, err)
		}
		reduced = append(reduced, own...)
	}
	return whole, reduced, nil
}

// ScoresOf are the scores of the baseline that a model's outcome in n scenes per target gives:
// correct_product is worst-case accuracy (spec/background.md section 12), and the others are read
// over the target itself and its composites as spec/assessors.md reads them over transformations.
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
