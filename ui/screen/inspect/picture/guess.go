package picture

import (
	"context"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Verdict says whether a prediction equals the label.
type Verdict int

// The verdicts; Open is that of an image without label or a set without predictions.
const (
	Open Verdict = iota
	Right
	Wrong
)

// Mark is the verdict's sign behind a prediction.
func (v Verdict) Mark() string { return []string{"", " ✓", " ✗"}[v] }

// Colour is the theme's colour of a prediction.
func (v Verdict) Colour() fyne.ThemeColorName {
	return []fyne.ThemeColorName{theme.ColorNameForeground, theme.ColorNameSuccess, theme.ColorNameError}[v]
}

// Guess is what a model says about an image under one transformation.
type Guess struct {
	Class      string // "" where predictions are not known
	Confidence float64
	Verdict    Verdict
}

// Text is "cat 98.2 % ✓".
func (g Guess) Text() string {
	if g.Class == "" {
		return "no prediction"
	}
	return g.Class + " " + result.Share.Say(g.Confidence, 0) + g.Verdict.Mark()
}

// Lines are what stands below a picture: what it is, the prediction and its confidence.
func (g Guess) Lines(what kit.CardText) []kit.CardText {
	lines := []kit.CardText{what, {}, {}}
	if g.Class != "" {
		lines[1] = kit.CardText{Text: g.Class + g.Verdict.Mark(), Colour: g.Verdict.Colour()}
		lines[2] = kit.CardText{Text: result.Share.Say(g.Confidence, 0)}
	}
	return lines
}

// Guesses answers what a model says about images. It is immutable and safe for many goroutines.
type Guesses struct {
	subject     pane.Subject
	predictions [][]int32
	names       []string // of the model's classes, as far as they have any
}

// NewGuesses reads the predictions of a subject, which may have none.
func NewGuesses(s pane.Subject) Guesses {
	g := Guesses{subject: s}
	if s.Set == nil {
		return g
	}
	g.predictions = s.Set.Predictions()
	g.names = classNames(s.Model, s.Suite.Classes, s.Mapping, s.Set.Classes)
	return g
}

// Signals are where what models said about images is read from; *store.Workspace is one.
type Signals interface {
	Suite(hash string) (suite.Manifest, error)
	SetSummary(key string) (store.Summary, bool, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
}

// Said reads what a model said about the images of a suite, in the signals with a key, and the
// lens that shows these images. It is slow (files).
func Said(ctx context.Context, from Signals, m model.Model, suiteHash, key string) (g Guesses, l Lens, err error) {
	manifest, err := from.Suite(suiteHash)
	if err != nil {
		return g, l, err
	}
	summary, _, err := from.SetSummary(key)
	if err != nil {
		return g, l, err
	}
	set, err := from.LoadSet(ctx, key, store.Want{Predictions: true, Confidence: true})
	if err != nil {
		return g, l, err
	}
	g = NewGuesses(pane.Subject{Model: m, Suite: manifest, Family: set.Spec.Family, Set: set, Mapping: summary.Classes})
	return g, Lens{Suite: suiteHash, Root: manifest.Root, Spec: set.Spec}, nil
}

// classNames names the model's classes: as the suite does where it knows them, else as the model
// does.
func classNames(m model.Model, suite []string, mapping []int, classes int) []string {
	names := make([]string, classes)
	if settings, err := m.Settings(); err == nil && len(settings.ClassNames) == classes {
		copy(names, settings.ClassNames)
	}
	for label, name := range suite {
		class := label
		if mapping != nil {
			class = -1
			if label < len(mapping) {
				class = mapping[label]
			}
		}
		if class >= 0 && class < classes {
			names[class] = name
		}
	}
	return names
}

// Of is what the model says about image k under transformation i.
func (g Guesses) Of(i, k int) Guess {
	if i < 0 || i >= len(g.predictions) || k >= len(g.predictions[i]) {
		return Guess{}
	}
	class := int(g.predictions[i][k])
	guess := Guess{Class: strconv.Itoa(class), Verdict: g.Verdict(i, k)}
	if class >= 0 && class < len(g.names) && g.names[class] != "" {
		guess.Class = g.names[class]
	}
	guess.Confidence = g.Confidence(i, k)
	return guess
}

// Confidence is that of the prediction, 0 where it is not known.
func (g Guesses) Confidence(i, k int) float64 {
	set := g.subject.Set
	if set == nil || i*set.Images+k >= len(set.Confidence) {
		return 0
	}
	return float64(set.Confidence[i*set.Images+k])
}

// Verdict tells whether the prediction for image k under transformation i is its label.
func (g Guesses) Verdict(i, k int) Verdict {
	if g.Label(k) < 0 || i >= len(g.predictions) {
		return Open
	}
	if want := g.Wanted(k); want >= 0 && int(g.predictions[i][k]) == want {
		return Right
	}
	return Wrong
}

// Wanted is the model's class for image k's label, -1 without label and for a class that the model
// does not have.
func (g Guesses) Wanted(k int) int {
	label, mapping := g.Label(k), g.subject.Mapping
	switch {
	case label < 0 || mapping == nil:
		return label
	case label < len(mapping):
		return mapping[label]
	}
	return -1
}

// Label is the class of image k in the suite's numbering, -1 without one.
func (g Guesses) Label(k int) int {
	if k < 0 || k >= len(g.subject.Suite.Labels) {
		return -1
	}
	return g.subject.Suite.Labels[k]
}

// Class is the name of image k's class, "" without label.
func (g Guesses) Class(k int) string {
	label := g.Label(k)
	switch {
	case label < 0:
		return ""
	case label < len(g.subject.Suite.Classes):
		return g.subject.Suite.Classes[label]
	}
	return strconv.Itoa(label)
}

// Changes tells whether the prediction for image k is not the same under all transformations
// first..last.
func (g Guesses) Changes(k, first, last int) bool {
	if len(g.predictions) == 0 {
		return false
	}
	return slices.ContainsFunc(g.predictions[first:last+1],
		func(row []int32) bool { return row[k] != g.predictions[first][k] })
}
