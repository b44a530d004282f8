package training

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// Plan plans anew, where that is due (label.PlanDue), what an annotator of a round with the most
// useful models first is asked for: an assessor is trained on the annotator's own labels, by the
// features of the matrices that the round shows. The plan is kept as a label event before Plan
// returns, so that a restart goes on in the same order; planned is false where none was due. It
// reads the matrices of all models that are not labelled yet, so it belongs off the main
// goroutine.
func Plan(
	ctx context.Context, ws *store.Workspace, round, annotator string,
) (plan label.Event, planned bool, err error) {
	r, err := ws.Round(round)
	if err != nil {
		return plan, false, err
	}
	events, err := ws.Events(round)
	if err != nil || !label.PlanDue(r, annotator, events) {
		return plan, false, err
	}
	order, err := useful(ctx, ws, r, annotator, events)
	if err != nil {
		return plan, false, fmt.Errorf("plan the order of round %s for %s: %w", r.Name, annotator, err)
	}
	plan, err = ws.Append(label.PlanOf(r, annotator, events, order))
	return plan, err == nil, err
}

// useful are the models that remain for an annotator, the most useful first.
func useful(
	ctx context.Context, ws *store.Workspace, r label.Round, annotator string, events []label.Event,
) ([]string, error) {
	models := label.Remaining(r, annotator, events)
	classes := slices.Repeat([]int{label.Missing}, len(models))
	current := label.Current(events)
	for _, hash := range r.Models { // in one order, since a forest depends on that of its rows
		if class, ok := current[label.Key{Model: hash, Annotator: annotator}].Value.Index(r.Classes); ok {
			models, classes = append(models, hash), append(classes, class)
		}
	}
	x := make([][]float64, len(models))
	for k, hash := range models {
		var err error
		if x[k], err = roundFeatures(ctx, ws, r, hash); err != nil {
			return nil, err
		}
	}
	rows, err := assess.Useful(ctx, x, classes, r.Classes, r.PlanSeed(annotator))
	if err != nil {
		return nil, err
	}
	order := make([]string, len(rows))
	for k, row := range rows {
		order[k] = models[row]
	}
	return order, nil
}

// roundFeatures are the features of the matrices that a round shows of a model, nil without
// these. A round package has no sub-samples, so ssty is not among them.
func roundFeatures(ctx context.Context, ws *store.Workspace, r label.Round, hash string) ([]float64, error) {
	if r.Kind == label.BackgroundRound {
		return sceneFeatures(ctx, ws, r, hash)
	}
	m, err := ws.Model(hash)
	if err != nil {
		return nil, err
	}
	images, err := variance.ParseImages(r.Filter)
	if err != nil {
		return nil, err
	}
	shown, err := ws.Matrices(ctx, store.MatrixRequest{
		Model: m, Suite: r.Suite, Family: r.Family, Modalities: r.Modalities,
		Images: images,
	})
	if err != nil {
		return nil, withoutFeatures(ctx, err)
	}
	var x []float64
	for _, modality := range r.Modalities {
		var values [feature.Count]float64 // of a position that the model does not have
		if matrix, ok := shown.Matrices[modality]; ok {
			measured, err := feature.Measure(matrix, nil, feature.Options{})
			if err != nil {
				return nil, nil
			}
			values = measured.Values
		}
		x = append(x, values[:]...)
	}
	return x, nil
}

// withoutFeatures passes over what is wrong with one model alone: it comes after those that can
// be ordered.
func withoutFeatures(ctx context.Context, err error) error {
	var damaged *store.DamagedError
	if errors.Is(err, store.ErrNoSignals) || errors.Is(err, store.ErrNotInPackage) ||
		errors.Is(err, variance.ErrNoImages) || errors.As(err, &damaged) {
		return nil
	}
	return errors.Join(err, ctx.Err())
}

// sceneFeatures are roundFeatures of a background round.
func sceneFeatures(ctx context.Context, ws *store.Workspace, r label.Round, hash string) ([]float64, error) {
	m, err := ws.Model(hash)
	if err != nil {
		return nil, err
	}
	shown, reason, err := background.RoundEvidence(ctx, ws, r, m)
	if err != nil || reason != "" {
		return nil, err
	}
	layout := feature.DefaultBackgroundLayout()
	layout.Modalities, layout.Background.Interpolants = r.Modalities, r.Interpolants
	if layout, err = layout.Validate(); err != nil {
		return nil, err
	}
	var matrices []scatter.Matrix
	for _, name := range layout.Matrices() {
		matrices = append(matrices, scatter.Matrix{R: shown.Matrices[name].N, Values: shown.Matrices[name].Data})
	}
	measured, err := layout.Rasters(matrices, nil)
	if err != nil {
		return nil, nil // a matrix is missing, or has elements without a value
	}
	return measured.Values, nil
}
