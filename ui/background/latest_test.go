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
