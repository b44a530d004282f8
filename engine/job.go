package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/signal"
)

// errCancelled is the cause of a cancelled run's context.
var errCancelled = errors.New("the run was cancelled")

// Job is a submitted run at work, as those see it who compute its units. The mutex guards
// everything but the atomic counters; it is never held during inference or while a recorder works.
type Job struct {
	run        Run
	source     Source
	rec        Recorder
	wake       func() // tells that something has changed
	ctx        context.Context
	cancel     context.CancelCauseFunc
	pause      Pause
	ended      chan struct{} // closed when all its goroutines are gone
	clock      clock
	throughput Throughput
	// telling serialises Run.Working, so that what is told last is so.
	telling sync.Mutex

	mu        sync.Mutex
	phase     Phase
	submitted time.Time
	end       time.Time
	tasks     []*taskState
	had       map[string]*taskState // the model that each one who computes was given a unit of last
	started   bool                  // taken by the scheduler, or cancelled before that
	out       int                   // assignments that have not ended
	moved     chan struct{}         // closed and made anew when one has ended
	skipped   int
	timings   Timings
}

// taskState is one model of a job.
type taskState struct {
	prepared *Prepared
	spec     signal.Spec
	key      string // of the spec
	name     string
	total    int64
	// transformations is kept apart from the prepared task, which goes when the run has ended.
	transformations int

	done   atomic.Int64 // inferences, reused ones included
	reused atomic.Int64
	begun  atomic.Bool     // Run.Working was told
	ctx    context.Context // ends with the job, or when the model has failed
	fail   context.CancelCauseFunc

	// Guarded by the job's mutex.
	phase   Phase
	err     error
	pending []int // chunks to hand out
	left    int   // units not recorded yet
	handed  bool  // whether somebody has the finishing in hand
}

func newJob(ctx context.Context, run Run, rec Recorder, wake func()) (*Job, error) {
	j := &Job{
		run: run, source: run.Source, rec: rec, wake: wake, moved: make(chan struct{}),
		had: map[string]*taskState{}, phase: Queued, submitted: time.Now(), ended: make(chan struct{}),
	}
	seen, made := map[string]bool{}, map[sized]*tables{}
	for _, t := range run.Tasks {
		r, err := prepareTask(t)
		if err != nil {
			return nil, err
		}
		r.share(made)
		if run.Source.Len() != t.Spec.Images {
			return nil, fmt.Errorf("model %s: planned for %d images, but the suite has %d; plan the run again", t.ID,
				t.Spec.Images, run.Source.Len())
		}
		if _, err := composerOf(r.family, run.Source); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.ID, err)
		}
		key := t.Spec.Key()
		if seen[key] {
			return nil, fmt.Errorf("model %s is in the run twice", t.ID)
		}
		seen[key] = true
		j.skipped = max(j.skipped, t.Skipped)
		j.tasks = append(j.tasks, &taskState{
			prepared: r, spec: t.Spec, key: key, name: t.ID, phase: Queued,
			total: int64(t.Spec.Images) * int64(r.count), transformations: r.count,
		})
	}
	j.ctx, j.cancel = context.WithCancelCause(ctx)
	for _, t := range j.tasks {
		t.ctx, t.fail = context.WithCancelCause(j.ctx)
	}
	return j, nil
}

// Closed tells whether the run has ended, or ends, because the engine is closed: what is on its
// way to others stays there. An executor's own context may end before it says so.
func (j *Job) Closed() bool { return errors.Is(context.Cause(j.ctx), ErrClosed) }

// recorded notes a finished unit; it is true for the one who has to finish the model.
func (j *Job) recorded(t *taskState) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t.left--
	if t.left > 0 || t.handed || t.phase == Failed {
		return false
	}
	t.handed = true
	return true
}

// spend adds to the workers' timings.
func (j *Job) spend(s Timings) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.timings = j.timings.Plus(s)
}

// failed notes the first error of a model and stops its other units. After a cancel it is no
// failure.
func (j *Job) failed(t *taskState, err error) {
	j.mu.Lock()
	first := t.phase != Failed && t.phase != Done && j.ctx.Err() == nil
	if first {
		t.phase, t.err, t.pending = Failed, err, nil
	}
	j.mu.Unlock()
	t.fail(err)
	if first && t.begun.Load() {
		j.tellWorking()
	}
}

// begin tells of a model of which a unit was handed out for the first time.
func (j *Job) begin(a *Assignment) *Assignment {
	if a != nil && a.task.begun.CompareAndSwap(false, true) {
		j.tellWorking()
	}
	return a
}

// tellWorking tells which models are being computed; the end of the last one is the end of the run.
func (j *Job) tellWorking() {
	j.telling.Lock()
	defer j.telling.Unlock()
	j.mu.Lock()
	tell := j.run.Working
	var models []string
	for _, t := range j.tasks {
		if t.phase == Running && t.begun.Load() {
			models = append(models, t.spec.Model)
		}
	}
	j.mu.Unlock()
	if tell != nil && len(models) > 0 {
		tell(models)
	}
}

// finish completes a model whose units are all recorded.
func (j *Job) finish(t *taskState) {
	var watch stopwatch
	watch.start()
	err := j.sumUp(t)
	var timings Timings
	watch.lap(&timings.Store)
	j.spend(timings)
	if err != nil {
		j.failed(t, err)
	} else {
		j.mu.Lock()
		if t.phase == Running {
			t.phase = Done
		}
		j.mu.Unlock()
		if t.begun.Load() {
			j.tellWorking()
		}
	}
	j.wake()
}

func (j *Job) sumUp(t *taskState) (err error) {
	defer caught(t.name, &err)
	if err := j.rec.Finish(t.ctx, t.prepared.task); err != nil {
		return fmt.Errorf("model %s: sum up signals: %w", t.name, err)
	}
	return nil
}

// finishKept completes models of which every unit was recorded before, several at a time.
func (j *Job) finishKept(kept []*taskState, atOnce int) {
	var group errgroup.Group
	group.SetLimit(max(1, atOnce))
	for _, t := range kept {
		group.Go(func() error {
			if j.pause.Pass(t.ctx) == nil {
				j.finish(t)
			}
			return nil
		})
	}
	_ = group.Wait() // a model that fails says so itself
}

// kept are the models that have nothing left to compute.
func (j *Job) kept() (list []*taskState) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, t := range j.tasks {
		if t.left == 0 && !t.handed && t.phase != Failed && j.ctx.Err() == nil {
			t.phase, t.handed = Running, true
			list = append(list, t)
		}
	}
	return list
}

// survey asks the recorder which units are kept already, before the first one is computed.
func (j *Job) survey() {
	for _, t := range j.tasks {
		if j.ctx.Err() != nil {
			return
		}
		var pending []int
		var reused int64
		var err error
		for chunk := range t.spec.Chunks() {
			var has bool
			if has, err = j.rec.Has(signal.UnitKeyOf(t.key, chunk)); err != nil {
				break
			}
			if !has {
				pending = append(pending, chunk)
				continue
			}
			reused += j.inferences(t, chunk)
		}
		if err != nil {
			j.failed(t, fmt.Errorf("model %s: look for finished signals: %w", t.name, err))
			continue
		}
		t.reused.Store(reused)
		t.done.Store(reused)
		j.mu.Lock()
		t.pending, t.left = pending, len(pending)
		j.mu.Unlock()
	}
}

// conclude sets the final phases once all goroutines are gone, tells the recorder and frees the
// source.
func (j *Job) conclude() {
	j.clock.stop()
	j.mu.Lock()
	failures := 0
	for _, t := range j.tasks {
		switch t.phase {
		case Failed:
			failures++
		case Done:
		default:
			t.phase = Cancelled
		}
		t.prepared = nil // tables are not needed for reports
	}
	switch {
	case j.phase == Cancelled:
	case j.ctx.Err() != nil:
		j.phase = Cancelled
	case failures == len(j.tasks):
		j.phase = Failed
	default:
		j.phase = Done
	}
	j.end = time.Now()
	closeSource := j.run.Close
	j.run.Source, j.run.Close, j.run.Tasks, j.run.Executor, j.run.Working, j.source = nil, nil, nil, nil, nil, nil
	j.mu.Unlock()
	j.cancel(nil)
	if closeSource != nil {
		_ = closeSource() // the results are recorded; a source that closes badly changes none of them
	}
	_ = j.rec.Ended(j.status()) // nor does a line in the list of runs that could not be written
	close(j.ended)
}

// status is a snapshot.
func (j *Job) status() Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := Status{
		ID: j.run.ID, Suite: j.run.Suite, Family: j.run.Family, Phase: j.phase, Submitted: j.submitted, Ended: j.end,
		Skipped: j.skipped, Timings: j.timings, Tasks: make([]TaskStatus, len(j.tasks)),
	}
	if len(j.tasks) > 0 {
		s.Source = j.tasks[0].spec.Source
	}
	var hopeless int64 // what failed models will never do
	for i, t := range j.tasks {
		ts := TaskStatus{
			Model: t.spec.Model, ID: t.name, Phase: t.phase, Total: t.total, Reused: t.reused.Load(), Err: t.err,
		}
		ts.Done = t.done.Load()
		if ts.Phase == Running && j.phase == Paused {
			ts.Phase = Paused
		}
		if ts.Phase == Failed {
			s.Failed++
			hopeless += ts.Total - ts.Done
		}
		s.Done, s.Total, s.Reused = s.Done+ts.Done, s.Total+ts.Total, s.Reused+ts.Reused
		s.Tasks[i] = ts
	}
	s.Took = j.clock.elapsed()
	if j.phase == Running || j.phase == Paused {
		s.Shares = j.throughput.Shares(s.Took)
		for _, share := range s.Shares {
			s.PerSecond += share.PerSecond
		}
		s.Left = restSeconds(s.Total-s.Done-hopeless, s.PerSecond)
		return s
	}
	if computed := s.Done - s.Reused; computed > 0 && s.Took > 0 {
		s.PerSecond = float64(computed) / s.Took.Seconds()
	}
	return s
}
