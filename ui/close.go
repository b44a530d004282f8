package ui

import (
	"context"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
)

// patience is how long closing waits for cancelled runs; an inference under way ends within two
// seconds.
const patience = 10 * time.Second

// Close closes the window. While runs or jobs are at work it asks first; then it cancels them and
// waits for them.
func (w *Window) Close() { w.unlessAtWork("Close Variscope?", "Stop and close", w.Leave) }

// unlessAtWork does what ends runs and jobs: at once where none is at work, otherwise after a
// question that is answered with yes.
func (w *Window) unlessAtWork(title, yes string, do func()) {
	if w.closing {
		return
	}
	question := unfinished(w.active(), len(w.work.Jobs()))
	if question == "" {
		do() // also while a question about what has ended by now is still there
		return
	}
	if w.asking {
		return
	}
	w.asking = true
	ask := w.host().Ask(title, question, "Stay", yes, widget.DangerImportance, do)
	ask.OnClosed = func() { w.asking = false }
}

// unfinished is the question to ask, "" when nothing is at work.
func unfinished(runs []string, jobs int) string {
	switch {
	case len(runs) == 1:
		return "A run is not finished. What it has computed is kept, and the rest is offered at the next start."
	case len(runs) > 1:
		return fmt.Sprintf("%s are not finished. What they have computed is kept, and the rest is offered at "+
			"the next start.", result.Counted(len(runs), "run"))
	case jobs > 0:
		return "Work is not finished; it is stopped when the workspace closes. Nothing is left half done."
	}
	return ""
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

// Leave closes the window without a question.
func (w *Window) Leave() {
	if !w.closing {
		w.stop()
	}
}

// GiveWay ends everything that belongs to the workspace, without a question, and leaves Fyne's
// window, empty, to what Closed does with it.
func (w *Window) GiveWay() {
	w.givesWay = !w.closing
	w.Leave()
}

// stop ends everything that belongs to the window and closes it when nothing is left.
func (w *Window) stop() {
	w.closing = true
	rememberSize(w.deps.Preferences, w.window.Canvas().Size())
	rememberPlace(w.deps.Preferences, w.deps.Workspace.Path(), w.place)
	w.screens[w.place].Hidden()
	for _, s := range w.screens {
		s.Close()
	}
	for _, silence := range w.silence {
		silence()
	}
	ids := w.active()
	if len(ids) > 0 || len(w.work.Jobs()) > 0 {
		dialog.NewCustomWithoutButtons("Closing", widget.NewLabel("Waiting for the work in progress …"),
			w.window).Show()
	}
	w.work.Stop()
	go w.finish(ids)
}

// finish waits for the runs and the window's goroutines, then closes the window on the main
// goroutine. It is the only goroutine outside the group, and ends with that.
func (w *Window) finish(ids []string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if len(ids) > 0 {
		w.deps.Engine.Stop() // what other machines have stays with them, to be brought when the workspace is open again
	}
	for _, id := range ids {
		if _, err := w.deps.Engine.Wait(ctx, id); err != nil {
			w.deps.Log.Warn("run did not end in time", "run", id, "error", err)
		}
	}
	if w.deps.Machines != nil {
		w.deps.Machines.Close()
	}
	w.work.Wait()
	w.noteStopped(ids)
	w.work.Post(func() {
		left := w.window
		clearOut(left)
		if w.deaf(); !w.givesWay {
			left.Close()
			left = nil
		}
		if w.deps.Closed != nil {
			w.deps.Closed(left)
		}
	})
}

// clearOut empties a window before its end, or before another workspace is shown in it. The driver
// keeps the texts that it has drawn for a window, and with them all that was on it, unless the
// window has got another content before its end and was not in full screen then. What still lies
// over it goes, too: it would keep what follows the keyboard in it waiting.
func clearOut(window fyne.Window) {
	over := window.Canvas().Overlays()
	for top := over.Top(); top != nil; top = over.Top() {
		over.Remove(top)
	}
	if window.FullScreen() {
		window.SetFullScreen(false)
	}
	window.SetContent(container.NewWithoutLayout())
}

// EndPosting has what the window's goroutines post dropped from now on. The program was told to
// end, and Fyne, which ends its loop then, runs what is posted later on the goroutine that posts
// it, beside the main one. It may be called on any goroutine.
func (w *Window) EndPosting() { w.gone.Store(true) }

// Abandon ends the goroutines of a window that is gone without having been closed, because the
// program was told to end. What they post is dropped: Fyne's loop has ended, and it would be run
// beside the main goroutine.
func (w *Window) Abandon() {
	w.EndPosting()
	if !w.closing {
		rememberPlace(w.deps.Preferences, w.deps.Workspace.Path(), w.place)
	}
	w.closing = true
	for _, silence := range w.silence {
		silence()
	}
	w.work.Stop()
	w.work.Wait()
	w.noteStopped(w.active())
}

// noteStopped remembers the runs that end with the window, to be offered at the next start.
func (w *Window) noteStopped(ids []string) {
	if len(ids) == 0 {
		return
	}
	err := noteResume(w.deps.Workspace, func(r *resumeRecord) { r.Stopped = append(r.Stopped, ids...) })
	if err != nil {
		w.deps.Log.Warn("the runs are not offered at the next start", "error", err)
	}
}
