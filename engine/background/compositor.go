package background

import (
	"fmt"
	"sync/atomic"

	"github.com/variscope/variscope/engine/suite"
)

// Ingredients are what the composites of a selection are made of. They are safe for many
// goroutines.
type Ingredients interface {
	// Name is the name of target i for messages.
	Name(i int) string
	// Mask is where the foreground of target i is, at the target's own size.
	Mask(i int) (Mask, error)
	// Scenes is N, the scenes per target.
	Scenes() int
	// Scene is the number, among all backgrounds, of scene t = 1..N of target i.
	Scene(i, t int) int
	// Background decodes the background with that number.
	Background(number int) (suite.Image, error)
	// How says how foregrounds lie on scenes: feather and alignment. The size is that of the input
	// that is composed for.
	How() Compositing
}

// Room is how many bytes of fitted images are kept. What is beyond is made again.
type Room struct{ Scenes, Foregrounds int64 }

// Kept are the scenes and foregrounds that the Compositors of one place used last, each for every
// input that it was fitted to. Many may share it: its room is that of all of them. It is safe for
// many goroutines.
type Kept struct {
	scenes      *lru[fittedImage, suite.Image]
	foregrounds *lru[fittedImage, Foreground]
	sharers     atomic.Int64
}

// NewKept keeps nothing yet.
func NewKept(room Room) *Kept {
	return &Kept{
		scenes:      newLRU[fittedImage, suite.Image](room.Scenes),
		foregrounds: newLRU[fittedImage, Foreground](room.Foregrounds),
	}
}

// Bytes is what is kept now, at most the room.
func (k *Kept) Bytes() int64 { return k.scenes.bytes() + k.foregrounds.bytes() }

// Compositor makes composites for the inputs of models. It is safe for many goroutines.
type Compositor struct {
	from   Ingredients
	kept   *Kept
	sharer int64 // its number among those who share what is kept
}

// fittedImage is a target, or a background, by its number, fitted to an input, of one of those who
// share what is kept.
type fittedImage struct {
	sharer int64
	image  int
	to     suite.Fitting
}

// NewCompositor makes a Compositor with a room of its own.
func NewCompositor(from Ingredients, room Room) *Compositor { return NewKept(room).Compositor(from) }

// Compositor makes a Compositor that shares the room. What it has made goes like that of the others
// when it is not used any more.
func (k *Kept) Compositor(from Ingredients) *Compositor {
	return &Compositor{from: from, kept: k, sharer: k.sharers.Add(1)}
}

// Compose writes target i's foreground on its scene t = 1..N into dst: channels x height x width
// pixels before normalisation, as to says. fitted is target i fitted to the same input: those
// pixels that a model sees as image 0, to the bit. The target and the scene must be there.
func (c *Compositor) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	front, err := c.kept.foregrounds.get(fittedImage{c.sharer, i, to}, func() (Foreground, int64, error) {
		front, err := c.Foreground(i, fitted, to, c.from.How())
		return front, pixelBytes * int64(len(fitted)+to.Height*to.Width), err
	})
	if err != nil {
		return err
	}
	return c.Onto(dst, front, i, t, to)
}

// Foreground is the foreground of target i with the feather and the alignment of how, which may be
// others than the ingredients'. It is not kept.
func (c *Compositor) Foreground(i int, fitted []float32, to suite.Fitting, how Compositing) (Foreground, error) {
	mask, err := c.from.Mask(i)
	if err != nil {
		return Foreground{}, err
	}
	target := suite.Image{
		Channels: to.Channels, Height: to.Height, Width: to.Width, Pix: append([]float32(nil), fitted...),
	}
	front, err := NewForeground(target, mask.Fit(to),
		Compositing{Height: to.Height, Width: to.Width, Feather: how.Feather, Align: how.Align})
	if err != nil {
		return front, fmt.Errorf("target %s at %d x %d pixels: %w", c.from.Name(i), to.Height, to.Width, err)
	}
	return front, nil
}

// Onto puts a foreground on scene t of target i.
func (c *Compositor) Onto(dst []float32, front Foreground, i, t int, to suite.Fitting) error {
	scene, err := c.scene(c.from.Scene(i, t), to)
	if err != nil {
		return err
	}
	front.Onto(dst, scene)
	return nil
}

// pixelBytes is what a float32 takes.
const pixelBytes = 4

// scene is a background fitted to an input.
func (c *Compositor) scene(number int, to suite.Fitting) (suite.Image, error) {
	return c.kept.scenes.get(fittedImage{c.sharer, number, to}, func() (suite.Image, int64, error) {
		img, err := c.from.Background(number)
		if err != nil {
			return img, 0, err
		}
		img = suite.Fit(img, to)
		if img.Height != to.Height || img.Width != to.Width {
			return img, 0, fmt.Errorf("background %d becomes %d x %d pixels by the model's recipe in place of %d x %d",
				number, img.Height, img.Width, to.Height, to.Width)
		}
		return img, pixelBytes * int64(len(img.Pix)), nil
	})
}
