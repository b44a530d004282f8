package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Source is what evidence is read from; *store.Workspace is one.
type Source interface {
	Models() ([]model.Model, error)
	Model(hash string) (model.Model, error)
	Suite(hash string) (suite.Manifest, error)
	Summary(m model.Model, suiteHash, family string) (store.Summary, bool, error)
	State(m model.Model, suiteHash, family string) (store.State, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
}

// Request says which evidence is wanted.
type Request struct {
	Model      string // hash
	Suite      string // hash
	Family     string // canonical text
	Modalities []string
	Images     variance.Images
}

// DefaultModalities are the names of the five matrices in their order.
func DefaultModalities() []string {
	var names []string
	for _, m := range signal.DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}

// Load reads the evidence of a model. What is not there is said in Evidence.State and in the tiles' reasons; the error is
// for what cannot be read at all, for a choice of images that leaves none (variance.ErrNoImages) and for a ctx that ended.
// It is slow (files) and safe for several goroutines.
func Load(ctx context.Context, from Source, req Request) (Evidence, error) {
	m, err := from.Model(req.Model)
	if err != nil {
		return Evidence{}, err
	}
	e := Evidence{Model: m, Family: req.Family}
	manifest, err := from.Suite(req.Suite)
	if err == nil {
		e.Suite, e.Total, e.Skipped = manifest.Name, manifest.Images, len(manifest.Skipped)
		e.Classes = manifest.Classes
	}
	if family, err := transform.Parse(req.Family); err == nil {
		e.Family, e.Variable, e.Values, e.Unit = family.Short(), family.Name(), family.Values(), family.Unit()
	}
	if req.Suite == "" || req.Family == "" {
		e.missing(req, "choose a suite and a family in the toolbar")
		return e, nil
	}
	if _, err := m.Settings(); err != nil {
		e.missing(req, present.Sentence(err))
		return e, nil
	}
	summary, ok, err := from.Summary(m, req.Suite, req.Family)
	if err != nil {
		return e, err
	}
	if !ok {
		state, err := from.State(m, req.Suite, req.Family)
		e.missing(req, stateText(state))
		return e, err
	}
	return e, e.fill(ctx, from, req, summary, manifest)
}

// stateText says why there are no matrices in a state without a finished set.
func stateText(s store.State) string {
	switch s {
	case store.Stale:
		return "stale: the signals were made with other settings or images; run the model again"
	case store.Partial:
		return "the signals are not complete; run the model again, only the rest is computed"
	}
	return "no signals for this suite and family yet; run the model"
}

func (e *Evidence) missing(req Request, state string) {
	e.State = state
	for _, name := range req.Modalities {
		e.Tiles = append(e.Tiles, Tile{Modality: name, Reason: "no signals"})
	}
}

// fill takes the matrices from the summary where it has them for all images, and from the signals otherwise.
func (e *Evidence) fill(ctx context.Context, from Source, req Request, summary store.Summary, manifest suite.Manifest) error {
	e.Images, e.Skipped = summary.Images, summary.Skipped
	e.Total = summary.Images
	e.Accuracy, e.Robust = summary.Accuracy, summary.Robust
	if req.Images.String() == variance.AllImages().String() && hasAll(summary, req.Modalities) {
		for _, name := range req.Modalities {
			e.Tiles = append(e.Tiles, e.tile(name, summary.Matrices[name]))
		}
		return nil
	}
	return e.fromSignals(ctx, from, req, summary, manifest)
}

// hasAll tells whether the summary decides every modality: it has the matrix, or the position is absent.
func hasAll(s store.Summary, modalities []string) bool {
	for _, name := range modalities {
		if _, ok := s.Matrices[name]; !ok && !slices.Contains(s.Absent, positionOf(name)) {
			return false
		}
	}
	return true
}

func (e *Evidence) tile(name string, m variance.Matrix) Tile {
	if m.N == 0 {
		return Tile{Modality: name, Reason: absentReason(e.Model, positionOf(name))}
	}
	return Tile{Modality: name, Matrix: m}
}

func (e *Evidence) fromSignals(ctx context.Context, from Source, req Request, summary store.Summary, manifest suite.Manifest) error {
	var modalities []signal.Modality
	for _, name := range req.Modalities {
		m, err := signal.ParseModality(name)
		if err != nil {
			return err
		}
		modalities = append(modalities, m)
	}
	set, err := from.LoadSet(ctx, summary.Key, store.Want{Modalities: modalities, Predictions: true})
	if err != nil {
		return fmt.Errorf("model %s: %w", e.Model.ID, err)
	}
	images, err := choose(req.Images, set, summary, manifest)
	if err != nil {
		return err
	}
	e.Images, e.Total = len(images), set.Images
	for k, m := range modalities {
		if err := ctx.Err(); err != nil {
			return err
		}
		tile, err := e.compute(req.Modalities[k], m, set, images)
		if err != nil {
			return err
		}
		e.Tiles = append(e.Tiles, tile)
	}
	if hasLabels(manifest.Labels) {
		e.Accuracy, e.Robust = variance.Accuracy(set.Predictions(), manifest.Labels, summary.Classes, images)
	}
	return nil
}

func choose(f variance.Images, set *signal.Set, summary store.Summary, manifest suite.Manifest) ([]int, error) {
	predictions := set.Predictions()
	var identity []int32
	if len(predictions) > 0 {
		identity = predictions[len(predictions)/2]
	}
	var labels []int
	if hasLabels(manifest.Labels) {
		labels = manifest.Labels
	}
	return f.Choose(labels, identity, summary.Classes)
}

func hasLabels(labels []int) bool {
	return slices.ContainsFunc(labels, func(l int) bool { return l >= 0 })
}

func (e *Evidence) compute(name string, m signal.Modality, set *signal.Set, images []int) (Tile, error) {
	absent := Tile{Modality: name, Reason: absentReason(e.Model, m.Position)}
	var matrix variance.Matrix
	if m.Vector() {
		distances, err := set.Distances(m)
		if errors.Is(err, signal.ErrAbsent) || errors.Is(err, signal.ErrNotLoaded) {
			absent.Reason = "not among the run's modalities"
			return absent, nil
		}
		if err != nil {
			return absent, err
		}
		matrix, err = variance.Vector(distances, set.Transformations, images)
		return Tile{Modality: name, Matrix: matrix}, err
	}
	rows, err := set.Signals(m)
	if errors.Is(err, signal.ErrAbsent) || errors.Is(err, signal.ErrNotLoaded) {
		if _, there := e.Model.Graph.Tensor(m.Position, e.Model.Correction.Positions); there {
			absent.Reason = "not among the run's positions"
		}
		return absent, nil
	}
	if err != nil {
		return absent, err
	}
	matrix, err = variance.Scalar(rows, images)
	if err != nil {
		return absent, fmt.Errorf("model %s, %s: %w", e.Model.ID, name, err)
	}
	return Tile{Modality: name, Matrix: matrix}, nil
}

// Without is the evidence with every matrix absent for one reason.
func (e Evidence) Without(modalities []string, reason string) Evidence {
	e.Tiles, e.Accuracy, e.Robust, e.Images = nil, nil, 0, 0
	for _, name := range modalities {
		e.Tiles = append(e.Tiles, Tile{Modality: name, Reason: reason})
	}
	return e
}
