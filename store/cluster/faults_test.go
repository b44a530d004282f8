package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
)

func TestHopeless(t *testing.T) {
	type act func(f *faults)
	tell := func(who string) act { return func(f *faults) { f.note(who, told, "no") } }
	refuse := func(who string) act { return func(f *faults) { f.note(who, refused, "no") } }
	lose := func(who string) act { return func(f *faults) { f.note(who, lost, "") } }
	for name, tt := range map[string]struct {
		acts []act
		well []string
		want bool
	}{
		"nothing":                    {nil, nil, false},
		"two":                        {[]act{tell("a"), tell("b")}, []string{"a", "b"}, false},
		"three of two":               {[]act{tell("a"), tell("b"), tell("a")}, []string{"a", "b", "c"}, true},
		"three of one, alone":        {[]act{tell("a"), tell("a"), tell("a")}, []string{"a"}, true},
		"three of one that has left": {[]act{tell("a"), tell("a"), tell("a")}, nil, true},
		"three of one, others there": {[]act{tell("a"), tell("a"), tell("a"), tell("a")}, []string{"a", "b"}, false},
		"three were lost":            {[]act{lose("a"), lose("b"), lose("c")}, []string{"d"}, true},
		"lost twice counts once":     {[]act{lose("a"), lose("a"), lose("a")}, nil, false},
		"of each kind one":           {[]act{lose("a"), tell("b"), refuse("c")}, nil, true},
		"refused of one":             {[]act{refuse("a"), refuse("a"), refuse("a")}, nil, false},
		"refused of three":           {[]act{refuse("a"), refuse("b"), refuse("c")}, []string{"d"}, true},
	} {
		f := &faults{times: map[fault]int{}}
		for _, a := range tt.acts {
			a(f)
		}
		if got := f.hopeless(tt.well); got != tt.want {
			t.Errorf("%s: %v, %+v", name, got, f)
		}
	}
}

// TestInterruptionsFailNothing: a unit that goes out again and again, because those who had it
// left or never heard of it, is computed in the end.
func TestInterruptionsFailNothing(t *testing.T) {
	d, want := compared(t, 100, "a")
	c := d.served()
	id := d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	for range 2 * maxFaults {
		f.take().end(unneeded) // as where the answer was lost
	}
	f.take()
	if s := d.eng.Snapshot()[0]; s.Failed != 0 {
		t.Fatalf("%+v", s)
	}
	c.Remove(f.w.self.ID)
	hire(t, c.Join()[0], nil)
	d.done(id)
	d.same(want)
}

// TestUnitThatEndsItsWorkers fails when three have been lost with it; one that is there again does
// not count.
func TestUnitThatEndsItsWorkers(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 100), "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	free := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.round == nil || len(c.round.parcels) == 0
	}
	vanish := func(name string) *forger {
		f := newForger(t, c.Join()[0], name, nil)
		f.take()
		until(t, name+" is lost, and its unit is taken back", free)
		return f
	}
	vanish("f0")
	back := vanish("f1")
	back.w.work = map[*workUnit]bool{}
	back.w.tell(false) // the same process, whose network works again
	until(t, "it is there again", func() bool {
		return slices.ContainsFunc(c.Workers(), func(w Worker) bool { return w.ID == back.w.self.ID && !w.Lost })
	})
	vanish("f2")
	if s := d.eng.Snapshot()[0]; s.Failed != 0 {
		t.Fatalf("two were lost: %+v", s)
	}
	vanish("f3")
	s := d.wait(id)
	if s.Phase != engine.Failed || !strings.Contains(s.Tasks[0].Err.Error(), "were lost with them (tried 3 times") {
		t.Errorf("%+v", s)
	}
}

// TestWorkerThatFailsEverything, as one whose disk is full, fails no model as long as another one
// may try it.
func TestWorkerThatFailsEverything(t *testing.T) {
	d, want := compared(t, 600, "a")
	c := d.served()
	id := d.start()
	_, begun, letGo := slow(t, c.Join()[0])
	<-begun
	var attempts atomic.Int64
	hire(t, c.Join()[0], func(o *WorkOptions) {
		o.Runtime = &sums.Runtime{OnRun: func(context.Context, engine.Feed, int64) error {
			attempts.Add(1)
			return errors.New("no space left on device")
		}}
	})
	until(t, "it has failed often enough", func() bool { return attempts.Load() > 2*maxFaults })
	letGo()
	d.done(id)
	d.same(want)
}
