package onnx

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	ort "github.com/yalue/onnxruntime_go"
)

// patience is how long Run waits for the library to obey Terminate. It looks at it between
// operators, so that a single long one can outlast it; the batch is then left to itself.
const patience = 1500 * time.Millisecond

// brisk is how long the last batch may have taken for the next one to run on the caller's
// goroutine. Handing a batch over and waiting for its end costs two switches between threads; a
// batch that takes less than this ends well within patience once it is told to.
const brisk = 100 * time.Millisecond

// runner owns the buffers of one goroutine. The first batch, and those after a slow one, run on a
// goroutine of the runner's own, so that Run can return in time even when the library does not.
type runner struct {
	session *session
	options *ort.RunOptions
	input   *ort.Tensor[float32]
	plain   *results   // of the untouched model
	masked  *maskedRun // nil without masks
	last    *results   // of the last Run; nil before the first one

	start    chan struct{} // one batch
	done     chan error    // its end, buffered
	gone     chan struct{} // closed when everything is freed
	stuck    bool          // a batch was left to itself
	quick    bool          // the last batch was brisk
	watch    *terminator   // of the context of the last brisk batch; nil before the first one
	patience time.Duration
	once     sync.Once
	err      error // of freeing
}

func newRunner(s *session) (r *runner, err error) {
	defer recovered(&err)
	input, err := ort.NewEmptyTensor[float32](inputShape(s.feed.Input))
	if err != nil {
		return nil, err
	}
	options, err := ort.NewRunOptions()
	if err != nil {
		return nil, errors.Join(err, input.Destroy())
	}
	r = &runner{
		session: s, options: options, input: input, plain: newResults(len(s.names)),
		start: make(chan struct{}), done: make(chan error, 1), gone: make(chan struct{}), patience: patience,
	}
	if s.masked != nil {
		if r.masked, err = newMaskedRun(s.masked, len(s.names)); err != nil {
			return nil, errors.Join(err, options.Destroy(), input.Destroy())
		}
	}
	go r.work()
	return r, nil
}

// work runs batches until Close, then frees everything.
func (r *runner) work() {
	for range r.start {
		r.done <- r.compute()
	}
	r.plain.drop()
	if r.masked != nil {
		r.masked.free()
	}
	r.err = errors.Join(r.input.Destroy(), r.options.Destroy(), r.session.runnerClosed())
	close(r.gone)
}

// Input is the batch to fill, in the layout of the graph's input.
func (r *runner) Input() []float32 {
	if r.masked != nil {
		r.masked.stale = true
	}
	return r.input.GetData()
}

// Mask deletes a region of the feed's masks in the Runs that follow (engine.Runner).
func (r *runner) Mask(region int) {
	if r.masked == nil {
		panic(fmt.Sprintf("onnx: %s was opened without masks", r.session.name))
	}
	r.masked.choose(region)
}

// Run computes one batch. When ctx ends, the library is told to stop and Run returns within 2 s
// with ctx's error.
func (r *runner) Run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.stuck {
		return fmt.Errorf("%s is still busy with a batch that was cancelled", r.session.name)
	}
	if r.quick {
		return r.here(ctx)
	}
	begun := time.Now()
	if err := r.unwatch(); err != nil {
		return err
	}
	r.start <- struct{}{}
	select {
	case err := <-r.done:
		r.quick = err == nil && time.Since(begun) < brisk
		return err
	case <-ctx.Done():
	}
	if err := r.options.Terminate(); err != nil {
		return errors.Join(ctx.Err(), reason(err))
	}
	timer := time.NewTimer(r.patience)
	defer timer.Stop()
	select {
	case <-r.done: // what came out does not matter any more
		if err := r.options.UnsetTerminate(); err != nil {
			return errors.Join(ctx.Err(), reason(err))
		}
	case <-timer.C:
		r.stuck = true
	}
	return ctx.Err()
}

// here runs a batch on the caller's goroutine. The library is told to stop when ctx ends.
func (r *runner) here(ctx context.Context) error {
	if r.watch == nil || r.watch.ctx != ctx {
		if err := r.unwatch(); err != nil {
			return err
		}
		r.watch = terminate(ctx, r.options)
	}
	begun := time.Now()
	err := r.compute()
	r.quick = err == nil && time.Since(begun) < brisk
	if ctx.Err() != nil {
		return ctx.Err() // what came out does not matter any more
	}
	return err
}

// unwatch forgets the context of the last brisk batch. The next batch may run, even if that context
// has ended.
func (r *runner) unwatch() error {
	if r.watch == nil {
		return nil
	}
	terminated := r.watch.end()
	r.watch = nil
	if !terminated {
		return nil
	}
	if err := r.options.UnsetTerminate(); err != nil {
		return reason(err)
	}
	return nil
}

// terminator tells the library to stop when a context ends. It serves all batches under that
// context, since making one costs more than asking whether it is still the same.
type terminator struct {
	ctx  context.Context
	stop func() bool
	done chan struct{} // closed after the library was told
}

func terminate(ctx context.Context, options *ort.RunOptions) *terminator {
	t := &terminator{ctx: ctx, done: make(chan struct{})}
	t.stop = context.AfterFunc(ctx, func() {
		defer close(t.done)
		_ = options.Terminate() // fails for options that are gone only, and they stay until end
	})
	return t
}

// end stops watching; it is true when the library was told to stop.
func (t *terminator) end() bool {
	if t.stop() {
		return false
	}
	<-t.done
	return true
}

// Result is result k of the last Run; nil before the first one, and after one that failed.
func (r *runner) Result(k int) (shape []int64, values []float32) {
	if r.last == nil {
		return nil, nil
	}
	i := r.session.index[k]
	return r.last.shapes[i], r.last.values[i]
}

// Close frees the buffers; when a cancelled batch still runs, as soon as that has ended.
func (r *runner) Close() error {
	r.once.Do(func() {
		if r.watch != nil {
			r.watch.end() // before its options are freed
		}
		close(r.start)
	})
	if r.stuck {
		return nil
	}
	<-r.gone
	return r.err
}

// compute runs the batch, with a region deleted where one is chosen.
func (r *runner) compute() (err error) {
	r.last = nil
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be run: the ONNX Runtime binding failed: %v", r.session.name, p)
		}
	}()
	made := r.plain
	if r.masked != nil && r.masked.region > 0 {
		made = r.masked.results
		err = r.masked.run(r.input, r.options)
	} else {
		err = made.run(r.session.ort, []ort.Value{r.input}, r.options)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be run: %w", r.session.name, reason(err))
	}
	if err := made.adopt(r.session); err != nil {
		made.drop()
		return fmt.Errorf("%s %w", r.session.name, err)
	}
	r.last = made
	return nil
}
