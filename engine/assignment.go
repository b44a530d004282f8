package engine

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/variscope/variscope/engine/signal"
)

// Assignment is a unit that was handed out. It ends once, with Done, Failed or Return; what comes
// after that changes nothing, so a result that is delivered twice or late does no harm.
type Assignment struct {
	job      *Job
	task     *taskState
	prepared *Prepared
	chunk    int
	to       string       // who it was handed to (Job.Next)
	counted  atomic.Int64 // inferences that the task's count has already
	settled  atomic.Bool
	// the prepared task's session counts it as a user, as long as no order loop of this process has
	// taken that over
	claims bool
	who    atomic.Pointer[string]
	// found says that it was computed in part, or wholly, before this run has heard of it.
	found atomic.Bool
}

var _ Sink = (*Assignment)(nil)

// Key names the unit (signal.Spec.UnitKey).
func (a *Assignment) Key() string { return signal.UnitKeyOf(a.task.key, a.chunk) }

// Chunk is the unit's chunk.
func (a *Assignment) Chunk() int { return a.chunk }

// Prepared is what is computed, of which model.
func (a *Assignment) Prepared() *Prepared { return a.prepared }

// Source is what the run reads.
func (a *Assignment) Source() Source { return a.job.source }

// order is the assignment for this process; its session counts as in use.
func (a *Assignment) order() Order {
	a.claims = false
	return Order{Prepared: a.prepared, Source: a.job.source, Chunk: a.chunk, Sink: a, claimed: true}
}

// leave gives back what was claimed for it and no order loop has taken over: who computes it
// elsewhere needs no session here.
func (a *Assignment) leave() {
	if a.claims {
		a.prepared.session.release()
	}
}

// Context ends with the run, or when the model has failed.
func (a *Assignment) Context() context.Context { return a.task.ctx }

// Pass blocks while the run is paused.
func (a *Assignment) Pass() error { return a.job.pause.Pass(a.task.ctx) }

// By says who computes the unit from now on, where it is not this process: the run's speed is told
// for each of them.
func (a *Assignment) By(who string) { a.who.Store(&who) }

// Inferred adds to the run's count.
func (a *Assignment) Inferred(images int) {
	if a.settled.Load() {
		return
	}
	a.counted.Add(int64(images))
	a.task.done.Add(int64(images))
	a.pace(int64(images))
}

// pace adds to the run's speed, but for what was computed before the run has heard of the unit,
// and for what others end while it is paused, when its clock stands still.
func (a *Assignment) pace(inferences int64) {
	who := ""
	if by := a.who.Load(); by != nil {
		who = *by
	}
	if a.found.CompareAndSwap(true, false) || who != "" && a.job.pause.held.Load() {
		return
	}
	a.job.throughput.Add(a.job.clock.elapsed(), who, inferences)
}

// Done hands the unit to the recorder, and after the last one of a model completes the model. A
// computed unit is kept even if the run is cancelled now: it would only have to be computed again.
// Its error is that of the recorder, which also fails the model.
func (a *Assignment) Done(unit *signal.Unit, timings Timings) {
	if !a.settled.CompareAndSwap(false, true) {
		return
	}
	defer a.job.settle()
	a.leave()
	t := a.task
	var watch stopwatch
	watch.start()
	if err := a.record(unit); err != nil {
		t.done.Add(-a.counted.Load())
		a.job.failed(t, err)
		return
	}
	rest := a.job.inferences(t, a.chunk) - a.counted.Load()
	t.done.Add(rest)
	a.pace(rest)
	watch.lap(&timings.Store)
	a.job.spend(timings)
	if a.job.recorded(t) {
		a.job.finish(t)
	}
}

func (a *Assignment) record(unit *signal.Unit) (err error) {
	defer caught(a.task.name, &err)
	if err := a.job.rec.Record(context.WithoutCancel(a.task.ctx), a.task.spec, unit); err != nil {
		return fmt.Errorf("model %s: keep signals: %w", a.task.name, err)
	}
	return nil
}

// Failed fails the unit's model, or does nothing after a cancel.
func (a *Assignment) Failed(err error) {
	if !a.settled.CompareAndSwap(false, true) {
		return
	}
	a.task.done.Add(-a.counted.Load())
	a.job.failed(a.task, err)
	a.leave()
	a.job.settle()
}

// Return gives the unit back, to be handed out again.
func (a *Assignment) Return() {
	if !a.settled.CompareAndSwap(false, true) {
		return
	}
	a.task.done.Add(-a.counted.Load())
	a.leave()
	a.job.mu.Lock()
	if t := a.task; t.phase != Failed && a.job.ctx.Err() == nil {
		t.pending = append([]int{a.chunk}, t.pending...)
	}
	delete(a.job.had, a.to)
	a.job.mu.Unlock()
	a.job.settle()
}

// Next hands out a unit to who computes it: a child process or a worker elsewhere, by a name of
// its own, or "" for the goroutines of this process together. Units of a model stay with who has
// it: first come those of the model that was had last, then those of a model that nobody has, in
// the run's order, and at the end others are helped, where most is left. Where nothing is left but
// some that were handed out may still be given back, it waits; so it does while the run is paused.
// ok is false when nothing is left to compute, or ctx or the run has ended. It is safe for many
// goroutines.
func (j *Job) Next(ctx context.Context, who string) (a *Assignment, ok bool) {
	for j.pause.Pass(ctx) == nil && j.ctx.Err() == nil {
		a, wait := j.hand(who)
		if a != nil {
			return j.begin(a), true
		}
		if wait == nil {
			return nil, false
		}
		select {
		case <-wait:
		case <-ctx.Done():
		case <-j.ctx.Done():
		}
	}
	return nil, false
}

// Take is Next that never waits for units that may be given back: it is for an executor that works
// alone and holds some of them until it has seen all the others.
func (j *Job) Take(ctx context.Context) (a *Assignment, ok bool) {
	if j.pause.Pass(ctx) != nil || j.ctx.Err() != nil {
		return nil, false
	}
	a, _ = j.hand("")
	return j.begin(a), a != nil
}

// Computed waits until nothing is left to hand out and all that was handed out has ended, or ctx
// or the run has.
func (j *Job) Computed(ctx context.Context) {
	for j.ctx.Err() == nil && ctx.Err() == nil {
		j.mu.Lock()
		wait := j.moved
		if j.out == 0 && !j.waiting() {
			wait = nil
		}
		j.mu.Unlock()
		if wait == nil {
			return
		}
		select {
		case <-wait:
		case <-ctx.Done():
		case <-j.ctx.Done():
		}
	}
}

// waiting tells under the job's mutex whether units are left to hand out.
func (j *Job) waiting() bool {
	return slices.ContainsFunc(j.tasks, (*taskState).open)
}

// Claim hands out the unit of that name, where it is one of the run's that nobody has; it is for
// who has it from an earlier process.
func (j *Job) Claim(key, who string) (a *Assignment, ok bool) {
	a = j.begin(j.claim(key, who))
	return a, a != nil
}

func (j *Job) claim(key, who string) *Assignment {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, t := range j.tasks {
		for i, chunk := range t.pending {
			if t.phase != Failed && signal.UnitKeyOf(t.key, chunk) == key {
				t.pending = append(t.pending[:i:i], t.pending[i+1:]...)
				a := j.assign(t, chunk, who)
				a.found.Store(true)
				return a
			}
		}
	}
	return nil
}

// hand takes the next unit for who computes it, or says what to wait for; both are nil when
// nothing is left.
func (j *Job) hand(who string) (a *Assignment, wait <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if t := j.choose(who); t != nil {
		chunk := t.pending[0]
		t.pending = t.pending[1:]
		a := j.assign(t, chunk, who)
		a.claims = true
		a.prepared.session.claim()
		return a, nil
	}
	if j.out == 0 {
		return nil, nil
	}
	return nil, j.moved
}

// choose is the model whose next unit somebody gets, nil where no units are left (see Next).
func (j *Job) choose(who string) *taskState {
	if t := j.had[who]; t != nil && t.open() {
		return t
	}
	taken := map[*taskState]bool{}
	for _, t := range j.had {
		taken[t] = true
	}
	var most *taskState
	for _, t := range j.tasks {
		switch {
		case !t.open():
		case !taken[t]:
			return t
		case most == nil || len(t.pending) > len(most.pending):
			most = t
		}
	}
	return most
}

// open tells under the job's mutex whether units of the model are left to hand out.
func (t *taskState) open() bool { return t.phase != Failed && len(t.pending) > 0 }

// assign makes an assignment under the job's mutex.
func (j *Job) assign(t *taskState, chunk int, who string) *Assignment {
	t.phase = Running
	j.out++
	j.had[who] = t
	return &Assignment{job: j, task: t, prepared: t.prepared, chunk: chunk, to: who}
}

// settle counts an assignment as ended and wakes those who wait for one to be given back.
func (j *Job) settle() {
	j.mu.Lock()
	j.out--
	close(j.moved)
	j.moved = make(chan struct{})
	j.mu.Unlock()
	j.wake()
}

// inferences is what a chunk takes.
func (j *Job) inferences(t *taskState, chunk int) int64 {
	_, images := t.spec.ChunkImages(chunk)
	return int64(images) * int64(t.transformations)
}

// Over tells whether nothing is left to hand out and all that was handed out has ended, or the run
// has.
func (j *Job) Over() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.ctx.Err() != nil || j.out == 0 && !j.waiting()
}

// Spec is that of the run's first model; source, family and what the results may differ by are the
// same for all.
func (j *Job) Spec() signal.Spec { return j.tasks[0].spec }

// Devices are the kinds of device that the run needs besides the processor, each once.
func (j *Job) Devices() (kinds []string) {
	for _, t := range j.tasks {
		if kind := t.spec.Device; kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
