package cluster

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
)

// TestWorkIsCountedAsItIsMade, before any unit is brought, and as the worker's who makes it.
func TestWorkIsCountedAsItIsMade(t *testing.T) {
	root := sums.Pets(t, 300)
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	hold := make(chan struct{})
	h := hire(t, c.Join()[0], func(o *WorkOptions) {
		o.Runtime.(*sums.Runtime).OnRun = func(ctx context.Context, _ engine.Feed, batches int64) error {
			if batches <= 2 {
				return nil
			}
			select {
			case <-hold:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
	id := d.start()
	var s engine.Status
	until(t, "two batches are counted", func() bool {
		s = d.eng.Snapshot()[0]
		return s.Done == 64
	})
	workers := c.Workers()
	if len(d.signals()) != 0 || len(workers) != 1 || len(s.Shares) != 1 || s.Shares[0].Who != workers[0].ID ||
		s.Shares[0].PerSecond != s.PerSecond || s.Left <= 0 {
		t.Errorf("%+v, workers %+v", s, workers)
	}
	close(hold)
	if s := d.wait(id); s.Phase != engine.Done || s.Done != 900 {
		t.Errorf("%+v", s)
	}
	h.end()
}

// TestAWorkersFailureIsExplained in the list of workers, and where the model has failed.
func TestAWorkersFailureIsExplained(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 30), "a", engine.NoWorkers)
	c := d.served()
	h := hire(t, c.Join()[0], func(o *WorkOptions) {
		o.Runtime.(*sums.Runtime).OnRun = func(context.Context, engine.Feed, int64) error {
			return errors.New("out of memory")
		}
	})
	s := d.wait(d.start())
	if s.Failed != 1 || !strings.Contains(s.Tasks[0].Err.Error(), "out of memory (tried 3 times on other machines)") {
		t.Errorf("%+v", s)
	}
	until(t, "the failures are told", func() bool { return c.Workers()[0].Failed == 3 })
	if w := c.Workers()[0]; !strings.Contains(w.Problem, "out of memory") {
		t.Errorf("%+v", w)
	}
	h.end()
}
