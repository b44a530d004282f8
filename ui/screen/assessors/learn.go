package assessors

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/suite"
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

// Gathering is what assessors of one training share: the models with their features and labels.
type Gathering struct {
	Place    Place
	Images   variance.Images
	Data     assess.Data
	Measured []training.Measured // by row of Data
	Left     []training.LeftOut
}

// Entry is one assessor of a training: how it did under the scheme, and itself, trained on all
// labelled models.
type Entry struct {
	assess.Compared
	Assessor *assess.Assessor
}

// Lesson is what came out of a training.
type Lesson struct {
	Gathering
	Plan    Plan
	Source  string // where the labels come from, as files say it
	Entries []Entry
}

// whereFor reads where models are measured for a selection (hash), or for "" now; the error says
// what to choose first.
func whereFor(ws *store.Workspace, selection string) (Place, error) {
	if selection != "" {
		return placeOf(ws, selection)
	}
	now, err := ws.Current()
	if err != nil {
		return Place{}, err
	}
	if now.Suite == "" || now.Family == "" {
		return Place{}, errors.New("choose a test suite and a family of transformations in the toolbar first")
	}
	manifest, err := ws.Suite(now.Suite)
	return Place{Suite: manifest, Family: now.Family}, err
}

// Gather measures and labels the models of the workspace at a place.
func Gather(ctx context.Context, ws *store.Workspace, at Place, plan Plan, images variance.Images, cache *training.Cache, p engine.Progress) (Gathering, error) {
	c := Gathering{Place: at, Images: images}
	ask := at.ask(plan.Layout)
	ask.Images = images
	measured, left, err := training.Measure(ctx, ws, ask, cache, p)
	if err != nil {
		return c, err
	}
	if len(measured) == 0 {
		return c, nothingMeasured(left)
	}
	data, more, err := training.Label(ws, measured, plan.Layout, plan.Labels)
	if err != nil {
		return c, err
	}
	c.Data, c.Measured, c.Left = data, measured, append(left, more...)
	return c, nil
}

// ask asks for the features of all models at a place.
func (p Place) ask(layout feature.Layout) training.Ask {
	return training.Ask{Suite: p.Suite.Hash, Family: p.Family, Selection: p.Selection.Hash, Layout: layout}
}

// nothingMeasured says why no model can take part.
func nothingMeasured(left []training.LeftOut) error {
	if len(left) == 0 {
		return errors.New("there are no models yet; import some first")
	}
	return fmt.Errorf("no model can take part; %s: %s", left[0].ID, left[0].Reason)
}

// Learn trains and evaluates every assessor of the plan. One that cannot be trained has its
// problem; when none can, that is the error.
func Learn(ctx context.Context, ws *store.Workspace, at Place, plan Plan, cache *training.Cache, p engine.Progress) (Lesson, error) {
	lesson := Lesson{Plan: plan, Source: sourceText(ws, plan.Labels)}
	var err error
	if lesson.Gathering, err = Gather(ctx, ws, at, plan, variance.AllImages(), cache, p); err != nil {
		return lesson, err
	}
	trained := 0
	for _, settings := range plan.AllSettings(lesson.Data.Layout) {
		entry := study(ctx, lesson.Data, plan, settings, p)
		if err := ctx.Err(); err != nil {
			return lesson, err
		}
		lesson.Entries = append(lesson.Entries, entry)
		if entry.Problem == nil {
			trained++
		}
	}
	if trained == 0 && len(lesson.Entries) > 0 {
		return lesson, lesson.Entries[0].Problem
	}
	return lesson, nil
}

func study(ctx context.Context, data assess.Data, plan Plan, settings assess.Settings, p engine.Progress) Entry {
	entry := Entry{Compared: assess.Compared{Settings: settings, Data: &data}}
	entry.Evaluation, entry.Problem = assess.Evaluate(ctx, data, entry.Settings, plan.Scheme, plan.Tune, p)
	if entry.Problem != nil {
		return entry
	}
	entry.Assessor, entry.Problem = assess.Train(ctx, data, data.Labelled(), entry.Settings)
	return entry
}

// sourceText names the labels' source in the words of assessor files.
func sourceText(ws *store.Workspace, from training.Labels) string {
	if from.Column != "" {
		return "column " + from.Column
	}
	if r, err := ws.Round(from.Round); err == nil {
		return "round " + r.Name
	}
	return "round " + from.Round
}
