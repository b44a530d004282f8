package jobs

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// All that waits runs in one go and in order, with one function in the loop.
func TestQueueBundles(t *testing.T) {
	var l loop
	bundles := 0
	q := NewQueue(l.post, func() { bundles++ })
	q.slice = time.Hour
	var got []int
	for k := range 1000 {
		q.Do(func() {
			got = append(got, k)
			if k == 500 {
				q.Do(func() { got = append(got, 1000) }) // while it runs
			}
		})
	}
	if len(l.queue) != 1 {
		t.Errorf("%d functions are in the loop", len(l.queue))
	}
	l.pump()
	if len(got) != 1001 || !slices.IsSorted(got) || bundles != 1 {
		t.Errorf("%d functions ran in %d bundles", len(got), bundles)
	}
	q.Do(func() { got = append(got, 1001) })
	l.pump()
	if len(got) != 1002 || bundles != 2 {
		t.Error("a queue that was empty runs nothing more")
	}
}

// Without time for more, other functions of the loop come between those of the queue.
func TestQueueGivesWay(t *testing.T) {
	var l loop
	q := NewQueue(l.post, nil)
	q.slice = 0
	var got []string
	for _, name := range []string{"a", "b", "c"} {
		q.Do(func() { got = append(got, name) })
	}
	l.post(func() { got = append(got, "other") })
	l.pump()
	if !slices.Equal(got, []string{"a", "other", "b", "c"}) {
		t.Errorf("the order is %v", got)
	}
}

// Functions of many goroutines all run, each goroutine's in its order.
func TestQueueOfMany(t *testing.T) {
	const goroutines, each = 8, 500
	var l loop
	q := NewQueue(l.post, nil)
	q.slice = time.Microsecond
	var wait sync.WaitGroup
	last := make([]int, goroutines) // used by the pumping goroutine alone
	for g := range goroutines {
		wait.Go(func() {
			for k := range each {
				q.Do(func() {
					if last[g] != k {
						t.Errorf("goroutine %d: %d after %d", g, k, last[g]-1)
					}
					last[g] = k + 1
				})
				if rand.IntN(50) == 0 {
					time.Sleep(time.Microsecond)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		l.pump()
	}
	for g, n := range last {
		if n != each {
			t.Errorf("goroutine %d: %d functions ran", g, n)
		}
	}
}

// A main goroutine that is busy for long is told once of all pulses meanwhile, and then hears them
// again.
func TestPulsesDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l loop
		g := New(l.post)
		heard := 0
		defer g.Subscribe(func() { heard++ })()
		g.Start("train", func(ctx context.Context, _ *Progress) error { <-ctx.Done(); return ctx.Err() }, nil)
		for range 3 {
			time.Sleep(100 * Pulse)
			synctest.Wait()
			l.mu.Lock()
			waiting := len(l.queue)
			l.mu.Unlock()
			if waiting < 1 || waiting > 2 { // the start, and a pulse
				t.Errorf("%d functions wait for the main goroutine", waiting)
			}
			before := heard
			l.pump()
			if heard == before {
				t.Error("nothing is heard")
			}
		}
		g.Stop()
		g.Wait()
	})
}
