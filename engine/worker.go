package engine

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/variscope/variscope/engine/signal"
)

// opening is the session of one model, opened by the first worker that needs it; the others wait.
type opening struct {
	claimed atomic.Bool
	ready   chan struct{} // closed when session or err is set
	session Session
	err     error
}

func (o *opening) get(ctx context.Context, open func() (Session, error)) (Session, error) {
	if o.claimed.CompareAndSwap(false, true) {
		o.session, o.err = open()
		close(o.ready)
	}
	select {
	case <-o.ready:
		return o.session, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// worker pulls units of one job. It keeps its bench as long as it gets units of the same model. What it has computed it hands to a
// keeper, so that it computes the next unit while the disk is waited for.
type worker struct {
	job    *job
	rt     Runtime
	rec    Recorder
	wake   func()
	task   *taskState // the model at the bench
	bench  *bench
	keeper chan computed // without a buffer: at most one unit is kept while another is computed
}

// computed is a unit on its way to the recorder.
type computed struct {
	task       *taskState
	unit       *signal.Unit
	inferences int64
	spent      Spent
}

// loop works until nothing is left to hand out or the run is cancelled. When it returns, everything that was computed is recorded.
func (w *worker) loop() {
	w.keeper = make(chan computed)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		for c := range w.keeper {
			w.keep(c)
		}
	}()
	defer func() {
		w.leave()
		close(w.keeper)
		<-kept
	}()
	for w.job.gate.pass(w.job.ctx) == nil {
		next, ok := w.job.next()
		if !ok {
			return
		}
		if next.chunk == finishing {
			w.leave()
			w.finish(next.task)
			continue
		}
		if w.task == next.task {
			w.job.release(next.task) // the bench counts already
		} else {
			w.leave()
			w.task = next.task
		}
		if err := w.unit(next.chunk); err != nil {
			w.job.failed(w.task, err) // before leaving: what is not handed out any more lets the last one close the session
			w.leave()
			w.wake()
		}
	}
}

// unit computes one unit and hands it to the keeper. A panic below it, as of a library that meets a file it cannot
// handle, is an error of this model and of nothing else.
func (w *worker) unit(chunk int) (err error) {
	t := w.task
	var counted int64
	defer func() {
		if err != nil {
			t.done.Add(-counted)
		}
	}()
	defer caught(t.name, &err)
	if err := w.sit(); err != nil {
		return err
	}
	unit, err := w.bench.compute(t.ctx, chunk,
		func() error { return w.job.gate.pass(t.ctx) },
		func(images int) { counted += int64(images); t.done.Add(int64(images)) })
	if err != nil {
		return err
	}
	w.keeper <- computed{t, unit, counted, w.bench.spent}
	w.bench.spent = Spent{}
	return nil
}

// keep hands a unit to the recorder, and after the last one of a model completes the model. A computed unit is kept even if the run is
// cancelled now: it would only have to be computed again.
func (w *worker) keep(c computed) {
	defer w.wake()
	t := c.task
	var watch stopwatch
	watch.start()
	if err := w.record(c); err != nil {
		t.done.Add(-c.inferences)
		w.job.failed(t, err)
		return
	}
	watch.lap(&c.spent.Store)
	w.job.spend(c.spent)
	if w.job.recorded(t) {
		w.finish(t)
	}
}

func (w *worker) record(c computed) (err error) {
	defer caught(c.task.name, &err)
	if err := w.rec.Record(context.WithoutCancel(c.task.ctx), c.task.spec, c.unit); err != nil {
		return fmt.Errorf("model %s: keep signals: %w", c.task.name, err)
	}
	return nil
}

// sit opens the model if nobody has yet, and takes a runner.
func (w *worker) sit() error {
	if w.bench != nil {
		return nil
	}
	t := w.task
	session, err := t.open.get(t.ctx, func() (Session, error) { return openModel(t.ctx, w.rt, t.recipe.task) })
	if err != nil {
		return err
	}
	runner, err := session.Runner()
	if err != nil {
		return fmt.Errorf("model %s: %w", t.name, err)
	}
	if w.bench, err = newBench(t.recipe, w.job.run.Source, runner); err != nil {
		_ = runner.Close() // the first error says why
		return err
	}
	return nil
}

// openModel probes the model in a child process unless that was done before, and opens it.
func openModel(ctx context.Context, rt Runtime, t Task) (session Session, err error) {
	defer caught(t.ID, &err)
	if !t.Probed {
		if _, err := rt.Probe(ctx, t.Feed); err != nil {
			return nil, fmt.Errorf("model %s: trial run: %w", t.ID, err)
		}
	}
	session, err = rt.Open(ctx, t.Feed)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", t.ID, err)
	}
	return session, nil
}

// leave gives the bench back; the last one to leave a model whose units are all handed out closes its session. Errors
// of closing are passed over: the results are recorded by then.
func (w *worker) leave() {
	if w.task == nil {
		return
	}
	t := w.task
	if w.bench != nil {
		_ = w.bench.runner.Close()
	}
	w.task, w.bench = nil, nil
	if w.job.release(t) && t.open.session != nil {
		_ = t.open.session.Close()
	}
}

// finish completes a model whose units are all recorded.
func (w *worker) finish(t *taskState) {
	var watch stopwatch
	watch.start()
	err := w.sumUp(t)
	var spent Spent
	watch.lap(&spent.Store)
	w.job.spend(spent)
	if err != nil {
		w.job.failed(t, err)
	} else {
		w.job.finished(t)
	}
	w.wake()
}

func (w *worker) sumUp(t *taskState) (err error) {
	defer caught(t.name, &err)
	if err := w.rec.Finish(t.ctx, t.recipe.task); err != nil {
		return fmt.Errorf("model %s: sum up signals: %w", t.name, err)
	}
	return nil
}

// caught makes a panic the error of a model; it is deferred.
func caught(model string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("model %s: internal error: %v", model, p)
	}
}
