package choose

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Data is what the page shows of one subject.
type Data struct {
	Subject page.Subject
	Offer   Choices
	// Record is the selection, whole; its Hash is "" where none is chosen. What follows belongs to
	// it.
	Record               store.SelectionRecord
	Targets, Backgrounds suite.Manifest
	Ask                  scenes.Ask
	Plan                 scenes.Plan
	// Lack says what cannot be told of the selection, "" where all is known; Known that its
	// ontology is.
	Lack  string
	Known bool
	// Plausibility is that of all scenes, nil without keywords.
	Plausibility *background.Plausibility
	Verdicts     Verdicts
	Models       []Runnable
}

// Choices is what selections can be made of.
type Choices struct {
	page.Choices
	Suites []suite.Manifest // heads
	Masks  map[string][]store.MaskSet
}

// Runnable is a model and whether it has signals in the scenes of the selection.
type Runnable struct {
	model.Model
	State store.State
}

// Ready tells whether the signals are there.
func (r Runnable) Ready() bool { return r.State == store.Ready }

// read reads everything about a subject.
func read(ctx context.Context, ws *store.Workspace, s page.Subject) (Data, error) {
	d := Data{Subject: s}
	var err error
	if d.Offer, err = readChoices(ws); err != nil || s.Selection == "" {
		return d, err
	}
	d.Record, err = ws.Selection(s.Selection)
	if errors.Is(err, store.ErrNotFound) {
		return d, nil // it was removed meanwhile
	}
	if err != nil {
		return d, err
	}
	if err := d.readSuites(ws); err != nil {
		return d, err
	}
	d.Ask, d.Plan, err = scenes.Recall(ctx, ws, d.Record)
	d.Known = err == nil
	switch {
	case ctx.Err() != nil:
		return d, ctx.Err()
	case err != nil:
		d.Lack = present.Sentence(err)
	}
	if len(d.Plan.Targets) > 0 {
		all := d.Plan.Plausibility()
		d.Plausibility = &all
	}
	return d, nil
}

// readSuites reads the suites of the selection, the verdicts on it and what models did.
func (d *Data) readSuites(ws *store.Workspace) (err error) {
	if d.Targets, err = ws.Suite(d.Record.Targets); err != nil {
		return err
	}
	if d.Backgrounds, err = ws.Suite(d.Record.Backgrounds); err != nil {
		return err
	}
	if d.Verdicts, err = recall(ws, d.Record.Hash); err != nil {
		return err
	}
	d.Models, err = runnable(ws, d.Record)
	return err
}

// readChoices reads what selections can be made of.
func readChoices(ws *store.Workspace) (o Choices, err error) {
	if o.Suites, err = ws.Suites(); err != nil {
		return o, err
	}
	o.Masks = map[string][]store.MaskSet{}
	for _, s := range o.Suites {
		sets, err := ws.MaskSets(s.Hash)
		if err != nil {
			return o, err
		}
		if len(sets) > 0 {
			o.Masks[s.Hash] = sets
		}
	}
	o.Choices, err = page.ReadChoices(ws)
	return o, err
}

// runnable are all models with their state in the scenes of a selection.
func runnable(ws *store.Workspace, r store.SelectionRecord) ([]Runnable, error) {
	family, err := r.Family()
	if err != nil {
		return nil, err
	}
	models, err := ws.Models()
	if err != nil {
		return nil, err
	}
	list := make([]Runnable, len(models))
	for k, m := range models {
		state, err := ws.State(m, r.Targets, family)
		if err != nil {
			return nil, err
		}
		list[k] = Runnable{m, state}
	}
	return list, nil
}

// Ran counts the models that have run in the scenes.
func (d *Data) Ran() (ran int) {
	for _, m := range d.Models {
		if m.Ready() {
			ran++
		}
	}
	return ran
}

// Runs says how many models have run in the scenes and how many have not.
func (d *Data) Runs() string {
	ran := d.Ran()
	switch {
	case len(d.Models) == 0:
		return "no models yet"
	case ran == len(d.Models):
		return fmt.Sprintf("all %s have run", result.Counted(ran, "model"))
	}
	return fmt.Sprintf("%s of %s have run", result.Whole(ran), result.Counted(len(d.Models), "model"))
}
