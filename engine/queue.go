package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/variscope/variscope/engine/device"
)

// Errors of the queue.
var (
	ErrNoRuntime  = errors.New("the ONNX Runtime library is missing, so nothing can be computed")
	ErrClosed     = errors.New("the engine is closed")
	ErrUnknownRun = errors.New("no such run")
	ErrEnded      = errors.New("the run has ended")
)

// Limits are the bounds of an engine. Zero values mean runtime.NumCPU workers and DefaultBatch.
type Limits struct {
	Workers int         // units that are computed at a time; NoWorkers where attached executors alone do
	Batch   int         // images per inference, for PlanInput.Batch
	Device  device.Pick // of requests that do not say it
	// Tune chooses batch and workers where a request does not say them; nil leaves them at the
	// limits.
	Tune Tuner
}

// NoWorkers is the number of workers of an engine that computes nothing itself.
const NoWorkers = -1

// Engine runs jobs one after another in the order in which they were submitted, in background
// goroutines. A run that is paused before it starts lets others pass; one that is paused while it
// runs keeps its place.
type Engine struct {
	rt     Runtime
	rec    Recorder
	limits Limits
	ctx    context.Context
	cancel context.CancelCauseFunc

	kick    chan struct{} // wakes the scheduler
	changed chan struct{}
	wg      sync.WaitGroup

	mu        sync.Mutex
	jobs      []*Job
	closed    bool
	attached  []*attachment
	executors *executors // of the job at work
}

// New starts an engine. rt may be nil: Submit then fails with ErrNoRuntime.
func New(rt Runtime, rec Recorder, l Limits) *Engine {
	l.Workers = orAll(l.Workers)
	if l.Batch <= 0 {
		l.Batch = DefaultBatch
	}
	e := &Engine{rt: rt, rec: rec, limits: l, kick: make(chan struct{}, 1), changed: make(chan struct{}, 1)}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	e.wg.Go(e.schedule)
	return e
}

// orAll is so many workers, one per processor for 0.
func orAll(workers int) int {
	switch {
	case workers < 0:
		return NoWorkers
	case workers == 0:
		return runtime.NumCPU()
	}
	return workers
}

// Limits are the bounds in force. Where only others compute, nothing is tuned: what is fast on
// this computer says nothing about them.
func (e *Engine) Limits() Limits {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.limits
	if l.Workers == NoWorkers {
		l.Tune = nil
	}
	return l
}

// SetDevice changes what requests are computed on that do not say it, from the next one on.
func (e *Engine) SetDevice(o device.Pick) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.limits.Device = o
}

// SetWorkers changes how many units are computed at a time, from the next run on; 0 means one per
// processor, NoWorkers none. A run at work that was begun without any gets them at once: nobody
// else might be there to end it. Results do not depend on it.
func (e *Engine) SetWorkers(n int) {
	n = orAll(n)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.limits.Workers = n
	if t := e.executors; t != nil && t.withoutOwn && n > 0 {
		t.withoutOwn = false
		if t.job.run.Workers > 0 {
			n = min(n, t.job.run.Workers)
		}
		t.join(&attachment{local{e.rt, n}})
	}
}

// Submit queues a run. When it returns an error, nothing was queued and the caller still owns the
// run's source; otherwise the engine calls Run.Close when the run has ended.
func (e *Engine) Submit(run Run) error {
	switch {
	case e.rt == nil:
		return ErrNoRuntime
	case run.ID == "" || run.Source == nil || len(run.Tasks) == 0:
		return errors.New("a run needs an id, a source and at least one model")
	}
	j, err := newJob(e.ctx, run, e.rec, func() { signalOnce(e.changed) })
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		j.cancel(ErrClosed)
		return ErrClosed
	}
	for _, other := range e.jobs {
		if other.run.ID == run.ID {
			j.cancel(nil)
			return fmt.Errorf("run %s was submitted before", run.ID)
		}
	}
	e.jobs = append(e.jobs, j)
	signalOnce(e.kick)
	signalOnce(e.changed)
	return nil
}

// Pause stops a run between two inferences; what was begun is kept in memory. A run that has ended
// is ErrEnded.
func (e *Engine) Pause(id string) error {
	return e.change(id, "pause", func(j *Job) {
		if j.phase == Paused {
			return
		}
		j.phase = Paused
		j.pause.Hold()
		j.clock.stop()
	})
}

// Resume lets a paused run go on.
func (e *Engine) Resume(id string) error {
	return e.change(id, "resume", func(j *Job) {
		if j.phase != Paused {
			return
		}
		j.phase = Queued
		if j.started {
			j.phase = Running
			j.clock.start()
		}
		j.pause.Release()
		signalOnce(e.kick)
	})
}

// change applies a change to a run that has not ended, under the run's lock; what names the change
// in the error.
func (e *Engine) change(id, what string, apply func(*Job)) error {
	j, err := e.find(id)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch j.phase {
	case Queued, Running, Paused:
		apply(j)
	default:
		return fmt.Errorf("%s run %s: %w", what, id, ErrEnded)
	}
	signalOnce(e.changed)
	return nil
}

// Cancel ends a run. It returns at once; the phase is Cancelled from then on, and inference under
// way is ended through its context. Wait tells when all of it is gone. Units recorded so far are
// kept.
func (e *Engine) Cancel(id string) error {
	j, err := e.find(id)
	if err != nil {
		return err
	}
	if !j.stop(errCancelled) {
		return fmt.Errorf("cancel run %s: %w", id, ErrEnded)
	}
	signalOnce(e.changed)
	return nil
}

// stop cancels the job for a reason; false when it has ended before.
func (j *Job) stop(cause error) bool {
	j.mu.Lock()
	if j.phase == Done || j.phase == Failed {
		j.mu.Unlock()
		return false
	}
	j.phase = Cancelled
	waiting := !j.started
	j.started = true
	j.mu.Unlock()
	j.cancel(cause)
	j.clock.stop()
	if waiting {
		j.conclude()
	}
	return true
}

func (e *Engine) find(id string) (*Job, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, j := range e.jobs {
		if j.run.ID == id {
			return j, nil
		}
	}
	return nil, fmt.Errorf("run %s: %w", id, ErrUnknownRun)
}

// Snapshot is the state of all runs of this process, oldest first. It is cheap enough for ten
// calls a second.
func (e *Engine) Snapshot() []Status {
	e.mu.Lock()
	jobs := e.jobs[:len(e.jobs):len(e.jobs)]
	e.mu.Unlock()
	out := make([]Status, len(jobs))
	for i, j := range jobs {
		out[i] = j.status()
	}
	return out
}

// Wait returns the final status of a run once all its goroutines are gone, or the present one with
// ctx's error.
func (e *Engine) Wait(ctx context.Context, id string) (Status, error) {
	j, err := e.find(id)
	if err != nil {
		return Status{}, err
	}
	select {
	case <-j.ended:
		return j.status(), nil
	case <-ctx.Done():
		return j.status(), context.Cause(ctx)
	}
}

// Changed wakes one reader after each finished unit and each change of phase; several changes may
// come as one.
func (e *Engine) Changed() <-chan struct{} {
	if e == nil {
		return nil
	}
	return e.changed
}

// Stop begins to close the engine and returns at once: no run is taken any more, and those that
// there are end as if they were cancelled, but that what is on its way to other machines stays
// there. Wait tells when a run is gone.
func (e *Engine) Stop() {
	e.mu.Lock()
	e.closed = true
	jobs := e.jobs
	e.mu.Unlock()
	for _, j := range jobs {
		j.stop(ErrClosed)
	}
	signalOnce(e.changed)
}

// Close stops all runs and waits until their goroutines are gone.
func (e *Engine) Close() error {
	e.Stop()
	e.cancel(ErrClosed)
	e.wg.Wait()
	return nil
}

// schedule runs the queue.
func (e *Engine) schedule() {
	for {
		j := e.take()
		if j != nil {
			e.execute(j)
			continue
		}
		select {
		case <-e.kick:
		case <-e.ctx.Done():
			return
		}
	}
}

// take claims the oldest run that is queued.
func (e *Engine) take() *Job {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, j := range e.jobs {
		j.mu.Lock()
		queued := j.phase == Queued && !j.started
		if queued {
			j.started, j.phase = true, Running
			j.clock.start()
		}
		j.mu.Unlock()
		if queued {
			return j
		}
	}
	return nil
}

// signalOnce leaves a signal unless one is waiting already.
func signalOnce(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// restSeconds turns a rest of work and a speed into a time.
func restSeconds(rest int64, perSecond float64) time.Duration {
	if rest <= 0 || perSecond <= 0 {
		return 0
	}
	return time.Duration(float64(rest) / perSecond * float64(time.Second))
}
