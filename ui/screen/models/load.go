package models

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
)

// Store is what the screen reads and changes; *store.Workspace is one.
type Store interface {
	Model(hash string) (model.Model, error)
	Overview(suiteHash, family string) ([]store.Glance, error)
	Current() (store.Current, error)
	Runs() ([]store.RunRecord, error)
	Rounds() ([]label.Round, error)
	Events(round string) ([]label.Event, error)
	Chance(ctx context.Context, s store.Summary) (chance.Level, error)
	Looks(m model.Model, suiteHash string) chance.Looks
	SetSummary(key string) (store.Summary, bool, error)
	BestSet(m model.Model, suiteHash, family string) (store.SetInfo, bool, error)
	Matrices(ctx context.Context, q store.MatrixRequest) (store.Answer, error)
	Thumb(key string) (image.Image, bool)
	PutThumb(key string, picture image.Image) error
	Setting(key string, into any) (found bool, err error)
	SetSetting(key string, v any) error
	PutRecords(records []store.Record) (before []store.Record, err error)
	PlanRemoval(hashes []string) (store.Removal, error)
	RemoveModels(hashes, busy []string) (store.Removal, error)
	BackUpFirst(ctx context.Context) error
}

// list is everything that a refresh brings.
type list struct {
	rows    []inventory.Row
	current store.Current
	suites  map[string]string // run id -> suite hash
	choices []RoundChoice
	round   RoundChoice // whose labels are shown; its ID is empty when there is none
	looks   looks
	colours string        // name of the workspace's colour map
	view    evidence.View // the workspace's choice of colour range, without the shared ranges
}

// load reads all models with their states, accuracies and labels. Matrices are left to the
// pictures that need them. It is slow (the database); the window calls it in the background. A nil
// look takes the remembered one. Of what tells an annotator at work in the blind round the answer,
// nothing is read; blind is nil where nobody is.
func load(ctx context.Context, from Store, look *looks, blind *label.Round) (list, error) {
	l := list{suites: map[string]string{}}
	var err error
	if l.current, err = from.Current(); err != nil {
		return l, err
	}
	if look != nil {
		l.looks = *look
	} else if l.looks, err = readLooks(from); err != nil {
		return l, err
	}
	for key, into := range map[string]any{
		settingMap: &l.colours, settingPreset: &l.view.Preset,
		settingOwn: &l.view.Own,
	} {
		if _, err := from.Setting(key, into); err != nil {
			return l, err
		}
	}
	runs, err := from.Runs()
	if err != nil {
		return l, err
	}
	for _, r := range runs {
		l.suites[r.ID] = r.Suite
	}
	judged, err := l.judge(from, blind)
	if err != nil {
		return l, err
	}
	glances, err := from.Overview(l.current.Suite, l.current.Family)
	if err != nil {
		return l, err
	}
	failures := lastFailures(runs, l.current)
	l.rows = make([]inventory.Row, len(glances))
	for i, g := range glances {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		looks := from.Looks(g.Model, l.current.Suite)
		if blind != nil {
			g.Model = blind.Shown(g.Model)
		}
		l.rows[i] = rowOf(g, failures)
		l.rows[i].Looks = looks
		// Signals that cannot be read have no badge.
		if l.rows[i].Chance, err = from.Chance(ctx, g.Summary); ctx.Err() != nil {
			return l, err
		}
		if v, ok := judged[g.Model.Hash]; ok {
			l.rows[i].Verdict = &v
		}
	}
	return l, nil
}

// judge chooses the round and decides its items; of a blind round that is not closed nothing is
// read, and of no round while somebody labels in a blind one.
func (l *list) judge(from Store, blind *label.Round) (map[string]inventory.Verdict, error) {
	rounds, err := from.Rounds()
	if err != nil {
		return nil, err
	}
	l.choices = choicesOf(rounds, l.current.Suite, l.current.Family, blind != nil)
	chosen, ok := pick(l.choices, l.looks.Round)
	l.round = chosen
	if !ok || chosen.Hidden != "" {
		return nil, nil
	}
	events, err := from.Events(chosen.ID)
	if err != nil {
		return nil, err
	}
	r := rounds[slices.IndexFunc(rounds, func(r label.Round) bool { return r.ID == chosen.ID })]
	return inventory.Verdicts(r, events), nil
}

// rowOf is the row of one model under the current suite and family.
func rowOf(g store.Glance, failures map[string]string) inventory.Row {
	row := inventory.Row{Model: g.Model, State: inventory.NoSignals, Accuracy: math.NaN(), Robust: math.NaN()}
	if g.Problem != nil {
		// Settings that cannot be read belong to this model alone; the others are shown all the
		// same.
		row.State, row.Reason = inventory.Failed, present.Sentence(g.Problem)
		return row
	}
	switch g.State {
	case store.Ready:
		row.State = inventory.Ready
	case store.Stale:
		row.State, row.Reason = inventory.Stale,
			"its signals were made with other settings or other suite content: run it again"
	case store.Partial:
		row.Reason = "a run has stopped half-way: run it again, what is done is kept"
		if g.Damaged != nil {
			row.Reason = present.Sentence(g.Damaged)
		}
	}
	if row.State != inventory.Ready {
		if reason, failed := failures[g.Model.Hash]; failed {
			row.State, row.Reason = inventory.Failed, reason
		}
	}
	row.Set, row.Absent, row.Device = g.Summary.Key, g.Summary.Absent, g.Summary.Device
	if len(g.Summary.Accuracy) > 0 {
		row.Accuracy, row.Robust = g.Summary.Accuracy[g.Summary.Identity()], g.Summary.Robust
	}
	return row
}

// lastFailures are the reasons of the models that failed in the newest run that took them along
// under this suite and family.
func lastFailures(runs []store.RunRecord, current store.Current) map[string]string {
	failures, seen := map[string]string{}, map[string]bool{}
	for _, r := range slices.Backward(runs) {
		if r.Suite != current.Suite || r.Family != current.Family {
			continue
		}
		for hash, reason := range r.Failures {
			if !seen[hash] {
				seen[hash], failures[hash] = true, reason
			}
		}
		for _, hash := range r.Models {
			seen[hash] = true
		}
	}
	return failures
}

// under are the rows with what the engine is doing over them: the newest run of this suite and
// family that has the model at work.
func (l *list) under(statuses []engine.Status) []inventory.Row {
	type at struct {
		run  engine.Phase
		task engine.TaskStatus
	}
	newest := map[string]at{}
	for _, s := range statuses {
		if suite, known := l.suites[s.ID]; !known || suite != l.current.Suite || s.Family != l.current.Family {
			continue
		}
		for _, t := range s.Tasks {
			newest[t.Model] = at{s.Phase, t}
		}
	}
	if len(newest) == 0 {
		return l.rows
	}
	rows := slices.Clone(l.rows)
	for k := range rows {
		if now, ok := newest[rows[k].Model.Hash]; ok {
			put(&rows[k], now.run, now.task)
		}
	}
	return rows
}

// put puts a run that takes the model along, or has done so, over its row.
func put(r *inventory.Row, run engine.Phase, t engine.TaskStatus) {
	phase := t.Phase
	if run == engine.Paused && (phase == engine.Running || phase == engine.Queued) {
		phase = engine.Paused
	}
	state, at := map[engine.Phase]inventory.State{
		engine.Queued: inventory.Queued, engine.Running: inventory.Running, engine.Paused: inventory.Paused,
	}[phase]
	switch {
	case at:
		r.State, r.Reason = state, ""
		if t.Total > 0 {
			r.Share = float64(t.Done) / float64(t.Total)
		}
	case phase == engine.Failed:
		r.State = inventory.Failed
		if t.Err != nil {
			r.Reason = present.Sentence(t.Err)
		}
	}
}

// busy are the models that a run has at work or in its queue.
func busy(statuses []engine.Status) []string {
	var hashes []string
	for _, s := range statuses {
		if s.Phase != engine.Queued && s.Phase != engine.Running && s.Phase != engine.Paused {
			continue
		}
		for _, t := range s.Tasks {
			hashes = append(hashes, t.Model)
		}
	}
	return hashes
}
