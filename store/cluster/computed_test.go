package cluster

import (
	"context"
	"errors"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
)

// computed is the unit of an order as an honest worker computes it, nil where it was withdrawn.
func computed(t *testing.T, w *worker, c *course) *signal.Unit {
	t.Helper()
	o, err := c.prepare()
	if errors.Is(err, errWithdrawn) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	k := &keeper{ctx: t.Context()}
	o.Course = k
	handed := false
	w.options.Runtime.Work(t.Context(), 1, func(context.Context) (engine.Order, bool) {
		first := !handed
		handed = true
		return o, first
	})
	if errors.Is(k.err, errWithdrawn) {
		return nil
	}
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

func (k *keeper) Context() context.Context               { return k.ctx }
func (k *keeper) Pass() error                            { return k.ctx.Err() }
func (k *keeper) Inferred(int)                           {}
func (k *keeper) Done(unit *signal.Unit, _ engine.Spent) { k.unit = unit }
func (k *keeper) Failed(err error)                       { k.err = err }
