package ranking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// task is slow work of the screen or of a page: one job at a time, whose row says how far it is
// and can end it. An answer that was overtaken by another start or by stop is dropped.
type task struct {
	work   *background.Group
	row    *widget.ProgressRow // hidden while nothing is under way
	laid   func()              // after the row came or went
	told   func(widget.ProgressState)
	job    *background.Job
	latest background.Latest
	hear   func() // ends the watching of the job
	took   time.Duration
}

func newTask(work *background.Group) *task {
	t := &task{work: work, row: widget.NewProgressRow(), laid: func() {}, told: func(widget.ProgressState) {}}
	t.row.OnCancel = t.cancel
	t.row.Hide()
	return t
}

// object is what a page shows while the task is at work.
func (t *task) object() fyne.CanvasObject { return t.row }

// busy tells whether work is under way.
func (t *task) busy() bool { return t.job != nil }

// cancel asks the work under way to end; its done function hears of it.
func (t *task) cancel() {
	if t.job != nil {
		t.job.Cancel()
		t.follow()
	}
}

// stop ends the work under way and drops its answer.
func (t *task) stop() {
	t.latest.Next()
	if t.job != nil {
		t.job.Drop()
		t.over()
	}
}

// start runs work as a job in place of what is under way, and returns its number. done gets its
// error on the main goroutine, nil for success; it is not called for what was overtaken.
func (t *task) start(name string, work func(context.Context, *background.Progress) error, done func(error)) (id uint64) {
	t.stop()
	id = t.latest.Next()
	begun := time.Now()
	t.job = t.work.Start(name, work, func(err error) {
		if !t.latest.Is(id) {
			return
		}
		t.took = time.Since(begun)
		t.over()
		if !errors.Is(err, background.ErrClosed) {
			done(err)
		}
	})
	t.hear = t.work.Subscribe(t.follow)
	t.row.Show()
	t.follow()
	t.laid()
	return id
}

// at tells whether the work of that number is still under way.
func (t *task) at(id uint64) bool { return t.busy() && t.latest.Is(id) }

// over puts the row away.
func (t *task) over() {
	if t.hear != nil {
		t.hear()
		t.hear = nil
	}
	t.job = nil
	t.row.Hide()
	t.laid()
}

// follow shows how far the job is.
func (t *task) follow() {
	if t.job != nil {
		state := stateOf(t.job.Snapshot(), time.Now())
		t.row.SetState(state)
		t.told(state)
	}
}

// stateOf is a job's state as a row shows it.
func stateOf(now background.Snapshot, at time.Time) widget.ProgressState {
	s := widget.ProgressState{Title: now.Name, CanCancel: !now.Cancelling}
	if now.Cancelling {
		s.Phase = "cancelling…"
		return s
	}
	if share, ok := now.Fraction(); ok {
		s.Share = share
		s.Detail = fmt.Sprintf("%s of %s", present.Count(now.Done), present.Count(now.Total))
		if left := present.Left(now.Left(at)); left != "" {
			s.Detail += ", " + left
		}
	}
	return s
}
