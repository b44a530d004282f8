package findings

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/training"
)

// Row is one model that ran in the scenes of the selection.
type Row struct {
	scenes.InScenes
	Distance []scenes.DistanceBin
	Label    label.Value // what its annotators decided, "" for nothing
	Basis    string      // why, or why not
}

// Data is what is known of the models in the scenes of one selection. It is immutable.
type Data struct {
	Models    int
	Selection store.SelectionRecord // without a hash: there is none
	Targets   suite.Manifest
	Rows      []Row
	Left      []training.LeftOut
	Round     label.Round // whose labels are shown; without an ID: there is none
	Secret    bool        // the round is blind and still open: its labels are not shown
	Classes   []label.Value
	Assess    assess.Data        // the rows with their labels, without features
	Choices   []background.Worth // all selections of the workspace, oldest first
	// Repeats are the selections of the same targets, for comparing runs.
	Repeats []store.SelectionRecord
}

// read reads what the models did in the scenes of a selection, "" for none. It is slow (files);
// what is known of the same signals is not read again.
func read(
	ctx context.Context, ws *store.Workspace, selection string, known []Row, p engine.Progress,
) (d Data, err error) {
	models, err := ws.Models()
	if err != nil {
		return d, err
	}
	d.Models = len(models)
	list, err := ws.Selections()
	if err != nil {
		return d, err
	}
	at := slices.IndexFunc(list, func(r store.SelectionRecord) bool { return r.Hash == selection })
	if at < 0 {
		return d, nil
	}
	if d.Selection, err = ws.Selection(selection); err != nil {
		return d, err
	}
	if d.Targets, err = ws.Suite(d.Selection.Targets); err != nil {
		return d, err
	}
	for _, r := range list {
		if r.Targets == d.Selection.Targets {
			d.Repeats = append(d.Repeats, r)
		}
	}
	if err := d.readModels(ctx, ws, models, known, p); err != nil {
		return d, err
	}
	if err := d.readLabels(ws); err != nil {
		return d, err
	}
	d.Choices, err = background.Worths(ctx, ws, list, models)
	return d, err
}

func (d *Data) readModels(
	ctx context.Context, ws *store.Workspace, models []model.Model, known []Row, p engine.Progress,
) error {
	family, err := d.Selection.Family()
	if err != nil {
		return err
	}
	before := map[string]Row{}
	for _, r := range known {
		before[r.Model.Hash+r.Key] = r
	}
	p.SetTotal(int64(len(models)))
	for _, m := range models {
		row, reason := d.readModel(ctx, ws, m, family, before)
		if err := ctx.Err(); err != nil {
			return err
		}
		p.Add(1)
		if reason != "" {
			d.Left = append(d.Left, training.LeftOut{
				ID: m.ID, Hash: m.Hash, Reason: result.Reason{Code: assess.NotMeasured, Text: reason},
			})
			continue
		}
		d.Rows = append(d.Rows, row)
	}
	return nil
}

// readModel is what a model did, or why nothing is known of it: what is wrong with it alone says
// nothing about the others.
func (d *Data) readModel(
	ctx context.Context, ws *store.Workspace, m model.Model, family string, before map[string]Row,
) (Row, string) {
	info, why, err := lookup.Set(ws, m, d.Selection.Targets, family)
	reason := why.Text
	if old, same := before[m.Hash+info.Key]; same && err == nil && reason == "" {
		old.Model, old.Label, old.Basis = m, "", ""
		return old, ""
	}
	var e background.Evidence
	if err == nil && reason == "" {
		e, reason, err = background.Read(ctx, ws, m, d.Selection.Hash)
	}
	if err != nil {
		return Row{}, err.Error()
	}
	if reason != "" {
		return Row{}, reason
	}
	return Row{InScenes: e.InScenes(), Distance: e.OverDistance()}, ""
}

// measured are the rows as training labels them, without any features.
func (d *Data) measured() []training.Measured {
	list := make([]training.Measured, len(d.Rows))
	for k, r := range d.Rows {
		list[k] = training.Measured{
			Model: r.Model, Scores: training.ScoresOf(r.Outcome, d.Selection.N), Accuracy: r.Outcome.Accuracy,
		}
	}
	return list
}

// readLabels gives every model what the annotators of the selection's newest round decided.
func (d *Data) readLabels(ws *store.Workspace) error {
	round, ok, err := background.RoundOf(ws, d.Selection.Hash)
	if err != nil {
		return err
	}
	from := training.Labels{}
	if ok {
		d.Round, d.Secret = round, round.Secret()
	}
	if ok && !d.Secret {
		from.Round = round.ID
	}
	if d.Assess, _, err = training.Label(ws, d.measured(), feature.DefaultBackgroundLayout(), from); err != nil {
		return err
	}
	if from.Round == "" {
		return nil
	}
	d.Classes = d.Assess.Classes
	for k, row := range d.Assess.Rows {
		d.Rows[k].Label, d.Rows[k].Basis = row.Label, row.Basis
	}
	return nil
}

// labelled are the rows with a label.
func (d *Data) labelled() (n int) {
	for _, r := range d.Rows {
		if r.Label != "" {
			n++
		}
	}
	return n
}

// withoutRun are the models that signals would make part of it.
func (d *Data) withoutRun() []string {
	var hashes []string
	for _, l := range d.Left {
		hashes = append(hashes, l.Hash)
	}
	return hashes
}
