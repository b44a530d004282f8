package assessors

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

// title says which assessor is looked at and what it was trained on.
func (s *Subject) title() string {
	if f := s.File; f != nil {
		return fmt.Sprintf("%s, saved %s: %s, trained on %s of %s, %s", f.Name, f.Created.Local().Format(time.DateOnly),
			s.Assessor.Settings.Algorithm.Title(f.Layout.OfBackground()), result.Counted(len(f.Training), "model"), f.Suite.Name, Place{Family: f.Family}.familyName())
	}
	return fmt.Sprintf("%s, trained on %s", s.Name, result.Counted(len(s.Data.Labelled()), "model"))
}

// saved is the subject as a file under a name.
func (s Subject) saved(name string, now time.Time, version string) saved.File {
	if s.File != nil {
		f := *s.File
		f.Name = name
		return f
	}
	rows := s.Data.Labelled()
	f := saved.File{
		Name: name, Created: now.UTC().Truncate(time.Second), Family: s.Place.Family, Images: s.Images.String(),
		Suite:        saved.Suite{Name: s.Place.Suite.Name, Hash: s.Place.Suite.Hash, Images: s.Place.Suite.Images},
		Layout:       s.Data.Layout,
		Labels:       saved.Labels{Source: s.Source, Borderline: s.Borderline, Counts: map[string]int{}},
		TrainingHash: saved.TrainingHash(s.Data, rows), Versions: map[string]string{"variscope": version, "go": runtime.Version()},
		Assessor: s.Assessor,
	}
	for _, row := range rows {
		r := s.Data.Rows[row]
		f.Labels.Counts[string(r.Label)]++
		f.Training = append(f.Training, saved.Example{ID: r.ID, Hash: r.Hash, Label: r.Label})
	}
	if s.Evaluation != nil {
		f.Results = []saved.Result{saved.NewResult(*s.Evaluation, len(rows))}
	}
	return f
}

// savedScores says how a saved assessor did when it was trained.
func (s *Subject) savedScores() string {
	return "A saved assessor has seen its models, so it cannot be tested on them again. When it was trained:" + "\n" + resultsText(*s.File)
}

// resultsText are the scores in a file, a line each.
func resultsText(f saved.File) string {
	if len(f.Results) == 0 {
		return "It was not evaluated."
	}
	return strings.Join(f.Tested(), "\n")
}

// about is what a file says of itself.
func about(f saved.File) string {
	return strings.Join([]string{
		fmt.Sprintf("%s, %s", f.Assessor.Settings.Algorithm.Title(f.Layout.OfBackground()), f.Created.Local().Format("2006-01-02 15:04")),
		fmt.Sprintf("trained on %s: %s", result.Counted(len(f.Training), "model"), f.Labels.Said()),
		fmt.Sprintf("labels: %s", f.Labels.Source),
		fmt.Sprintf("suite %s, %s", f.Suite.Name, Place{Family: f.Family}.familyName()),
		fmt.Sprintf("matrices: %s", strings.Join(f.Layout.Matrices(), ", ")),
		resultsText(f),
	}, "\n")
}

// Revive measures the models of the workspace for a saved assessor, where the options of the form
// measure them and with their labels beside them. It refuses another family than the assessor was trained on, and
// the other kind of matrices.
func Revive(ctx context.Context, ws *store.Workspace, f saved.File, asked assess.EvalOptions, cache *training.Cache, p engine.Progress) (Subject, error) {
	s := Subject{Name: f.Name, Assessor: f.Assessor, File: &f, Source: f.Labels.Source}
	labels := training.Labels{Round: asked.Labels, Column: asked.Column, Borderline: training.Borderline(asked.BorderlineOf(f.Layout))}
	if f.Layout.OfBackground() && asked.Selection == "" {
		return s, f.Fits("", feature.DefaultLayout()) // it says so
	}
	at, err := whereFor(ws, asked.Selection)
	if err != nil {
		return s, err
	}
	if err := f.Fits(at.Family, f.Layout); err != nil {
		return s, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return s, fmt.Errorf("assessor %s: %w", f.Name, err)
	}
	switch {
	case len(f.Assessor.Classes) == 3:
		labels.Borderline = training.Keep
	case labels.Borderline == training.Keep:
		labels.Borderline = training.Leave
	}
	plan := Plan{Labels: labels, Layout: f.Layout}
	if s.Gathering, err = Gather(ctx, ws, at, plan, images, cache, p); err != nil {
		return s, err
	}
	s.Data.Classes = slices.Clone(f.Assessor.Classes) // labels of fewer classes are among them
	return s, s.fits()
}

// fits tells whether the assessor can judge the measured models.
func (s Subject) fits() error {
	if len(s.Data.Rows) == 0 {
		return nil
	}
	_, err := s.Assessor.Judge(s.Data.Rows[0])
	return err
}

// usualName is the name that is offered for keeping a subject.
func (s Subject) usualName() string {
	if s.File != nil {
		return s.File.Name
	}
	names := map[assess.Algorithm]string{assess.Regression: "linear", assess.Baseline: "baseline"}
	name, ok := names[s.Assessor.Settings.Algorithm]
	if !ok {
		name = string(s.Assessor.Settings.Algorithm)
	}
	family, _, _ := strings.Cut(s.Place.Family, ":")
	return strings.TrimSpace(name + " " + family)
}
