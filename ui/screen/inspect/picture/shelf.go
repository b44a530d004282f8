// Package picture brings a suite's images to the screen as a model sees them: a shelf that makes and keeps the pictures
// off the main goroutine, the frame that shows one, and a wall of cards of which only those in sight exist.
package picture

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
)

// Store is what pictures are made from; *store.Workspace is one.
type Store interface {
	OpenSuite(hash string) (*suite.Suite, error)
}

// Scenes is a Store that has composites, too: the pictures of the sets scenes:HASH:N.
type Scenes interface {
	OpenComposites(selection string) (*scenes.Composites, error)
}

// Of makes a workspace into a Store that is a Scenes, too.
func Of(ws *store.Workspace) Store { return workspace{ws} }

type workspace struct{ *store.Workspace }

// OpenComposites implements Scenes.
func (w workspace) OpenComposites(selection string) (*scenes.Composites, error) {
	return scenes.Open(w.Workspace, selection)
}

// Key names a picture: an image of the suite under a transformation, as pixels or as the numbers that enter the network.
type Key struct {
	Image, Transformation int
	Normalised            bool
}

// Lens is how images are looked at: which suite, and the input size, preprocessing and family of a spec.
type Lens struct {
	Suite string // hash
	Root  string // where the suite's images were last known to be; missing images are looked for again when it changes
	Spec  signal.Spec
}

// key is the same for lenses that show the same pictures.
func (l Lens) key() string {
	s := l.Spec
	return fmt.Sprint(l.Suite, l.Root, s.Family, s.Channels, s.Height, s.Width, s.Preprocessing)
}

const (
	// keptBytes bounds the pictures that a shelf keeps.
	keptBytes = 48 << 20
	// batch is how many pictures are made before the screen gets them, and most how many wait to be made: what scrolled
	// by is not worth making.
	batch, most = 16, 256
)

// Shelf makes and keeps pictures. It is used on the main goroutine only.
type Shelf struct {
	work    *background.Group
	loader  *loader
	arrived func()
	lens    Lens
	key     string
	kept    map[Key]*list.Element
	order   *list.List // of kept, newest first
	bytes   int
	wanted  []Key // newest last
	busy    bool
	resting bool  // to rest as soon as the batch under way is there
	problem error // why no picture can be made
	closed  bool
}

// kept is a picture on the shelf.
type kept struct {
	key     Key
	picture image.Image
	bytes   int
}

// NewShelf makes an empty shelf. Arrived is called on the main goroutine when pictures came or a problem was found.
func NewShelf(work *background.Group, store Store, arrived func()) *Shelf {
	s := &Shelf{work: work, loader: &loader{store: store}, arrived: arrived}
	s.empty()
	return s
}

func (s *Shelf) empty() {
	s.kept, s.order, s.bytes, s.wanted, s.problem = map[Key]*list.Element{}, list.New(), 0, nil, nil
}

// Use looks through another lens; pictures that would be the same stay.
func (s *Shelf) Use(l Lens) {
	if key := l.key(); key != s.key {
		s.lens, s.key = l, key
		s.empty()
	}
}

// Problem is why no picture can be made; nil while all is well.
func (s *Shelf) Problem() error { return s.problem }

// Picture is a picture that is ready; nil means that it is being made, unless there is a problem.
func (s *Shelf) Picture(k Key) image.Image {
	if e, ok := s.kept[k]; ok {
		s.order.MoveToFront(e)
		return e.Value.(kept).picture
	}
	if s.problem == nil && !s.closed && s.key != "" {
		s.want(k)
		s.next()
	}
	return nil
}

func (s *Shelf) want(k Key) {
	for _, w := range s.wanted {
		if w == k {
			return
		}
	}
	s.wanted = append(s.wanted, k)
	if len(s.wanted) > most {
		s.wanted = s.wanted[len(s.wanted)-most:]
	}
}

// next makes the newest of the wanted pictures, one batch at a time.
func (s *Shelf) next() {
	if s.busy || len(s.wanted) == 0 {
		return
	}
	from := max(0, len(s.wanted)-batch)
	keys := append([]Key(nil), s.wanted[from:]...)
	s.wanted = s.wanted[:from]
	s.busy = true
	lens, key := s.lens, s.key
	var made []kept
	s.work.Quiet("make pictures", func(ctx context.Context) (err error) {
		made, err = s.loader.make(ctx, lens, key, keys)
		return err
	}, func(err error) {
		s.busy = false
		if s.closed {
			return
		}
		if key == s.key { // else they belong to another lens
			s.put(made, err)
		}
		if s.resting && len(s.wanted) == 0 {
			s.rest()
		}
		s.resting = false
		s.next()
	})
}

func (s *Shelf) put(made []kept, err error) {
	for _, p := range made {
		if _, ok := s.kept[p.key]; !ok {
			s.kept[p.key] = s.order.PushFront(p)
			s.bytes += p.bytes
		}
		s.wanted = slices.DeleteFunc(s.wanted, func(k Key) bool { return k == p.key }) // asked for again meanwhile
	}
	for s.bytes > keptBytes && s.order.Len() > len(made) {
		last := s.order.Back()
		s.order.Remove(last)
		delete(s.kept, last.Value.(kept).key)
		s.bytes -= last.Value.(kept).bytes
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, background.ErrClosed) {
		s.problem, s.wanted = err, nil
	}
	s.arrived()
}

// Rest lets go of the suite's files and the tables; pictures stay. The next picture opens them again, also where images
// were missing. A batch under way comes first: it would open them again.
func (s *Shelf) Rest() {
	s.wanted, s.problem = nil, nil
	if s.resting = s.busy; !s.busy {
		s.rest()
	}
}

func (s *Shelf) rest() {
	s.work.Quiet("close images", func(context.Context) error { return s.loader.rest() }, nil)
}

// Close ends the shelf and lets go of everything.
func (s *Shelf) Close() {
	s.closed = true
	s.empty()
	s.loader.close()
}
