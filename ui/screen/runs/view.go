// Package runs is the screen of the work in the background: what is queued, what runs and how far it is, what ended and
// how, and what a crash interrupted; with pause, resume and cancel.
package runs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Interrupted is the phase of a recorded run that had not ended when its process did.
const Interrupted engine.Phase = "interrupted"

// Run is one line of the list of runs.
type Run struct {
	ID, Title string
	Phase     engine.Phase
	Share     float64 // done, in [0, 1]
	Counts    string  // models, inferences, skipped images
	Speed     string  // images per second and time left; "" when nothing runs
	When      string
	Failed    int
	Tasks     []Task
	// Record is what was asked, for Resume; its ID is empty when it was not kept.
	Record store.RunRecord
}

// Task is one model of a run.
type Task struct {
	ID     string
	Phase  engine.Phase
	Share  float64
	Detail string // counts, or the reason of a failure
}

// Actions are what can be done with a run.
type Actions struct{ Pause, Resume, Cancel, Again bool }

// Actions tells which buttons make sense. Again resumes an interrupted run, or repeats one that failed or was cancelled;
// what is finished is never computed again.
func (r Run) Actions() Actions {
	return Actions{
		Pause:  r.Phase == engine.Running || r.Phase == engine.Queued,
		Resume: r.Phase == engine.Paused,
		Cancel: r.Phase == engine.Running || r.Phase == engine.Queued || r.Phase == engine.Paused,
		Again: r.Record.ID != "" && (r.Phase == Interrupted || r.Phase == engine.Failed || r.Phase == engine.Cancelled ||
			r.Phase == engine.Done && r.Failed > 0),
	}
}

// Active tells whether a run still needs looking at ten times a second.
func Active(statuses []engine.Status) bool {
	return slices.ContainsFunc(statuses, func(s engine.Status) bool {
		return s.Phase == engine.Running || s.Phase == engine.Queued
	})
}

// Names gives people's names to hashes.
type Names struct {
	Models, Suites map[string]string
}

// List puts the engine's runs and the records of earlier ones together: what is at work first in the order of the queue,
// then interrupted runs, then the ended ones, newest first.
func List(statuses []engine.Status, records []store.RunRecord, names Names) []Run {
	byID := map[string]store.RunRecord{}
	for _, r := range records {
		byID[r.ID] = r
	}
	var runs []Run
	known := map[string]bool{}
	for _, s := range statuses {
		known[s.ID] = true
		runs = append(runs, fromStatus(s, byID[s.ID]))
	}
	for _, r := range records {
		if !known[r.ID] {
			runs = append(runs, fromRecord(r, names))
		}
	}
	slices.SortStableFunc(runs, func(a, b Run) int {
		x, y := rank(a.Phase), rank(b.Phase)
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

func title(suite, family string) string {
	if f, err := transform.Parse(family); err == nil {
		family = f.Short()
	}
	return family + " on " + suite
}

func fromStatus(s engine.Status, record store.RunRecord) Run {
	r := Run{
		ID: s.ID, Title: title(s.Suite, s.Family), Phase: s.Phase, Share: ratio(s.Done, s.Total),
		Failed: s.Failed, When: when(s.Submitted, s.Ended), Record: record,
	}
	parts := []string{plural(len(s.Tasks), "model"), count(s.Done) + " of " + count(s.Total) + " inferences"}
	if s.Reused > 0 {
		parts = append(parts, count(s.Reused)+" were on disk")
	}
	r.Counts = strings.Join(append(parts, failedAndSkipped(s.Failed, s.Skipped)...), ", ")
	if s.Phase == engine.Running {
		r.Speed = speed(s.PerSecond, s.Left)
	}
	for _, t := range s.Tasks {
		r.Tasks = append(r.Tasks, task(t, s.Phase))
	}
	return r
}

func failedAndSkipped(failed, skipped int) []string {
	parts := []string{plural(skipped, "image") + " skipped"}
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", failed))
	}
	return parts
}

func speed(perSecond float64, left time.Duration) string {
	if perSecond <= 0 {
		return "starting"
	}
	text := count(int64(perSecond)) + " images/s"
	if left > 0 {
		text += ", " + Duration(left) + " left"
	}
	return text
}

func task(t engine.TaskStatus, run engine.Phase) Task {
	row := Task{ID: t.ID, Phase: t.Phase, Share: ratio(t.Done, t.Total)}
	if run == engine.Paused && (t.Phase == engine.Running || t.Phase == engine.Queued) {
		row.Phase = engine.Paused
	}
	row.Detail = count(t.Done) + " of " + count(t.Total)
	if t.Reused > 0 {
		row.Detail += ", " + count(t.Reused) + " were on disk"
	}
	if t.Err != nil {
		row.Detail = present.Sentence(t.Err)
	}
	return row
}

func fromRecord(r store.RunRecord, names Names) Run {
	phase := r.Phase
	if r.Unfinished() {
		phase = Interrupted
	}
	run := Run{
		ID: r.ID, Title: title(name(names.Suites, r.Suite), r.Family), Phase: phase, Share: ratio(r.Done, r.Total),
		Failed: len(r.Failures), When: when(r.Started, r.Ended), Record: r,
	}
	run.Counts = strings.Join(append([]string{plural(len(r.Models), "model")}, failedAndSkipped(len(r.Failures), r.Skipped)...), ", ")
	listed := map[string]bool{}
	for _, hash := range r.Models {
		listed[hash] = true
		t := Task{ID: name(names.Models, hash), Phase: phase, Share: run.Share}
		if reason, failed := r.Failures[hash]; failed {
			t.Phase, t.Detail, t.Share = engine.Failed, reason, 0
		}
		run.Tasks = append(run.Tasks, t)
	}
	for _, hash := range slices.Sorted(maps.Keys(r.Failures)) {
		if !listed[hash] {
			run.Tasks = append(run.Tasks, Task{ID: name(names.Models, hash), Phase: engine.Failed, Detail: r.Failures[hash]})
		}
	}
	return run
}

func name(names map[string]string, hash string) string {
	if n := names[hash]; n != "" {
		return n
	}
	return hash[:min(8, len(hash))]
}

func ratio(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, float64(done)/float64(total))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(int64(n)) + " " + what + "s"
}

// count writes a number with thin spaces between groups of three digits.
func count(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u2009" + text[i:]
	}
	return text
}

// Duration is a length of time for people, in its two largest units.
func Duration(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// when is the time of start, and how long it took where it has ended.
func when(started, ended time.Time) string {
	if started.IsZero() {
		return ""
	}
	text := "started " + started.Local().Format("2006-01-02 15:04")
	if ended.After(started) {
		text += ", took " + Duration(ended.Sub(started))
	}
	return text
}
