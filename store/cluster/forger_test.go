package cluster

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/sums"
)

// forger is a worker with a token whose results are worth nothing.
type forger struct {
	*testing.T
	w      *worker
	damage func([]byte, *notice) []byte
	left   atomic.Bool
}

// identityOf is the same for the same name.
func identityOf(name string) identity {
	secret := certHash([]byte(name))
	return identity{secret, idOf(secret)}
}

func newForger(t *testing.T, line, name string, damage func([]byte, *notice) []byte) *forger {
	t.Helper()
	f := &forger{T: t, damage: damage}
	j, err := ParseJoin(line)
	must(f, err)
	o := WorkOptions{
		Self: self(), Runtime: &sums.Runtime{}, Cache: t.TempDir(), CacheBytes: 1 << 30, UnitTime: time.Hour,
	}
	o.Self.Name = "forger"
	f.w, err = newWorker(o, identityOf(name), func(error) { f.left.Store(true) })
	must(f, err)
	must(f, f.w.join(t.Context(), j))
	t.Cleanup(func() { f.w.nc.Close() })
	must(f, f.w.listen())
	return f
}

// bring asks for a unit, and answers it in its way.
func (f *forger) bring() {
	c := f.take()
	o, err := c.prepare()
	if errors.Is(err, errMissing) {
		c.end(unneeded)
		return // on a slow computer it was taken for lost meanwhile
	}
	must(f, err)
	unit := compute(f.T, f.w.options.Runtime, o)
	data, err := wire.EncodeResult(c.order.Spec, unit)
	must(f, err)
	n := notice{Unit: c.unit, Size: int64(len(data))}
	data = f.damage(data, &n)
	c.data.Store(&data)
	_, err = f.w.request(f.Context(), f.w.from(f.w.self.ID, "brought"), n)
	must(f, err)
	c.end(unneeded)
}

// beats gives signs of life from now on.
func (f *forger) beats() {
	var beating sync.WaitGroup
	finished := make(chan struct{})
	beating.Go(func() { f.w.beat(finished) })
	f.Cleanup(func() {
		close(finished)
		beating.Wait()
	})
}

// take waits for a unit. The forger gives signs of life meanwhile.
func (f *forger) take() (c *workUnit) {
	f.Helper()
	until(f.T, "a unit comes", func() (there bool) {
		f.w.tell(false)
		c = f.w.ask(f.Context())
		return c != nil || f.left.Load()
	})
	if c == nil {
		f.Fatal("it had to leave before a unit came")
	}
	return c
}

// compute is the unit of an order.
func compute(t *testing.T, rt engine.Runtime, o engine.Order) *signal.Unit {
	t.Helper()
	k := &keeper{ctx: t.Context()}
	o.Sink = k
	handed := false
	rt.Work(t.Context(), 1, func(context.Context, string) (engine.Order, bool) {
		first := !handed
		handed = true
		return o, first
	})
	if k.err != nil {
		t.Fatal(k.err)
	}
	return k.unit
}

// keeper keeps what is computed.
type keeper struct {
	ctx  context.Context
	unit *signal.Unit
	err  error
}

func (k *keeper) Context() context.Context                 { return k.ctx }
func (k *keeper) Pass() error                              { return k.ctx.Err() }
func (k *keeper) Inferred(int)                             {}
func (k *keeper) Done(unit *signal.Unit, _ engine.Timings) { k.unit = unit }
func (k *keeper) Failed(err error)                         { k.err = err }
