package ui

import (
	"context"
	"fmt"
	"time"

	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
)

// patience is how long closing waits for cancelled runs; an inference under way ends within two seconds.
const patience = 10 * time.Second

// Close closes the window. While runs or jobs are at work it asks first; then it cancels them and waits for them.
func (w *Window) Close() {
	if w.closing {
		return
	}
	question := unfinished(w.active(), len(w.work.Jobs()))
	if question == "" {
		w.stop()
		return
	}
	ask := dialog.NewConfirm("Close Variscope?", question, func(yes bool) {
		if yes {
			w.stop()
		}
	}, w.window)
	ask.SetConfirmText("Cancel them and close")
	ask.SetDismissText("Keep open")
	ask.Show()
}

// unfinished is the question to ask, "" when nothing is at work.
func unfinished(runs []string, jobs int) string {
	what := ""
	switch {
	case len(runs) == 1:
		what = "A run is"
	case len(runs) > 1:
		what = fmt.Sprintf("%d runs are", len(runs))
	case jobs > 0:
		what = "Work is"
	default:
		return ""
	}
	return what + " not finished. What is done is kept, and the rest can be resumed later."
}

// active are the ids of the runs that have not ended.
func (w *Window) active() []string {
	if w.deps.Engine == nil {
		return nil
	}
	var ids []string
	for _, s := range w.deps.Engine.Snapshot() {
		if s.Phase == engine.Running || s.Phase == engine.Queued || s.Phase == engine.Paused {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// stop ends everything that belongs to the window and closes it when nothing is left.
func (w *Window) stop() {
	w.closing = true
	rememberSize(w.deps.Preferences, w.window.Canvas().Size())
	w.screens[w.place].Hidden()
	for _, s := range w.screens {
		s.Close()
	}
	for _, silence := range w.silence {
		silence()
	}
	ids := w.active()
	if len(ids) > 0 || len(w.work.Jobs()) > 0 {
		dialog.NewCustomWithoutButtons("Closing", widget.NewLabel("Waiting for what is at work …"), w.window).Show()
	}
	w.work.Stop()
	go w.finish(ids)
}

// finish waits for the runs and the window's goroutines, then closes the window on the main goroutine. It is the only
// goroutine outside the group, and ends with that.
func (w *Window) finish(ids []string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, id := range ids {
		// An error here means that the run has ended by itself.
		_ = w.deps.Engine.Cancel(id)
	}
	for _, id := range ids {
		if _, err := w.deps.Engine.Wait(ctx, id); err != nil {
			w.deps.Log.Warn("run did not end in time", "run", id, "error", err)
		}
	}
	w.work.Wait()
	w.work.Post(func() {
		w.window.Close()
		if w.deps.Closed != nil {
			w.deps.Closed()
		}
	})
}
