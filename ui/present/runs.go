package present

import (
	"strings"

	"github.com/variscope/variscope/engine"
)

// RunRow is a run as the Runs screen shows it.
type RunRow struct {
	ID, Title, Phase, Detail string
	// Share is the part done, 0..1.
	Share                                 float64
	CanPause, CanResume, CanCancel, Ended bool
	Models                                []TaskRow
}

// TaskRow is one model of a run.
type TaskRow struct {
	Hash, ID, Phase, Detail string
	Share                   float64
	Failed                  bool
}

var phaseWords = map[engine.Phase]string{
	engine.Queued: "waiting", engine.Running: "running", engine.Paused: "paused",
	engine.Done: "finished", engine.Failed: "failed", engine.Cancelled: "cancelled",
}

// PhaseWord is the word for a phase on screen; an unknown phase is shown as it is.
func PhaseWord(p engine.Phase) string {
	if word, ok := phaseWords[p]; ok {
		return word
	}
	return string(p)
}

// Run turns a snapshot of a run into its row.
func Run(s engine.Status) RunRow {
	row := RunRow{
		ID: s.ID, Title: s.Family + " on " + s.Suite, Phase: PhaseWord(s.Phase), Share: share(s.Done, s.Total),
		CanPause: s.Phase == engine.Running || s.Phase == engine.Queued, CanResume: s.Phase == engine.Paused,
		Ended: s.Phase == engine.Done || s.Phase == engine.Failed || s.Phase == engine.Cancelled,
	}
	row.CanCancel = !row.Ended
	if s.Phase == engine.Done {
		row.Share = 1
	}
	row.Detail = runDetail(s)
	for _, t := range s.Tasks {
		row.Models = append(row.Models, taskRow(t))
	}
	return row
}

func runDetail(s engine.Status) string {
	finished := 0
	for _, t := range s.Tasks {
		if t.Phase == engine.Done {
			finished++
		}
	}
	parts := []string{Count(int64(finished)) + " of " + Counted(int64(len(s.Tasks)), "model")}
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if s.Failed > 0 {
		add(Count(int64(s.Failed)) + " failed")
	}
	if s.Phase == engine.Running {
		add(Rate(s.PerSecond))
		add(Left(s.Left))
	}
	if s.Reused > 0 {
		add(Percent(share(s.Reused, s.Total)) + " was there already")
	}
	if s.Skipped > 0 {
		add(Counted(int64(s.Skipped), "corrupt image") + " skipped")
	}
	if !s.Ended.IsZero() && !s.Submitted.IsZero() {
		add("took " + Duration(s.Ended.Sub(s.Submitted)))
	}
	return strings.Join(parts, ", ")
}

func taskRow(t engine.TaskStatus) TaskRow {
	row := TaskRow{Hash: t.Model, ID: t.ID, Phase: PhaseWord(t.Phase), Share: share(t.Done, t.Total), Failed: t.Phase == engine.Failed}
	switch {
	case t.Err != nil:
		row.Detail = Sentence(t.Err)
	case t.Phase == engine.Done && t.Reused == t.Total && t.Total > 0:
		row.Detail, row.Share = "was there already", 1
	case t.Phase == engine.Running || t.Phase == engine.Paused:
		row.Detail = Count(t.Done) + " of " + Count(t.Total)
	}
	return row
}

func share(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(done)/float64(total)))
}
