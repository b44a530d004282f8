package background

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestLRUKeepsWhatWasUsedLast(t *testing.T) {
	c := newLRU[int, int](100)
	made := map[int]int{}
	get := func(k int) {
		t.Helper()
		v, err := c.get(k, func() (int, int64, error) {
			made[k]++
			return 7 * k, 30, nil
		})
		if err != nil || v != 7*k {
			t.Fatalf("%d is %d, %v", k, v, err)
		}
		if c.bytes() > 100 {
			t.Fatalf("%d bytes are kept", c.bytes())
		}
	}
	for _, k := range []int{1, 2, 3, 1, 4, 1, 2} { // 2 goes for 4
		get(k)
	}
	if made[1] != 1 || made[2] != 2 || made[3] != 1 || made[4] != 1 {
		t.Errorf("made %v", made)
	}
	if v, err := c.get(9, func() (int, int64, error) { return 5, 1000, nil }); v != 5 || err != nil || c.bytes() > 100 {
		t.Errorf("a value that is too large: %d, %v, %d bytes", v, err, c.bytes())
	}
}

func TestLRUTriesAgainAfterAnErrorAndAPanic(t *testing.T) {
	c := newLRU[string, int](10)
	wrong := errors.New("wrong")
	testdata.ErrorIs(t, "get", testdata.Err(c.get("a", func() (int, int64, error) { return 0, 0, wrong })), wrong)
	testdata.Panics(t, "get", func() {
		_, _ = c.get("a", func() (int, int64, error) { panic("a file that nobody can read") })
	})
	if v, err := c.get("a", func() (int, int64, error) { return 3, 1, nil }); v != 3 || err != nil || c.bytes() != 1 {
		t.Errorf("%d, %v, %d bytes", v, err, c.bytes())
	}
}

// TestLRUMakesAValueOnce for many goroutines that want it at the same time.
func TestLRUMakesAValueOnce(t *testing.T) {
	c := newLRU[int, int](1 << 20)
	var made atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for k := range 200 {
				v, err := c.get(k, func() (int, int64, error) {
					made.Add(1)
					return k, 8, nil
				})
				if v != k || err != nil {
					t.Errorf("%d is %d, %v", k, v, err)
				}
			}
		})
	}
	group.Wait()
	if made.Load() != 200 || c.bytes() != 1600 {
		t.Errorf("%d values were made, %d bytes", made.Load(), c.bytes())
	}
	small := newLRU[int, int](64)
	for range 8 {
		group.Go(func() {
			for k := range 300 {
				if v, err := small.get(k%17, func() (int, int64, error) { return k % 17, 8, nil }); v != k%17 ||
					err != nil {
					t.Errorf("%d, %v", v, err)
				}
			}
		})
	}
	group.Wait()
	if small.bytes() > 64 {
		t.Errorf("%d bytes are kept", small.bytes())
	}
}
