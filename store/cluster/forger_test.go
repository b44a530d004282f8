package cluster

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine/wire"
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
	f.must(err)
	o := WorkOptions{Self: self(), Runtime: &sums{}}.orDefault()
	who := identityOf(name)
	o.Self.ID, o.Self.Name = who.id, "forger"
	f.w = &worker{options: o, self: o.Self, identity: who, scenes: wire.NewKept(), work: map[*course]bool{}, end: func(error) { f.left.Store(true) }}
	f.w.cache, err = newCache(t.TempDir(), 1<<30)
	f.must(err)
	nc, err := j.connect("forger", who.options(j)...)
	f.must(err)
	t.Cleanup(nc.Close)
	f.w.bus, err = newBus(nc, j.Space)
	f.must(err)
	f.must(f.w.join(t.Context()))
	f.must(f.w.listen())
	return f
}

func (f *forger) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// bring takes an order where there is one, and answers it in its way.
func (f *forger) bring() {
	msg, err := f.w.fetch(f.Context(), pure)
	if err != nil || msg == nil {
		return
	}
	c := &course{worker: f.w}
	c.msg.Store(&msg)
	c.ctx, c.cancel = context.WithCancelCause(f.Context())
	c.order, err = wire.ParseOrder(msg.Data())
	f.must(err)
	defer c.end()
	unit := computed(f.T, f.w, c)
	if unit == nil {
		return // on a slow computer it was taken for lost meanwhile
	}
	f.must(msg.InProgress())
	data, err := wire.EncodeResult(c.order.Spec, unit)
	f.must(err)
	n := notice{Unit: c.order.Unit, Worker: f.w.self.ID, Object: objectName(c.order.Unit, f.w.self.ID), Size: int64(len(data))}
	object := n.Object
	if data = f.damage(data, &n); data != nil {
		objects, err := f.w.js.ObjectStore(f.Context(), f.w.resultObjects())
		f.must(err)
		_, err = objects.PutBytes(f.Context(), object, data)
		f.must(err)
	}
	text, err := json.Marshal(n)
	f.must(err)
	_, err = f.w.js.Publish(f.Context(), f.w.result(c.order.Unit, f.w.self.ID), text)
	f.must(err)
	f.must(msg.Ack())
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

// take waits for an order. The forger gives signs of life meanwhile.
func (f *forger) take() (order jetstream.Msg) {
	f.Helper()
	until(f.T, "an order comes", func() (there bool) {
		f.say("")
		var err error
		order, err = f.w.fetch(f.Context(), pure)
		f.must(err)
		return order != nil
	})
	return order
}

// say gives a sign of life that names a unit; none where that is empty.
func (f *forger) say(unit string) {
	f.Helper()
	now := beat{Machine: f.w.self}
	if unit != "" {
		now.Units = []inWork{{Unit: unit, Model: "a"}}
	}
	f.must(f.w.publish(f.w.subject("beat", f.w.self.ID), now))
	f.must(f.w.nc.FlushTimeout(requestTime))
}
