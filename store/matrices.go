package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// MatrixRequest asks for variance matrices of one model.
type MatrixRequest struct {
	Model      model.Model
	Suite      string // content hash
	Family     string // canonical text
	Modalities []string
	Images     variance.Images
	// Bands asks for the bands of the matrices, too, where it has resamples; Progress, which may be
	// nil, counts these.
	Bands    variance.Bootstrap
	Progress progress.Progress
}

// Answer holds the matrices that a Question asked for and what they rest on.
type Answer struct {
	Set    string // key of the signals, empty when it is from a round package
	Device string // the kind that has computed these, empty for the processor
	// Matrices are by modality; what is not there has its reason in Absent.
	Matrices map[string]variance.Matrix
	Absent   map[string]string
	// Bands are by modality: none where none were asked for, of fewer than variance.LeastImages
	// images, and from a round package, which has no signals.
	Bands map[string]variance.Band
	// Chosen images of Total; Skipped more were left out of the suite as corrupt.
	Chosen, Total, Skipped int
	// Accuracy per transformation and robust accuracy over the chosen images; Accuracy is nil
	// without labels.
	Accuracy []float64
	Robust   float64
}

// The reasons of Answer.Absent where it is not the model that lacks the position.
const (
	NotAmongPositions  = "not among the run's positions"
	NotAmongModalities = "not among the run's modalities"
)

// ErrNoSignals means that a model has no finished signals for a suite and family.
var ErrNoSignals = errors.New("no signals for this suite and family yet: run it first")

// Matrices answers a request, from the summary where that has everything for all images, else
// from the signals. It is slow (files) and safe for many goroutines. Without signals it answers
// from a round package as far as that goes. Errors: ErrNoSignals, ErrNotInPackage,
// variance.ErrNoImages, transform.ErrSet for a transformation set, and those of LoadSet.
func (w *Workspace) Matrices(ctx context.Context, q MatrixRequest) (Answer, error) {
	if err := needFamily(q.Family); err != nil {
		return Answer{}, err
	}
	summary, ok, err := w.Summary(q.Model, q.Suite, q.Family)
	if err != nil {
		return Answer{}, err
	}
	if !ok {
		return Answer{}, fmt.Errorf("model %s: %w", q.Model.ID, ErrNoSignals)
	}
	if summary.Package != "" {
		return w.fromPackage(q)
	}
	a := Answer{
		Set: summary.Key, Device: summary.Device, Matrices: map[string]variance.Matrix{}, Absent: map[string]string{},
		Chosen: summary.Images, Total: summary.Images, Skipped: summary.Skipped,
	}
	if a.fromSummary(q, summary) {
		return a, nil
	}
	if a, err = w.fromSignals(ctx, q, summary); err != nil {
		return Answer{}, fmt.Errorf("model %s: %w", q.Model.ID, err)
	}
	return a, nil
}

// fromSummary is false when the summary does not decide every modality.
func (a *Answer) fromSummary(q MatrixRequest, s database.Summary) bool {
	if q.Images.String() != variance.AllImages().String() || q.Bands.Resamples > 0 {
		return false
	}
	for _, name := range q.Modalities {
		m, err := signal.ParseModality(name)
		matrix, ok := s.Matrices[name]
		switch {
		case err == nil && ok:
			a.Matrices[name] = matrix
		case err == nil && slices.Contains(s.Absent, m.Position):
			a.Absent[name] = AbsentReason(q.Model, m.Position)
		default:
			return false
		}
	}
	a.Accuracy, a.Robust = s.Accuracy, s.Robust
	return true
}

func (w *Workspace) fromSignals(ctx context.Context, q MatrixRequest, s database.Summary) (Answer, error) {
	manifest, err := w.Suite(q.Suite)
	if err != nil {
		return Answer{}, err
	}
	modalities, err := signal.ParseModalities(q.Modalities)
	if err != nil {
		return Answer{}, err
	}
	set, err := w.LoadSet(ctx, s.Key, Want{Modalities: modalities, Predictions: true})
	if err != nil {
		return Answer{}, err
	}
	a, err := q.Answer(ctx, set, labelsOf(manifest), s.Classes)
	a.Skipped, a.Device = s.Skipped, s.Device
	return a, err
}

// Answer answers the request from a set that has the modalities and the predictions. labels are
// those of the suite, nil for one without any; classes is the class of the model for each of them.
// How many images the suite left out is the caller's to say. The error is variance.ErrNoImages
// where the choice leaves none.
func (q MatrixRequest) Answer(ctx context.Context, set *signal.Set, labels, classes []int) (Answer, error) {
	a := Answer{
		Set: set.Spec.Key(), Device: set.Spec.Device, Total: set.Images,
		Matrices: map[string]variance.Matrix{}, Absent: map[string]string{},
	}
	predictions := set.Predictions()
	chosen, err := q.Images.Choose(labels, predictions[identity(set)], classes)
	if err != nil {
		return a, err
	}
	a.Chosen = len(chosen)
	for _, name := range q.Modalities {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		m, err := signal.ParseModality(name)
		if err != nil {
			return a, err
		}
		if err := a.compute(ctx, q, name, m, set, chosen); err != nil {
			return a, fmt.Errorf("%s: %w", m, err)
		}
	}
	if labels != nil {
		a.Accuracy, a.Robust = variance.Accuracy(predictions, labels, classes, chosen)
	}
	return a, nil
}

// labelsOf is nil for a suite without any label.
func labelsOf(m suite.Manifest) []int {
	if m.Labelled() {
		return m.Labels
	}
	return nil
}

func (a *Answer) compute(
	ctx context.Context, q MatrixRequest, name string, m signal.Modality, set *signal.Set, images []int,
) error {
	matrix, err := MatrixOf(set, m, images)
	if err != nil {
		if a.Absent[name] = WhyAbsent(q.Model, m, err); a.Absent[name] == "" {
			return err
		}
		return nil
	}
	a.Matrices[name] = matrix
	if q.Bands.Resamples == 0 {
		return nil
	}
	d, err := variance.DifferencesOf(set, m)
	if err != nil {
		return err
	}
	band, err := d.Band(ctx, images, q.Bands, q.Progress)
	switch {
	case err == nil:
		if a.Bands == nil {
			a.Bands = map[string]variance.Band{}
		}
		a.Bands[name] = band
	case !errors.Is(err, variance.ErrFewImages):
		return err
	}
	return nil
}

// WhyAbsent says why signals lack a modality, of which err was found: the model does not have the
// position, or the run did not ask for it. It is "" for errors that mean something else.
func WhyAbsent(of model.Model, m signal.Modality, err error) string {
	_, there := of.Graph.Tensor(m.Position, of.Correction.Positions)
	switch {
	case errors.Is(err, signal.ErrNoMeanAbs):
		return signal.ErrNoMeanAbs.Error()
	case !errors.Is(err, signal.ErrAbsent) && !errors.Is(err, signal.ErrNotLoaded):
		return ""
	case !there:
		return AbsentReason(of, m.Position)
	case m.Vector():
		return NotAmongModalities
	}
	return NotAmongPositions
}

// SetFor is the finished set that fits the model's settings and has the most of these modalities;
// among equals it is the one that Summary speaks of. ok is false when there is none.
func (w *Workspace) SetFor(
	m model.Model, suiteHash, family string, modalities []string,
) (best SetInfo, ok bool, err error) {
	settings, err := m.Settings()
	if err != nil {
		return best, false, err
	}
	most := -1
	err = w.View(func(tx *database.Tx) error {
		return eachSet(tx, m.Hash, suiteHash, family, func(info SetInfo) {
			if !info.Finished || !fits(info.Spec, m, settings) {
				return
			}
			if n := holds(info.Spec, modalities); n > most || n == most && betterSet(info, best) {
				best, most = info, n
			}
		})
	})
	return best, most >= 0, err
}

// holds counts the modalities that signals under a spec have.
func holds(spec signal.Spec, modalities []string) (n int) {
	for _, name := range modalities {
		m, err := signal.ParseModality(name)
		switch {
		case err != nil:
		case m.Vector() && slices.Contains(spec.Vectors, m.String()), !m.Vector() && spec.Position(m.Position) >= 0:
			n++
		}
	}
	return n
}

// MatrixOf computes the matrix of a modality over the chosen images of a set. The error is
// signal.ErrAbsent or signal.ErrNotLoaded when the set lacks the modality, transform.ErrSet when
// its signals are those of a transformation set.
func MatrixOf(set *signal.Set, m signal.Modality, images []int) (variance.Matrix, error) {
	if err := needFamily(set.Spec.Family); err != nil {
		return variance.Matrix{}, err
	}
	d, err := variance.DifferencesOf(set, m)
	if err != nil {
		return variance.Matrix{}, err
	}
	return d.Matrix(images)
}

// AbsentReason says why a model lacks a position, as its hatched tile shows it.
func AbsentReason(m model.Model, position string) string {
	switch {
	case position == model.Conv1, position == model.Conv2:
		return m.Graph.Lacks(position)
	case position == model.Head:
		return "no linear layer at the end"
	}
	return "no tensor " + position
}
