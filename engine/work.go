package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Work computes what next hands out in n goroutines of this process, each with a runner of its own,
// until it hands out nothing more. When it returns, every order's sink has been told how it ended,
// and all sessions are closed. Units are the same bits for any n.
func Work(ctx context.Context, rt Library, n int, next Next) {
	if runtime.GOMAXPROCS(0) <= n { // with fewer threads the scheduler takes a sixth of the time
		runtime.GOMAXPROCS(n + 1)
	}
	var wg sync.WaitGroup
	for range n {
		s := &orderLoop{rt: rt, next: next}
		wg.Go(func() { s.loop(ctx) })
	}
	wg.Wait()
}

// orderLoop is one goroutine that computes. It keeps its unitRunner as long as it gets orders of
// the same prepared task.
type orderLoop struct {
	rt       Library
	next     Next
	prepared *Prepared // the model of runner
	runner   *unitRunner
	keeper   *Keeper
}

// loop works until nothing is handed out any more. When it returns, everything that was computed is
// kept.
func (s *orderLoop) loop(ctx context.Context) {
	s.keeper = NewKeeper()
	defer s.keeper.Close()
	defer s.leave()
	for {
		o, ok := s.next(ctx, "")
		if !ok {
			return
		}
		s.take(o)
		if err := s.compute(o); err != nil {
			// before leaving: nothing more of a failed model is handed out, so that the last one to
			// leave closes it for good
			o.Sink.Failed(err)
			s.leave()
		}
	}
}

// take leaves the last model where an order is of another one.
func (s *orderLoop) take(o Order) {
	if !o.claimed {
		o.Prepared.session.claim()
	}
	if s.prepared == o.Prepared {
		s.prepared.session.release() // the runner counts already
		return
	}
	s.leave()
	s.prepared = o.Prepared
}

// compute makes one unit and hands it to the keeper. A panic below it, as of a library that meets a
// file it cannot handle, is an error of this model and of nothing else.
func (s *orderLoop) compute(o Order) (err error) {
	defer caught(o.Prepared.task.ID, &err)
	ctx := o.Sink.Context()
	if err := s.open(ctx); err != nil {
		return err
	}
	if err := s.runner.read(o.Source); err != nil {
		return err
	}
	unit, err := s.runner.compute(ctx, o.Chunk, o.Sink.Pass, o.Sink.Inferred)
	if err != nil {
		return err
	}
	s.keeper.Keep(o.Sink, unit, s.runner.timings)
	s.runner.timings = Timings{}
	return nil
}

// open opens the model if nobody has yet, and takes a runner.
func (s *orderLoop) open(ctx context.Context) error {
	if s.runner != nil {
		return nil
	}
	r := s.prepared
	session, err := r.session.get(ctx, func() (Session, error) { return openModel(ctx, s.rt, r) })
	if err != nil {
		return err
	}
	runner, err := session.Runner()
	if err != nil {
		return fmt.Errorf("model %s: %w", r.task.ID, err)
	}
	if s.runner, err = newUnitRunner(r, runner); err != nil {
		_ = runner.Close() // the first error says why
		return err
	}
	return nil
}

// openModel probes the model unless that was done before, and opens it.
func openModel(ctx context.Context, rt Library, r *Prepared) (session Session, err error) {
	defer caught(r.task.ID, &err)
	feed := r.task.Feed
	if !r.task.Probed {
		found := r.tried.Load()
		if found == nil {
			probe, err := rt.Probe(ctx, feed)
			if err != nil {
				return nil, fmt.Errorf("model %s: trial run: %w", r.task.ID, err)
			}
			found = &probe
			r.tried.Store(found)
		}
		feed.Shapes = found.Shapes
	}
	session, err = rt.Open(ctx, feed)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", r.task.ID, err)
	}
	return session, nil
}

// leave closes the runner. Errors of closing are passed over: the results are kept by then.
func (s *orderLoop) leave() {
	if s.prepared == nil {
		return
	}
	if s.runner != nil {
		_ = s.runner.runner.Close()
	}
	s.prepared.session.release()
	s.prepared, s.runner = nil, nil
}

// caught makes a panic the error of a model; it is deferred.
func caught(model string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("model %s: internal error: %v", model, p)
	}
}

// shared is the session of one model, opened by the first one who needs it and closed by the last
// one who leaves it.
type shared struct {
	mu      sync.Mutex
	users   int
	opening *opening // nil while the model is not open
}

// opening is closed when session or err is set.
type opening struct {
	ready   chan struct{}
	session Session
	err     error
}

// claim counts a user.
func (s *shared) claim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
}

// get gives a user the session, which open makes where nobody has asked before; the others wait.
// Nothing is opened for a run that has ended.
func (s *shared) get(ctx context.Context, open func() (Session, error)) (Session, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	o := s.opening
	first := o == nil
	if first {
		o = &opening{ready: make(chan struct{})}
		s.opening = o
	}
	s.mu.Unlock()
	if first {
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

// release gives back what claim counted.
func (s *shared) release() {
	s.mu.Lock()
	s.users--
	last := s.opening
	if s.users > 0 {
		last = nil
	} else {
		s.opening = nil
	}
	s.mu.Unlock()
	if last != nil && last.session != nil {
		_ = last.session.Close() // the results are kept by then
	}
}
