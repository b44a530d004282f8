package demo

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/training"
)

// The demo's rounds and assessor.
const (
	OpenRound       = "Example: rotation"
	LabelledRound   = "Example labels, made by a rule"
	ExampleAssessor = "example forest"
)

// The rule of the example labels. Rater k reads the feature mean of the matrix max@CONF with an
// error whose logarithm has the standard deviation readingError, calls a model variant whose
// reading is above thresholds[k], and is unsure within unsureWithin of it, as a share.
const (
	ruleMatrix   = "max@CONF"
	readingError = 0.12
	unsureWithin = 0.08
	ruleSeed     = 1
)

var thresholds = []float64{0.094, 0.100, 0.108}

// leastModels are what an example of agreement takes.
const leastModels = 8

// exampleGuideline says first of all that nobody has given these labels.
var exampleGuideline = fmt.Sprintf(`**Example labels, made by a rule.** No person has looked at these
models: do not cite these labels, or what is learnt from them, as people's judgement.

The rule: raters 1, 2 and 3 read the feature "mean" of the matrix %s, each with a
random error of about %s (seed %d), and call a model variant where they read more
than %v, %v and %v. Within %s of that they are unsure.

What people would be told:

`, ruleMatrix, result.Share.Say(readingError, 0), ruleSeed, thresholds[0], thresholds[1], thresholds[2],
	result.Share.Say(unsureWithin, 0)) + assets.VarianceGuideline

// settingExample is the workspace setting that says that the example was made, so that one that was
// deleted does not come back.
const settingExample = "demo.example"

// ruled is the label that the rule gives for a rater, who is the same whatever else is labelled.
func ruled(mean float64, rater int, hash string) (value label.Value, sure bool) {
	stream := fnv.New64a()
	fmt.Fprintf(stream, "%s %d", hash, rater)
	draw := rand.New(rand.NewPCG(ruleSeed, stream.Sum64()))
	reading := mean * math.Exp(readingError*draw.NormFloat64()) / thresholds[rater]
	value = label.Invariant
	if reading > 1 {
		value = label.Variant
	}
	return value, math.Abs(reading-1) > unsureWithin
}

// Rounds makes the demo's rounds where the workspace has none and models have run: one to label,
// and a closed one with example labels, with the assessor that learns from these. What a kill has
// left half done is completed.
func (d Demo) Rounds(ctx context.Context, p engine.Progress) error {
	rounds, err := d.Workspace.Rounds()
	if err != nil {
		return err
	}
	of, manifest, err := d.usualRound()
	if err != nil || len(of.Models) == 0 {
		return err
	}
	if len(rounds) == 0 {
		first, err := d.Workspace.CreateRound(ctx, of)
		if err != nil {
			return err
		}
		rounds = append(rounds, first)
	}
	var made bool
	if _, err := d.Workspace.Setting(settingExample, &made); err != nil || made {
		return err
	}
	raters := []string{"rater 1", "rater 2", "rater 3"}
	example := slices.IndexFunc(rounds, func(r label.Round) bool {
		return r.ByRule && r.Name == LabelledRound && slices.Equal(r.Annotators, raters)
	})
	if example < 0 && (len(rounds) > 1 || rounds[0].Name != OpenRound || len(of.Models) < leastModels) {
		return nil // it is somebody's own work by now, or too few for an example
	}
	if example < 0 {
		of.Name, of.Guideline, of.ByRule = LabelledRound, exampleGuideline, true
		of.Annotators = raters
		made, err := d.Workspace.CreateRound(ctx, of)
		if err != nil {
			return err
		}
		rounds, example = append(rounds, made), len(rounds)
	}
	if len(rounds[example].Closings) == 0 && !rounds[example].Closed {
		if err := d.giveLabels(rounds[example]); err != nil {
			return err
		}
		if err := d.learn(ctx, rounds[example], manifest, p); err != nil {
			return err
		}
		if err := d.Workspace.CloseRound(rounds[example].ID, true); err != nil {
			return err
		}
	}
	return d.Workspace.SetSetting(settingExample, true)
}

// usualRound is the demo's round over all models that have run under its first family.
func (d Demo) usualRound() (label.Round, suite.Manifest, error) {
	manifest, err := d.Workspace.FindSuite(Suite)
	if err != nil {
		return label.Round{}, manifest, err
	}
	family, err := firstFamily()
	if err != nil {
		return label.Round{}, manifest, err
	}
	models, _, err := parted(d.Workspace, manifest.Hash, family)
	return label.Round{
		Name: OpenRound, Kind: label.VarianceRound, Suite: manifest.Hash, Family: family,
		Modalities: signal.DefaultNames(), Filter: "all", Classes: 2, Guideline: assets.VarianceGuideline, Blind: true,
		OrderSeed: 1, Models: models, Annotators: []string{"annotator 1", "annotator 2", "annotator 3"},
	}, manifest, err
}

// giveLabels appends the labels of the rule that a round does not have yet.
func (d Demo) giveLabels(r label.Round) error {
	events, err := d.Workspace.Events(r.ID)
	if err != nil {
		return err
	}
	for _, hash := range r.Models {
		m, err := d.Workspace.Model(hash)
		if err != nil {
			return err
		}
		mean, err := d.ruleMean(m, r)
		if err != nil {
			return err
		}
		for rater, name := range r.Annotators {
			if slices.ContainsFunc(events, func(ev label.Event) bool {
				return ev.Model == hash && ev.Annotator == name
			}) {
				continue
			}
			value, sure := ruled(mean, rater, hash)
			_, err := d.Workspace.Append(label.Event{
				Round: r.ID, Model: hash, Annotator: name, Kind: label.Label, Value: value, Sure: sure,
				Note: label.ByRuleNote, Started: time.Now(), Guideline: r.GuidelineHash(),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ruleMean is what the raters of the rule read of a model.
func (d Demo) ruleMean(m model.Model, r label.Round) (float64, error) {
	s, _, err := d.Workspace.Summary(m, r.Suite, r.Family)
	if err != nil {
		return 0, err
	}
	measured, err := feature.Measure(s.Matrices[ruleMatrix], nil, feature.Options{})
	if err != nil {
		return 0, fmt.Errorf("model %s: matrix %s: %w", m.ID, ruleMatrix, err)
	}
	return measured.Values[feature.Mean], nil
}

// learn trains the example's assessor, which is evaluated as the paper's are, and keeps it. Where
// the labels are of one class there is nothing to learn.
func (d Demo) learn(ctx context.Context, r label.Round, on suite.Manifest, p engine.Progress) error {
	layout := feature.DefaultLayout()
	g, err := training.Gather(ctx, d.Workspace, training.Ask{
		Suite: r.Suite, Family: r.Family, Layout: layout, Images: variance.AllImages(),
	}, training.Labels{
		Round: r.ID, Researcher: true, HoldoutColumn: "fold", HoldoutValue: "holdout",
	}, nil, p)
	if err != nil {
		return err
	}
	if len(saved.CountLabels(g.Data)) < 2 {
		return nil
	}
	settings := assess.Usual(assess.RandomForest, layout, ruleSeed)
	file := saved.New(ExampleAssessor, time.Now(), d.Version, saved.Source{
		Suite:  saved.Suite{Name: on.Name, Hash: on.Hash, Images: on.Images},
		Family: r.Family, Images: variance.AllImages().String(), Layout: layout,
		Labels: saved.Labels{Source: r.Source(), Round: r.ID, Borderline: string(training.Leave)},
	}, g.Data)
	if file.Assessor, err = assess.Train(ctx, g.Data, g.Data.Labelled(), settings); err != nil {
		return err
	}
	evaluated, err := assess.Evaluate(ctx, g.Data, settings, assess.UsualScheme(layout, ruleSeed), false, p)
	if err != nil {
		return err
	}
	file.Results = append(file.Results, saved.NewResult(evaluated, len(file.Training)))
	data, err := file.Encode()
	if err != nil {
		return err
	}
	return d.Workspace.SaveAssessor(ExampleAssessor, data)
}
