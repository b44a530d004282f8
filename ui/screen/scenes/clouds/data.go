package clouds

import (
	"context"
	"errors"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/present"
)

// Row is a model of the list: what it did in the scenes, or why nothing is known of it.
type Row struct {
	Model   model.Model
	Key     string // of its signals; "" without
	Reason  string // why there are none, for people
	Outcome background.Outcome
}

// Ran tells whether the model has signals in the scenes.
func (r Row) Ran() bool { return r.Key != "" }

// Data is what the page shows of a selection. It is immutable.
type Data struct {
	Selection store.SelectionRecord // without a hash: there is none
	Family    string
	Rows      []Row
}

// without are the hashes of the models without a run.
func (d Data) without() []string {
	var list []string
	for _, r := range d.Rows {
		if !r.Ran() {
			list = append(list, r.Model.Hash)
		}
	}
	return list
}

// run is the run that models need, as `variscope background run` makes it.
func (d Data) run(models []string) job.Request {
	return job.Request{Models: models, Suite: d.Selection.Targets, Family: d.Family, Positions: []string{model.CONF, model.Head}}
}

// read looks at all models in the scenes of a selection, "" for none. What is known of the same
// signals is not read again.
func read(ctx context.Context, ws *store.Workspace, selection string, known Data, p engine.Progress) (d Data, err error) {
	models, err := ws.Models()
	if err != nil {
		return d, err
	}
	if selection != "" {
		d.Selection, err = ws.Selection(selection)
		if errors.Is(err, store.ErrNotFound) {
			selection, d.Selection, err = "", store.SelectionRecord{}, nil // it was just removed
		}
		if err != nil {
			return d, err
		}
	}
	if selection != "" {
		if d.Family, err = d.Selection.Family(); err != nil {
			return d, err
		}
	}
	before := map[string]Row{}
	for _, r := range known.Rows {
		if r.Ran() {
			before[r.Model.Hash+r.Key] = r
		}
	}
	p.SetTotal(int64(len(models)))
	for _, m := range models {
		row := Row{Model: m}
		if selection != "" {
			if row, err = d.row(ctx, ws, m, before); err != nil {
				return d, err
			}
		}
		d.Rows = append(d.Rows, row)
		p.Add(1)
	}
	return d, nil
}

// row is a model's; what is wrong with it alone is its reason.
func (d Data) row(ctx context.Context, ws *store.Workspace, m model.Model, before map[string]Row) (Row, error) {
	row := Row{Model: m}
	info, why, err := lookup.Set(ws, m, d.Selection.Targets, d.Family)
	reason := why.Text
	if old, same := before[m.Hash+info.Key]; same && err == nil && reason == "" {
		row.Key, row.Outcome = old.Key, old.Outcome
		return row, nil
	}
	if err == nil && reason == "" {
		var e scenes.Evidence
		e, reason, err = scenes.Read(ctx, ws, m, d.Selection.Hash)
		row.Outcome = e.Outcome
	}
	switch {
	case ctx.Err() != nil:
		return row, ctx.Err()
	case err != nil:
		row.Reason = present.Sentence(err)
	case reason != "":
		row.Reason = reason
	default:
		row.Key = info.Key
	}
	return row, nil
}
