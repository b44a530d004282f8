package cluster

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
)

func TestHopeless(t *testing.T) {
	type act func(f *faults)
	tell := func(who string) act { return func(f *faults) { f.tell(who, "no") } }
	refuse := func(who string) act { return func(f *faults) { f.refuse(who, "no") } }
	lose := func(who string) act { return func(f *faults) { f.lost[who] = true } }
	for name, tt := range map[string]struct {
		acts []act
		view view
		want bool
	}{
		"nothing":                       {nil, view{}, false},
		"two":                           {[]act{tell("a"), tell("b")}, view{well: []string{"a", "b"}}, false},
		"three of two":                  {[]act{tell("a"), tell("b"), tell("a")}, view{well: []string{"a", "b", "c"}}, true},
		"three of one, alone":           {[]act{tell("a"), tell("a"), tell("a")}, view{well: []string{"a"}}, true},
		"three of one that has left":    {[]act{tell("a"), tell("a"), tell("a")}, view{}, true},
		"three of one, others there":    {[]act{tell("a"), tell("a"), tell("a"), tell("a")}, view{well: []string{"a", "b"}}, false},
		"three while somebody computes": {[]act{tell("a"), tell("b"), tell("c")}, view{well: []string{"a", "b", "c"}, holders: 1}, true},
		"three were lost":               {[]act{lose("a"), lose("b"), lose("c")}, view{}, true},
		"three, but somebody computes":  {[]act{lose("a"), lose("b"), lose("c")}, view{well: []string{"d"}, holders: 1}, false},
		"lost twice counts once":        {[]act{lose("a"), lose("a"), lose("a")}, view{}, false},
		"of each kind one":              {[]act{lose("a"), tell("b"), refuse("c")}, view{}, true},
		"refused of one":                {[]act{refuse("a"), refuse("a"), refuse("a")}, view{}, false},
		"refused of one without end": {
			[]act{refuse("a"), refuse("a"), refuse("a"), refuse("a"), refuse("a"), refuse("a"), refuse("a"), refuse("a"), refuse("a")}, view{}, true,
		},
		"refused of three": {[]act{refuse("a"), refuse("b"), refuse("c")}, view{well: []string{"d"}}, true},
	} {
		f := newFaults()
		for _, a := range tt.acts {
			a(f)
		}
		if got := f.hopeless(tt.view); got != tt.want {
			t.Errorf("%s: %v, %+v", name, got, f)
		}
	}
}

// TestInterruptionsFailNothing: an order that goes out again and again, because those who had it ended or could not be reached, is carried out in the end.
func TestInterruptionsFailNothing(t *testing.T) {
	root := images(t, 100)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	for range 2 * maxFaults {
		d.must(f.take().Nak()) // as a worker that ends
	}
	order := f.take() // and now it is computed, but the server takes it for lost three times
	for range maxFaults {
		until(t, "it is delivered again", func() bool {
			f.say(last(order.Subject()))
			again, err := f.w.fetch(t.Context(), pure)
			d.must(err)
			return again != nil
		})
	}
	if s := d.eng.Snapshot()[0]; s.Failed != 0 {
		t.Fatalf("%+v", s)
	}
	d.must(order.Nak())
	hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done {
		t.Fatalf("%+v", s)
	}
	d.same(want)
}

// TestUnitThatEndsItsWorkers fails when three have been lost with it; one that is there again does not count.
func TestUnitThatEndsItsWorkers(t *testing.T) {
	d := newDesk(t, images(t, 100), "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	lost := func(name string) bool {
		for _, w := range c.Workers() {
			if w.ID == identityOf(name).id {
				return w.Lost
			}
		}
		return false
	}
	unit := ""
	var list []*forger
	vanish := func(name string) {
		f := newForger(t, c.Join()[0], name, nil)
		order := f.take()
		unit = last(order.Subject())
		f.say(unit)
		until(t, name+" is lost", func() bool {
			for _, back := range list {
				back.say(unit)
			}
			return lost(name)
		})
		d.must(order.Nak()) // instead of waiting until the server misses it
	}
	vanish("f0")
	vanish("f1")
	list = append(list, newForger(t, c.Join()[0], "f0", nil)) // the same process, whose network works again
	vanish("f2")
	if s := d.eng.Snapshot()[0]; s.Failed != 0 {
		t.Fatalf("two were lost, and one is at work: %+v", s)
	}
	list = nil
	vanish("f3")
	s := d.wait(id)
	if s.Phase != engine.Failed || !strings.Contains(s.Tasks[0].Err.Error(), "were lost with them") {
		t.Errorf("%+v", s)
	}
}

// TestUnitThatEndsOneWorkerAfterTheOther: no worker is there between two of them, so that the unit is taken back each time.
func TestUnitThatEndsOneWorkerAfterTheOther(t *testing.T) {
	d := newDesk(t, images(t, 100), "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	for _, name := range []string{"f0", "f1", "f2"} {
		if s := d.eng.Snapshot()[0]; s.Failed != 0 {
			t.Fatalf("%s: %+v", name, s)
		}
		f := newForger(t, c.Join()[0], name, nil)
		f.say(last(f.take().Subject()))
		until(t, "nobody is there and the unit is taken back, or has failed", func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.parcels) == 0
		})
	}
	if s := d.wait(id); s.Phase != engine.Failed || !strings.Contains(s.Tasks[0].Err.Error(), "tried 3 times") {
		t.Errorf("%+v", s)
	}
}

// TestWorkerThatFailsEverything, as one whose disk is full, fails no model as long as another one may try it.
func TestWorkerThatFailsEverything(t *testing.T) {
	root := images(t, 600)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	var begun <-chan struct{}
	var letGo func()
	hire(t, c.Join()[0], func(o *WorkOptions) {
		rt := &sums{}
		begun, letGo = slow(rt)
		o.Runtime = rt
	})
	<-begun
	var attempts atomic.Int64
	hire(t, c.Join()[0], func(o *WorkOptions) {
		o.Runtime = &sums{onRun: func(context.Context, string) error {
			attempts.Add(1)
			return errors.New("no space left on device")
		}}
	})
	until(t, "it has failed often enough", func() bool { return attempts.Load() > 2*maxFaults })
	letGo()
	if s := d.wait(id); s.Phase != engine.Done {
		t.Fatalf("%+v", s)
	}
	d.same(want)
}
