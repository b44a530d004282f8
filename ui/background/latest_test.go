package background

import (
	"context"
	"sync/atomic"
	"testing"
)

// TestLoadTypedLooksOnce: of what is typed letter by letter only the whole is looked at.
func TestLoadTypedLooksOnce(t *testing.T) {
	r := newReader(t)
	var latest Latest
	var looked atomic.Int64
	var shown []int
	for letters := range 5 {
		LoadTyped(r.group, &latest, "look", func(context.Context) (int, error) {
			looked.Add(1)
			return letters, nil
		}, func(n int, err error) {
			if err != nil {
				t.Error(err)
			}
			shown = append(shown, n)
		})
	}
	r.until("it is shown", func() bool { return len(shown) > 0 })
	r.group.Wait()
	if r.loop.pump(); len(shown) != 1 || shown[0] != 4 || looked.Load() != 1 {
		t.Errorf("shown %v after %d looks", shown, looked.Load())
	}
}

func TestPaceComputesTheNewestRequest(t *testing.T) {
	var p Pace
	var begun []int
	var request func(k int)
	request = func(k int) {
		if p.Begin(func() { request(k) }) {
			begun = append(begun, k)
		}
	}
	for k := range 6 {
		request(k)
	}
	if p.End(); len(begun) != 2 || begun[1] != 5 || !p.Busy() {
		t.Errorf("began %v", begun)
	}
	if p.End(); p.Busy() || len(begun) != 2 {
		t.Errorf("began %v", begun)
	}
}
