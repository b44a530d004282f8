package wire

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
)

// packRoom is the memory of a pack's composites, sharedRoom that of all that share it: less than a workspace's.
var (
	packRoom   = background.Room{Scenes: 128 << 20, Foregrounds: 32 << 20}
	sharedRoom = background.Room{Scenes: 256 << 20, Foregrounds: 64 << 20}
)

// NewKept is what the packs of a process share (Order.Pack): 320 MiB for composites, however many are at work.
func NewKept() *background.Kept { return background.NewKept(sharedRoom) }

// errNoScenes says that a pack without scenes was asked for them.
var errNoScenes = errors.New("the pack has images without scenes")

// composite is what a pack with scenes has beside its images. It is the pack's background.Ingredients.
type composite struct {
	pack        *Pack
	selection   string
	how         background.Compositing
	scenes      int
	backgrounds []packedBackground
	chosen      []uint32 // images x scenes, which of the backgrounds
	compositor  *background.Compositor
}

type packedBackground struct {
	picture
	number int
}

var _ background.Ingredients = (*composite)(nil)

// composite reads the part of the index about scenes; the backgrounds' values begin at at. It returns where they end.
func (c *cursor) composite(p *Pack, at int64) (*composite, int64, error) {
	hash := c.take(hashDigits / 2)
	feather, align, scenes, count := math.Float64frombits(c.u64()), c.u8(), c.u32(), c.u32()
	chosen := int64(len(p.images)) * int64(scenes)
	switch {
	case c.short || (pictureBytes+4)*int64(count)+4*chosen > int64(len(c.rest)):
		return nil, 0, errShort
	case scenes < 1 || scenes > background.MostScenes || int64(count) > chosen || int(align) >= len(background.Alignments()):
		return nil, 0, fmt.Errorf("the index of the pack speaks of %d scenes per image of %d backgrounds, and of alignment %d", scenes, count, align)
	}
	out := &composite{
		pack: p, selection: hex.EncodeToString(hash), scenes: int(scenes), backgrounds: make([]packedBackground, count), chosen: make([]uint32, chosen),
		how: background.Compositing{Feather: feather, Align: background.Alignments()[align]},
	}
	if err := out.how.Check(); err != nil {
		return nil, 0, err
	}
	before := -1
	for k := range out.backgrounds {
		b := packedBackground{number: int(c.u32()), picture: c.picture()}
		if b.number <= before || b.number >= MaxImages {
			return nil, 0, fmt.Errorf("the index of the pack lists background %d after %d", b.number, before)
		}
		if err := b.check(); err != nil {
			return nil, 0, fmt.Errorf("background %d: %w", b.number, err)
		}
		b.at, before = at, b.number
		at += b.bytes()
		out.backgrounds[k] = b
	}
	for k := range out.chosen {
		if out.chosen[k] = c.u32(); out.chosen[k] >= count {
			return nil, 0, fmt.Errorf("the index of the pack speaks of background %d of %d", out.chosen[k], count)
		}
	}
	out.compositor = p.kept.Compositor(out)
	return out, at, nil
}

// Name implements background.Ingredients.
func (c *composite) Name(i int) string { return c.pack.Name(i) }

// Mask reads the mask of image i.
func (c *composite) Mask(i int) (background.Mask, error) {
	img := c.pack.at(i)
	if img == nil {
		return background.Mask{}, fmt.Errorf("the pack has no mask of image %d", i)
	}
	raw := make([]byte, img.maskBytes())
	if err := c.pack.read(raw, img.mask); err != nil {
		return background.Mask{}, fmt.Errorf("mask of image %s of a pack: %w", img.name, err)
	}
	mask := background.Mask{Height: img.height, Width: img.width, Set: make([]bool, img.height*img.width)}
	for k := range mask.Set {
		mask.Set[k] = raw[k/8]>>(k%8)&1 == 1
	}
	return mask, mask.Check(img.height, img.width)
}

// Scenes implements background.Ingredients.
func (c *composite) Scenes() int { return c.scenes }

// Scene is the number of the background among all of the suite that it comes from.
func (c *composite) Scene(i, t int) int {
	return c.backgrounds[c.chosen[(i-c.pack.first)*c.scenes+t-1]].number
}

// Background reads the background with that number.
func (c *composite) Background(number int) (suite.Image, error) {
	k, ok := slices.BinarySearchFunc(c.backgrounds, number, func(b packedBackground, number int) int { return b.number - number })
	if !ok {
		return suite.Image{}, fmt.Errorf("the pack has no background %d", number)
	}
	img, err := c.pack.get(c.backgrounds[k].picture)
	if err != nil {
		return suite.Image{}, fmt.Errorf("background %d of a pack: %w", number, err)
	}
	return img, nil
}

// How implements background.Ingredients.
func (c *composite) How() background.Compositing { return c.how }

// Selection is the hash of the selection whose scenes the pack has, empty without scenes.
func (p *Pack) Selection() string {
	if p.composite == nil {
		return ""
	}
	return p.composite.selection
}

// Ingredients implements Composed: a pack can be packed again.
func (p *Pack) Ingredients() (background.Ingredients, error) {
	if p.composite == nil {
		return nil, errNoScenes
	}
	return p.composite, nil
}

// Compose writes image i's foreground on its scene t = 1..N into dst, as to says; see engine.Composer.
func (p *Pack) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	if p.composite == nil {
		return errNoScenes
	}
	if p.at(i) == nil || t < 1 || t > p.composite.scenes {
		return fmt.Errorf("the pack has %d scenes for each of the images %d to %d; there is no scene %d of image %d",
			p.composite.scenes, p.first, p.first+len(p.images)-1, t, i)
	}
	return p.composite.compositor.Compose(dst, fitted, i, t, to)
}
