package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// Pack is an opened pack: the source of one unit, an engine.Source over the numbers of the whole
// source, of which it has those of its chunk. It is an engine.Composer, which makes composites as
// the machine that wrote it would, to the bit, and its own background.Ingredients; without scenes
// its Selection is empty. It is safe for many goroutines, as far as its reader is. Images are read
// when they are asked for.
type Pack struct {
	data        io.ReaderAt
	tail        packTail
	images      []packed
	backgrounds []packed // by ascending number
	chosen      []int32  // images x scenes, which of the backgrounds
	compositor  *background.Compositor
}

// packed is an image or a background of a pack.
type packed struct {
	picture
	number int    // an image's label, -1 for none; a background's number
	name   string // of an image
}

var _ Composed = (*Pack)(nil)

// NewKept is what the packs of a process share: 320 MiB for composites, less than a workspace's,
// however many are at work.
func NewKept() *background.Kept {
	return background.NewKept(background.Room{Scenes: 256 << 20, Foregrounds: 64 << 20})
}

// OpenPack opens a pack of size bytes, which r has to give as long as the Pack is used; kept holds
// its composites. The error says what is wrong with it; what its index declares must fill the
// bytes that are there, so that a small file can neither ask for much memory nor name bytes twice.
// Whether pixels were changed is told by Blob.Check alone.
func OpenPack(kept *background.Kept, r io.ReaderAt, size int64) (*Pack, error) {
	p := &Pack{data: r}
	if err := p.open(size); err != nil {
		return nil, fmt.Errorf("the images of a unit of work cannot be used: %w", err)
	}
	p.compositor = kept.Compositor(p)
	return p, nil
}

// Pack opens the order's pack; kept may be that of other packs, too.
func (o Order) Pack(kept *background.Kept, r io.ReaderAt) (*Pack, error) {
	p, err := OpenPack(kept, r, o.Images.Size)
	if err == nil {
		err = p.fits(o)
	}
	return p, err
}

func (p *Pack) open(size int64) error {
	tail := int64(binary.Size(p.tail) + len(packEnd))
	if size < tail {
		return ErrAltered
	}
	last, err := p.read(size-tail, tail)
	if err != nil {
		return err
	}
	if !bytes.HasSuffix(last, []byte(packEnd)) {
		return fmt.Errorf("they do not end with %q; use the same version of Variscope on all machines", packEnd)
	}
	_, _ = binary.Decode(last, binary.LittleEndian, &p.tail) // there are enough bytes
	if err := p.tail.check(); err != nil {
		return err
	}
	numbers := floatBytes * (lineNumbers*(p.tail.Here+p.tail.Backgrounds) + p.tail.Here*p.tail.Scenes)
	end := size - tail - numbers - p.tail.Names // of pixels and masks
	if p.tail.Names < 0 || p.tail.Names > signal.ChunkSize*(maxImageName+1) || end < 0 {
		return ErrAltered
	}
	index, err := p.read(end, numbers+p.tail.Names)
	if err != nil {
		return err
	}
	return p.parse(readNumbers[int32](index[:numbers]), string(index[numbers:]), end)
}

// parse reads the index of values that end at end.
func (p *Pack) parse(numbers []int32, names string, end int64) error {
	images, lines := int(p.tail.Here), int(p.tail.Here+p.tail.Backgrounds)
	named := strings.Split(names, "\n")
	list, at, before := make([]packed, lines), int64(0), -1
	p.images, p.backgrounds, p.chosen = list[:images], list[images:], numbers[lineNumbers*lines:]
	for k := range list {
		v := numbers[lineNumbers*k:]
		line := packed{picture{int(v[1]), int(v[2]), int(v[3]), int(v[4]), at}, int(v[0]), ""}
		err := line.check()
		at = line.end()
		switch number := line.number; {
		case err != nil:
		case k < images && number >= -1 && number < MaxClasses && len(named) == images:
			line.name = named[k]
			err = checkText(line.name, maxImageName)
			if p.tail.Scenes > 0 {
				at += line.maskBytes()
			}
		case k >= images && number > before && number < MaxImages:
			before = number
		default:
			err = ErrAltered
		}
		if err != nil {
			return fmt.Errorf("line %d of the index of the pack: %w", k, err)
		}
		list[k] = line
	}
	outside := func(c int32) bool { return c < 0 || int64(c) >= p.tail.Backgrounds }
	if at != end || slices.ContainsFunc(p.chosen, outside) {
		return ErrAltered
	}
	return nil
}

// read gives bytes of the pack.
func (p *Pack) read(at, n int64) ([]byte, error) {
	piece := make([]byte, n)
	if got, err := p.data.ReadAt(piece, at); got < len(piece) {
		if errors.Is(err, io.EOF) {
			err = ErrAltered
		}
		return nil, err
	}
	return piece, nil
}

// get reads a picture, with the bits that it had in the source.
func (p *Pack) get(pic picture) (suite.Image, error) {
	raw, err := p.read(pic.at, pic.end()-pic.at)
	if err != nil {
		return suite.Image{}, err
	}
	return pic.image(raw), nil
}

// at is image i. One of another chunk has its number for a name, and no label.
func (p *Pack) at(i int) (packed, error) {
	first := int(p.tail.First)
	if i < first || i >= first+len(p.images) {
		err := fmt.Errorf("the pack has images %d to %d of %d, not image %d", first, first+len(p.images)-1, p.Len(), i)
		return packed{number: -1, name: strconv.Itoa(i)}, err
	}
	return p.images[i-first], nil
}

// Len is the number of images of the whole source.
func (p *Pack) Len() int { return int(p.tail.Images) }

// Label is the class of image i, -1 without label and for images of other chunks.
func (p *Pack) Label(i int) int {
	img, _ := p.at(i)
	return img.number
}

// Name is the image's name for messages; the number for images of other chunks.
func (p *Pack) Name(i int) string {
	img, _ := p.at(i)
	return img.name
}

// Image reads image i. The caller owns it.
func (p *Pack) Image(i int) (suite.Image, error) {
	img, err := p.at(i)
	if err != nil {
		return suite.Image{}, err
	}
	read, err := p.get(img.picture)
	if err != nil {
		return read, fmt.Errorf("image %s of a pack: %w", img.name, err)
	}
	return read, nil
}

// Mask reads the mask of image i.
func (p *Pack) Mask(i int) (background.Mask, error) {
	img, err := p.at(i)
	if err != nil {
		return background.Mask{}, err
	}
	bits, err := p.read(img.end(), img.maskBytes())
	if err != nil {
		return background.Mask{}, fmt.Errorf("mask of image %s of a pack: %w", img.name, err)
	}
	mask := background.Mask{Height: img.height, Width: img.width, Set: make([]bool, img.height*img.width)}
	for k := range mask.Set {
		mask.Set[k] = bits[k/8]>>(k%8)&1 == 1
	}
	return mask, mask.Check(img.height, img.width)
}

// Scenes is how many scenes each image has.
func (p *Pack) Scenes() int { return int(p.tail.Scenes) }

// Scene is the number of the background among all of the suite that it comes from.
func (p *Pack) Scene(i, t int) int {
	return p.backgrounds[p.chosen[(i-int(p.tail.First))*p.Scenes()+t-1]].number
}

// Background reads the background with that number.
func (p *Pack) Background(number int) (suite.Image, error) {
	k, ok := slices.BinarySearchFunc(p.backgrounds, number, func(b packed, number int) int { return b.number - number })
	if !ok {
		return suite.Image{}, fmt.Errorf("the pack has no background %d", number)
	}
	img, err := p.get(p.backgrounds[k].picture)
	if err != nil {
		return img, fmt.Errorf("background %d of a pack: %w", number, err)
	}
	return img, nil
}

// How implements background.Ingredients.
func (p *Pack) How() background.Compositing {
	return background.Compositing{Feather: p.tail.Feather, Align: background.Alignments()[p.tail.Align]}
}

// Selection is the hash of the selection whose scenes the pack has, empty without scenes.
func (p *Pack) Selection() string {
	if p.tail.Scenes == 0 {
		return ""
	}
	return hex.EncodeToString(p.tail.Selection[:])
}

// Ingredients implements Composed: a pack can be packed again.
func (p *Pack) Ingredients() (background.Ingredients, error) { return p, nil }

// Compose writes image i's foreground on its scene t = 1..N into dst, as to says; see
// engine.Composer.
func (p *Pack) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	if t < 1 || t > p.Scenes() {
		return fmt.Errorf("the pack has %d scenes of image %d, not scene %d", p.Scenes(), i, t)
	}
	return p.compositor.Compose(dst, fitted, i, t, to)
}

// fits says why the pack is not that of an order's images: other ones, without the scenes that its
// family needs, or of sizes that take more memory than images do when they are fitted to the
// model's input.
func (p *Pack) fits(o Order) error {
	first, n := o.Spec.ChunkImages(o.Chunk)
	if p.Len() != o.Spec.Images || int(p.tail.First) != first || len(p.images) != n {
		return fmt.Errorf("the pack has images %d to %d of %d, and the unit those from %d to %d of %d",
			p.tail.First, p.tail.First+p.tail.Here-1, p.Len(), first, first+n-1, o.Spec.Images)
	}
	family, err := transform.ParseAny(o.Spec.Family)
	if err != nil {
		return err
	}
	if selection, scenes, _ := family.Scened(); selection != p.Selection() || scenes != p.Scenes() {
		return fmt.Errorf("the pack does not have the scenes of %.80s", o.Spec.Family)
	}
	for k, line := range p.images {
		if err := line.fits(o.Spec); err != nil {
			return fmt.Errorf("image %d: %w", first+k, err)
		}
	}
	for _, line := range p.backgrounds {
		if err := line.fits(o.Spec); err != nil {
			return fmt.Errorf("background %d: %w", line.number, err)
		}
	}
	return nil
}
