package cluster

import (
	"errors"
	"testing"

	"github.com/variscope/variscope/engine"
)

// TestWorkersGiveTheSameBytes: two workers compute a run of an engine that computes nothing
// itself.
func TestWorkersGiveTheSameBytes(t *testing.T) {
	d, want := compared(t, 600, "abc")
	c := d.served()
	id := d.start()
	one, two := hire(t, c.Join()[0], nil), hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done || s.Done != 3*600*3 || s.Timings.Infer <= 0 {
		t.Errorf("%+v", s)
	}
	d.same(want)
	if d.rt.Batches.Load() != 0 {
		t.Error("the coordinator has computed")
	}
	until(t, "both workers are in the list", func() bool { return len(c.Workers()) == 2 })
	if one.rt.Batches.Load()+two.rt.Batches.Load() < 3*3*19 {
		t.Errorf("%d and %d batches", one.rt.Batches.Load(), two.rt.Batches.Load())
	}
	sum := 0
	until(t, "nine units are told", func() bool {
		sum = 0
		for _, w := range c.Workers() {
			sum += w.Done
		}
		return sum == 9
	})
	one.end()
	two.end()
	must(t, errors.Join(one.gone(), two.gone()))
	until(t, "they have left the list", func() bool { return len(c.Workers()) == 0 })
	must(t, c.Trouble())
}
