package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// host is where a join line leads.
func host(t *testing.T, line string) string {
	t.Helper()
	j := testdata.Must(ParseJoin(line))(t)
	return j.Host
}

// slow is a worker that waits in its inferences until it is let go; the first one closes begun.
func slow(t *testing.T, line string) (h *hand, begun <-chan struct{}, letGo func()) {
	begins, goes := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begins) })
	h = hire(t, line, func(o *WorkOptions) {
		o.Runtime.(*sums.Runtime).OnRun = func(ctx context.Context, _ engine.Feed, _ int64) error {
			begin()
			select {
			case <-goes:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
	return h, begins, sync.OnceFunc(func() { close(goes) })
}

// TestWorkerThatIsCutOffAndReturns: its unit goes to another worker; its own result, which comes
// late, changes nothing.
func TestWorkerThatIsCutOffAndReturns(t *testing.T) {
	d, want := compared(t, 600, "ab")
	c := d.served()
	id := d.start()
	p := newProxy(t, host(t, c.Join()[0]))
	cut, begun, letGo := slow(t, p.line(c.Join()[0]))
	<-begun
	p.interrupt()
	letGo() // it computes on, and cannot bring its result
	hire(t, c.Join()[0], nil)
	d.done(id)
	d.same(want)
	p.restore()
	s := d.done(d.start()) // the late result is found now: there is nothing left to compute
	testdata.Is(t, "reused", s.Reused, s.Total)
	d.same(want)
	cut.end()
	must(t, cut.gone())
}

// TestCoordinatorThatIsClosedAndReopened: orders stay in the queue, a result waits, and the rest
// is computed afterwards.
func TestCoordinatorThatIsClosedAndReopened(t *testing.T) {
	d, want := compared(t, 600, "ab")
	queue := filepath.Join(t.TempDir(), "queue")
	c, _ := d.serve(queue)
	d.start()
	w, begun, letGo := slow(t, c.Join()[0])
	<-begun
	must(d, d.eng.Close())
	c.Close()
	letGo()
	until(t, "the worker has computed its unit", func() bool { return w.rt.Batches.Load() >= 8*3 })

	d.open(engine.NoWorkers)
	again, detach := d.serve(queue)
	if again.Join()[0] != c.Join()[0] {
		t.Errorf("the join line has changed from %s to %s", c.Join()[0], again.Join()[0])
	}
	d.done(d.start())
	d.same(want)
	if n := w.rt.Batches.Load(); n != 2*3*19 {
		t.Errorf("%d batches in place of %d: what was computed before was computed again", n, 2*3*19)
	}
	w.end()
	must(t, w.gone())
	detach()
	again.Close()
}

// TestModelThatFailsEverywhere fails with the reason after three attempts, or a few more while one
// of the workers does well with the other model, which is computed.
func TestModelThatFailsEverywhere(t *testing.T) {
	root := sums.Pets(t, 300)
	d := newDesk(t, root, "ab", engine.NoWorkers)
	c := d.served()
	id := d.start()
	var attempts atomic.Int64
	for range 2 {
		h := hire(t, c.Join()[0], func(o *WorkOptions) {
			o.Runtime = &sums.Runtime{OnRun: func(_ context.Context, feed engine.Feed, _ int64) error {
				if content, err := os.ReadFile(feed.Path); err != nil || string(content) == "model a" {
					attempts.Add(1)
					return errors.New("no such operator")
				}
				return nil
			}}
		})
		defer h.end()
	}
	s := d.wait(id)
	if s.Failed != 1 || s.Phase != engine.Done || s.Tasks[0].Err == nil {
		t.Fatalf("%+v", s)
	}
	if text := s.Tasks[0].Err.Error(); !strings.Contains(text, "no such operator") ||
		!strings.Contains(text, " times on other machines)") {
		t.Error(text)
	}
	if n := attempts.Load(); n < 3 || n > 20 {
		t.Errorf("%d attempts", n)
	}
}

// TestEngineGoesOnWithoutWorkers: what the queue holds for a worker that is gone comes back to the
// engine's own.
func TestEngineGoesOnWithoutWorkers(t *testing.T) {
	root := sums.Pets(t, 600)
	want := local(t, root, "ab")
	d := newDesk(t, root, "ab", 1)
	first := make(chan struct{})
	d.rt.OnRun = func(context.Context, engine.Feed, int64) error { <-first; return nil }
	c := d.served()
	id := d.start()
	p := newProxy(t, host(t, c.Join()[0]))
	_, begun, _ := slow(t, p.line(c.Join()[0]))
	<-begun
	close(first)
	p.interrupt() // for good
	d.done(id)
	d.same(want)
	if list := c.Workers(); len(list) != 1 || !list[0].Lost {
		t.Errorf("%+v", list)
	}
}

// TestCancelledRun: the worker stops at once, and nothing of that counts as failed.
func TestCancelledRun(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 600), "ab", engine.NoWorkers)
	c := d.served()
	id := d.start()
	_, begun, _ := slow(t, c.Join()[0])
	<-begun
	c.setTrouble(errSilent)
	must(d, d.eng.Cancel(id))
	if s := d.wait(id); s.Phase != engine.Cancelled || c.Trouble() != nil {
		t.Errorf("%+v, %v", s, c.Trouble())
	}
	until(t, "the worker does nothing", func() bool {
		list := c.Workers()
		return len(list) == 1 && len(list[0].Units) == 0
	})
	if list := c.Workers(); list[0].Failed != 0 {
		t.Errorf("what was cancelled counts as failed: %+v", list)
	}
}

// TestUnitThatWasCancelledIsNoFailure: its files are gone by the time at which the worker looks
// for them.
func TestUnitThatWasCancelledIsNoFailure(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 100), "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	unit := f.take()
	must(d, d.eng.Cancel(id))
	if s := d.wait(id); s.Phase != engine.Cancelled {
		t.Errorf("%+v", s)
	}
	_, err := unit.prepare()
	if unit.Failed(err); err == nil || f.w.counts.Failed != 0 || f.w.failing != 0 {
		t.Errorf("%v, %d failed", err, f.w.counts.Failed)
	}
}

func TestRemovedWorkerLeaves(t *testing.T) {
	d, want := compared(t, 300, "a")
	c := d.served()
	id := d.start()
	h, begun, _ := slow(t, c.Join()[0])
	<-begun
	until(t, "it is in the list", func() bool { return len(c.Workers()) == 1 && len(c.Workers()[0].Units) == 1 })
	c.Remove(c.Workers()[0].ID)
	testdata.Refused(t, "gone", h.gone(), "needs this worker no more: the coordinator has removed")
	if len(c.Workers()) != 0 {
		t.Error("it is in the list")
	}
	hire(t, c.Join()[0], nil)
	d.done(id)
	d.same(want)
}

// TestResultsThatCannotBeUsed are refused with a reason; after three the worker has to leave, and
// the unit is computed by somebody else.
func TestResultsThatCannotBeUsed(t *testing.T) {
	root := sums.Pets(t, 300)
	want := local(t, root, "a")
	for name, damage := range map[string]func(data []byte, n *notice) []byte{
		"cut":     func(data []byte, n *notice) []byte { n.Size--; return data[:len(data)-1] },
		"changed": func(data []byte, _ *notice) []byte { data[len(data)/2] ^= 1; return data },
		"longer":  func(data []byte, n *notice) []byte { n.Size--; return data },
		"huge": func(_ []byte, n *notice) []byte {
			n.Size = 4 << 20
			return make([]byte, n.Size)
		},
		"nothing": func(_ []byte, n *notice) []byte { n.Size = 0; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, root, "a", engine.NoWorkers)
			c := d.served()
			id := d.start()
			bad := newForger(t, c.Join()[0], "f0", damage)
			bad.beats()
			until(t, "the forger is removed", func() bool {
				if !bad.left.Load() {
					bad.bring()
				}
				return bad.left.Load()
			})
			hire(t, c.Join()[0], nil)
			d.done(id)
			d.same(want)
		})
	}
}
