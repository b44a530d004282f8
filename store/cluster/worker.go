package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/wire"
)

// WorkOptions are how a worker works.
type WorkOptions struct {
	Self    Machine // ID and Protocol are filled in
	Runtime engine.Runtime
	Cache   string // folder for models and images
	// CacheBytes bounds the cache; 0 is 20 GB.
	CacheBytes int64
	// UnitTime bounds one unit; 0 is six hours.
	UnitTime time.Duration
	Log      *slog.Logger // nil for none
	// Show is told what the worker does, once per beat; may be nil.
	Show func(Doing)
}

// Doing is what a worker does.
type Doing struct {
	Connected bool
	Units     []UnitInWork
	PerSecond float64 // inferences
	Done      int     // units
	Failed    int     // units
}

const (
	defaultCache    = 20 << 30
	defaultUnitTime = 6 * time.Hour
)

// ErrLeft says that the coordinator has asked the worker to leave.
var ErrLeft = errors.New("the coordinator needs this worker no more")

// worker is a process that computes units for a coordinator.
type worker struct {
	bus
	options  WorkOptions
	self     Machine
	identity identity
	pace     Pace
	alike    bool // gives the coordinator's bits
	cache    *cache
	prepared preparedTasks
	scenes   *background.Kept // what the packs at work keep of their composites
	rate     rate
	link     link
	brought  brought

	mu     sync.Mutex
	work   map[*course]bool
	done   int
	failed int
	// failing is how many units in a row it could not compute.
	failing int
	end     context.CancelCauseFunc
}

// Work computes units for the coordinator of a join line until ctx ends, which is no error, or the coordinator asks it to leave. Interruptions are
// bridged: what was computed is brought when the coordinator is there again. The error wraps ErrRefused where the coordinator will not have this
// worker, ErrLeft after it was removed.
func Work(ctx context.Context, j Join, o WorkOptions) error {
	o = o.orDefault()
	kept, err := newCache(o.Cache, o.CacheBytes)
	if err != nil {
		return err
	}
	identity, err := newIdentity()
	if err != nil {
		return err
	}
	o.Self.ID = identity.id
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := &worker{options: o, self: o.Self, identity: identity, cache: kept, scenes: wire.NewKept(), work: map[*course]bool{}, end: end}
	nc, err := w.connect(ctx, j)
	if err != nil {
		return stopped(ctx, err)
	}
	defer nc.Close()
	if w.bus, err = newBus(nc, j.Space); err != nil {
		return err
	}
	if err := w.join(ctx); err != nil {
		return stopped(ctx, err)
	}
	if err := w.listen(); err != nil {
		return err
	}
	var beating sync.WaitGroup
	finished := make(chan struct{})
	beating.Go(func() { w.beat(finished) })
	o.Runtime.Work(ctx, o.Self.Cores, w.next)
	close(finished)
	beating.Wait()
	return stopped(ctx, nil)
}

// stopped is how a worker ends: an end that was asked for is no error.
func stopped(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(cause, context.Canceled) && err == nil {
		return err
	}
	if errors.Is(cause, context.Canceled) {
		return nil
	}
	return cause
}

func (o WorkOptions) orDefault() WorkOptions {
	o.Self.Protocol = protocol
	if o.CacheBytes <= 0 {
		o.CacheBytes = defaultCache
	}
	if o.UnitTime <= 0 {
		o.UnitTime = defaultUnitTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Show == nil {
		o.Show = func(Doing) {}
	}
	return o
}

// retryTime is how long a worker waits before it looks for a coordinator again.
const retryTime = 2 * time.Second

// connect tries until there is a connection.
func (w *worker) connect(ctx context.Context, j Join) (*nats.Conn, error) {
	ended := nats.ClosedHandler(func(nc *nats.Conn) {
		if err := nc.LastError(); err != nil {
			w.end(j.explain(err))
		}
	})
	down := nats.DisconnectErrHandler(func(*nats.Conn, error) { w.link.down() })
	for told := false; ; told = true {
		nc, err := j.connect(w.self.Name, append(w.identity.options(j), ended, down)...)
		if err == nil || errors.Is(err, ErrRefused) {
			return nc, err
		}
		if !told {
			w.options.Log.Warn("waiting for the coordinator", "error", err)
		}
		if !sleep(ctx, retryTime) {
			return nil, context.Cause(ctx)
		}
	}
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// join asks to be taken, until somebody answers.
func (w *worker) join(ctx context.Context) error {
	greeting, err := json.Marshal(w.self)
	if err != nil {
		return err
	}
	for told := false; ; told = true {
		asking, cancel := context.WithTimeout(ctx, requestTime)
		msg, err := w.nc.RequestWithContext(asking, w.subject("hello"), greeting)
		cancel()
		if err == nil {
			return w.welcomed(msg.Data)
		}
		if !told {
			w.options.Log.Warn("waiting for the coordinator", "error", err)
		}
		if !sleep(ctx, retryTime) {
			return context.Cause(ctx)
		}
	}
}

func (w *worker) welcomed(data []byte) error {
	var answer welcome
	if err := strictly(data, maxNotice, &answer); err != nil {
		return fmt.Errorf("the coordinator's answer cannot be read; install the same version of Variscope on both machines: %w", ErrRefused)
	}
	if answer.Refused != "" {
		return fmt.Errorf("%s: %w", answer.Refused, ErrRefused)
	}
	if answer.Coordinator.Protocol != protocol {
		return fmt.Errorf("%s: %w", w.self.refusal(answer.Coordinator, true), ErrRefused)
	}
	if answer.Beat < 10*time.Millisecond || answer.AckWait < 100*time.Millisecond || answer.Beat > time.Hour || answer.AckWait > 24*time.Hour {
		return fmt.Errorf("the coordinator asks for a sign of life every %v, which makes no sense: %w", answer.Beat, ErrRefused)
	}
	w.pace, w.alike = Pace{Beat: answer.Beat, AckWait: answer.AckWait}, w.self.alike(answer.Coordinator)
	w.options.Log.Info("joined", "coordinator", answer.Coordinator.Name)
	return nil
}

// listen hears what the coordinator asks for.
func (w *worker) listen() error {
	_, err := w.nc.Subscribe(w.subject("to", w.self.ID), func(msg *nats.Msg) {
		var l leave
		if heard(msg.Data, msg.Header, maxTrouble, &l) == nil {
			w.end(fmt.Errorf("%w: %s", ErrLeft, l.Reason))
		}
	})
	if err == nil {
		_, err = w.nc.Subscribe(w.subject("withdrawn"), func(msg *nats.Msg) {
			var gone withdrawn
			if heard(msg.Data, msg.Header, maxMessage, &gone) == nil {
				w.withdraw(gone.Units)
			}
		})
	}
	if err == nil {
		err = w.nc.Flush()
	}
	if err != nil {
		return fmt.Errorf("listen to the coordinator: %w", err)
	}
	return nil
}

// withdraw ends what is computed of units that nobody needs any more.
func (w *worker) withdraw(units []string) {
	gone := map[string]bool{}
	for _, u := range units {
		gone[u] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.work {
		if gone[c.order.Unit] {
			c.cancel(errWithdrawn)
		}
	}
}

// beat gives signs of life until the work has ended.
func (w *worker) beat(finished <-chan struct{}) {
	tick := time.NewTicker(w.pace.Beat)
	defer tick.Stop()
	for {
		now := w.status()
		if w.nc.IsConnected() {
			_ = w.publish(w.subject("beat", w.self.ID), now) // the next one follows
		}
		w.options.Show(Doing{Connected: w.nc.IsConnected(), Units: shown(now.Units), PerSecond: now.PerSecond, Done: now.Done, Failed: now.Failed})
		select {
		case <-tick.C:
		case <-finished:
			now = w.status()
			now.Leaving = true
			_ = w.publish(w.subject("beat", w.self.ID), now)
			_ = w.nc.FlushTimeout(time.Second)
			return
		}
	}
}

// sayNow gives a sign of life out of turn and sees it off: should the unit that was just taken end this process, the coordinator knows that it was here.
func (w *worker) sayNow() {
	if !w.nc.IsConnected() {
		return
	}
	_ = w.publish(w.subject("beat", w.self.ID), w.status()) // the next one follows
	_ = w.nc.FlushTimeout(time.Second)
}

func shown(units []inWork) (list []UnitInWork) {
	for _, u := range units {
		list = append(list, UnitInWork{u.Model, u.Chunk, u.Inferred})
	}
	return list
}

func (w *worker) status() beat {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := beat{Machine: w.self, PerSecond: w.rate.perSecond(time.Now()), Done: w.done, Failed: w.failed}
	for c := range w.work {
		b.Units = append(b.Units, inWork{c.order.Unit, plain(c.order.ID, maxLabel), c.order.Chunk, c.inferred.Load()})
	}
	return b
}
