package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
)

// errWithdrawn says that nobody needs a unit any more.
var errWithdrawn = errors.New("nobody needs the unit any more")

// errTooLong says that a unit took longer than the worker allows.
var errTooLong = errors.New("the unit was given up")

// course is a unit that the worker computes (engine.Course).
type course struct {
	worker   *worker
	msg      atomic.Pointer[jetstream.Msg] // the newest delivery of the order
	order    wire.Order
	ctx      context.Context
	cancel   context.CancelCauseFunc
	inferred atomic.Int64
	frees    []func()
	awake    sync.WaitGroup
}

// next fetches the next order (engine.Next).
func (w *worker) next(ctx context.Context) (engine.Order, bool) {
	kinds := w.kinds()
	for ctx.Err() == nil {
		if !w.hesitate(ctx) {
			break
		}
		for i, kind := range kinds {
			msg, err := w.fetch(ctx, kind)
			if err != nil && !sleep(ctx, time.Second) {
				break
			}
			if msg == nil {
				continue
			}
			kinds[0], kinds[i] = kinds[i], kinds[0] // more of the same kind is likely
			if o, ok := w.accept(ctx, msg); ok {
				return o, true
			}
			break
		}
	}
	return engine.Order{}, false
}

// maxHesitation is how many beats a worker waits at most that cannot compute anything.
const maxHesitation = 10

// hesitate lets others have the next order where this worker could not compute the last ones: it may be that nothing works here. False when ctx has
// ended.
func (w *worker) hesitate(ctx context.Context) bool {
	w.mu.Lock()
	beats := min(w.failing, maxHesitation)
	w.mu.Unlock()
	return beats == 0 || sleep(ctx, time.Duration(beats)*w.pace.Beat)
}

// kinds are those of which the worker may compute units.
func (w *worker) kinds() []string {
	if !w.alike {
		return []string{mixed}
	}
	return []string{pure, mixed}
}

// fetchTime is how long a request for an order waits at the server.
const fetchTime = time.Second

// fetch asks for one order; nil when there is none.
func (w *worker) fetch(ctx context.Context, kind string) (jetstream.Msg, error) {
	asking, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	consumer, err := w.js.Consumer(asking, w.units(), kind)
	if err != nil {
		return nil, err
	}
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(fetchTime))
	if err != nil {
		return nil, err
	}
	for msg := range batch.Messages() {
		return msg, nil
	}
	return nil, batch.Error()
}

// accept reads an order, fetches what it needs and makes it ready to be computed; false where that failed, which is told.
func (w *worker) accept(ctx context.Context, msg jetstream.Msg) (engine.Order, bool) {
	if w.atWork(msg) {
		return engine.Order{}, false
	}
	if w.settled(msg) {
		return engine.Order{}, false
	}
	c := &course{worker: w}
	c.msg.Store(&msg)
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	c.stayAlive()
	order, err := c.prepare()
	if err != nil {
		c.Failed(err)
		return engine.Order{}, false
	}
	limit := time.AfterFunc(w.options.UnitTime, func() {
		c.cancel(fmt.Errorf("model %s: %w; it took longer than %v", c.order.ID, errTooLong, w.options.UnitTime))
	})
	c.frees = append(c.frees, func() { limit.Stop() })
	return order, true
}

// settled answers orders that are not to be computed, at least not now.
func (w *worker) settled(msg jetstream.Msg) bool {
	switch {
	case len(msg.Headers()) > 0:
		w.options.Log.Warn("an order is not the coordinator's", "error", errForwarded)
		_ = msg.Term() // out of the queue with it
	case w.brought.has(msg):
		_ = msg.Ack() // it was under way when the last delivery was answered
	case w.brought.lately(msg, w.pace.AckWait/2):
		_ = msg.NakWithDelay(w.pace.Beat) // it is removed when the result is taken, and stays where that is refused
	default:
		return false
	}
	return true
}

// atWork tells whether an order that was delivered again is being computed or brought here, as after the coordinator could not be reached for a
// while. What is told to the server from then on is about the new delivery.
func (w *worker) atWork(msg jetstream.Msg) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.work {
		if c.order.Unit == last(msg.Subject()) {
			c.msg.Store(&msg)
			return true
		}
	}
	return false
}

// delivery is the newest delivery of the order.
func (c *course) delivery() jetstream.Msg { return *c.msg.Load() }

// stayAlive tells the server that the unit is being computed until the course has ended.
func (c *course) stayAlive() {
	c.awake.Go(func() {
		tick := time.NewTicker(c.worker.pace.AckWait / 4)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = c.delivery().InProgress() // without it the unit goes to somebody else, which harms nobody
			case <-c.ctx.Done():
				return
			}
		}
	})
}

func (c *course) prepare() (o engine.Order, err error) {
	w := c.worker
	if c.order, err = wire.ParseOrder(c.delivery().Data()); err != nil {
		return o, fmt.Errorf("the order is refused: %w", err)
	}
	w.mu.Lock()
	w.work[c] = true // from now on it can be withdrawn
	w.mu.Unlock()
	w.sayNow()
	if err := w.mayCompute(c.order.Spec); err != nil {
		return o, fmt.Errorf("model %s: %w", c.order.ID, err)
	}
	model, err := c.blob(w.modelObjects(), c.order.Model)
	if err != nil {
		return o, fmt.Errorf("model %s: %w", c.order.ID, err)
	}
	images, err := c.blob(w.imageObjects(), c.order.Images)
	if err != nil {
		return o, fmt.Errorf("the images of model %s: %w", c.order.ID, err)
	}
	source, err := c.open(images)
	if err != nil {
		return o, err
	}
	prepared, err := w.prepared.of(c.order, model)
	if err != nil {
		return o, err
	}
	return engine.Order{Prepared: prepared, Source: source, Chunk: c.order.Chunk, Course: c}, nil
}

// mayCompute refuses units whose name promises other bits than this machine gives.
func (w *worker) mayCompute(s signal.Spec) error {
	if s.Runtime != w.self.Runtime {
		return fmt.Errorf("it needs ONNX Runtime %s, and this worker has %s", s.Runtime, w.self.Runtime)
	}
	if !s.IsMixed() && (s.Arch != w.self.Arch || s.Level != w.self.Level) {
		return fmt.Errorf("it needs a processor with %s (%s), and this worker has %s (%s)", s.Level, s.Arch, w.self.Level, w.self.Arch)
	}
	return nil
}

// Context implements engine.Course: it ends with the worker, or when the unit is withdrawn.
func (c *course) Context() context.Context { return c.ctx }

// Pass implements engine.Course.
func (c *course) Pass() error { return context.Cause(c.ctx) }

// Inferred implements engine.Course.
func (c *course) Inferred(images int) {
	c.inferred.Add(int64(images))
	c.worker.rate.add(images)
}

// Failed implements engine.Course: the unit goes back to the queue, with the reason.
func (c *course) Failed(err error) {
	w := c.worker
	cause := context.Cause(c.ctx)
	w.mu.Lock()
	delete(w.work, c) // should it be delivered again at once, it is begun anew
	w.mu.Unlock()
	switch {
	case errors.Is(cause, errTooLong):
		err, cause = cause, nil
		c.report(err)
	case cause == nil && isMissing(err):
		cause = err // the order was removed while it came here, or the server has lost something: neither is this worker's failure
		c.missing(err)
	case cause != nil:
		_ = c.delivery().Nak() // the worker ends, and somebody else may begin at once; or the coordinator has removed the order, unless it was made anew meanwhile
	default:
		c.report(err)
	}
	w.mu.Lock()
	if cause == nil {
		w.failed++
		w.failing++
	}
	w.mu.Unlock()
	c.end()
}

// report gives the unit back with a reason.
func (c *course) report(err error) {
	w := c.worker
	w.options.Log.Warn("a unit failed", "error", err)
	order := c.delivery()
	_ = w.publish(w.subject("trouble", w.self.ID), trouble{Unit: last(order.Subject()), Reason: plain(err.Error(), maxReason)})
	_ = order.NakWithDelay(w.pace.Beat)
}

// missing gives the unit back because its model or images are not on the server.
func (c *course) missing(err error) {
	w, order := c.worker, c.delivery()
	w.options.Log.Info("a unit has lost its files", "error", err)
	_ = w.publish(w.subject("trouble", w.self.ID), trouble{Unit: last(order.Subject()), Reason: plain(err.Error(), maxReason), Missing: true})
	_ = order.NakWithDelay(w.pace.Beat)
}

// end frees what the course has.
func (c *course) end() {
	c.worker.mu.Lock()
	delete(c.worker.work, c)
	c.worker.mu.Unlock()
	c.cancel(nil)
	c.awake.Wait()
	for _, free := range c.frees {
		free()
	}
}

// Done implements engine.Course: it brings the result, again and again while the coordinator cannot be reached.
func (c *course) Done(unit *signal.Unit, spent engine.Spent) {
	w := c.worker
	data, err := wire.EncodeResult(c.order.Spec, unit)
	if err != nil {
		c.Failed(err)
		return
	}
	n := notice{
		Unit: c.order.Unit, Worker: w.self.ID, Object: objectName(c.order.Unit, w.self.ID), Size: int64(len(data)),
		Spent: [4]time.Duration{spent.Decode, spent.Transform, spent.Infer, spent.Reduce},
	}
	for {
		err := c.bring(n, data)
		if err == nil {
			break
		}
		if c.ctx.Err() != nil || !sleep(c.ctx, retryTime) {
			c.Failed(err)
			return
		}
		w.options.Log.Warn("a result could not be brought yet", "error", err)
	}
	w.mu.Lock()
	w.done++
	w.failing = 0
	w.mu.Unlock()
	c.end()
}

// bring sends a result and then says that the order is carried out.
func (c *course) bring(n notice, data []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), bringTime)
	defer cancel()
	ctx, done := c.worker.link.during(ctx)
	defer done()
	stop := context.AfterFunc(c.ctx, func() { time.AfterFunc(lastTime, cancel) }) // a worker that is told to end brings what it has
	defer stop()
	if !c.worker.nc.IsConnected() {
		return errors.New("the coordinator cannot be reached")
	}
	objects, err := c.worker.js.ObjectStore(ctx, c.worker.resultObjects())
	if err != nil {
		return fmtQueue(err)
	}
	if _, err := objects.Put(ctx, jetstream.ObjectMeta{Name: n.Object}, bytes.NewReader(data)); err != nil {
		return fmtQueue(err)
	}
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if _, err := c.worker.js.Publish(ctx, c.worker.result(n.Unit, n.Worker), text); err != nil {
		return fmtQueue(err)
	}
	// The result is there: should this not arrive, the order is delivered again, and answered then.
	c.worker.brought.add(c.delivery())
	_ = c.delivery().Ack()
	return nil
}

// bringTime bounds one attempt to bring a result.
const bringTime = 5 * time.Minute

// lastTime is how long a worker that ends still brings results.
const lastTime = 10 * time.Second
