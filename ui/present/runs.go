package present

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
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

func phaseWords() map[engine.Phase]string {
	return map[engine.Phase]string{
		engine.Queued: "waiting", engine.Running: "running", engine.Paused: "paused",
		engine.Done: "finished", engine.Failed: "failed", engine.Cancelled: "cancelled",
	}
}

// PhaseWord is the word for a phase on screen; an unknown phase is shown as it is.
func PhaseWord(p engine.Phase) string {
	if word, ok := phaseWords()[p]; ok {
		return word
	}
	return string(p)
}

// Run turns a snapshot of a run into its row.
func Run(s engine.Status) RunRow {
	row := RunRow{
		ID: s.ID, Title: fmt.Sprintf("%s on %s", s.Family, s.Suite), Phase: PhaseWord(s.Phase), Share: share(s.Done, s.Total),
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
	parts := []string{fmt.Sprintf("%s of %s", result.Whole(finished), result.Counted(len(s.Tasks), "model"))}
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if s.Failed > 0 {
		add(fmt.Sprintf("%s failed", result.Whole(s.Failed)))
	}
	if s.Phase == engine.Running {
		add(Rate(s.PerSecond))
		add(Left(s.Left))
	}
	if s.Reused > 0 {
		add(fmt.Sprintf("%s was there already", result.Share.Say(share(s.Reused, s.Total), 0)))
	}
	if s.Skipped > 0 {
		add(fmt.Sprintf("%s skipped", result.Counted(s.Skipped, "corrupt image")))
	}
	if !s.Ended.IsZero() && s.Took > 0 {
		add(fmt.Sprintf("took %s", result.Duration.Say(s.Took.Seconds(), 0)))
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
		row.Detail = fmt.Sprintf("%s of %s", result.Whole(t.Done), result.Whole(t.Total))
	}
	return row
}

func share(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(done)/float64(total)))
}
