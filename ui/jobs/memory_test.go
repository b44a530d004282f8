package jobs

import (
	"errors"
	"slices"
	"testing"
)

// TestMemoryKeepsTheLast: values that come while one is being stored wait for it, and only the last
// of them is stored.
func TestMemoryKeepsTheLast(t *testing.T) {
	r := newReader(t)
	now := 0
	gate := make(chan struct{})
	asked, stored := make(chan int, 4), []int(nil)
	var failures []error
	m := NewMemory(r.group, "remember", func() int { return now }, func(v int) error {
		asked <- v
		<-gate
		if v == 7 {
			return errors.New("the disk is full")
		}
		return nil
	}, func(err error) { failures = append(failures, err) })
	for now = 1; now < 4; now++ {
		m.Keep()
	}
	now = 3
	if stored = append(stored, <-asked); len(asked) != 0 {
		t.Error("two values are stored at once")
	}
	gate <- struct{}{}
	r.until("the last one is stored", func() bool { return len(asked) == 1 })
	stored = append(stored, <-asked)
	gate <- struct{}{}
	r.until("all is stored", func() bool { return !m.busy })
	if !slices.Equal(stored, []int{1, 3}) {
		t.Errorf("stored %v", stored)
	}
	now = 7
	m.Keep()
	<-asked
	now = 8
	m.Keep()
	close(gate)
	r.until("the failure is told", func() bool { return len(failures) == 1 })
	if r.until("what came after it is stored", func() bool { return len(asked) == 1 && !m.busy }); <-asked != 8 {
		t.Error("another value is stored")
	}
}
