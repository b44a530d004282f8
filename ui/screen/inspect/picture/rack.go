package picture

import (
	"container/list"
	"context"
	"errors"
	"image"
	"slices"

	"github.com/variscope/variscope/ui/background"
)

const (
	// keptBytes bounds the pictures that a rack keeps.
	keptBytes = 48 << 20
	// batch is how many pictures are made before the screen gets them, and most how many wait to be made: what scrolled
	// by is not worth making.
	batch, most = 16, 256
)

// Made is a picture that was made for a key.
type Made[K comparable] struct {
	Key     K
	Picture image.Image
}

// bytes is what a picture takes in memory.
func (m Made[K]) bytes() int { return 4 * m.Picture.Bounds().Dx() * m.Picture.Bounds().Dy() }

// Maker makes the pictures of some keys, off the main goroutine; one call is under way at a time. The error is for what leaves no
// picture at all; those that were made before it count.
type Maker[K comparable] func(ctx context.Context, keys []K) ([]Made[K], error)

// Rack makes pictures when they are first wanted, the newest wish first, and keeps them up to a bound. It is used on the main
// goroutine only.
type Rack[K comparable] struct {
	work    *background.Group
	make    Maker[K]
	release func() error
	arrived func()
	kept    map[K]*list.Element
	order   *list.List // of kept, newest first
	bytes   int
	wanted  []K // newest last
	makers  int // how many there were: what an earlier one made is not wanted
	busy    bool
	resting bool  // to rest as soon as the batch under way is there
	problem error // why no picture can be made
	doubted bool  // the problem may be gone: what pictures are made from has changed
	closed  bool
}

// NewRack makes an empty rack; without a maker, which may be nil, it has no pictures. release lets go of files, off the main goroutine.
// Arrived is called on the main goroutine when pictures came or a problem was found.
func NewRack[K comparable](work *background.Group, maker Maker[K], release func() error, arrived func()) *Rack[K] {
	s := &Rack[K]{work: work, release: release, arrived: arrived}
	s.Empty(maker)
	return s
}

// Empty forgets all pictures; further ones are made by another maker.
func (s *Rack[K]) Empty(maker Maker[K]) {
	s.make, s.makers = maker, s.makers+1
	s.kept, s.order, s.bytes, s.wanted, s.problem = map[K]*list.Element{}, list.New(), 0, nil, nil
}

// Problem is why no picture can be made; nil while all is well.
func (s *Rack[K]) Problem() error { return s.problem }

// Busy tells whether pictures are being made.
func (s *Rack[K]) Busy() bool { return s.busy }

// Picture is a picture that is ready; nil means that it is being made, unless there is a problem.
func (s *Rack[K]) Picture(k K) image.Image {
	if e, ok := s.kept[k]; ok {
		s.order.MoveToFront(e)
		return e.Value.(Made[K]).Picture
	}
	if s.problem == nil && !s.closed && s.make != nil {
		s.want(k)
		s.next()
	}
	return nil
}

func (s *Rack[K]) want(k K) {
	if slices.Contains(s.wanted, k) {
		return
	}
	s.wanted = append(s.wanted, k)
	if len(s.wanted) > most {
		s.wanted = s.wanted[len(s.wanted)-most:]
	}
}

// next makes the newest of the wanted pictures, one batch at a time.
func (s *Rack[K]) next() {
	if s.busy || len(s.wanted) == 0 {
		return
	}
	from := max(0, len(s.wanted)-batch)
	keys := append([]K(nil), s.wanted[from:]...)
	s.wanted = s.wanted[:from]
	s.busy = true
	maker, id := s.make, s.makers
	var made []Made[K]
	s.work.Quiet("make pictures", func(ctx context.Context) (err error) {
		made, err = maker(ctx, keys)
		return err
	}, func(err error) {
		s.busy = false
		if s.closed {
			return
		}
		if s.makers == id { // else they belong to another maker
			s.put(made, err)
		}
		if s.resting && len(s.wanted) == 0 {
			s.rest()
		}
		s.resting = false
		s.next()
	})
}

func (s *Rack[K]) put(made []Made[K], err error) {
	for _, p := range made {
		if _, ok := s.kept[p.Key]; !ok {
			s.kept[p.Key] = s.order.PushFront(p)
			s.bytes += p.bytes()
		}
		s.wanted = slices.DeleteFunc(s.wanted, func(k K) bool { return k == p.Key }) // asked for again meanwhile
	}
	for s.bytes > keptBytes && s.order.Len() > len(made) {
		last := s.order.Back()
		s.order.Remove(last)
		delete(s.kept, last.Value.(Made[K]).Key)
		s.bytes -= last.Value.(Made[K]).bytes()
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, background.ErrClosed) {
		s.problem, s.wanted = err, nil
	}
	s.arrived()
}

// Rest lets go of files; pictures stay. The next picture opens them again, also where images were missing. A batch under way comes
// first: it would open them again.
func (s *Rack[K]) Rest() {
	s.wanted, s.problem = nil, nil
	if s.resting = s.busy; !s.busy {
		s.rest()
	}
}

// Doubt says that what pictures are made from may have changed, and has the next Retry make those that could not be made.
func (s *Rack[K]) Doubt() { s.doubted = true }

// Retry makes pictures that could not be made, once after each Doubt: a screen may call it whenever it shows something anew, which
// happens all the time while a run goes on. While all is well nothing happens.
func (s *Rack[K]) Retry() {
	if s.problem == nil || !s.doubted {
		return
	}
	s.doubted = false
	s.Rest()
	s.arrived()
}

func (s *Rack[K]) rest() {
	s.work.Quiet("close images", func(context.Context) error { return s.release() }, nil)
}

// Close ends the rack and lets go of its pictures; files are the owner's to close.
func (s *Rack[K]) Close() {
	s.closed = true
	s.Empty(nil)
}
