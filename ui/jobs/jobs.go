// Package jobs runs the window's slow work off the main goroutine: jobs that people see and
// can cancel, and quiet loads whose stale answers are dropped. Once a Group is stopped and has
// been waited for, none of its goroutines is left.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Progress counts what one job has done. It implements engine.Progress and is safe for many
// goroutines.
type Progress struct {
	total, done atomic.Int64
	begun       atomic.Int64 // when the total was set, Unix nanoseconds
	percent     atomic.Bool
}

// Percent says that the steps are percents.
func (p *Progress) Percent() { p.percent.Store(true) }

// SetTotal says how many steps there are; 0 means unknown.
func (p *Progress) SetTotal(n int64) {
	p.begun.CompareAndSwap(0, time.Now().UnixNano())
	p.total.Store(n)
}

// Add adds finished steps.
func (p *Progress) Add(n int64) { p.done.Add(n) }

// Stages is the progress of a job of several stages that know nothing of each other: each total
// begins a new count.
type Stages struct{ *Progress }

// SetTotal begins a stage of n steps.
func (s Stages) SetTotal(n int64) {
	s.begun.Store(time.Now().UnixNano())
	s.done.Store(0)
	s.total.Store(n)
}

// Snapshot is the state of a job at one moment.
type Snapshot struct {
	ID          int
	Name        string
	Done, Total int64 // Total 0: unknown
	Percent     bool  // they are percents
	Started     time.Time
	// Counting is when the count of steps began; zero while the total is unknown.
	Counting   time.Time
	Cancelling bool
	Whole      bool // started by StartWhole: it cannot be cancelled
}

// Left estimates how much longer the job takes if its steps go on as they did so far; 0 when that
// is unknown.
func (s Snapshot) Left(at time.Time) time.Duration {
	if s.Total <= 0 || s.Done <= 0 || s.Done >= s.Total || s.Counting.IsZero() {
		return 0
	}
	return time.Duration(float64(at.Sub(s.Counting)) * float64(s.Total-s.Done) / float64(s.Done))
}

// Fraction is the share done in [0, 1]; ok is false while the total is unknown.
func (s Snapshot) Fraction() (share float64, ok bool) {
	if s.Total <= 0 {
		return 0, false
	}
	return min(1, float64(s.Done)/float64(s.Total)), true
}

// Job is one piece of visible work.
type Job struct {
	id         int
	name       string
	started    time.Time
	cancel     context.CancelFunc
	whole      bool
	quiet      bool // not among Jobs
	cancelling atomic.Bool
	asked      atomic.Bool // a person asked for the cancel
	progress   Progress
}

// Cancel ends the job because a person asks for it; its done function is called with an error that
// is context.Canceled, after the listener of OnCancelled. A job of StartWhole goes on.
func (j *Job) Cancel() {
	if !j.whole {
		j.asked.Store(true)
		j.Drop()
	}
}

// Drop ends the job because nobody waits for its answer any more. It says nothing to anybody.
func (j *Job) Drop() {
	j.cancelling.Store(true)
	j.cancel()
}

// Cancelled tells whether a person asked for the end of the job.
func (j *Job) Cancelled() bool { return j.asked.Load() }

// Snapshot is the job's state now.
func (j *Job) Snapshot() Snapshot {
	now := Snapshot{
		ID: j.id, Name: j.name, Done: j.progress.done.Load(), Total: j.progress.total.Load(),
		Percent: j.progress.percent.Load(), Started: j.started, Cancelling: j.cancelling.Load(), Whole: j.whole,
	}
	if begun := j.progress.begun.Load(); begun != 0 {
		now.Counting = time.Unix(0, begun)
	}
	return now
}

// Group owns the goroutines of a window.
type Group struct {
	post      func(func())
	ctx       context.Context
	cancel    context.CancelCauseFunc
	running   sync.WaitGroup
	cancelled func(name string, ended bool)

	mu     sync.Mutex
	closed bool
	next   int
	jobs   []*Job
	// pulsing is true while the goroutine runs that wakes the listeners.
	pulsing   bool
	listeners map[int]func()
	unheard   atomic.Bool // a pulse waits for the main goroutine
}

// Pulse is how often listeners notify at most while a job is at work.
const Pulse = 100 * time.Millisecond

// ErrClosed is given to work that was started after Stop.
var ErrClosed = errors.New("the window is closing")

// New makes a group. Post hands a function to the main goroutine and does not wait for it
// (fyne.Do).
func New(post func(func())) *Group {
	ctx, cancel := context.WithCancelCause(context.Background())
	return &Group{post: post, ctx: ctx, cancel: cancel, cancelled: func(string, bool) {}, listeners: map[int]func(){}}
}

// OnCancelled has notify called on the main goroutine when a job is over whose cancel a person
// asked for, before the job's done function; ended is false where the work came to its end all the
// same. It is called before the first job is started.
func (g *Group) OnCancelled(notify func(name string, ended bool)) { g.cancelled = notify }

// Subscribe has notify called on the main goroutine after a job started or ended, and ten times a
// second in between, or as often as the main goroutine has time for. Cancel ends it; both are
// called on the main goroutine.
func (g *Group) Subscribe(notify func()) (cancel func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.next++
	id := g.next
	g.listeners[id] = notify
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.listeners, id)
	}
}

// Start runs work in the background as a job with a name for people. Done, which may be nil, is
// called once on the main goroutine with what work returned; a panic in work arrives there as an
// error. Work must end within 2 seconds of the end of its context, and leave nothing at work. The
// context's cause is ErrClosed where the window closes.
func (g *Group) Start(name string, work func(context.Context, *Progress) error, done func(error)) *Job {
	return g.start(&Job{name: name}, work, done)
}

// StartQuiet is Start for work that is over soon or follows a selection: it is not among Jobs.
func (g *Group) StartQuiet(name string, work func(context.Context, *Progress) error, done func(error)) *Job {
	return g.start(&Job{name: name, quiet: true}, work, done)
}

// StartWhole is Start for work that is one step, such as opening a workspace: it cannot be
// cancelled, and no Cancel stands beside it.
func (g *Group) StartWhole(name string, work func() error, done func(error)) *Job {
	return g.start(&Job{name: name, whole: true}, func(context.Context, *Progress) error { return work() }, done)
}

func (g *Group) start(job *Job, work func(context.Context, *Progress) error, done func(error)) *Job {
	ctx, cancel := context.WithCancel(g.ctx)
	job.started, job.cancel = time.Now(), cancel
	g.mu.Lock()
	g.next++
	job.id = g.next
	closed := g.closed
	if !closed {
		g.running.Add(1)
	}
	if !closed && !job.quiet {
		g.jobs = append(g.jobs, job)
		g.pulse()
	}
	g.mu.Unlock()
	if closed {
		cancel()
		g.finish(done, ErrClosed)
		return job
	}
	if !job.quiet {
		g.tell()
	}
	go func() {
		defer g.running.Done()
		defer cancel()
		err := guarded(job.name, func() error { return work(ctx, &job.progress) })
		g.remove(job)
		g.post(func() {
			if job.Cancelled() {
				g.cancelled(job.name, errors.Is(err, context.Canceled))
			}
			if done != nil {
				done(err)
			}
		})
		if !job.quiet {
			g.tell()
		}
	}()
	return job
}

// Quiet runs work in the background without showing it.
func (g *Group) Quiet(name string, work func(context.Context) error, done func(error)) {
	g.mu.Lock()
	closed := g.closed
	if !closed {
		g.running.Add(1)
	}
	g.mu.Unlock()
	if closed {
		g.finish(done, ErrClosed)
		return
	}
	go func() {
		defer g.running.Done()
		g.finish(done, guarded(name, func() error { return work(g.ctx) }))
	}()
}

// After calls then on the main goroutine after a while; its error says that the group has ended
// before.
func (g *Group) After(wait time.Duration, name string, then func(error)) {
	g.Quiet(name, func(ctx context.Context) error {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		return ctx.Err()
	}, then)
}

func (g *Group) finish(done func(error), err error) {
	if done != nil {
		g.post(func() { done(err) })
	}
}

func guarded(name string, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s stopped because of a fault in the program: %v", name, r)
		}
	}()
	return work()
}

func (g *Group) remove(job *Job) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, j := range g.jobs {
		if j == job {
			g.jobs = append(g.jobs[:i:i], g.jobs[i+1:]...)
			return
		}
	}
}

// pulse starts the goroutine that wakes the listeners while there are jobs; the caller holds mu.
func (g *Group) pulse() {
	if g.pulsing {
		return
	}
	g.pulsing = true
	g.running.Add(1)
	go func() {
		defer g.running.Done()
		ticker := time.NewTicker(Pulse)
		defer ticker.Stop()
		for {
			select {
			case <-g.ctx.Done():
				return
			case <-ticker.C:
			}
			g.mu.Lock()
			g.pulsing = len(g.jobs) > 0
			more := g.pulsing
			g.mu.Unlock()
			if !more {
				return
			}
			if g.unheard.CompareAndSwap(false, true) { // a slow main goroutine is not told what it has not heard yet
				g.post(func() {
					g.unheard.Store(false)
					g.wake()
				})
			}
		}
	}()
}

// tell wakes the listeners on the main goroutine.
func (g *Group) tell() { g.post(g.wake) }

// wake calls the listeners. One that is cancelled meanwhile is left out.
func (g *Group) wake() {
	g.mu.Lock()
	var ids []int
	for id := range g.listeners {
		ids = append(ids, id)
	}
	g.mu.Unlock()
	slices.Sort(ids)
	for _, id := range ids {
		g.mu.Lock()
		notify := g.listeners[id]
		g.mu.Unlock()
		if notify != nil {
			notify()
		}
	}
}

// Jobs are the jobs at work, oldest first.
func (g *Group) Jobs() []*Job {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*Job(nil), g.jobs...)
}

// Post hands a function to the main goroutine.
func (g *Group) Post(f func()) { g.post(f) }

// Stop ends all work: it cancels every context and refuses new work. It returns at once; Wait
// waits.
func (g *Group) Stop() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.cancel(ErrClosed)
}

// Wait returns when no goroutine of the group is left.
func (g *Group) Wait() { g.running.Wait() }
