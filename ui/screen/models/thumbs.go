package models

import (
	"cmp"
	"context"
	"image"
	"slices"
	"sync"
	"time"

	"github.com/variscope/variscope/ui/background"
)

// A strip of thumbnails is thumbSize pixels high and thumbsWidth wide.
const (
	thumbSize   = 40
	thumbGap    = 4
	thumbsWidth = 5*(thumbSize+thumbGap) - thumbGap
)

const (
	// shelfBudget is the memory in bytes for pictures: some 1,500 strips.
	shelfBudget = 48 << 20
	// mostWaiting is how many pictures wait to be made; of more, those asked for first are forgotten, because they have
	// scrolled out of sight. What is still in sight asks again when it is drawn.
	mostWaiting = 400
	// shelfPause is how often the list is shown the pictures that were made meanwhile.
	shelfPause = 60 * time.Millisecond
)

// shelf hands out pictures that are ready and has the others made in the background, the newest request first. Its
// methods are called on the main goroutine.
type shelf struct {
	work  *background.Group
	ready func() // pictures have come in

	kept   map[string]*kept
	size   int
	clock  uint64
	closed bool
	failed map[string]bool // these are not tried again before clear

	mu      sync.Mutex
	waiting []wish // the last one is made first
	making  bool
}

type kept struct {
	picture image.Image
	used    uint64
}

// wish is a picture that somebody waits for.
type wish struct {
	key  string
	make func(ctx context.Context) (image.Image, error)
}

// made is a picture that was made, nil when that failed.
type made struct {
	key     string
	picture image.Image
}

func newShelf(work *background.Group, ready func()) *shelf {
	return &shelf{work: work, ready: ready, kept: map[string]*kept{}, failed: map[string]bool{}}
}

// get returns a picture, or nil while it is being made.
func (s *shelf) get(key string, make func(ctx context.Context) (image.Image, error)) image.Image {
	s.clock++
	if k := s.kept[key]; k != nil {
		k.used = s.clock
		return k.picture
	}
	if s.failed[key] || s.closed {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.waiting, func(w wish) bool { return w.key == key }); i >= 0 {
		return nil
	}
	s.waiting = append(s.waiting, wish{key, make})
	if len(s.waiting) > mostWaiting {
		s.waiting = slices.Delete(s.waiting, 0, len(s.waiting)-mostWaiting)
	}
	if !s.making {
		s.making = true
		s.work.Quiet("make thumbnails", s.makeAll, nil)
	}
	return nil
}

// makeAll makes what is waited for until nothing is left.
func (s *shelf) makeAll(ctx context.Context) error {
	var done []made
	shown := time.Now()
	hand := func() {
		batch := done
		done, shown = nil, time.Now()
		s.work.Post(func() { s.take(batch) })
	}
	for {
		w, ok := s.next(ctx)
		if !ok {
			hand()
			return ctx.Err()
		}
		picture, err := w.make(ctx)
		if err != nil {
			picture = nil // the list shows the row without it; what is wrong with its signals shows where they are opened
		}
		done = append(done, made{w.key, picture})
		if time.Since(shown) > shelfPause {
			hand()
		}
	}
}

// next takes the newest wish off the list; ok is false, and the making has ended, when there is none.
func (s *shelf) next(ctx context.Context) (w wish, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.waiting); n > 0 && ctx.Err() == nil {
		w, s.waiting = s.waiting[n-1], s.waiting[:n-1]
		return w, true
	}
	s.making = false
	return w, false
}

// take puts pictures on the shelf.
func (s *shelf) take(batch []made) {
	if s.closed || len(batch) == 0 {
		return
	}
	for _, m := range batch {
		if m.picture == nil {
			s.failed[m.key] = true
			continue
		}
		if s.kept[m.key] == nil {
			s.size += sizeOf(m.picture)
		}
		s.clock++
		s.kept[m.key] = &kept{m.picture, s.clock}
	}
	s.tidy()
	s.ready()
}

func sizeOf(picture image.Image) int {
	size := picture.Bounds().Size()
	return 4 * size.X * size.Y
}

// tidy drops the pictures that were used longest ago when there are too many, down to three quarters.
func (s *shelf) tidy() {
	if s.size <= shelfBudget {
		return
	}
	keys := make([]string, 0, len(s.kept))
	for key := range s.kept {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(s.kept[a].used, s.kept[b].used) })
	for _, key := range keys {
		if s.size <= shelfBudget/4*3 {
			return
		}
		s.size -= sizeOf(s.kept[key].picture)
		delete(s.kept, key)
	}
}

// clear forgets who waits and what failed, for another list; pictures are kept, since their keys name what they show.
func (s *shelf) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = nil
	s.failed = map[string]bool{}
}

// close ends the shelf.
func (s *shelf) close() {
	s.clear()
	s.closed = true
}
