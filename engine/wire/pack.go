package wire

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
)

// What packs begin and end with; the last byte of the beginning is the version.
const (
	packMagic = "variscope pack 1"
	packEnd   = "pack end"
)

// noLabel stands for -1.
const noLabel = math.MaxUint32

// maxImageName is the longest name of an image in a pack. Names are for messages only.
const maxImageName = 1024

// Composed is an engine.Composer that gives what its composites are made of, so that another machine can make them. It may fail where
// they have to be opened first.
type Composed interface {
	engine.Composer
	Ingredients() (background.Ingredients, error)
}

// WritePack writes images first..first+n-1 of a source as a pack, in the order of their numbers, and names what was written. Equal sources give
// equal bytes. Of a Composed source the masks go along, and each background that their scenes need, once. Memory is that of one image and its
// bytes. The error names the image: one that cannot be read or is too large, or a pack of more than MaxPack bytes; w then holds a part of a pack.
func WritePack(ctx context.Context, w io.Writer, source engine.Source, first, n int) (Blob, error) {
	if n < 1 || n > signal.ChunkSize || first < 0 || first > source.Len()-n || source.Len() > MaxImages {
		return Blob{}, fmt.Errorf("images %d to %d of %d make no pack; it holds 1 to %d of at most %d", first, first+n-1, source.Len(), signal.ChunkSize, MaxImages)
	}
	p := &packer{out: w, most: MaxPack, sum: sha256.New(), source: source, first: first, n: n}
	if err := p.write(ctx); err != nil {
		return Blob{}, fmt.Errorf("pack images %d to %d: %w", first, first+n-1, err)
	}
	return Blob{SHA256: hex.EncodeToString(p.sum.Sum(nil)), Size: p.size}, nil
}

// packer writes one pack.
type packer struct {
	out      io.Writer
	sum      hash.Hash
	size     int64
	most     int64 // bytes that may be written
	source   engine.Source
	from     background.Ingredients // nil without scenes
	first, n int
	room     []byte // of one image, used again
	index    []byte
}

func (p *packer) write(ctx context.Context) error {
	selection, err := p.ingredients()
	if err != nil {
		return err
	}
	if err := p.put([]byte(packMagic)); err != nil {
		return err
	}
	p.index = binary.LittleEndian.AppendUint64(p.index, uint64(p.source.Len()))
	p.index = binary.LittleEndian.AppendUint64(p.index, uint64(p.first))
	p.index = binary.LittleEndian.AppendUint32(p.index, uint32(p.n))
	p.index = append(p.index, flag(p.from != nil))
	for i := p.first; i < p.first+p.n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.image(i); err != nil {
			return fmt.Errorf("image %s: %w", p.source.Name(i), err)
		}
	}
	if p.from != nil {
		if err := p.scenes(ctx, selection); err != nil {
			return err
		}
	}
	return p.finish()
}

// ingredients finds out whether there are scenes, and which.
func (p *packer) ingredients() (selection []byte, err error) {
	composer, ok := p.source.(engine.Composer)
	if !ok || composer.Selection() == "" {
		return nil, nil
	}
	composed, ok := composer.(Composed)
	if !ok {
		return nil, fmt.Errorf("the scenes of selection %.12s cannot be taken along", composer.Selection())
	}
	if err := checkHash("the selection", composer.Selection()); err != nil {
		return nil, err
	}
	if p.from, err = composed.Ingredients(); err != nil {
		return nil, err
	}
	return hex.DecodeString(composer.Selection())
}

// image writes an image, its mask, and its line of the index.
func (p *packer) image(i int) error {
	img, err := p.source.Image(i)
	if err != nil {
		return err
	}
	label := uint32(noLabel)
	if k := p.source.Label(i); k >= MaxClasses {
		return fmt.Errorf("its label is %d; at most %d can travel", k, MaxClasses-1)
	} else if k >= 0 {
		label = uint32(k)
	}
	name := Plain(p.source.Name(i), maxImageName)
	p.index = binary.LittleEndian.AppendUint16(p.index, uint16(len(name)))
	p.index = append(p.index, name...)
	p.index = binary.LittleEndian.AppendUint32(p.index, label)
	if err := p.picture(img); err != nil || p.from == nil {
		return err
	}
	mask, err := p.from.Mask(i)
	if err != nil {
		return err
	}
	if err := mask.Check(img.Height, img.Width); err != nil {
		return err
	}
	p.room = appendBits(p.room[:0], mask.Set)
	return p.put(p.room)
}

// picture writes an image's values, and describes it in the index.
func (p *packer) picture(img suite.Image) error {
	pic, room, err := pictureOf(img, p.room[:0])
	if err != nil {
		return err
	}
	p.room = room
	p.index = append(p.index, uint8(pic.channels))
	p.index = binary.LittleEndian.AppendUint32(p.index, uint32(pic.height))
	p.index = binary.LittleEndian.AppendUint32(p.index, uint32(pic.width))
	p.index = append(p.index, uint8(pic.coding))
	return p.put(p.room)
}

// scenes writes the backgrounds, and which image needs which.
func (p *packer) scenes(ctx context.Context, selection []byte) error {
	n, how := p.from.Scenes(), p.from.How()
	align, err := background.ParseAlignment(string(how.Align))
	if err != nil {
		return err
	}
	if err := how.Check(); err != nil {
		return err
	}
	if n < 1 || n > background.MostScenes {
		return fmt.Errorf("there are %d scenes per image; 1 to %d are possible", n, background.MostScenes)
	}
	numbers, place := p.backgrounds(n)
	p.index = append(p.index, selection...)
	p.index = binary.LittleEndian.AppendUint64(p.index, math.Float64bits(how.Feather+0)) // -0 is 0
	p.index = append(p.index, uint8(slices.Index(background.Alignments(), align)))
	p.index = binary.LittleEndian.AppendUint32(p.index, uint32(n))
	p.index = binary.LittleEndian.AppendUint32(p.index, uint32(len(numbers)))
	for _, number := range numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		if number < 0 || number >= MaxImages {
			return fmt.Errorf("there is no background %d", number)
		}
		img, err := p.from.Background(number)
		if err != nil {
			return err
		}
		p.index = binary.LittleEndian.AppendUint32(p.index, uint32(number))
		if err := p.picture(img); err != nil {
			return fmt.Errorf("background %d: %w", number, err)
		}
	}
	for i := p.first; i < p.first+p.n; i++ {
		for t := 1; t <= n; t++ {
			p.index = binary.LittleEndian.AppendUint32(p.index, place[p.from.Scene(i, t)])
		}
	}
	return nil
}

// backgrounds are the numbers of all backgrounds that the images need, ascending, and the place of each among them.
func (p *packer) backgrounds(scenes int) (numbers []int, place map[int]uint32) {
	place = map[int]uint32{}
	for i := p.first; i < p.first+p.n; i++ {
		for t := 1; t <= scenes; t++ {
			place[p.from.Scene(i, t)] = 0
		}
	}
	numbers = slices.Sorted(maps.Keys(place))
	for k, number := range numbers {
		place[number] = uint32(k)
	}
	return numbers, place
}

func (p *packer) finish() error {
	end := binary.LittleEndian.AppendUint64(p.index, uint64(len(p.index)))
	return p.put(append(end, packEnd...))
}

// put writes a piece of the pack.
func (p *packer) put(piece []byte) error {
	if p.size += int64(len(piece)); p.size > p.most {
		return fmt.Errorf("the images have more than %d MiB, which is the most that travels for one unit; use a suite of smaller images, or compute it on this machine",
			p.most>>20)
	}
	_, _ = p.sum.Write(piece) // a hash takes everything
	_, err := p.out.Write(piece)
	return err
}

func flag(set bool) uint8 {
	if set {
		return 1
	}
	return 0
}

// appendBits writes one bit per value.
func appendBits(to []byte, set []bool) []byte {
	at := len(to)
	to = append(to, make([]byte, (len(set)+7)/8)...)
	for i, on := range set {
		if on {
			to[at+i/8] |= 1 << (i % 8)
		}
	}
	return to
}
