package assessors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

// Place is where models are measured: what the toolbar shows, or the targets and scenes of a
// selection.
type Place struct {
	Suite     suite.Manifest
	Family    string // canonical text
	Selection store.SelectionRecord
}

// Scened tells whether models are measured in the scenes of a selection.
func (p Place) Scened() bool { return p.Selection.Hash != "" }

// whereFor reads where models are measured: on the targets of a selection (hash), in its scenes, or
// for "" what the toolbar shows. The error says what to choose first.
func whereFor(ws *store.Workspace, selection string) (p Place, err error) {
	if selection == "" {
		now, err := ws.Current()
		if err == nil && (now.Suite == "" || now.Family == "") {
			err = errors.New("choose a test suite and a family of transformations in the toolbar first")
		}
		if err != nil {
			return p, err
		}
		p.Family = now.Family
		p.Suite, err = ws.Suite(now.Suite)
		return p, err
	}
	if p.Selection, err = ws.Selection(selection); err != nil {
		return p,
			fmt.Errorf("the selection of testing scenes is not in this workspace any more; choose another one: %w", err)
	}
	if p.Family, err = p.Selection.Family(); err != nil {
		return p, err
	}
	p.Suite, err = ws.Suite(p.Selection.Targets)
	return p, err
}

// familyName is the family as people read it.
func (p Place) familyName() string {
	if p.Scened() {
		return fmt.Sprintf("scenes of %s", p.Selection.Name)
	}
	if family, err := transform.ParseAny(p.Family); err == nil {
		return family.Short()
	}
	return p.Family
}

// Gathering is what assessors of one training share: the models with their features and labels.
type Gathering struct {
	Place  Place
	Images variance.Images
	ByRule bool // the assessor learns from labels that nobody has given (label.Round.ByRule)
	training.Gathered
}

// Training is what came out of a training.
type Training struct {
	Gathering
	Plan     Plan
	Source   string            // where the labels come from, as files say it
	Entries  []assess.Compared // by algorithm
	Pairs    []assess.PairOf
	Ceilings []assess.Ceiling
}

// Gather measures and labels the models of the workspace at a place.
func Gather(ctx context.Context, ws *store.Workspace, at Place, plan Plan, images variance.Images,
	cache *training.Cache,
	p engine.Progress,
) (Gathering, error) {
	c := Gathering{Place: at, Images: images, ByRule: byRule(ws, plan.Labels.Round)}
	ask := at.ask(plan.Layout)
	ask.Images = images
	var err error
	c.Gathered, err = training.Gather(ctx, ws, ask, plan.Labels, cache, p)
	return c, err
}

// byRule tells whether a rule has made the labels of a round (id); not of one that is not there.
func byRule(ws *store.Workspace, round string) bool {
	r, err := ws.Round(round)
	return err == nil && r.ByRule
}

// remark is what is said of an assessor's labels, before all else since what follows may be cut.
func (g Gathering) remark() string {
	if g.ByRule {
		return label.ByRuleNote + "; "
	}
	return ""
}

// ask asks for the features of all models at a place.
func (p Place) ask(layout feature.Layout) training.Ask {
	return training.Ask{Suite: p.Suite.Hash, Family: p.Family, Selection: p.Selection.Hash, Layout: layout}
}

// Learn trains and evaluates every assessor of the plan. One that cannot be trained has its
// problem; when none can, that is the error.
func Learn(
	ctx context.Context, ws *store.Workspace, at Place, plan Plan, cache *training.Cache, p engine.Progress,
) (Training, error) {
	out := Training{Plan: plan, Source: sourceText(ws, plan.Labels)}
	var err error
	if out.Gathering, err = Gather(ctx, ws, at, plan, variance.AllImages(), cache, p); err != nil {
		return out, err
	}
	trained, data := 0, out.Data
	for _, settings := range plan.AllSettings(data.Layout) {
		c := assess.Compared{Settings: settings, Data: &data}
		if c.Evaluation, c.Problem = assess.Evaluate(ctx, data, settings, plan.Scheme, plan.Tune, p); c.Problem == nil {
			c.Assessor, c.Problem = assess.Train(ctx, data, data.Labelled(), settings)
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if out.Entries = append(out.Entries, c); c.Problem == nil {
			trained++
		}
	}
	if trained == 0 && len(out.Entries) > 0 {
		return out, out.Entries[0].Problem
	}
	out.Pairs, out.Ceilings = assess.PairsOf(out.Entries), assess.CeilingsOf(out.Entries)
	return out, nil
}

// sourceText names the labels' source in the words of assessor files.
func sourceText(ws *store.Workspace, from training.Labels) string {
	if from.Column != "" {
		return "column " + from.Column
	}
	if r, err := ws.Round(from.Round); err == nil {
		return r.Source()
	}
	return "round " + from.Round
}

// Note says how the numbers of the table came about.
func (l Training) Note() string {
	text, note := "", ""
	for _, c := range l.Entries {
		if e := c.Evaluation; c.Problem == nil {
			text, note = e.Scheme.Kind.Title()+", "+result.Counted(e.Scheme.Repetitions, "repetition"), e.Note
			if e.Tuned {
				text += ", tuned by nested cross-validation"
			}
			break
		}
	}
	text += ". ± is the largest deviation of a repetition, SD the standard deviation, " +
		"kappa that of the same verdicts with the labels, mean of the repetitions."
	if note != "" {
		text += " Note: " + note + "."
	}
	const few = 50 // a model more or less is then 2 points or more
	if n := len(l.Data.Labelled()); n > 0 && n < few {
		text += fmt.Sprintf(" Few models: a single verdict counts %s.", result.Percent(1/float64(n)))
	}
	of := map[string][]string{} // titles by what is said of them
	for _, c := range l.Entries {
		if said := c.Evaluation.Chance().OfVerdicts(); c.Problem == nil && said != "" {
			of[said] = append(of[said], c.Title())
		}
	}
	for _, said := range slices.Sorted(maps.Keys(of)) {
		text += fmt.Sprintf(" %s: %s.", strings.Join(of[said], ", "), said)
	}
	return text
}

// Heading says what the training rests on.
func (l Training) Heading() string {
	held := 0
	for _, i := range l.Data.Labelled() {
		if l.Data.Rows[i].Holdout {
			held++
		}
	}
	text := fmt.Sprintf("%s of %s labelled (%s)", result.Whole(len(l.Data.Labelled())),
		result.Counted(len(l.Data.Rows), "model"), saved.Labels{Counts: saved.CountLabels(l.Data)}.Said())
	if held > 0 {
		text += fmt.Sprintf(", %d held out", held)
	}
	return fmt.Sprintf("%s%s; %s, %s", l.remark(), text, l.Place.Suite.Name, l.Place.familyName())
}
