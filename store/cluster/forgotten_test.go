package cluster

import (
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
)

// TestForgottenUnitsAreOrderedAnew: an order that the server lost, as one that was killed may, is made again.
func TestForgottenUnitsAreOrderedAnew(t *testing.T) {
	root := images(t, 300)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	bad := newForger(t, c.Join()[0], "f0", nil)
	until(t, "two units are on their way", func() bool {
		bad.must(bad.w.publish(bad.w.subject("beat", bad.w.self.ID), bad.w.status()))
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.parcels) == 2
	})
	stream, err := c.js.Stream(t.Context(), c.units())
	d.must(err)
	d.must(stream.Purge(t.Context()))
	hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done {
		t.Errorf("%+v", s)
	}
	d.same(want)
}

// TestOrderThatNobodyCarriesOut: the server waits for a worker that says nothing of the order, while another one has nothing to do.
func TestOrderThatNobodyCarriesOut(t *testing.T) {
	root := images(t, 300)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	order := newForger(t, c.Join()[0], "f0", nil).take()
	kept := time.NewTicker(quick.AckWait / 4)
	defer kept.Stop()
	hire(t, c.Join()[0], nil)
	ended := make(chan engine.Status, 1)
	go func() {
		s, _ := d.eng.Wait(t.Context(), id) // the status tells whether it has ended
		ended <- s
	}()
	late := time.After(time.Minute)
	for {
		select {
		case <-kept.C:
			d.must(order.InProgress())
		case <-late:
			t.Fatal("the run does not end")
		case s := <-ended:
			if s.Phase != engine.Done {
				t.Errorf("%+v", s)
			}
			d.same(want)
			return
		}
	}
}

// TestOrderThatIsDeliveredAgain after its result was brought is answered, and not computed; one that was made anew is.
func TestOrderThatIsDeliveredAgain(t *testing.T) {
	d := newDesk(t, images(t, 100), "a", engine.NoWorkers)
	c := d.served()
	d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	order := f.take()
	f.w.brought.add(order)
	d.must(order.Nak())
	again := f.take()
	if _, ok := f.w.accept(t.Context(), again); ok {
		t.Fatal("it is computed again")
	}
	// Nobody has a result: that is noticed, and the unit ordered anew.
	anew := f.take()
	if f.w.brought.has(anew) || !f.w.brought.lately(anew, time.Hour) || f.w.brought.lately(anew, 0) || last(anew.Subject()) != last(order.Subject()) {
		t.Error("the new order is taken for the one that was carried out")
	}
}
