package kit

import (
	"context"
	"errors"
	"image"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

// drawer is a source of squares. It counts how often it is opened and closed, and may refuse.
type drawer struct {
	side           int
	opened, closed atomic.Int32
	refuse         error
	slow           time.Duration // what a picture takes
	hold           chan struct{} // pictures wait for it, nil for not
	mu             sync.Mutex
	made           []int
}

func (d *drawer) open(ctx context.Context) (ImageSource[int], error) {
	d.opened.Add(1)
	return d, d.refuse
}

// Image implements ImageSource; there are no pictures below 0.
func (d *drawer) Image(key int) (image.Image, error) {
	d.mu.Lock()
	d.made = append(d.made, key)
	d.mu.Unlock()
	if d.hold != nil {
		<-d.hold
	}
	time.Sleep(d.slow)
	if key < 0 {
		return nil, errors.New("no such image")
	}
	return image.NewRGBA(image.Rect(0, 0, d.side, d.side)), nil
}

// Close implements ImageSource.
func (d *drawer) Close() error {
	d.closed.Add(1)
	return nil
}

type cacheRig struct {
	*testing.T
	stage   *stage.Stage
	work    *jobs.Group
	drawer  *drawer
	cache   *ImageCache[int]
	arrived int
}

func newCacheRig(t *testing.T) *cacheRig {
	r := &cacheRig{T: t, stage: stage.New(t), work: jobs.New(fyne.Do), drawer: &drawer{side: 4}}
	r.cache = NewImageCache[int](r.work, func() { r.arrived++ })
	t.Cleanup(func() { r.cache.Close(); r.work.Stop(); r.work.Wait() })
	if r.cache.Picture(1) != nil || r.cache.Busy() {
		t.Fatal("a picture without a source")
	}
	r.cache.Use("a", r.drawer.open)
	return r
}

// picture waits for a picture.
func (r *cacheRig) picture(key int) (p image.Image) {
	r.Helper()
	r.stage.Until("picture", func() bool { p = r.cache.Picture(key); return p != nil })
	return p
}

func (r *cacheRig) expect(what string, opened, closed int32) {
	r.Helper()
	r.stage.Until(what, func() bool { return r.drawer.opened.Load() == opened && r.drawer.closed.Load() == closed })
}

func TestCacheKeepsAndForgets(t *testing.T) {
	r := newCacheRig(t)
	first := r.picture(1)
	r.expect("opened once", 1, 0)
	r.cache.Rest()
	r.expect("closed", 1, 1)
	r.cache.Use("a", r.drawer.open)
	if r.cache.Picture(1) != first || r.arrived != 1 {
		t.Error("a picture was made twice")
	}
	r.picture(2)
	r.expect("opened again", 2, 1)
	r.drawer.side = 5
	r.cache.Use("b", r.drawer.open)
	r.expect("closed for another one", 2, 2)
	if p := r.picture(1); p.Bounds().Dx() != 5 {
		t.Errorf("a picture of %v from another source", p.Bounds())
	}
	r.cache.Close()
	r.expect("closed for good", 3, 3)
	if r.cache.Picture(1) != nil || r.cache.Busy() {
		t.Error("a closed cache has pictures")
	}
}

// TestCacheHatches: one picture that cannot be made is no problem of all.
func TestCacheHatches(t *testing.T) {
	r := newCacheRig(t)
	if p := r.picture(-1); p.Bounds().Dx() != hatchSide || r.cache.Problem() != nil {
		t.Errorf("%v, %v", p.Bounds(), r.cache.Problem())
	}
}

// TestCacheMakesTheLastWantedFirst: and a picture that is wanted twice once, no more of a time
// than fit into a batch, and those that
// take long as soon as they are there.
func TestCacheMakesTheLastWantedFirst(t *testing.T) {
	r := newCacheRig(t)
	r.drawer.hold = make(chan struct{})
	for key := range 20 {
		r.cache.Picture(key)
		r.cache.Picture(key)
	}
	close(r.drawer.hold)
	r.stage.Until("made", func() bool { return !r.cache.Busy() })
	want := []int{0, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	if !slices.Equal(r.drawer.made, want) || r.arrived != 3 {
		t.Errorf("made %v in %d batches", r.drawer.made, r.arrived)
	}
	r.drawer.slow, r.arrived = batchTime, 0
	r.cache.Picture(20)
	r.cache.Picture(21)
	r.cache.Picture(22)
	r.stage.Until("the first of them", func() bool { return r.cache.Picture(22) != nil })
	if r.cache.Picture(21) != nil {
		t.Error("the screen waits for a picture although another one is there")
	}
	r.picture(21)
}

func TestCacheIsBounded(t *testing.T) {
	r := newCacheRig(t)
	r.drawer.side = 700 // 2 MB each
	for key := range 60 {
		r.picture(key)
	}
	if c := r.cache; c.bytes > cacheBytes || len(c.kept) > 25 || len(c.kept) != c.order.Len() || c.kept[59] == nil ||
		c.kept[0] != nil {
		t.Errorf("%d bytes in %d pictures", r.cache.bytes, len(r.cache.kept))
	}
	r.drawer.hold = make(chan struct{})
	for key := range 3 * mostWanted {
		r.cache.Picture(1000 + key)
	}
	if len(r.cache.wanted) > mostWanted {
		t.Errorf("%d pictures wait", len(r.cache.wanted))
	}
	r.stage.Until("a picture is being made", func() bool {
		r.drawer.mu.Lock()
		defer r.drawer.mu.Unlock()
		return slices.Contains(r.drawer.made, 1000)
	})
	r.cache.Rest()
	close(r.drawer.hold)
	r.expect("closed after the picture under way", 1, 1)
	r.stage.Until("that picture is there", func() bool { return r.cache.kept[1000] != nil })
	r.cache.Picture(1001)
	r.cache.Close()
	r.stage.Until("nothing is made", func() bool { return !r.cache.Busy() })
	if len(r.cache.kept) != 0 {
		t.Error("a picture of a source that was closed is kept")
	}
}

// TestCacheTriesAgain: what is shown anew is no reason to look for missing images; that something
// has changed is one, once.
func TestCacheTriesAgain(t *testing.T) {
	r := newCacheRig(t)
	r.drawer.refuse = errors.New("images not found")
	look := func(want int32) {
		t.Helper()
		r.cache.Picture(1)
		r.stage.Until("problem", func() bool { return r.cache.Problem() != nil && !r.cache.Busy() })
		if got := r.drawer.opened.Load(); got != want {
			t.Errorf("looked %d times, want %d", got, want)
		}
	}
	look(1)
	r.cache.Retry()
	look(1)
	r.cache.Doubt()
	r.cache.Retry()
	look(2)
	r.cache.Retry()
	look(2)
	r.drawer.refuse = nil
	r.cache.Rest()
	r.picture(1)
	if r.cache.Problem() != nil {
		t.Error(r.cache.Problem())
	}
}

// TestCacheEndsOpening: images that are being opened, which may take long, keep no window from
// closing.
func TestCacheEndsOpening(t *testing.T) {
	r := newCacheRig(t)
	begun := make(chan struct{})
	r.cache.Use("long", func(ctx context.Context) (ImageSource[int], error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	r.cache.Picture(1)
	<-begun
	r.work.Stop()
	r.work.Wait()
	r.stage.Until("the batch is over", func() bool { return !r.cache.Busy() })
	if r.cache.Problem() != nil {
		t.Error(r.cache.Problem())
	}
}
