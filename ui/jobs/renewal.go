package jobs

import (
	"context"
	"time"
)

// Renewal decides when a screen reads anew what it shows. The changes of a moment become one
// reading; the longer a reading takes, the rarer it is, because a run changes signals all the
// time; what changes during a reading is read after it, never in its place; and a screen that is
// not shown reads when it is shown again. It is used on the main goroutine only.
type Renewal struct {
	// Quiet has Start read without showing a job (Group.StartQuiet).
	Quiet bool

	work    *Group
	name    string
	refresh func()
	latest  Latest
	job     *Job // that reads, where Start has begun it
	begun   time.Time
	took    time.Duration
	shown   bool
	stale   bool
	busy    bool // a reading is under way
	waiting bool // one is on its way
	again   bool // something changed while one was under way
	held    bool // a person has cancelled the reading: changes wait until the screen is shown again
}

// A screen that is shown waits for more changes at least pause, and pauses times as long as the
// last reading took.
const pause, pauses = 200 * time.Millisecond, 4

// NewRenewal makes the renewal of a screen that has not read anything yet. refresh reads: it calls
// Start, or Begin and End. name is that of the waiting, for messages about faults.
func NewRenewal(work *Group, name string, refresh func()) *Renewal {
	return &Renewal{work: work, name: name, refresh: refresh, stale: true}
}

// Show says that the screen has come to the front. What is out of date is read; the result tells
// whether it was.
func (r *Renewal) Show() (read bool) {
	r.shown, r.held = true, false
	if !r.stale {
		return false
	}
	r.refresh()
	return true
}

// Hide says that the screen has left the front. A reading under way goes on.
func (r *Renewal) Hide() { r.shown = false }

// Shown tells whether the screen is in front.
func (r *Renewal) Shown() bool { return r.shown }

// Changed says that something of what is shown is another now.
func (r *Renewal) Changed() {
	switch {
	case !r.shown || r.held:
		r.stale = true
		return
	case r.busy:
		r.again = true
		return
	case r.waiting:
		return
	}
	r.waiting = true
	r.work.After(max(pause, pauses*r.took), r.name, func(err error) {
		r.waiting = false
		if r.stale = true; err == nil && r.shown {
			r.refresh()
		}
	})
}

// Spoil says that a reading has failed or was cancelled: what is shown is read again when the
// screen is shown again.
func (r *Renewal) Spoil() { r.stale = true }

// Outdated tells whether something changed while the reading was under way that is ending now: it
// will be read again.
func (r *Renewal) Outdated() bool { return r.again || r.stale }

// Idle tells whether what is shown is what there is, and nothing is under way.
func (r *Renewal) Idle() bool { return !r.busy && !r.waiting && !r.again && !r.stale }

// Stale tells whether the screen reads when it is shown again.
func (r *Renewal) Stale() bool { return r.stale }

// Begin says that a reading begins, in place of one that may be under way.
func (r *Renewal) Begin() {
	r.stale, r.again, r.held, r.busy, r.begun = false, false, false, true, time.Now()
}

// End says that the reading is over, however it ended, and its result applied.
func (r *Renewal) End() {
	r.busy, r.took = false, time.Since(r.begun)
	if r.again {
		r.again = false
		r.Changed()
	}
}

// Start reads in the background, as a job that people see and can cancel; what an older one was
// doing ends and its answer is dropped. done gets the error of the work on the main goroutine, nil
// for success.
func (r *Renewal) Start(title string, work func(context.Context, *Progress) error, done func(error)) {
	if r.job != nil {
		r.job.Drop()
	}
	r.Begin()
	id := r.latest.Next()
	start := r.work.Start
	if r.Quiet {
		start = r.work.StartQuiet
	}
	r.job = start(title, work, func(err error) {
		if !r.latest.Is(id) {
			return
		}
		r.held = r.job.Cancelled()
		r.job = nil
		done(err)
		if r.latest.Is(id) { // done has not begun another one
			r.End()
		}
	})
}

// Drop ends the reading that Start has begun, without a call of its done function. Changes that
// came meanwhile are forgotten.
func (r *Renewal) Drop() {
	r.latest.Next()
	if r.job != nil {
		r.job.Drop()
	}
	r.job, r.busy, r.again, r.stale = nil, false, false, false
}

// Job is the one that Start has begun, nil when none is under way.
func (r *Renewal) Job() *Job { return r.job }
