package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
)

// maxIndex is the longest index that is read: more than 256 images with as many scenes as a selection can have need.
const maxIndex = 8 << 20

// Pack is an opened pack: the source of one unit, an engine.Source over the numbers of the whole source, of which it has those of its chunk. A
// pack with scenes is an engine.Composer, which makes composites as the machine that wrote it would, to the bit. It is safe for many goroutines, as
// far as its reader is. Images are read when they are asked for.
type Pack struct {
	data      io.ReaderAt
	length    int // images of the whole source
	first     int
	images    []packed
	composite *composite // nil without scenes
	kept      *background.Kept
}

// packed is one image of the pack.
type packed struct {
	picture
	name  string
	label int
	mask  int64 // where its mask lies
}

var _ Composed = (*Pack)(nil)

// OpenPack opens a pack of size bytes, which r has to give as long as the Pack is used. The error says what is wrong with it; what its index declares must fill the bytes that are there, so that
// a small file can neither ask for much memory nor name bytes twice. Whether pixels were changed is told by Blob.Check alone.
func OpenPack(r io.ReaderAt, size int64) (*Pack, error) {
	return openPack(background.NewKept(packRoom), r, size)
}

// Pack opens the order's pack, which keeps its composites together with others: a worker with many packs at work has one bound for all.
func (o Order) Pack(kept *background.Kept, r io.ReaderAt) (*Pack, error) {
	p, err := openPack(kept, r, o.Images.Size)
	if err == nil {
		err = p.Fits(o)
	}
	return p, err
}

func openPack(kept *background.Kept, r io.ReaderAt, size int64) (*Pack, error) {
	p := &Pack{data: r, kept: kept}
	if err := p.open(size); err != nil {
		return nil, fmt.Errorf("the images of a unit of work cannot be used: %w", err)
	}
	return p, nil
}

func (p *Pack) open(size int64) error {
	const tail = 8 + len(packEnd)
	if size < int64(len(packMagic)+tail) || size > MaxPack {
		return fmt.Errorf("they have %d bytes; a pack has from %d to %d", size, len(packMagic)+tail, MaxPack)
	}
	begin, end := make([]byte, len(packMagic)), make([]byte, tail)
	if err := errors.Join(p.read(begin, 0), p.read(end, size-int64(tail))); err != nil {
		return err
	}
	if err := checkMagic(begin, packMagic, "pack"); err != nil {
		return err
	}
	length := binary.LittleEndian.Uint64(end)
	if string(end[8:]) != packEnd || length > uint64(size)-uint64(len(packMagic)+tail) || length > maxIndex {
		return errors.New("the end of the pack is missing or damaged; send it again")
	}
	index := make([]byte, length)
	at := size - int64(tail) - int64(length)
	if err := p.read(index, at); err != nil {
		return err
	}
	return p.parse(cursor{rest: index}, at)
}

// checkMagic tells another version from something else.
func checkMagic(begin []byte, magic, what string) error {
	last := len(magic) - 1
	if string(begin[:last]) != magic[:last] {
		return fmt.Errorf("this is no %s", what)
	}
	if begin[last] != magic[last] {
		return fmt.Errorf("this is a %s of form %q, and this program reads form %q; use the same version of Variscope on all machines",
			what, begin[last], magic[last])
	}
	return nil
}

// errShort says that an index ends before it should.
var errShort = errors.New("the index of the pack is too short; send it again")

// parse reads the index; end is where pixels and masks end.
func (p *Pack) parse(c cursor, end int64) error {
	length, first, n, scenes := c.u64(), c.u64(), c.u32(), c.u8()
	if c.short {
		return errShort
	}
	if n < 1 || n > signal.ChunkSize || length > MaxImages || first > length || uint64(n) > length-first || scenes > 1 {
		return fmt.Errorf("the index of the pack speaks of %d images from number %d on, of %d", n, first, length)
	}
	p.length, p.first, p.images = int(length), int(first), make([]packed, n)
	at := int64(len(packMagic))
	for k := range p.images {
		img, err := c.image()
		if err != nil {
			return fmt.Errorf("image %d: %w", p.first+k, err)
		}
		img.at = at
		if at += img.bytes(); scenes == 1 {
			img.mask = at
			at += img.maskBytes()
		}
		p.images[k] = img
	}
	if scenes == 1 {
		var err error
		if p.composite, at, err = c.composite(p, at); err != nil {
			return err
		}
	}
	switch {
	case c.short:
		return errShort
	case len(c.rest) > 0 || at != end:
		return errors.New("the pack holds more or less than its index says; send it again")
	}
	return nil
}

// image reads an image's line.
func (c *cursor) image() (packed, error) {
	name := string(c.take(int(c.u16())))
	label := c.u32()
	img := packed{picture: c.picture(), name: name, label: int(label)}
	if c.short {
		return img, errShort
	}
	if label == noLabel {
		img.label = -1
	} else if label >= MaxClasses {
		return img, fmt.Errorf("its label is %d; at most %d is possible", label, MaxClasses-1)
	}
	if err := checkText("its name", name, maxImageName); err != nil {
		return img, err
	}
	return img, img.check()
}

func (c *cursor) picture() picture {
	return picture{channels: int(c.u8()), height: int(c.u32()), width: int(c.u32()), coding: coding(c.u8())}
}

// read fills piece from the pack's bytes.
func (p *Pack) read(piece []byte, at int64) error {
	if n, err := p.data.ReadAt(piece, at); n < len(piece) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}

// get reads a picture.
func (p *Pack) get(pic picture) (suite.Image, error) {
	raw := make([]byte, pic.bytes())
	if err := p.read(raw, pic.at); err != nil {
		return suite.Image{}, err
	}
	return pic.image(raw), nil
}

// Range is the number of the pack's first image, and how many it has.
func (p *Pack) Range() (first, n int) { return p.first, len(p.images) }

// at is image i, nil where it is not in the pack.
func (p *Pack) at(i int) *packed {
	if i < p.first || i >= p.first+len(p.images) {
		return nil
	}
	return &p.images[i-p.first]
}

// Len is the number of images of the whole source.
func (p *Pack) Len() int { return p.length }

// Label is the class of image i, -1 without label and for images of other chunks.
func (p *Pack) Label(i int) int {
	if img := p.at(i); img != nil {
		return img.label
	}
	return -1
}

// Name is the image's name for messages; the number for images of other chunks.
func (p *Pack) Name(i int) string {
	if img := p.at(i); img != nil {
		return img.name
	}
	return strconv.Itoa(i)
}

// Image reads image i, with the bits that it had in the source. The caller owns it.
func (p *Pack) Image(i int) (suite.Image, error) {
	img := p.at(i)
	if img == nil {
		return suite.Image{}, fmt.Errorf("the pack has images %d to %d of %d, not image %d", p.first, p.first+len(p.images)-1, p.length, i)
	}
	read, err := p.get(img.picture)
	if err != nil {
		return suite.Image{}, fmt.Errorf("image %s of a pack: %w", img.name, err)
	}
	return read, nil
}

// Fits says why the pack is not that of an order's images: other ones, without the scenes that its family needs, or of sizes that take more memory
// than images do when they are fitted to the model's input. A worker asks before it computes.
func (p *Pack) Fits(o Order) error {
	first, n := o.Spec.ChunkImages(o.Chunk)
	if p.length != o.Spec.Images || p.first != first || len(p.images) != n {
		return fmt.Errorf("the pack has images %d to %d of %d, and the unit those from %d to %d of %d",
			p.first, p.first+len(p.images)-1, p.length, first, first+n-1, o.Spec.Images)
	}
	family, err := o.checkFamily()
	if err != nil {
		return err
	}
	selection, scenes, needed := family.Scened()
	if needed != (p.composite != nil) || needed && (selection != p.composite.selection || scenes != p.composite.scenes) {
		return fmt.Errorf("the pack does not have the scenes of %.80s", o.Spec.Family)
	}
	for k, img := range p.images {
		if err := img.fits(o.Spec); err != nil {
			return fmt.Errorf("image %d: %w", p.first+k, err)
		}
	}
	if p.composite == nil {
		return nil
	}
	for _, b := range p.composite.backgrounds {
		if err := b.fits(o.Spec); err != nil {
			return fmt.Errorf("background %d: %w", b.number, err)
		}
	}
	return nil
}
