package engine

import (
	"context"
	"slices"
	"sync"
)

// attachment is an executor that takes part in every run.
type attachment struct{ executor Executor }

// executors are the attached executors at work on one job. It is guarded by the engine's mutex.
type executors struct {
	job        *Job
	withoutOwn bool // none of the engine's own workers is among them
	members    map[*attachment]member
}

// member is one executor's part in a job.
type member struct {
	end  context.CancelFunc
	gone chan struct{} // closed when it has returned
}

// Attach lets an executor take part in all runs from now on, the one at work included, beside the
// engine's own workers. detach ends its part and returns when the executor has given back what it
// had. Runs with an executor of their own are left to that one.
func (e *Engine) Attach(x Executor) (detach func()) {
	a := &attachment{x}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.attached = append(e.attached, a)
	if e.executors != nil {
		e.executors.join(a)
	}
	return func() { e.detach(a) }
}

func (e *Engine) detach(a *attachment) {
	e.mu.Lock()
	e.attached = slices.DeleteFunc(e.attached, func(other *attachment) bool { return other == a })
	var part member
	if e.executors != nil {
		part = e.executors.members[a]
	}
	e.mu.Unlock()
	if part.end != nil {
		part.end()
		<-part.gone
	}
}

// join starts an executor's part.
func (t *executors) join(a *attachment) {
	ctx, end := context.WithCancel(t.job.ctx)
	m := member{end: end, gone: make(chan struct{})}
	t.members[a] = m
	go func() {
		defer close(m.gone)
		defer end()
		a.executor.Execute(ctx, t.job)
	}()
}

// execute computes a job and concludes it.
func (e *Engine) execute(j *Job) {
	signalOnce(e.changed)
	j.survey()
	workers := e.Limits().Workers
	if j.run.Workers > 0 {
		workers = min(workers, j.run.Workers)
	}
	var finishing sync.WaitGroup
	kept := j.kept()
	finishing.Go(func() { j.finishKept(kept, workers) })
	if x := j.run.Executor; x != nil {
		x.Execute(j.ctx, j)
	} else {
		e.together(j)
	}
	finishing.Wait()
	j.conclude()
	signalOnce(e.changed)
}

// together computes a job with the engine's own workers and whoever is attached before it ends.
func (e *Engine) together(j *Job) {
	t := &executors{job: j, members: map[*attachment]member{}}
	e.mu.Lock()
	own := local{e.rt, e.limits.Workers}
	if j.run.Workers > 0 {
		own.workers = min(own.workers, j.run.Workers)
	}
	t.withoutOwn = own.workers == NoWorkers
	e.executors = t
	for _, a := range e.attached {
		t.join(a)
	}
	e.mu.Unlock()
	own.Execute(j.ctx, j)
	j.Computed(j.ctx)
	e.mu.Lock()
	e.executors = nil
	e.mu.Unlock()
	for _, m := range t.members {
		<-m.gone
	}
}
