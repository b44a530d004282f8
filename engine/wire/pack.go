package wire

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
)

// packEnd ends a pack; its last byte is the version.
const packEnd = "variscope pack 2"

// maxImageName is the longest name of an image in a pack. Names are for messages only.
const maxImageName = 1024

// packTail stands behind the index, before packEnd.
type packTail struct {
	Images, First, Here int64 // of the whole source; number of the first one here; how many here
	Scenes, Backgrounds int64 // per image, 0 for none; how many here
	Names               int64 // bytes of all names
	Align               int64 // index in background.Alignments
	Feather             float64
	Selection           [sha256.Size]byte
}

// lineNumbers is how many numbers an index has per image and background: its label or its number,
// channels, height, width and bytes per value.
const lineNumbers = 5

func (t packTail) check() error {
	if t.First < 0 || t.Here < 1 || t.Here > signal.ChunkSize ||
		t.Images < t.Here || t.Images > MaxImages || t.First > t.Images-t.Here {
		return fmt.Errorf("there is no pack of %d images from number %d on, of %d; it has 1 to %d of at most %d",
			t.Here, t.First, t.Images, signal.ChunkSize, MaxImages)
	}
	if t.Scenes < 0 || t.Scenes > background.MostScenes || t.Backgrounds < 0 || t.Backgrounds > t.Here*t.Scenes ||
		t.Align < 0 || t.Align >= int64(len(background.Alignments())) {
		return fmt.Errorf("there is no pack of %d scenes per image, on %d backgrounds, in alignment %d; "+
			"it has up to %d scenes", t.Scenes, t.Backgrounds, t.Align, background.MostScenes)
	}
	return background.Compositing{Feather: t.Feather}.Check()
}

// Composed is an engine.Composer that gives what its composites are made of, so that another
// machine can make them. It may fail where they have to be opened first.
type Composed interface {
	engine.Composer
	Ingredients() (background.Ingredients, error)
}

// WritePack writes images first..first+n-1 of a source as a pack, in the order of their numbers,
// and names what was written. Equal sources give equal bytes. Of a Composed source the masks go
// along, and each background that their scenes need, once. Memory is that of one image and its
// bytes. The error names the image: one that cannot be read or is too large, or a pack of more
// than MaxPack bytes; w then holds a part of a pack.
func WritePack(ctx context.Context, w io.Writer, source engine.Source, first, n int) (Blob, error) {
	p := &packer{ctx: ctx, out: w, most: MaxPack, sum: sha256.New(), source: source}
	p.tail = packTail{Images: int64(source.Len()), First: int64(first), Here: int64(n)}
	if err := p.write(); err != nil {
		return Blob{}, fmt.Errorf("pack images %d to %d: %w", first, first+n-1, err)
	}
	return Blob{SHA256: hex.EncodeToString(p.sum.Sum(nil)), Size: p.size}, nil
}

// packer writes one pack.
type packer struct {
	ctx     context.Context
	out     io.Writer
	sum     hash.Hash
	size    int64
	most    int64 // bytes that may be written
	source  engine.Source
	from    background.Ingredients // of scenes
	tail    packTail
	numbers []int32 // of the index
	names   []string
	room    []byte // of one image, used again
}

func (p *packer) write() error {
	if composer, ok := p.source.(engine.Composer); ok && composer.Selection() != "" {
		composed, ok := composer.(Composed)
		if !ok {
			return fmt.Errorf("the scenes of selection %.12s cannot be taken along", composer.Selection())
		}
		if err := checkHash("the selection", composed.Selection()); err != nil {
			return err
		}
		var err error
		if p.from, err = composed.Ingredients(); err != nil {
			return err
		}
		_, _ = hex.Decode(p.tail.Selection[:], []byte(composed.Selection())) // it is a hash
		how := p.from.How()
		p.tail.Scenes, p.tail.Feather = int64(p.from.Scenes()), how.Feather+0 // -0 is 0
		p.tail.Align = int64(slices.Index(background.Alignments(), cmp.Or(how.Align, background.Keep)))
	}
	if err := p.tail.check(); err != nil {
		return err
	}
	first, after := int(p.tail.First), int(p.tail.First+p.tail.Here)
	for i := first; i < after; i++ {
		if err := p.image(i); err != nil {
			return fmt.Errorf("image %s: %w", p.source.Name(i), err)
		}
	}
	if err := p.scenes(first, after); err != nil {
		return err
	}
	names := strings.Join(p.names, "\n")
	p.tail.Names = int64(len(names))
	end := slices.Concat(Bytes(p.numbers), []byte(names))
	end, _ = binary.Append(end, binary.LittleEndian, p.tail) // its size is known
	return p.put(append(end, packEnd...))
}

// image writes an image and its mask.
func (p *packer) image(i int) error {
	img, err := p.source.Image(i)
	if err != nil {
		return err
	}
	label := max(p.source.Label(i), -1)
	if label >= MaxClasses {
		return fmt.Errorf("its label is %d; at most %d can travel", label, MaxClasses-1)
	}
	p.names = append(p.names, Plain(p.source.Name(i), maxImageName))
	if err := p.picture(label, img); err != nil || p.tail.Scenes == 0 {
		return err
	}
	mask, err := p.from.Mask(i)
	if err == nil {
		err = mask.Check(img.Height, img.Width)
	}
	if err != nil {
		return err
	}
	bits := make([]byte, (len(mask.Set)+7)/8)
	for k, set := range mask.Set {
		if set {
			bits[k/8] |= 1 << (k % 8)
		}
	}
	return p.put(bits)
}

// picture writes the values of an image with that label, or of a background with that number.
func (p *packer) picture(number int, img suite.Image) error {
	pic, room, err := pictureOf(img, p.room[:0])
	if err != nil {
		return err
	}
	p.room = room
	for _, v := range []int{number, pic.channels, pic.height, pic.width, pic.each} {
		p.numbers = append(p.numbers, int32(v))
	}
	return p.put(room)
}

// scenes writes the backgrounds that the images need, and which needs which.
func (p *packer) scenes(first, after int) error {
	var needed []int // images x scenes
	for i := first; i < after; i++ {
		for t := range int(p.tail.Scenes) {
			needed = append(needed, p.from.Scene(i, t+1))
		}
	}
	numbers := slices.Compact(slices.Sorted(slices.Values(needed)))
	p.tail.Backgrounds = int64(len(numbers))
	for _, number := range numbers {
		img, err := p.from.Background(number)
		if err == nil {
			err = p.picture(number, img)
		}
		if err != nil {
			return fmt.Errorf("background %d: %w", number, err)
		}
	}
	for _, number := range needed {
		k, _ := slices.BinarySearch(numbers, number)
		p.numbers = append(p.numbers, int32(k))
	}
	return nil
}

// put writes a piece of the pack, unless the context has ended.
func (p *packer) put(piece []byte) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if p.size += int64(len(piece)); p.size > p.most {
		return fmt.Errorf("the images have more than %d MiB, which is the most that travels for one unit; use a "+
			"suite of smaller images, or compute it on this machine", p.most>>20)
	}
	_, _ = p.sum.Write(piece) // a hash takes everything
	_, err := p.out.Write(piece)
	return err
}
