package jobs

import (
	"context"
	"sync/atomic"
	"testing"
)

// TestOvertakenLoadsEnd: a newer request ends the work for an older one, whose answer is dropped.
func TestOvertakenLoadsEnd(t *testing.T) {
	r := newReader(t)
	var latest Latest
	ended := make(chan struct{})
	Load(r.group, &latest, "old", func(ctx context.Context) (int, error) {
		<-ctx.Done()
		close(ended)
		return 0, ctx.Err()
	}, func(int, error) { t.Error("an answer that nobody wants is applied") })
	got := 0
	Load(r.group, &latest, "new", func(ctx context.Context) (int, error) {
		<-ended
		return 1, ctx.Err()
	}, func(n int, err error) {
		if got = n; err != nil {
			t.Error(err)
		}
	})
	r.until("the newest is applied", func() bool { return got == 1 })
}

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
