package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/engine/signal"
)

// errCancelled is the cause of a cancelled run's context.
var errCancelled = errors.New("the run was cancelled")

// job is a submitted run with its state. The mutex guards everything but the atomic counters; it is never held during
// inference or while a recorder works.
type job struct {
	run    Run
	ctx    context.Context
	cancel context.CancelCauseFunc
	gate   gate
	ended  chan struct{} // closed when all its goroutines are gone
	clock  clock

	mu        sync.Mutex
	phase     Phase
	submitted time.Time
	end       time.Time
	tasks     []*taskState
	cursor    int  // first task that may have units to hand out
	started   bool // taken by the scheduler, or cancelled before that
	skipped   int
	spent     Spent
}

// taskState is one model of a job.
type taskState struct {
	recipe *recipe
	spec   signal.Spec
	name   string
	total  int64
	done   atomic.Int64 // inferences, reused ones included
	reused atomic.Int64
	ctx    context.Context // ends with the job, or when the model has failed
	fail   context.CancelCauseFunc

	open opening

	// Guarded by the job's mutex.
	users   int // benches, and units handed out to workers that have no bench of this model yet
	phase   Phase
	err     error
	pending []int // chunks to hand out
	left    int   // units not recorded yet
	handed  bool  // whether a worker has the finishing in hand
}

func newJob(ctx context.Context, run Run) (*job, error) {
	j := &job{run: run, phase: Queued, submitted: time.Now(), ended: make(chan struct{})}
	seen, made := map[string]bool{}, map[sized]*tables{}
	for _, t := range run.Tasks {
		r, err := newRecipe(t)
		if err != nil {
			return nil, err
		}
		r.share(made)
		if run.Source.Len() != t.Spec.Images {
			return nil, fmt.Errorf("model %s: planned for %d images, but the suite has %d; plan the run again", t.ID, t.Spec.Images, run.Source.Len())
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
			recipe: r, spec: t.Spec, name: t.ID, phase: Queued, total: int64(t.Spec.Images) * int64(r.count),
			open: opening{ready: make(chan struct{})},
		})
	}
	j.ctx, j.cancel = context.WithCancelCause(ctx)
	for _, t := range j.tasks {
		t.ctx, t.fail = context.WithCancelCause(j.ctx)
	}
	return j, nil
}

// work is what a worker gets: a unit of a task, or, with chunk finishing, its completion.
type work struct {
	task  *taskState
	chunk int
}

const finishing = -1

// next hands out work model by model; ok is false when nothing is left.
func (j *job) next() (w work, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for ; j.cursor < len(j.tasks); j.cursor++ {
		t := j.tasks[j.cursor]
		if j.ctx.Err() != nil || t.phase == Failed {
			t.pending = nil
			continue
		}
		if len(t.pending) > 0 {
			t.phase = Running
			chunk := t.pending[0]
			t.pending = t.pending[1:]
			t.users++
			return work{t, chunk}, true
		}
		if t.left == 0 && !t.handed {
			t.phase, t.handed = Running, true
			return work{t, finishing}, true
		}
	}
	return work{}, false
}

// release gives back what next counted; it is true for the last user of a model that has no more units to hand out,
// who closes the session.
func (j *job) release(t *taskState) (last bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t.users--
	return t.users == 0 && (len(t.pending) == 0 || j.ctx.Err() != nil)
}

// recorded notes a finished unit; it is true for the one worker that has to finish the model.
func (j *job) recorded(t *taskState) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t.left--
	if t.left > 0 || t.handed || t.phase == Failed {
		return false
	}
	t.handed = true
	return true
}

// spend adds to what the workers have spent.
func (j *job) spend(s Spent) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.spent = j.spent.Plus(s)
}

// failed notes the first error of a model and stops its other units. After a cancel it is no failure.
func (j *job) failed(t *taskState, err error) {
	j.mu.Lock()
	if t.phase != Failed && t.phase != Done && j.ctx.Err() == nil {
		t.phase, t.err, t.pending = Failed, err, nil
	}
	j.mu.Unlock()
	t.fail(err)
}

func (j *job) finished(t *taskState) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if t.phase == Running {
		t.phase = Done
	}
}

// survey asks the recorder which units are kept already, before the first one is computed.
func (j *job) survey(rec Recorder) {
	for _, t := range j.tasks {
		if j.ctx.Err() != nil {
			return
		}
		var pending []int
		var reused int64
		var err error
		for chunk := range t.spec.Chunks() {
			var has bool
			if has, err = rec.Has(t.spec.UnitKey(chunk)); err != nil {
				break
			}
			if !has {
				pending = append(pending, chunk)
				continue
			}
			_, images := t.spec.ChunkImages(chunk)
			reused += int64(images) * int64(t.recipe.count)
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

// conclude sets the final phases once all goroutines are gone, tells the recorder and frees the source.
func (j *job) conclude(rec Recorder) {
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
		t.recipe = nil // tables are not needed for reports
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
	j.run.Source, j.run.Close, j.run.Tasks = nil, nil, nil
	j.mu.Unlock()
	j.cancel(nil)
	if closeSource != nil {
		_ = closeSource() // the results are recorded; a source that closes badly changes none of them
	}
	_ = rec.Ended(j.status()) // nor does a line in the list of runs that could not be written
	close(j.ended)
}

// status is a snapshot.
func (j *job) status() Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := Status{
		ID: j.run.ID, Suite: j.run.Suite, Family: j.run.Family, Phase: j.phase, Submitted: j.submitted, Ended: j.end,
		Skipped: j.skipped, Spent: j.spent, Tasks: make([]TaskStatus, len(j.tasks)),
	}
	var hopeless int64 // what failed models will never do
	for i, t := range j.tasks {
		ts := TaskStatus{Model: t.spec.Model, ID: t.name, Phase: t.phase, Total: t.total, Reused: t.reused.Load(), Err: t.err}
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
	seconds := s.Took.Seconds()
	if computed := s.Done - s.Reused; computed > 0 && seconds > 0 {
		s.PerSecond = float64(computed) / seconds
		if j.phase == Running || j.phase == Paused {
			s.Left = restSeconds(s.Total-s.Done-hopeless, s.PerSecond)
		}
	}
	return s
}
