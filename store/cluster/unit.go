package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// errWithdrawn says that nobody needs a unit any more.
var errWithdrawn = errors.New("nobody needs the unit any more")

// errTooLong says that a unit took longer than the worker allows.
var errTooLong = errors.New("the unit was given up")

// workUnit is a unit that the worker has (engine.Sink).
type workUnit struct {
	worker   *worker
	unit     string
	order    wire.Order
	ctx      context.Context
	cancel   context.CancelCauseFunc
	begin    sync.Once   // of the time that it may take
	waits    atomic.Bool // all is here, and others are computed
	inferred atomic.Int64
	data     atomic.Pointer[[]byte] // its result, while it is brought
	frees    []func()
}

// next gives the next order (engine.Next).
func (w *worker) next(ctx context.Context, _ string) (engine.Order, bool) {
	select {
	case o := <-w.ready:
		return o, true
	case <-ctx.Done():
		return engine.Order{}, false
	}
}

// fetch asks for units and makes them ready, one after the other, until ctx ends. Others get the
// next one where this worker could not compute the last ones: maybe nothing works here.
func (w *worker) fetch(ctx context.Context) {
	for {
		w.mu.Lock()
		beats := min(w.failing, maxHesitation)
		w.mu.Unlock()
		if !sleep(ctx, time.Duration(beats)*w.pace.Beat) {
			return
		}
		c := w.ask(ctx)
		if c == nil {
			continue
		}
		order, err := c.prepare()
		if err != nil {
			c.Failed(err)
			continue
		}
		c.waits.Store(true)
		select {
		case w.ready <- order:
			c.waits.Store(false)
		case <-c.ctx.Done():
			c.Failed(context.Cause(c.ctx))
		}
	}
}

// ask asks for a unit, nil where there is none yet. One goroutine asks at a time: the coordinator
// takes what is not named for lost on the way.
func (w *worker) ask(ctx context.Context) *workUnit {
	w.asking.Lock()
	defer w.asking.Unlock()
	var has []string
	w.mu.Lock()
	for c := range w.work {
		has = append(has, c.unit)
	}
	w.mu.Unlock()
	begun := time.Now()
	g, err := request[given](ctx, w.bus, w.from(w.self.ID, "ask"), has, 2*wire.MaxOrder)
	if err != nil {
		sleep(ctx, w.pace.Beat/2-time.Since(begun)) // the coordinator lets it wait, unless it is busy or not there
		return nil
	}
	c := &workUnit{worker: w, unit: g.Unit}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	if c.order, err = wire.ParseOrder(g.Order); err == nil && c.order.Unit != g.Unit {
		err = errors.New("it is of another unit")
	}
	w.mu.Lock()
	w.work[c] = true // from now on it can be withdrawn
	w.mu.Unlock()
	if err != nil {
		c.Failed(fmt.Errorf("the order is refused: %w", err))
		return nil
	}
	return c
}

func (c *workUnit) prepare() (o engine.Order, err error) {
	w := c.worker
	if err := w.mayCompute(c.order.Spec); err != nil {
		return o, fmt.Errorf("model %s: %w", c.order.ID, err)
	}
	model, err := c.blob(c.order.Model)
	if err != nil {
		return o, fmt.Errorf("model %s: %w", c.order.ID, err)
	}
	images, err := c.blob(c.order.Images)
	if err != nil {
		return o, fmt.Errorf("the images of model %s: %w", c.order.ID, err)
	}
	source, err := c.open(images)
	if err != nil {
		return o, fmt.Errorf("images %.12s: %w", c.order.Images.SHA256, err)
	}
	prepared, err := w.prepared.Of(c.order, model)
	if err != nil {
		return o, err
	}
	return engine.Order{Prepared: prepared, Source: source, Chunk: c.order.Chunk, Sink: c}, nil
}

// mayCompute refuses units whose name promises other bits than this machine gives.
func (w *worker) mayCompute(s signal.Spec) error {
	if s.Runtime != w.self.Runtime {
		return fmt.Errorf("it needs ONNX Runtime %s, and this worker has %s", s.Runtime, w.self.Runtime)
	}
	if !w.self.offers(s.Device) {
		return fmt.Errorf("it is computed on %s, and this worker does not offer it; start it with --device %s",
			s.Device, s.Device)
	}
	if !s.IsMixed() && (s.Arch != w.self.Arch || s.Level != w.self.Level) {
		return fmt.Errorf("it needs a processor with %s (%s), and this worker has %s (%s)",
			s.Level, s.Arch, w.self.Level, w.self.Arch)
	}
	return nil
}

// blob fetches a file that stays until the unit has ended, as long as the unit is needed.
func (c *workUnit) blob(b wire.Blob) (string, error) {
	for {
		path, done, err := c.worker.cache.get(c.ctx, b, func(ctx context.Context, w io.Writer) error {
			return c.worker.pull(ctx, c.worker.from(c.worker.self.ID, "file"), b.SHA256, b.Size,
				func(piece []byte) error {
					_, err := w.Write(piece)
					return err
				})
		})
		if err == nil {
			c.frees = append(c.frees, done)
			return path, nil
		}
		// A unit that was withdrawn may be another one, which waited for the same file.
		passing := errors.Is(err, errSilent) || errors.Is(err, errWithdrawn) || errors.Is(err, context.Canceled)
		if !passing || !sleep(c.ctx, c.worker.pace.Beat/2) {
			return "", err
		}
	}
}

// open opens a pack of images.
func (c *workUnit) open(path string) (engine.Source, error) {
	file, err := durable.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	c.frees = append(c.frees, func() { _ = file.Close() })
	return c.order.Pack(c.worker.scenes, file)
}

// Context implements engine.Sink: it ends with the worker, or when the unit is withdrawn.
func (c *workUnit) Context() context.Context { return c.ctx }

// Pass implements engine.Sink.
func (c *workUnit) Pass() error {
	c.begin.Do(func() {
		limit := time.AfterFunc(c.worker.options.UnitTime, func() {
			c.cancel(fmt.Errorf("model %s: %w; it took longer than %v",
				c.order.ID, errTooLong, c.worker.options.UnitTime))
		})
		c.frees = append(c.frees, func() { limit.Stop() })
	})
	return context.Cause(c.ctx)
}

// Inferred implements engine.Sink.
func (c *workUnit) Inferred(images int) {
	c.inferred.Add(int64(images))
	c.worker.throughput.Add(time.Since(c.worker.begun), "", int64(images))
}

// Failed implements engine.Sink: the coordinator is told why, unless nobody needs the unit, or
// its files are gone with it.
func (c *workUnit) Failed(err error) {
	w, cause := c.worker, context.Cause(c.ctx)
	if errors.Is(cause, errTooLong) {
		err, cause = cause, nil
	}
	if cause != nil || errors.Is(err, errMissing) {
		c.end(unneeded)
		return
	}
	w.options.Log.Warn("a unit failed", "error", err)
	_ = w.nc.Publish(w.from(w.self.ID, "trouble"), say(trouble{c.unit, wire.Plain(err.Error(), maxReason)}))
	c.end(failed)
}

// How a unit ends.
type outcome int

const (
	unneeded outcome = iota // nobody needs it any more, or it cannot be brought
	brought
	failed
)

// end frees what the unit has, and counts how it has ended.
func (c *workUnit) end(how outcome) {
	w := c.worker
	w.mu.Lock()
	delete(w.work, c)
	switch how {
	case brought:
		w.counts.Done++
		w.failing = 0
	case failed:
		w.counts.Failed++
		w.failing++
	}
	w.mu.Unlock()
	c.cancel(nil)
	for _, free := range c.frees {
		free()
	}
}

// Done implements engine.Sink: it brings the result.
func (c *workUnit) Done(unit *signal.Unit, timings engine.Timings) {
	data, err := wire.EncodeResult(c.order.Spec, unit)
	if err != nil {
		c.Failed(err)
		return
	}
	c.data.Store(&data)
	c.end(c.bring(notice{Unit: c.unit, Size: int64(len(data)), Timings: timings}))
}

// bring brings a result, again and again while the coordinator cannot be reached.
func (c *workUnit) bring(n notice) outcome {
	w := c.worker
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.ctx))
	defer cancel()
	defer context.AfterFunc(c.ctx, func() {
		if errors.Is(context.Cause(c.ctx), errWithdrawn) {
			cancel()
			return
		}
		time.AfterFunc(lastTime, cancel) // a worker that is told to end brings what it has
	})()
	for {
		v, err := request[verdict](ctx, w.bus, w.from(w.self.ID, "brought"), n, maxTrouble)
		switch {
		case err == nil && v.Refused != "":
			w.options.Log.Warn("a result is refused", "error", v.Refused)
			return failed
		case err == nil && !v.Later:
			return brought
		}
		late := c.ctx.Err() != nil && !(errors.Is(err, errSilent) && w.nc.IsConnected())
		if late || !sleep(ctx, w.pace.Beat) {
			return unneeded
		}
	}
}

// piece is what the coordinator asks of a result that is being brought.
func (w *worker) piece(ask wanted) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.work {
		if data := c.data.Load(); c.unit == ask.Name && data != nil {
			return w.cut(bytes.NewReader(*data), int64(len(*data)), ask.Offset)
		}
	}
	return nil
}
