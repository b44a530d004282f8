package models

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Store is what the screen reads; *store.Workspace is one.
type Store interface {
	Models() ([]model.Model, error)
	Current() (store.Current, error)
	State(m model.Model, suiteHash, family string) (store.State, error)
	Summary(m model.Model, suiteHash, family string) (store.Summary, bool, error)
	Runs() ([]store.RunRecord, error)
	Subscribe(hear func(store.Change)) (cancel func())
}

// list is everything that a refresh brings.
type list struct {
	rows    []Row
	current store.Current
	suites  map[string]string // run id -> suite hash
}

// load reads all models with their states, accuracies and thumbnails. It is slow (files); the window calls it in the
// background.
func load(ctx context.Context, from Store, thumbs *thumbnails) (list, error) {
	models, err := from.Models()
	if err != nil {
		return list{}, err
	}
	l := list{suites: map[string]string{}}
	if l.current, err = from.Current(); err != nil {
		return l, err
	}
	runs, err := from.Runs()
	if err != nil {
		return l, err
	}
	for _, r := range runs {
		l.suites[r.ID] = r.Suite
	}
	summaries := make([]store.Summary, len(models))
	for i, m := range models {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		row, err := l.row(from, m, runs, &summaries[i])
		if err != nil {
			return l, err
		}
		l.rows = append(l.rows, row)
	}
	return l, l.picture(ctx, summaries, thumbs)
}

// row reads one model under the current suite and family.
func (l *list) row(from Store, m model.Model, runs []store.RunRecord, summary *store.Summary) (Row, error) {
	row := Row{Model: m, State: NoSignals, Accuracy: math.NaN(), Robust: math.NaN()}
	if l.current.Suite == "" || l.current.Family == "" {
		return row, nil
	}
	state, err := from.State(m, l.current.Suite, l.current.Family)
	if err != nil {
		// Settings that cannot be read belong to this model alone; the others are shown all the same.
		row.State, row.Reason = Failed, present.Sentence(err)
		return row, nil
	}
	switch state {
	case store.Ready:
		row.State = Ready
	case store.Stale:
		row.State, row.Reason = Stale, "its signals were made with other settings or other suite content: run it again"
	case store.Partial:
		row.Reason = "a run has stopped half-way: run it again, what is done is kept"
	}
	if row.State != Ready {
		if reason, failed := lastFailure(runs, l.current, m.Hash); failed {
			row.State, row.Reason = Failed, reason
		}
	}
	found, ok, err := from.Summary(m, l.current.Suite, l.current.Family)
	if err != nil {
		return row, fmt.Errorf("model %s: %w", m.ID, err)
	}
	if ok {
		*summary = found
		row.Absent = found.Absent
		if n := len(found.Accuracy); n > 0 {
			row.Accuracy, row.Robust = found.Accuracy[n/2], found.Robust
		}
	}
	return row, nil
}

// lastFailure looks in the newest run that took the model along under this suite and family.
func lastFailure(runs []store.RunRecord, current store.Current, hash string) (reason string, failed bool) {
	for i := len(runs) - 1; i >= 0; i-- {
		r := runs[i]
		if r.Suite != current.Suite || r.Family != current.Family {
			continue
		}
		if reason, failed := r.Failures[hash]; failed {
			return reason, true
		}
		for _, m := range r.Models {
			if m == hash {
				return "", false
			}
		}
	}
	return "", false
}

// picture draws the thumbnails under the scales that all models share.
func (l *list) picture(ctx context.Context, summaries []store.Summary, thumbs *thumbnails) error {
	shared := scalesOf(summaries)
	keep := map[string]bool{}
	for i := range l.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if summaries[i].Key == "" {
			continue
		}
		l.rows[i].Thumbs = thumbs.strip(summaries[i], shared)
		keep[shared.key(summaries[i].Key)] = true
	}
	thumbs.forget(keep)
	return nil
}

// follow puts what the engine is doing over a row: the newest run of this suite and family that has the model at work.
func (l *list) follow(statuses []engine.Status) func(Row) Row {
	type at struct{ status, task int }
	newest := map[string]at{}
	for i, s := range statuses {
		if suite, known := l.suites[s.ID]; !known || suite != l.current.Suite || s.Family != l.current.Family {
			continue
		}
		for k, t := range s.Tasks {
			newest[t.Model] = at{i, k}
		}
	}
	return func(r Row) Row {
		r.State, r.Share, r.Reason = r.base.state, 0, r.base.reason
		place, ok := newest[r.Model.Hash]
		if !ok {
			return r
		}
		return r.under(statuses[place.status].Phase, statuses[place.status].Tasks[place.task])
	}
}

// under is the row while, or after, a run takes the model along.
func (r Row) under(run engine.Phase, t engine.TaskStatus) Row {
	if t.Total > 0 {
		r.Share = float64(t.Done) / float64(t.Total)
	}
	phase := t.Phase
	if run == engine.Paused && (phase == engine.Running || phase == engine.Queued) {
		phase = engine.Paused
	}
	switch phase {
	case engine.Queued:
		r.State, r.Reason = Queued, ""
	case engine.Running:
		r.State, r.Reason = Running, ""
	case engine.Paused:
		r.State, r.Reason = Paused, ""
	case engine.Failed:
		r.State, r.Share = Failed, 0
		if t.Err != nil {
			r.Reason = present.Sentence(t.Err)
		}
	default:
		r.Share = 0
	}
	return r
}
