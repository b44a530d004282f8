package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// FeatureRequest asks for the features of one model.
type FeatureRequest struct {
	Model  model.Model
	Suite  suite.Manifest // whole, with its labels
	Family string         // canonical text
	Layout feature.Layout
	Images variance.Images
	// Subsets are choices of images by number, each ascending, in place of Images: the signals are
	// read once for all.
	Subsets [][]int
}

// Features are the features of one model over one choice of images.
type Features = assess.Features

// NoFeaturesError says why a model of the workspace has no features for now, without its name:
// nothing is wrong with the workspace, and other models are not concerned.
type NoFeaturesError struct {
	ID     string        // of the model
	Reason result.Reason // with a code of engine/signal
	Err    error         // what is behind it, nil where the reason says all
}

// Error puts the model's name in front of the reason.
func (e *NoFeaturesError) Error() string { return "model " + e.ID + ": " + e.Reason.Text }

// Unwrap is the error behind it.
func (e *NoFeaturesError) Unwrap() error { return e.Err }

// Why BestSet and SetFor find no finished set.
var (
	noSignals    = result.Reason{Code: signal.NoSignals, Text: ErrNoSignals.Error()}
	staleSignals = result.Because(signal.Stale,
		"its signals are for other preprocessing, another output or an older suite: run it again")
	partialSignals = result.Because(signal.Incomplete, "its signals are not complete: run it to the end")
	packageOnly    = result.Because(signal.PackageOnly,
		"only a round package's matrices are here, without signals for sub-samples and predictions: run it here")
)

// FeatureSet finds the signals that features are measured on, without reading them: of the
// finished sets that fit the model's settings the one with the most of the layout's modalities.
// The error is a *LacksError when there is none, or when it lacks a modality. What round packages
// brought are matrices alone: neither SSTY nor the scores can be had from them, and a zero that
// stands for a missing SSTY would teach an assessor where a model comes from; so these count as
// lacking. A transformation set in place of a family is an error that wraps transform.ErrSet.
func (w *Workspace) FeatureSet(q FeatureRequest) (SetInfo, error) {
	lacks := func(reason result.Reason, err error) (SetInfo, error) {
		return SetInfo{}, &NoFeaturesError{ID: q.Model.ID, Reason: reason, Err: err}
	}
	if err := needFamily(q.Family); err != nil {
		return SetInfo{}, err
	}
	if _, err := q.Model.Settings(); err != nil {
		return lacks(result.Reason{Code: signal.Unreadable, Text: err.Error()}, err)
	}
	info, ok, err := w.SetFor(q.Model, q.Suite.Hash, q.Family, q.Layout.Modalities)
	if err != nil {
		return SetInfo{}, err
	}
	if !ok {
		reason, err := w.WhyNoSet(q.Model, q.Suite.Hash, q.Family)
		if err != nil {
			return SetInfo{}, err
		}
		return lacks(reason, ErrNoSignals)
	}
	switch reason, err := Lacking(q.Model, info.Spec, q.Layout.Modalities); {
	case err != nil:
		return SetInfo{}, err
	case !reason.None():
		return lacks(reason, signal.ErrAbsent)
	}
	return info, nil
}

// Lacking says which of the modalities signals under a spec lack first, and why the model's
// signals lack it; none where all are there.
func Lacking(of model.Model, spec signal.Spec, modalities []string) (result.Reason, error) {
	for _, name := range modalities {
		m, err := signal.ParseModality(name)
		if err != nil {
			return result.Reason{}, err
		}
		if holds(spec, []string{name}) == 0 {
			return result.Because(signal.Absent, "%s: %s", m, WhyAbsent(of, m, signal.ErrAbsent)), nil
		}
	}
	return result.Reason{}, nil
}

// WhyNoSet says what there is in place of the finished set that BestSet and SetFor did not find.
// The codes are those of engine/signal.
func (w *Workspace) WhyNoSet(m model.Model, suiteHash, family string) (result.Reason, error) {
	settings, err := m.Settings()
	if err != nil {
		return result.Reason{}, err
	}
	found, err := w.basis(m, settings, suiteHash, family)
	switch state := found.state; {
	case err != nil:
		return result.Reason{}, err
	case state == Stale:
		return staleSignals, nil
	case state == Partial && found.damaged != nil:
		return result.Reason{Code: signal.DamagedFile, Text: found.damaged.Error()}, nil
	case state == Partial:
		return partialSignals, nil
	case state == Ready:
		return packageOnly, nil
	}
	return noSignals, nil
}

// Features measures a model on the signals that FeatureSet found: one result per subset, or one
// for Images. The signals are in memory until it returns. It is slow (files) and safe for many
// goroutines. The error is a *LacksError when the model alone is concerned: damaged or missing
// signal files, a signal that is not finite, no image left of its choice.
func (w *Workspace) Features(ctx context.Context, info SetInfo, q FeatureRequest) ([]Features, error) {
	set, err := w.loadFor(ctx, info, q.Layout)
	if err != nil {
		return nil, q.lacking(err)
	}
	labels := labelsOf(q.Suite)
	if labels != nil && len(labels) != set.Images {
		return nil, fmt.Errorf("suite %s has labels for %d images, signals for %d",
			q.Suite.Name, len(labels), set.Images)
	}
	list, err := assess.FeaturesOf(ctx, set, labels, info.ClassMap, q.Layout, q.Images, q.Subsets)
	if err != nil {
		return nil, q.lacking(err)
	}
	return list, nil
}

// Basis reads what features of Images are measured on, and finds these. The errors are those of
// FeatureSet and Features.
func (w *Workspace) Basis(ctx context.Context, q FeatureRequest) (assess.Basis, error) {
	info, err := w.FeatureSet(q)
	if err != nil {
		return assess.Basis{}, err
	}
	set, err := w.loadFor(ctx, info, q.Layout)
	if err != nil {
		return assess.Basis{}, q.lacking(err)
	}
	on, err := assess.NewBasis(set, labelsOf(q.Suite), info.ClassMap, q.Layout, q.Images)
	if err != nil {
		return on, q.lacking(err)
	}
	return on, nil
}

// loadFor reads what measuring needs of a set.
func (w *Workspace) loadFor(ctx context.Context, info SetInfo, layout feature.Layout) (*signal.Set, error) {
	want := Want{Predictions: true}
	for _, name := range layout.Modalities {
		m, err := signal.ParseModality(name)
		if err != nil {
			return nil, err
		}
		want.Modalities = append(want.Modalities, m)
	}
	return w.LoadSet(ctx, info.Key, want)
}

// identity is the index of the identity among a set's transformations.
func identity(set *signal.Set) int { return transform.IdentityOf(set.Spec.Family, set.Transformations) }

// everyImage are the numbers of so many images.
func everyImage(images int) []int {
	every := make([]int, images)
	for k := range every {
		every[k] = k
	}
	return every
}

// lacking makes a *LacksError of what concerns this model alone.
func (q FeatureRequest) lacking(err error) error {
	var damaged *DamagedError
	var infinite *variance.NotFiniteError
	lacks := func(code string) error {
		return &NoFeaturesError{ID: q.Model.ID, Reason: result.Reason{Code: code, Text: err.Error()}, Err: err}
	}
	switch {
	case errors.As(err, &damaged):
		return lacks(signal.DamagedFile)
	case errors.As(err, &infinite), errors.Is(err, ErrIncomplete), errors.Is(err, database.ErrNotFound):
		return lacks(signal.Damaged)
	case errors.Is(err, variance.ErrNoImages):
		return lacks(signal.NoImages)
	case errors.Is(err, signal.ErrAbsent):
		return lacks(signal.Absent)
	case errors.Is(err, variance.ErrNoLabels), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("model %s: %w", q.Model.ID, err)
}
