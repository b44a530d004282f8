package clouds

import (
	"context"
	"errors"
	"slices"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// Row is a model of the list: what it did in the scenes, or why nothing is known of it.
type Row = measure.InScenes

// Data is what the page shows of a selection. It is immutable.
type Data struct {
	Selection store.SelectionRecord // without a hash: there is none
	Family    string
	Rows      []Row
	settings  Settings // as the workspace remembers them
}

func (d Data) of(hash string) (r Row, ok bool) {
	at := slices.IndexFunc(d.Rows, func(r Row) bool { return r.Model.Hash == hash })
	if at < 0 {
		return Row{}, false
	}
	return d.Rows[at], true
}

// choose is the first model of these (hashes) that ran, else the first by name that did; "" where
// none did.
func (d Data) choose(hashes ...string) string {
	for _, hash := range hashes {
		if r, ok := d.of(hash); ok && r.Ran() {
			return hash
		}
	}
	if list := d.others(""); len(list) > 0 {
		return list[0].Model.Hash
	}
	return ""
}

// others are the models with a run that a selected one can be compared with, by name.
func (d Data) others(selected string) []Row {
	var list []Row
	for _, r := range d.Rows {
		if r.Ran() && r.Model.Hash != selected {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Row) int { return result.Natural(a.Model.ID, b.Model.ID) })
	return list
}

// second is the model that the selected one is compared with: wanted where it can be, else the
// first.
func (d Data) second(selected, wanted string) (r Row, ok bool) {
	list := d.others(selected)
	if len(list) == 0 {
		return Row{}, false
	}
	return list[max(0, slices.IndexFunc(list, func(r Row) bool { return r.Model.Hash == wanted }))], true
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

// missing is the run of the models that lack one.
func (d Data) missing() []kit.Missing { return page.Missing(d.Selection, d.without()) }

// read looks at all models in the scenes of a selection, "" for none. What is known of the same
// signals is not read again.
func read(
	ctx context.Context, ws *store.Workspace, selection string, known Data, p engine.Progress,
) (d Data, err error) {
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
		row := Row{Model: m, Selection: d.Selection.Name}
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
	info, why, err := lookup.Set(ws, m, d.Selection.Targets, d.Family)
	if old, same := before[m.Hash+info.Key]; same && err == nil && why.None() {
		return old, nil
	}
	reason := why.Text
	if err == nil && reason == "" {
		var e scenes.Evidence
		if e, reason, err = scenes.Read(ctx, ws, m, d.Selection.Hash); err == nil && reason == "" {
			return e.InScenes(), nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return Row{}, ctx.Err()
	case err != nil:
		reason = present.Sentence(err)
	}
	return Row{Model: m, Selection: d.Selection.Name, Reason: result.Because("no_run", "%s", reason)}, nil
}
