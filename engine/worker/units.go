package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
)

// Work implements engine.Runtime: each of n places has a worker, which gets its next unit before
// it has done the last one.
func (p *Pool) Work(ctx context.Context, n int, next engine.Next) {
	var places sync.WaitGroup
	p.working.Add(int64(n))
	for k := range n {
		s := &place{
			pool: p, next: next, name: fmt.Sprintf("process %d of this computer", k+1), handed: make(chan *unit, 1),
		}
		places.Go(func() {
			s.keeper = engine.NewKeeper()
			go s.fetch(ctx)
			for u := <-s.handed; u != nil; u = <-s.handed {
				u.fetch = sync.OnceFunc(func() { go s.fetch(ctx) })
				s.compute(u)
				u.fetch()
			}
			s.mu.Lock()
			if !s.least {
				s.pool.working.Add(-1)
			}
			s.mu.Unlock()
			s.keeper.Close()
			s.pool.giveBack(s.one)
		})
	}
	places.Wait()
}

// place is one goroutine that gives units to a worker.
type place struct {
	pool   *Pool
	next   engine.Next
	name   string
	handed chan *unit // the next one; nil at the end
	keeper *engine.Keeper

	mu    sync.Mutex
	one   *process // nil until it is needed
	ahead *unit    // was sent before the one at work was done; nil for none
	least bool     // one place fewer is needed from now on
	alone bool     // its unit is tried alone, which needs all of the room
}

// unit is an order at a worker.
type unit struct {
	engine.Order
	call  *call
	room  bool  // holds some
	sent  bool  // to the place's worker
	err   error // why it cannot be sent
	steps int   // images x transformations that its sink was told of
	fetch func()
}

// leave counts one place fewer, as long as one is left.
func (p *Pool) leave() bool {
	if p.working.Add(-1) > 0 {
		return true
	}
	p.working.Add(1)
	return false
}

// fetch takes the next unit and sends it, so that the worker finds it when it has done the one
// before.
func (s *place) fetch(ctx context.Context) {
	s.mu.Lock()
	least := s.least
	s.mu.Unlock()
	if least {
		s.handed <- nil
		return
	}
	o, ok := s.next(ctx, s.name)
	if !ok {
		s.handed <- nil
		return
	}
	u := &unit{Order: o}
	if u.err = u.describe(); u.err == nil {
		u.err = s.enter(u)
	}
	if u.err == nil {
		s.mu.Lock()
		if s.alone {
			s.free(u)
		} else if s.one != nil && s.fits(u.call.feed.Device) {
			u.sent = s.one.send(s.pool, u.call) == nil
		}
		s.ahead = u
		s.mu.Unlock()
	}
	s.handed <- u
}

// fits tells whether the place's worker computes on a device.
func (s *place) fits(on device.Device) bool {
	return s.one.device == on || string(on) == s.one.device.Kind() || !on.IsGPU() && !s.one.device.IsGPU()
}

func (s *place) enter(u *unit) error {
	err := s.pool.enter(u.Sink.Context(), 1)
	u.room = err == nil
	return err
}

func (s *place) free(u *unit) {
	if u != nil && u.room {
		u.room = false
		s.pool.room.Release(1)
	}
}

// describe makes the call of a unit.
func (u *unit) describe() error {
	task := u.Prepared.Task()
	info, err := os.Stat(task.Feed.Path)
	if err != nil {
		return fmt.Errorf("model %s: %w", task.ID, err)
	}
	order := wire.NewOrder(task, u.Chunk, wire.Blob{SHA256: task.Spec.Model, Size: info.Size()}, wire.Blob{})
	c := &call{feed: task.Feed, source: u.Source}
	if c.command.Signals, err = order.Encode(); err != nil {
		return err
	}
	if task.Probed {
		c.command.Shapes = task.Feed.Shapes
	}
	c.command.Path = task.ID // what its sentences call it: a worker opens no path
	first, n := task.Spec.ChunkImages(u.Chunk)
	composer, ok := u.Source.(engine.Composer)
	if err := c.describe(ok && composer.Selection() != "", []int{first, first + n - 1}); err != nil {
		return fmt.Errorf("model %s: %w", task.ID, err)
	}
	c.total = n * u.Prepared.Transformations()
	c.most = int(min(maxBody, wire.ResultLimit(task.Spec, u.Chunk, u.Prepared.Transformations())))
	c.pass = u.Sink.Pass
	c.step = func() {
		if c.computed > u.steps {
			u.Sink.Inferred(c.computed - u.steps)
			u.steps = c.computed
		}
		if 2*c.computed >= c.total && u.fetch != nil {
			u.fetch()
		}
	}
	u.call = c
	return nil
}

// compute follows a unit to its end; one whose worker is lost is tried once more, alone in a new
// one.
func (s *place) compute(u *unit) {
	defer s.free(u)
	if u.err != nil {
		u.Sink.Failed(u.err)
		return
	}
	ctx := u.Sink.Context()
	err := s.first(ctx, u)
	var lost *lostError
	if errors.As(err, &lost) && ctx.Err() == nil {
		s.mu.Lock()
		s.free(u)
		s.free(s.ahead)
		if s.ahead != nil && s.ahead != u {
			s.ahead.sent = false
		}
		if lost.memory && !s.least && s.pool.leave() {
			s.least = true
		}
		s.alone = true
		s.mu.Unlock()
		err = s.pool.alone(ctx, u.call)
		s.mu.Lock()
		s.alone = false
		s.mu.Unlock()
	}
	if err == nil {
		var made *signal.Unit
		made, err = wire.DecodeResult(u.call.body, u.Prepared.Task().Spec, u.Chunk, u.Prepared.Transformations())
		if u.call.body = nil; err == nil { // the unit may share its memory
			s.keeper.Keep(u.Sink, made, u.call.outcome.Timings)
			return
		}
		err = fmt.Errorf("model %s: %w", u.Prepared.Task().ID, err)
	}
	if errors.As(err, &lost) {
		err = s.pool.explain("model "+u.Prepared.Task().ID, err)
	}
	u.Sink.Failed(err)
}

// first computes a unit in the place's worker.
func (s *place) first(ctx context.Context, u *unit) (err error) {
	s.mu.Lock()
	if s.ahead == u {
		s.ahead = nil
	}
	if on := u.call.feed.Device; s.one == nil || s.one.ended() || !s.fits(on) {
		s.pool.giveBack(s.one)
		s.one, err = s.pool.lease(on)
		u.sent = false
	}
	one, sent := s.one, u.sent
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if !u.room {
		if err := s.enter(u); err != nil {
			return err
		}
	}
	if sent {
		return one.follow(ctx, u.call, s.pool.bounds())
	}
	return one.compute(ctx, s.pool, u.call)
}
