package present

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
)

func TestLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", -time.Second: "", 3 * time.Second: "a few seconds left", 12 * time.Second: "about 10 s left", 53 * time.Second: "about 55 s left",
		58 * time.Second: "about 1 min left", 110 * time.Second: "about 2 min left", 89 * time.Minute: "about 89 min left",
		100 * time.Minute: "about 2 h left", 50 * time.Hour: "about 2 days left",
	} {
		if got := Left(d); got != want {
			t.Errorf("Left(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for v, want := range map[float64]string{0: "", -1: "", 0.5: "0.500 images/s", 12.3: "12.3 images/s", 1234: "1,230 images/s", 84_321: "84,320 images/s"} {
		if got := Rate(v); got != want {
			t.Errorf("Rate(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestRun(t *testing.T) {
	start := time.Date(2025, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		status engine.Status
		want   RunRow
	}{
		{
			"running",
			engine.Status{
				ID: "r", Suite: "scenes", Family: "rotation", Phase: engine.Running, Done: 50, Total: 200, Reused: 20, Failed: 1, Skipped: 2,
				PerSecond: 1234, Left: 110 * time.Second,
				Tasks: []engine.TaskStatus{
					{Model: "h1", ID: "m1", Phase: engine.Done, Done: 20, Total: 20, Reused: 20},
					{Model: "h2", ID: "m2", Phase: engine.Running, Done: 5000, Total: 10000},
					{Model: "h3", ID: "m3", Phase: engine.Failed, Err: errors.New("model m3 has no inputs")},
				},
			},
			RunRow{
				ID: "r", Title: "rotation on scenes", Phase: "running", Share: 0.25, CanPause: true, CanCancel: true,
				Detail: "1 of 3 models, 1 failed, 1,230 images/s, about 2 min left, 10.0 % was there already, 2 corrupt images skipped",
				Models: []TaskRow{
					{Hash: "h1", ID: "m1", Phase: "finished", Detail: "was there already", Share: 1},
					{Hash: "h2", ID: "m2", Phase: "running", Detail: "5,000 of 10,000", Share: 0.5},
					{Hash: "h3", ID: "m3", Phase: "failed", Detail: "Model m3 has no inputs.", Failed: true},
				},
			},
		},
		{
			"paused",
			engine.Status{Phase: engine.Paused, Suite: "s", Family: "f", Done: 1, Total: 2, PerSecond: 9, Left: time.Hour},
			RunRow{Title: "f on s", Phase: "paused", Share: 0.5, Detail: "0 of 0 models", CanResume: true, CanCancel: true},
		},
		{
			"waiting",
			engine.Status{Phase: engine.Queued, Suite: "s", Family: "f"},
			RunRow{Title: "f on s", Phase: "waiting", Detail: "0 of 0 models", CanPause: true, CanCancel: true},
		},
		{
			"finished",
			engine.Status{Phase: engine.Done, Suite: "s", Family: "f", Submitted: start, Ended: start.Add(time.Hour), Took: 65 * time.Second},
			RunRow{Title: "f on s", Phase: "finished", Share: 1, Detail: "0 of 0 models, took 1 min 5 s", Ended: true},
		},
		{
			"cancelled",
			engine.Status{Phase: engine.Cancelled, Suite: "s", Family: "f", Done: 7, Total: 5},
			RunRow{Title: "f on s", Phase: "cancelled", Share: 1, Detail: "0 of 0 models", Ended: true},
		},
		{
			"failed",
			engine.Status{Phase: engine.Failed, Suite: "s", Family: "f", Tasks: []engine.TaskStatus{{ID: "m", Phase: engine.Cancelled, Err: context.Canceled}}},
			RunRow{Title: "f on s", Phase: "failed", Detail: "0 of 1 model", Ended: true, Models: []TaskRow{{ID: "m", Phase: "cancelled", Detail: "Cancelled."}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Run(c.status)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestPhaseWord(t *testing.T) {
	if got := PhaseWord("new"); got != "new" {
		t.Errorf("an unknown phase is shown as it is, got %q", got)
	}
}
