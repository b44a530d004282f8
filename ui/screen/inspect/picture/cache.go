// Package picture makes pictures of a suite's images as a model gets them, and says what models
// predict of these images.
package picture

import (
	"context"
	"fmt"
	"image"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
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

// Key names a picture: an image of the suite under a transformation, as pixels or as the numbers
// that enter the network.
type Key struct {
	Image, Transformation int
	Normalised            bool
}

// Lens is how images are looked at: which suite, and the input size, preprocessing and family of a
// spec.
type Lens struct {
	Suite string // hash
	Root  string // where the suite's images were last known to be: missing images are looked for again when it changes
	Spec  signal.Spec
}

// Cache makes and keeps the pictures of a lens.
type Cache struct {
	*kit.ImageCache[Key]
	store Store
}

// NewCache makes an empty cache; arrived is as for kit.NewImageCache.
func NewCache(work *jobs.Group, store Store, arrived func()) *Cache {
	return &Cache{kit.NewImageCache[Key](work, arrived), store}
}

// Use looks through another lens; pictures that would be the same stay.
func (c *Cache) Use(l Lens) {
	s, from := l.Spec, c.store
	name := fmt.Sprint(l.Suite, l.Root, s.Family, s.Channels, s.Height, s.Width, s.Preprocessing)
	c.ImageCache.Use(name, func(ctx context.Context) (kit.ImageSource[Key], error) {
		if from, ok := from.(Scenes); ok {
			if family, err := transform.ParseAny(s.Family); err == nil {
				if selection, _, scened := family.Scened(); scened {
					opened, err := from.OpenComposites(ctx, selection)
					return composed{opened, s}, err
				}
			}
		}
		view, err := engine.NewView(s)
		if err != nil {
			return nil, err
		}
		opened, err := from.OpenSuiteContext(ctx, l.Suite)
		return transformed{opened, view, map[int]suite.Image{}}, err
	})
}

// composed are the composites of a set of scenes in the size of a model's input.
type composed struct {
	*scenes.Composites
	spec signal.Spec
}

// Image implements kit.ImageSource.
func (c composed) Image(k Key) (image.Image, error) {
	img, err := c.Picture(k.Image, k.Transformation, c.spec.Height, c.spec.Width)
	if err != nil {
		return nil, err
	}
	return img.RGBA(), nil
}

// mostFitted is how many images are kept as they are before any transformation.
const mostFitted = 64

// transformed are the images of a suite under a family.
type transformed struct {
	*suite.Suite
	view   *engine.View
	fitted map[int]suite.Image
}

// Image implements kit.ImageSource.
func (t transformed) Image(k Key) (image.Image, error) {
	fitted, ok := t.fitted[k.Image]
	if !ok {
		img, err := read(t.Suite, k.Image)
		if err != nil {
			return nil, err
		}
		if len(t.fitted) >= mostFitted {
			clear(t.fitted)
		}
		fitted = t.view.Fit(img)
		t.fitted[k.Image] = fitted
	}
	shown := t.view.Transform(fitted, k.Transformation)
	if k.Normalised {
		shown = t.view.Spread(t.view.Normalise(shown))
	}
	return shown.RGBA(), nil
}

// read reads an image, which has pixels.
func read(from *suite.Suite, at int) (suite.Image, error) {
	img, err := from.Image(at)
	if err == nil && len(img.Pix) == 0 {
		err = fmt.Errorf("image %s has no pixels", from.Name(at))
	}
	return img, err
}

// Whole are the images of a suite in their own proportions, at most side pixels wide and high.
func Whole(from Store, hash string, side int) kit.OpenImages[int] {
	return func(ctx context.Context) (kit.ImageSource[int], error) {
		opened, err := from.OpenSuiteContext(ctx, hash)
		return whole{opened, side}, err
	}
}

type whole struct {
	*suite.Suite
	side int
}

// Image implements kit.ImageSource.
func (w whole) Image(at int) (image.Image, error) {
	img, err := read(w.Suite, at)
	if err != nil {
		return nil, err
	}
	return Bounded(img, w.side), nil
}

// Bounded is a decoded image in its own proportions, at most side pixels wide and high.
func Bounded(img suite.Image, side int) image.Image {
	if largest := max(img.Height, img.Width); largest > side {
		img = suite.Fit(img, suite.Fitting{
			Channels: img.Channels, Height: max(1, img.Height*side/largest), Width: max(1, img.Width*side/largest),
		})
	}
	return img.RGBA()
}
