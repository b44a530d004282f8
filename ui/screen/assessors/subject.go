package assessors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

// Subject is the assessor that is looked at, with the models that it is asked about: one of a
// training, or a saved one.
type Subject struct {
	Gathering
	Name       string
	Assessor   *assess.Assessor
	Evaluation *assess.Evaluation // nil for a saved one
	File       *saved.File        // of a saved one
	Asked      assess.DataOptions // that a saved one was asked with
	Source     string             // where the labels come from, as files say it
	Borderline string
}

// subject is the assessor of an entry.
func (l Training) subject(at int) Subject {
	e := l.Entries[at]
	return Subject{
		Gathering: l.Gathering, Name: e.Title(), Assessor: e.Assessor, Evaluation: &l.Entries[at].Evaluation,
		Source: l.Source, Borderline: string(l.Plan.Labels.Borderline),
	}
}

// learned are the models that the assessor learned from, by row: it judges them with knowledge of
// their labels.
func (s Subject) learned() []bool {
	rows := make([]bool, len(s.Data.Rows))
	for k, r := range s.Data.Rows {
		if rows[k] = r.Label != ""; s.File != nil {
			rows[k] = s.File.Learned(r.Hash)
		}
	}
	return rows
}

// from is what the assessor learned from; a saved one may have learned from other models, too.
func (s Subject) from() assess.Training {
	if s.File != nil {
		return s.File.From(s.Data)
	}
	rows, labelled := s.learned(), s.Data.Labelled()
	return assess.Training{
		Models: len(labelled), Learned: func(row int) bool { return rows[row] }, Seen: assess.SeenOf(s.Data, labelled),
	}
}

// votes are the verdicts on models that the assessor had not seen, nil for a saved one.
func (s Subject) votes() []label.Value {
	if s.Evaluation == nil {
		return nil
	}
	return s.Evaluation.Votes(s.Data)
}

// title says which assessor is looked at and what it was trained on.
func (s *Subject) title() string {
	if f := s.File; f != nil {
		return fmt.Sprintf("%s%s, saved %s: %s, trained on %s of %s, %s", s.remark(), f.Name,
			f.Created.Local().Format(time.DateOnly),
			s.Assessor.Settings.Algorithm.Title(f.Layout.OfBackground()), result.Counted(len(f.Training), "model"),
			f.Suite.Name, Place{Family: f.Family}.familyName())
	}
	return fmt.Sprintf("%s%s, trained on %s", s.remark(), s.Name, result.Counted(len(s.Data.Labelled()), "model"))
}

// saved is the subject as a file under a name.
func (s Subject) saved(name string, now time.Time, version string) saved.File {
	if s.File != nil {
		f := *s.File
		f.Name = name
		return f
	}
	f := saved.New(name, now, version, saved.Source{
		Suite:  saved.Suite{Name: s.Place.Suite.Name, Hash: s.Place.Suite.Hash, Images: s.Place.Suite.Images},
		Family: s.Place.Family, Images: s.Images.String(),
		Labels: saved.Labels{Source: s.Source, Borderline: s.Borderline},
	}, s.Data)
	f.Assessor = s.Assessor
	if s.Evaluation != nil {
		f.Results = []saved.Result{saved.NewResult(*s.Evaluation, len(f.Training))}
	}
	return f
}

// savedScores says how a saved assessor did when it was trained.
func (s *Subject) savedScores() string {
	return "A saved assessor has seen its models, so it cannot be tested on them again. When it was trained:\n" +
		resultsText(*s.File)
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
		f.Assessor.Settings.Algorithm.Title(f.Layout.OfBackground()) + ", " +
			f.Created.Local().Format("2006-01-02 15:04"),
		fmt.Sprintf("trained on %s: %s", result.Counted(len(f.Training), "model"), f.Labels.Said()),
		fmt.Sprintf("labels: %s", f.Labels.Source),
		fmt.Sprintf("suite %s, %s", f.Suite.Name, Place{Family: f.Family}.familyName()),
		fmt.Sprintf("matrices: %s", strings.Join(f.Layout.Matrices(), ", ")), resultsText(f),
	}, "\n")
}

// usualName is the name that is offered for keeping a subject.
func (s Subject) usualName() string {
	if s.File != nil {
		return s.File.Name
	}
	family, _, _ := strings.Cut(s.Place.Family, ":")
	return strings.TrimSpace(string(s.Assessor.Settings.Algorithm) + " " + family)
}

// Revive measures the models of the workspace for a saved assessor, where the options of the form
// measure them and with their labels beside them. It refuses another family than the
// assessor was trained on, and the other kind of matrices.
func Revive(ctx context.Context, ws *store.Workspace, f saved.File, asked assess.EvalOptions, cache *training.Cache,
	p engine.Progress,
) (Subject, error) {
	s := Subject{Name: f.Name, Assessor: f.Assessor, File: &f, Source: f.Labels.Source}
	labels := training.Labels{
		Round: asked.Labels, Column: asked.Column, Borderline: training.Borderline(asked.BorderlineOf(f.Layout)),
	}
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
	if s.Asked = asked.DataOptions; !at.Scened() {
		s.Asked.Suite, s.Asked.Family = at.Suite.Name, at.Family
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
	s.ByRule = byRule(ws, f.Labels.Round)
	s.Data.Classes = slices.Clone(f.Assessor.Classes) // labels of fewer classes are among them
	if len(s.Data.Rows) > 0 {                         // can it judge them?
		_, err = s.Assessor.Judge(s.Data.Rows[0])
	}
	return s, err
}
