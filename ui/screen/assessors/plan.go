// Package assessors is the screen that trains assessors, compares them, looks inside them and asks
// them for verdicts. Draft, Learn and the views are plain values that know nothing of Fyne; Screen
// draws them.
package assessors

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Draft is a training as it was typed; Plan makes one of it. It is remembered by the workspace.
// Empty numbers are the defaults of scikit-learn 1.2.
type Draft struct {
	Round, Column string // where the labels come from: one of the two
	Scenes        string // hash of the selection whose interpolated matrices are measured, "" for variance matrices
	Borderline    training.Borderline
	Holdout       string // column=value
	Group         string // column of leave-one-group-out
	Matrices      string // separated by commas or blanks
	Algorithms    []assess.Algorithm
	Scheme        assess.SchemeKind
	Folds         string
	Repetitions   string
	Seed          string
	Tune          bool

	MaxDepth, MinLeaf    string
	Trees, Columns       string
	Boosting             tree.Boosting
	Rounds, LearningRate string
	ZScores              bool
	Score                assess.Score
	Profile              feature.Profile

	// Of interpolated matrices.
	Measures     []string // "max@CONF"
	Interpolants []string // "I1"
	Measurements feature.Set
}

// newDraft is what the form begins with: everything as in the paper.
func newDraft() Draft {
	scenes := feature.DefaultBackgroundLayout()
	return Draft{
		Measures: scenes.Modalities, Interpolants: scenes.Background.Interpolants, Measurements: scenes.Background.Set,
		Borderline: training.Leave, Matrices: strings.Join(evidence.DefaultModalities(), ", "), Algorithms: assess.Algorithms(),
		Scheme: assess.PaperScheme, Folds: "3", Repetitions: "10", Seed: "1", Boosting: tree.SAMMER, Profile: feature.Paper,
	}
}

// Plan is a training that can be carried out.
type Plan struct {
	assess.EvalOptions
	Labels training.Labels
	Layout feature.Layout
	Scheme assess.Scheme
}

// Plan checks what was typed. Errors say what to write instead.
func (d Draft) Plan() (Plan, error) {
	o, err := d.Options()
	p := Plan{EvalOptions: o, Scheme: o.Parting(o.Seed)}
	if err != nil {
		return p, err
	}
	p.Labels = training.Labels{Round: o.Labels, Column: o.Column, Borderline: d.Borderline, Group: o.Group}
	p.Labels.HoldoutColumn, p.Labels.HoldoutValue, _ = o.HeldOut() // Options has checked them
	p.Layout, err = o.FeatureOptions.Layout(d.OfScenes())
	return p, err
}

// Options are those with which the command assess eval compares the same assessors. The round is
// named by its id, the selection by its hash.
func (d Draft) Options() (assess.EvalOptions, error) {
	var o assess.EvalOptions
	option.SetDefaults(&o)
	if d.Round == "" && d.Column == "" {
		return o, errors.New("choose where the labels come from: a round, or a column of the training records")
	}
	if len(d.Algorithms) == 0 {
		return o, errors.New("choose at least one assessor to train")
	}
	if d.Scheme == assess.LeaveGroupOut && d.Group == "" {
		return o, errors.New("choose the column whose groups are left out one after the other")
	}
	o.Labels, o.Column, o.Selection, o.Borderline = d.Round, d.Column, d.Scenes, string(d.Borderline)
	if len(d.Algorithms) < len(assess.Algorithms()) {
		o.Algorithm = d.Algorithms
	}
	o.Scheme, o.Tune, o.Boosting, o.ZScores, o.Score = d.Scheme, d.Tune, d.Boosting, d.ZScores, d.Score
	texts := map[string]string{
		"seed": d.Seed, "max-depth": d.MaxDepth, "min-leaf": d.MinLeaf, "trees": d.Trees, "tree-columns": d.Columns,
		"rounds": d.Rounds, "learning-rate": d.LearningRate,
	}
	switch d.Scheme {
	case assess.PaperScheme:
		texts["holdout"], texts["repetitions"] = d.Holdout, d.Repetitions
	case assess.KFold:
		texts["folds"], texts["repetitions"] = d.Folds, d.Repetitions
	case assess.LeaveGroupOut:
		o.Group = d.Group
	}
	for _, f := range option.Fields(&o) {
		text, typed := texts[f.Name]
		if text = strings.TrimSpace(text); !typed || text == "" && f.Name != "seed" {
			continue // nothing is the default
		}
		if err := f.Set(text); err != nil {
			return o, errors.New(option.Said(err))
		}
	}
	if err := d.chooseMatrices(&o.FeatureOptions); err != nil {
		return o, err
	}
	if err := option.Check(&o); err != nil {
		return o, errors.New(option.Said(err))
	}
	return o, nil
}

// chooseMatrices notes the matrices and, for those of scenes, what is measured of them.
func (d Draft) chooseMatrices(o *assess.FeatureOptions) error {
	if d.OfScenes() {
		if len(d.Measures) == 0 {
			return errors.New("choose at least one measure whose matrices are measured")
		}
		if len(d.Interpolants) == 0 {
			return errors.New("choose at least one interpolant")
		}
		o.Modalities, o.Interpolant, o.Measurements = d.Measures, d.Interpolants, d.Measurements
		return nil
	}
	for part := range strings.FieldsFuncSeq(d.Matrices, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) }) {
		m, err := signal.ParseModality(part)
		if err != nil {
			return err
		}
		if name := m.String(); !slices.Contains(o.Modalities, name) {
			o.Modalities = append(o.Modalities, name)
		}
	}
	if len(o.Modalities) == 0 {
		return errors.New("name at least one matrix, as in max@CONF")
	}
	o.Profile = cmp.Or(d.Profile, o.Profile)
	return nil
}

// command is the line that compares the same assessors, of the models that are measured here; "" for
// a draft that asks for nothing that can be done.
func (d Draft) command(workspace string, here Place) string {
	o, err := d.Options()
	if err != nil {
		return ""
	}
	if !d.OfScenes() {
		o.Suite, o.Family = here.Suite.Name, here.Family
	}
	return option.Command([]string{"variscope", "assess", "eval", workspace}, &o)
}
