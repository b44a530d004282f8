package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/wire"
)

// WorkOptions are how a worker works.
type WorkOptions struct {
	Self       Machine // ID and Protocol are filled in
	Runtime    engine.Runtime
	Cache      string        // folder for models and images
	CacheBytes int64         // that may lie there
	UnitTime   time.Duration // that one unit may take
	// Patience is how long somebody is asked who answers, but not as a coordinator does; 0 is 30 s.
	Patience time.Duration
	Log      *slog.Logger // nil for none
	// Show is told what the worker does, once per beat; may be nil.
	Show func(connected bool, does Doing)
}

const (
	retryTime     = 2 * time.Second  // between two looks for a coordinator
	maxHesitation = 10               // beats that a worker waits at most that cannot compute anything
	lastTime      = 10 * time.Second // that a worker that ends still brings results
)

// worker is a process that computes units for a coordinator.
type worker struct {
	bus
	options    WorkOptions
	self       Machine
	identity   identity
	pace       Pace
	cache      *cache
	prepared   wire.PreparedTasks
	scenes     *background.Kept // what the packs at work keep of their composites
	begun      time.Time
	throughput engine.Throughput // since it has begun
	asking     sync.Mutex        // held while it asks for a unit
	ready      chan engine.Order // units whose files are here
	end        context.CancelCauseFunc

	mu      sync.Mutex
	work    map[*workUnit]bool
	counts  Doing // but for what follows from the rest
	failing int   // units in a row that it could not compute
}

// Work computes units for the coordinator of a join line until ctx ends, which is no error, or the
// coordinator refuses it or asks it to leave. What was computed meanwhile is brought after an
// interruption.
func Work(ctx context.Context, j Join, o WorkOptions) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	secret := rand.Text()
	w, err := newWorker(o, identity{secret, idOf(secret)}, end)
	if err != nil {
		return err
	}
	if err := w.join(ctx, j); err != nil {
		return stopped(ctx, err)
	}
	defer w.nc.Close()
	if err := w.listen(); err != nil {
		return err
	}
	var beating, fetching sync.WaitGroup
	finished := make(chan struct{})
	beating.Go(func() { w.beat(finished) })
	for range w.self.Cores {
		fetching.Go(func() { w.fetch(ctx) })
	}
	o.Runtime.Work(ctx, w.self.Cores, w.next)
	fetching.Wait()
	close(finished)
	beating.Wait()
	return stopped(ctx, nil)
}

// newWorker is a worker that knows no coordinator yet.
func newWorker(o WorkOptions, who identity, end context.CancelCauseFunc) (*worker, error) {
	o.Self.ID, o.Self.Protocol = who.id, protocol
	o.Patience = cmp.Or(o.Patience, 30*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	kept, err := newCache(o.Cache, o.CacheBytes)
	return &worker{
		options: o, self: o.Self, identity: who, cache: kept, scenes: wire.NewKept(),
		begun: time.Now(), ready: make(chan engine.Order), work: map[*workUnit]bool{}, end: end,
	}, err
}

// stopped is how a worker ends: an end that was asked for is no error.
func stopped(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, context.Canceled):
		return nil
	default:
		return cause
	}
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// join connects and asks to be taken. It waits for who is not there, and gives up who is no
// coordinator.
func (w *worker) join(ctx context.Context, j Join) error {
	var since time.Time // when somebody answered otherwise first
	for told := false; ; told = true {
		begun := time.Now()
		err := w.greet(ctx, j)
		switch {
		case err == nil || errors.Is(err, errRefused):
			return err
		case errors.Is(err, errAway):
			since = time.Time{}
		case since.IsZero():
			since = begun
		}
		if !since.IsZero() && time.Since(since) >= w.options.Patience {
			return fmt.Errorf("%w: %w", err, errRefused)
		}
		if !told {
			w.options.Log.Warn("waiting for the coordinator", "error", err)
		}
		if !sleep(ctx, min(retryTime, w.options.Patience)) {
			return context.Cause(ctx)
		}
	}
}

// greet connects and says hello. The connection stays where the worker is welcome.
func (w *worker) greet(ctx context.Context, j Join) error {
	w.names = names(j.Space)
	ended := nats.ClosedHandler(func(nc *nats.Conn) {
		if err := nc.LastError(); err != nil {
			w.end(j.explain(err))
		}
	})
	// After an interruption the coordinator learns at once what is here.
	again := nats.ReconnectHandler(func(*nats.Conn) { w.tell(false) })
	var err error
	if w.nc, err = j.connect(w.self.Name, append(w.identity.options(j), ended, again)...); err != nil {
		return err
	}
	hello, err := request[welcome](ctx, w.bus, w.subject("hello"), w.self, maxNotice)
	switch p := hello.Pace; {
	case errors.Is(err, errSilent) || ctx.Err() != nil:
		err = fmt.Errorf("%s has no coordinator of this line; copy the join line anew from the coordinator", j.Host)
	case err != nil:
		err = fmt.Errorf("the coordinator's answer cannot be read; "+
			"install the same version of Variscope on both machines: %w", errRefused)
	case hello.Refused != "":
		err = fmt.Errorf("%s: %w", hello.Refused, errRefused)
	case hello.Coordinator.Protocol != protocol:
		err = fmt.Errorf("%s: %w", w.self.refusal(hello.Coordinator, true), errRefused)
	case p.Beat < 10*time.Millisecond || p.AckWait < 100*time.Millisecond || p.Beat > time.Hour ||
		p.AckWait > 24*time.Hour:
		err = fmt.Errorf("the coordinator asks for a sign of life every %v, which makes no sense: %w",
			p.Beat, errRefused)
	default:
		w.pace = p
		w.options.Log.Info("joined", "coordinator", hello.Coordinator.Name)
		return nil
	}
	w.nc.Close()
	return err
}

// listen hears what the coordinator asks for.
func (w *worker) listen() error {
	return w.bus.listen("the coordinator", map[string]nats.MsgHandler{
		w.to(w.self.ID, "leave"): reads(maxTrouble, func(_ *nats.Msg, reason string) {
			w.end(fmt.Errorf("the coordinator needs this worker no more: %s", reason))
		}),
		w.subject("withdrawn"): reads(maxMessage, func(_ *nats.Msg, units []string) { w.withdraw(units) }),
		w.to(w.self.ID, "piece"): reads(maxNotice, func(msg *nats.Msg, ask wanted) {
			_ = msg.Respond(w.piece(ask)) // it is asked again
		}),
	})
}

// withdraw ends what is computed of units that nobody needs any more.
func (w *worker) withdraw(units []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.work {
		if slices.Contains(units, c.unit) {
			c.cancel(errWithdrawn)
		}
	}
}

// beat gives signs of life until the work has ended.
func (w *worker) beat(finished <-chan struct{}) {
	tick := time.NewTicker(w.pace.Beat)
	defer tick.Stop()
	for {
		does := w.tell(false)
		if w.options.Show != nil {
			w.options.Show(w.nc.IsConnected(), does.inWork())
		}
		select {
		case <-tick.C:
		case <-finished:
			w.tell(true)
			_ = w.nc.FlushTimeout(time.Second)
			return
		}
	}
}

// tell gives a sign of life, where the coordinator can be reached: the next one follows.
func (w *worker) tell(leaving bool) Doing {
	b := beat{Machine: w.self, Doing: w.status(), Leaving: leaving}
	if w.nc.IsConnected() {
		_ = w.nc.Publish(w.from(w.self.ID, "beat"), say(b))
	}
	return b.Doing
}

// status is what the worker does.
func (w *worker) status() Doing {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.counts
	for _, share := range w.throughput.Shares(time.Since(w.begun)) { // its own alone
		d.PerSecond = share.PerSecond
	}
	for c := range w.work {
		d.Units = append(d.Units, UnitInWork{
			c.unit, wire.Plain(c.order.ID, maxLabel), c.order.Chunk, c.inferred.Load(), c.waits.Load(),
		})
	}
	return d
}
