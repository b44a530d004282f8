// Package assessors is the screen that trains assessors, compares them, looks inside them and asks
// them for verdicts. Draft, Learn and the views are plain values that know nothing of Fyne; Screen
// draws them.
package assessors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
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
	Labels     training.Labels
	Layout     feature.Layout
	Scenes     string // hash of the selection, "" for variance matrices
	Algorithms []assess.Algorithm
	Scheme     assess.Scheme
	Tune       bool
	settings   assess.Settings
}

// Settings are those of an algorithm.
func (p Plan) Settings(a assess.Algorithm) assess.Settings {
	s := p.settings
	s.Algorithm = a
	return s
}

// Plan checks what was typed. Errors say what to write instead.
func (d Draft) Plan() (Plan, error) {
	p := Plan{Algorithms: d.Algorithms, Tune: d.Tune, Layout: feature.DefaultLayout(), Scenes: d.Scenes}
	if d.Round == "" && d.Column == "" {
		return p, errors.New("choose where the labels come from: a round, or a column of the training records")
	}
	if len(d.Algorithms) == 0 {
		return p, errors.New("choose at least one assessor to train")
	}
	p.Labels = training.Labels{Round: d.Round, Column: d.Column, Borderline: d.Borderline}
	if err := d.readHoldout(&p.Labels); err != nil {
		return p, err
	}
	p.Scheme.Kind = d.Scheme
	if d.Scheme == assess.LeaveGroupOut {
		if d.Group == "" {
			return p, errors.New("choose the column whose groups are left out one after the other")
		}
		p.Labels.Group = d.Group
	}
	if err := d.readLayout(&p.Layout); err != nil {
		return p, err
	}
	err := d.readNumbers(&p)
	return p, err
}

func (d Draft) readHoldout(into *training.Labels) error {
	text := strings.TrimSpace(d.Holdout)
	if text == "" || d.Scheme != assess.PaperScheme {
		return nil
	}
	column, value, ok := strings.Cut(text, "=")
	into.HoldoutColumn, into.HoldoutValue = strings.TrimSpace(column), strings.TrimSpace(value)
	if !ok || into.HoldoutColumn == "" || into.HoldoutValue == "" {
		return fmt.Errorf("%q names no hold-out models; write a column of the training records and its value, as in fold=holdout", text)
	}
	return nil
}

func (d Draft) readLayout(into *feature.Layout) error {
	if d.OfScenes() {
		return d.readScenes(into)
	}
	into.Modalities = nil
	for part := range strings.FieldsFuncSeq(d.Matrices, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) }) {
		m, err := signal.ParseModality(part)
		if err != nil {
			return err
		}
		if name := m.String(); !slices.Contains(into.Modalities, name) {
			into.Modalities = append(into.Modalities, name)
		}
	}
	if len(into.Modalities) == 0 {
		return errors.New("name at least one matrix, as in max@CONF")
	}
	if d.Profile != "" {
		into.Profile = d.Profile
	}
	valid, err := into.Validate()
	*into = valid
	return err
}

// readNumbers reads the numbers of scheme and settings.
func (d Draft) readNumbers(p *Plan) error {
	s := assess.Settings{Boosting: d.Boosting, ZScores: d.ZScores, Score: d.Score}
	for _, number := range []struct {
		name, text string
		into       *int
		least      int
	}{
		{"folds", d.Folds, &p.Scheme.Folds, 2},
		{"repetitions", d.Repetitions, &p.Scheme.Repetitions, 1},
		{"largest depth", d.MaxDepth, &s.MaxDepth, 1},
		{"models in a leaf", d.MinLeaf, &s.MinLeaf, 1},
		{"trees", d.Trees, &s.Trees, 1},
		{"features per split", d.Columns, &s.Columns, 1},
		{"boosting rounds", d.Rounds, &s.Rounds, 1},
	} {
		n, err := wholeNumber(number.name, number.text, number.least)
		if err != nil {
			return err
		}
		*number.into = n
	}
	if text := strings.TrimSpace(d.LearningRate); text != "" {
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil || !(rate > 0) || math.IsInf(rate, 0) {
			return fmt.Errorf("learning rate: %q is no number above 0", text)
		}
		s.LearningRate = rate
	}
	seed, err := strconv.ParseUint(strings.TrimSpace(d.Seed), 10, 64)
	if err != nil {
		return fmt.Errorf("seed: %q is not a whole number from 0 up", d.Seed)
	}
	s.Seed, p.Scheme.Seed = seed, seed
	p.settings = s
	return nil
}

// mostOf is the largest number that a field takes: a slip of the keyboard shall not train for days.
const mostOf = 100_000

// wholeNumber reads a number from least up; nothing is 0, the default.
func wholeNumber(name, text string, least int) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > mostOf {
		return 0, fmt.Errorf("%s: %q is not a whole number from %d to %d", name, text, least, mostOf)
	}
	return n, nil
}
