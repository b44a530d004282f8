package cluster

import (
	"cmp"
	"context"
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
	Self    Machine // ID and Protocol are filled in
	Runtime engine.Runtime
	Cache   string // folder for models and images
	// CacheBytes bounds the cache; 0 is 20 GB.
	CacheBytes int64
	// UnitTime bounds one unit; 0 is six hours.
	UnitTime time.Duration
	// Patience is how long somebody who answers, but not as a coordinator does, is asked; 0 is 30
	// s. One who is not there is waited for.
	Patience time.Duration
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
	defaultPatience = 30 * time.Second
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
	prepared wire.PreparedTasks
	scenes   *background.Kept // what the packs at work keep of their composites
	begun    time.Time
	tempo    engine.Tempo      // since it has begun
	asking   sync.Mutex        // held while it asks for a unit
	ready    chan engine.Order // units whose files are here

	mu     sync.Mutex
	work   map[*course]bool
	done   int
	failed int
	// failing is how many units in a row it could not compute.
	failing int
	end     context.CancelCauseFunc
}

// Work computes units for the coordinator of a join line until ctx ends, which is no error, or the
// coordinator asks it to leave. Interruptions are bridged: what was computed is brought when the
// coordinator is there again. The error wraps ErrRefused where the coordinator will not have this
// worker, ErrLeft after it was removed.
func Work(ctx context.Context, j Join, o WorkOptions) error {
	o = o.orDefault()
	kept, err := newCache(o.Cache, o.CacheBytes)
	if err != nil {
		return err
	}
	identity := newIdentity()
	o.Self.ID = identity.id
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := &worker{
		options: o, self: o.Self, identity: identity, cache: kept, scenes: wire.NewKept(),
		begun: time.Now(), ready: make(chan engine.Order), work: map[*course]bool{}, end: end,
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
	for range o.Self.Cores {
		fetching.Go(func() { w.fetch(ctx) })
	}
	o.Runtime.Work(ctx, o.Self.Cores, w.next)
	fetching.Wait()
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
	o.CacheBytes = cmp.Or(max(o.CacheBytes, 0), defaultCache)
	o.UnitTime, o.Patience = cmp.Or(max(o.UnitTime, 0), defaultUnitTime), cmp.Or(max(o.Patience, 0), defaultPatience)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Show == nil {
		o.Show = func(Doing) {}
	}
	return o
}

// retryTime is how long a worker waits before it looks for a coordinator again.
const retryTime = 2 * time.Second

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

// join connects and asks to be taken, until a coordinator answers. One that is not there may come;
// who answers otherwise is given up.
func (w *worker) join(ctx context.Context, j Join) error {
	var since time.Time // when somebody answered otherwise first
	for told := false; ; told = true {
		begun := time.Now()
		answer, err := w.greet(ctx, j)
		switch {
		case err == nil:
			if err := w.welcomed(answer); err != nil {
				w.nc.Close()
				return err
			}
			return nil
		case errors.Is(err, ErrRefused):
			return err
		case errors.Is(err, errAway):
			since = time.Time{}
		case since.IsZero():
			since = begun
		}
		if !since.IsZero() && time.Since(since) >= w.options.Patience {
			return fmt.Errorf("%w: %w", err, ErrRefused)
		}
		if !told {
			w.options.Log.Warn("waiting for the coordinator", "error", err)
		}
		if !sleep(ctx, min(retryTime, w.options.Patience)) {
			return context.Cause(ctx)
		}
	}
}

// greet connects and says hello.
func (w *worker) greet(ctx context.Context, j Join) ([]byte, error) {
	w.bus = bus{names: names(j.Space), link: &link{}}
	ended := nats.ClosedHandler(func(nc *nats.Conn) {
		if err := nc.LastError(); err != nil {
			w.end(j.explain(err))
		}
	})
	again := nats.ReconnectHandler(func(*nats.Conn) { w.sayNow() })
	nc, err := j.connect(w.self.Name, w.link, append(w.identity.options(j), ended, again)...)
	if err != nil {
		return nil, err
	}
	w.nc = nc
	answer, err := w.request(ctx, w.subject("hello"), w.self)
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("%s has no coordinator of this line; copy the join line anew from the coordinator", j.Host)
	}
	return answer, nil
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
	return w.bus.listen("the coordinator", map[string]nats.MsgHandler{
		w.to(w.self.ID, "leave"): func(msg *nats.Msg) {
			var l leave
			if strictly(msg.Data, maxTrouble, &l) == nil {
				w.end(fmt.Errorf("%w: %s", ErrLeft, l.Reason))
			}
		},
		w.subject("withdrawn"): func(msg *nats.Msg) {
			var gone withdrawn
			if strictly(msg.Data, maxMessage, &gone) == nil {
				w.withdraw(gone.Units)
			}
		},
		w.to(w.self.ID, "piece"): func(msg *nats.Msg) {
			var ask wanted
			if strictly(msg.Data, maxNotice, &ask) == nil {
				_ = msg.Respond(w.piece(ask)) // it is asked again
			}
		},
	})
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
		if gone[c.unit] {
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
			_ = w.publish(w.from(w.self.ID, "beat"), now) // the next one follows
		}
		w.options.Show(Doing{Connected: w.nc.IsConnected(), Units: shown(now.Units), PerSecond: now.PerSecond, Done: now.Done, Failed: now.Failed})
		select {
		case <-tick.C:
		case <-finished:
			now = w.status()
			now.Leaving = true
			_ = w.publish(w.from(w.self.ID, "beat"), now)
			_ = w.nc.FlushTimeout(time.Second)
			return
		}
	}
}

// sayNow gives a sign of life out of turn: after an interruption the coordinator learns at once
// what is here.
func (w *worker) sayNow() { _ = w.publish(w.from(w.self.ID, "beat"), w.status()) } // the next one follows

// shown are the units that are computed or brought.
func shown(units []UnitInWork) []UnitInWork {
	return slices.DeleteFunc(slices.Clone(units), func(u UnitInWork) bool { return u.Waits })
}

func (w *worker) status() beat {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := beat{Machine: w.self, Done: w.done, Failed: w.failed}
	for _, share := range w.tempo.Shares(time.Since(w.begun)) { // its own alone
		b.PerSecond = share.PerSecond
	}
	for c := range w.work {
		b.Units = append(b.Units, UnitInWork{
			c.unit, wire.Plain(c.order.ID, maxLabel), c.order.Chunk, c.inferred.Load(), c.waits.Load(),
		})
	}
	return b
}
