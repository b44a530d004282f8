// Package picture brings a suite's images to the screen as a model sees them: a shelf that makes and keeps the pictures
// off the main goroutine, the frame that shows one, and a wall of cards of which only those in sight exist.
package picture

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
)

// Store is what pictures are made from; *store.Workspace is one.
type Store interface {
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
}

// Scenes is a Store that has composites, too: the pictures of the sets scenes:HASH:N.
type Scenes interface {
	OpenComposites(ctx context.Context, selection string) (*scenes.Composites, error)
}

// Of makes a workspace into a Store that is a Scenes, too.
func Of(ws *store.Workspace) Store { return workspace{ws} }

type workspace struct{ *store.Workspace }

// OpenComposites implements Scenes.
func (w workspace) OpenComposites(ctx context.Context, selection string) (*scenes.Composites, error) {
	return scenes.OpenContext(ctx, w.Workspace, selection)
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

// Shelf makes and keeps pictures. It is used on the main goroutine only.
type Shelf struct {
	*Rack[Key]
	loader *loader
	lens   Lens
	key    string
}

// NewShelf makes an empty shelf. Arrived is called on the main goroutine when pictures came or a problem was found.
func NewShelf(work *background.Group, store Store, arrived func()) *Shelf {
	s := &Shelf{loader: &loader{store: store}}
	s.Rack = NewRack[Key](work, nil, s.loader.rest, arrived)
	return s
}

// Use looks through another lens; pictures that would be the same stay.
func (s *Shelf) Use(l Lens) {
	key := l.key()
	if key == s.key {
		return
	}
	s.lens, s.key = l, key
	s.Empty(func(ctx context.Context, keys []Key) ([]Made[Key], error) { return s.loader.make(ctx, l, key, keys) })
}

// Close ends the shelf and lets go of everything.
func (s *Shelf) Close() {
	s.Rack.Close()
	s.loader.close()
}
