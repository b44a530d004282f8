package ui

import (
	"context"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/screen/runs"
	"github.com/variscope/variscope/ui/widget"
)

// watch shows the engine's runs ten times a second while something runs, and sleeps until
// something changes otherwise. It runs in the background until ctx ends.
func (w *Window) watch(ctx context.Context) error {
	eng := w.deps.Engine
	if eng == nil {
		return nil
	}
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		statuses := eng.Snapshot()
		w.pass(statuses)
		if !runs.Active(statuses) {
			select {
			case <-ctx.Done():
				return nil
			case <-eng.Changed():
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// pass hands a snapshot to the main goroutine. A snapshot for which it has no time is left out,
// except one in which nothing runs: no other would follow.
func (w *Window) pass(statuses []engine.Status) {
	if !w.behind.CompareAndSwap(false, true) && runs.Active(statuses) {
		return
	}
	w.work.Post(func() {
		w.behind.Store(false)
		if !w.closing {
			w.started.Follow(statuses)
			w.rail.mark(Runs, badge(statuses))
			w.announce(statuses)
		}
	})
}

// badge is the share done of everything that runs or waits, for the rail.
func badge(statuses []engine.Status) string {
	var done, total int64
	for _, s := range statuses {
		if s.Phase == engine.Running || s.Phase == engine.Queued {
			done, total = done+s.Done, total+s.Total
		}
	}
	if total == 0 {
		return ""
	}
	return widget.WholePercent(float64(done) / float64(total))
}
