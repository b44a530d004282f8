// Package runs is the screen of the work in the background: what is queued, what runs and how far
// it is, what ended and how, and what a crash interrupted; with pause, resume and cancel.
package runs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Interrupted is the phase of a recorded run that had not ended when its process did.
const Interrupted engine.Phase = "interrupted"

// Run is one line of the list of runs: a run of this process, or the record of an earlier one.
type Run struct {
	present.RunRow
	State  engine.Phase
	Failed int    // models
	When   string // when it was started
	// Record is what was asked, for Again; its ID is empty when it was not kept.
	Record store.RunRecord
}

// CanAgain tells whether the run can be asked for once more: an interrupted one to resume it, or
// one that was cancelled or in which models failed. What is finished is never computed again.
func (r Run) CanAgain() bool {
	if r.Record.ID == "" {
		return false
	}
	return r.State == Interrupted || r.State == engine.Failed || r.State == engine.Cancelled || r.State == engine.Done && r.Failed > 0
}

// Active tells whether any run still needs looking at ten times a second.
func Active(statuses []engine.Status) bool {
	return slices.ContainsFunc(statuses, func(s engine.Status) bool {
		return s.Phase == engine.Running || s.Phase == engine.Queued
	})
}

// cancellable are the ids of the runs that have not ended, in the order of the queue.
func cancellable(runs []Run) (ids []string) {
	for _, r := range runs {
		if r.CanCancel {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Names gives people's names to hashes.
type Names struct {
	Models, Suites, Selections map[string]string
}

func named(names map[string]string, hash string) string {
	return cmp.Or(names[hash], present.Short(hash))
}

// List puts the engine's runs and the records of earlier ones together: what is at work first in
// the order of the queue, then interrupted runs, then the ended ones, newest first.
func List(statuses []engine.Status, records []store.RunRecord, names Names) []Run {
	byID := map[string]store.RunRecord{}
	for _, r := range records {
		byID[r.ID] = r
	}
	var runs []Run
	known := map[string]bool{}
	for _, s := range statuses {
		known[s.ID] = true
		runs = append(runs, fromStatus(s, byID[s.ID], names))
	}
	for _, r := range records {
		if !known[r.ID] {
			runs = append(runs, fromRecord(r, names))
		}
	}
	slices.SortStableFunc(runs, func(a, b Run) int {
		x, y := rank(a.State), rank(b.State)
		if x != y || x == 0 {
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return runs
}

func rank(p engine.Phase) int {
	switch p {
	case engine.Running, engine.Queued, engine.Paused:
		return 0
	case Interrupted:
		return 1
	}
	return 2
}

// title names a run. Scenes have the name of their selection, as long as it is there.
func (n Names) title(suite, family string) string {
	name := store.FamilyName(family, func(hash string) string { return n.Selections[hash] })
	return fmt.Sprintf("%s on %s", name, suite)
}

// mixedText marks a run that processors of any kind may have a part in.
func mixedText(mixed bool) string {
	if !mixed {
		return ""
	}
	return ", mixed processors"
}

func fromStatus(s engine.Status, record store.RunRecord, names Names) Run {
	r := Run{RunRow: present.Run(s), State: s.Phase, Failed: s.Failed, When: when(s.Submitted, time.Time{}), Record: record}
	r.Title = names.title(s.Suite, s.Family)
	r.Detail += skipped(s.Skipped) + mixedText(record.Mixed)
	for i := range r.Models {
		if m := &r.Models[i]; s.Phase == engine.Paused && (m.Phase == present.PhaseWord(engine.Running) || m.Phase == present.PhaseWord(engine.Queued)) {
			m.Phase = present.PhaseWord(engine.Paused)
		}
	}
	r.refused(record, names)
	return r
}

// skipped says that no image was left out; a larger number present says itself.
func skipped(n int) string {
	if n > 0 {
		return ""
	}
	return ", no images skipped"
}

// refused adds the models that could not take part at all: the record knows them, the engine never
// saw them.
func (r *Run) refused(record store.RunRecord, names Names) {
	seen := map[string]bool{}
	for _, m := range r.Models {
		seen[m.Hash] = true
	}
	for _, hash := range slices.Sorted(maps.Keys(record.Failures)) {
		if !seen[hash] {
			r.Failed++
			r.Models = append(r.Models, present.TaskRow{
				Hash: hash, ID: named(names.Models, hash), Phase: present.PhaseWord(engine.Failed), Detail: record.Failures[hash], Failed: true,
			})
		}
	}
}

func fromRecord(record store.RunRecord, names Names) Run {
	r := Run{State: record.Phase, When: when(record.Started, record.Ended), Record: record}
	if record.Unfinished() {
		r.State = Interrupted
	}
	r.RunRow = present.RunRow{
		ID: record.ID, Title: names.title(named(names.Suites, record.Suite), record.Family), Phase: present.PhaseWord(r.State), Ended: true,
	}
	if record.Total > 0 {
		r.Share = min(1, float64(record.Done)/float64(record.Total))
	}
	for _, hash := range record.Models {
		m := present.TaskRow{Hash: hash, ID: named(names.Models, hash), Phase: r.Phase, Share: r.Share}
		if reason, failed := record.Failures[hash]; failed {
			m.Phase, m.Detail, m.Failed, m.Share = present.PhaseWord(engine.Failed), reason, true, 0
			r.Failed++
		}
		r.Models = append(r.Models, m)
	}
	r.refused(record, names)
	r.Detail = strings.Join(recordDetail(record, r.Failed), ", ") + mixedText(record.Mixed)
	return r
}

func recordDetail(record store.RunRecord, failed int) []string {
	parts := []string{present.Counted(int64(len(record.Models)), "model")}
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%s failed", present.Count(int64(failed))))
	}
	if record.Skipped > 0 {
		return append(parts, fmt.Sprintf("%s skipped", present.Counted(int64(record.Skipped), "corrupt image")))
	}
	return append(parts, "no images skipped")
}

// when is the time of start, and how long it took where it has ended. What a status shows says
// that itself.
func when(started, ended time.Time) string {
	if started.IsZero() {
		return ""
	}
	text := fmt.Sprintf("started %s", started.Local().Format("2006-01-02 15:04"))
	if ended.After(started) {
		text = fmt.Sprintf("%s, took %s", text, present.Duration(ended.Sub(started)))
	}
	return text
}
