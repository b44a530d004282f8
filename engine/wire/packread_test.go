package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

// smallPacks are a pack of three images, and one with two scenes for each of two.
func smallPacks(tb testing.TB) (plain, scened []byte) {
	tb.Helper()
	s := newStage(5)
	s.scenes, s.backgrounds = 2, 4
	return written(tb, fakeSource{n: 9}, 4, 3), written(tb, s, 1, 2)
}

// errImpossible is what no opened pack may give.
var errImpossible = errors.New("an image that cannot be")

// tryPack opens a pack and reads everything; it is for packs that may be damaged.
func tryPack(data []byte) error {
	p, err := OpenPack(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if p != nil {
			return errImpossible
		}
		return err
	}
	first, n := p.Range()
	for i := first; i < first+n; i++ {
		img, err := p.Image(i)
		if err != nil {
			return err
		}
		if p.Label(i) < -1 || p.Label(i) >= MaxClasses || checkText("", p.Name(i), maxImageName) != nil || len(img.Pix) != img.Channels*img.Height*img.Width {
			return errImpossible
		}
		if p.composite == nil {
			continue
		}
		to := suite.Fitting{Channels: 3, Height: 6, Width: 7}
		for t := 1; t <= min(p.composite.scenes, 4); t++ {
			if err := p.Compose(make([]float32, 3*6*7), suite.Fit(img, to).Pix, i, t, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestTruncatedPacks: every length is refused.
func TestTruncatedPacks(t *testing.T) {
	one, two := smallPacks(t)
	for _, data := range [][]byte{one, two} {
		if err := tryPack(data); err != nil {
			t.Fatal(err)
		}
		for n := range data {
			if _, err := OpenPack(bytes.NewReader(data[:n]), int64(n)); err == nil {
				t.Fatalf("the first %d of %d bytes are a pack", n, len(data))
			}
			// A file that is shorter than it was said to be.
			if _, err := OpenPack(bytes.NewReader(data[:n]), int64(len(data))); err == nil {
				t.Fatalf("%d of %d bytes are a whole pack", n, len(data))
			}
		}
		if _, err := OpenPack(bytes.NewReader(append(bytes.Clone(data), 0)), int64(len(data)+1)); err == nil {
			t.Error("a byte more")
		}
	}
}

// TestFlippedBits: a pack with any bit changed is refused or read whole, without a panic, and Blob.Check finds all of them.
func TestFlippedBits(t *testing.T) {
	one, two := smallPacks(t)
	for _, data := range [][]byte{one, two} {
		blob, err := BlobOf(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for at := range data {
			for bit := range 8 {
				changed := bytes.Clone(data)
				changed[at] ^= 1 << bit
				err := tryPack(changed)
				if errors.Is(err, errImpossible) || err == nil && (at < len(packMagic) || at >= len(data)-8-len(packEnd)) {
					t.Errorf("bit %d of byte %d of %d: %v", bit, at, len(data), err)
				}
				if !errors.Is(blob.Check(bytes.NewReader(changed)), ErrAltered) {
					t.Errorf("bit %d of byte %d is not noticed", bit, at)
				}
			}
		}
	}
}

// builder puts a pack together by hand.
type builder struct {
	pixels, index []byte
	length        uint64 // of the index, 0 for its own
	begin, end    string
}

func (b builder) bytes() []byte {
	if b.length == 0 {
		b.length = uint64(len(b.index))
	}
	data := slices.Concat([]byte(b.begin), b.pixels, b.index)
	return append(binary.LittleEndian.AppendUint64(data, b.length), b.end...)
}

// packHead is the beginning of an index.
func packHead(length, first uint64, n uint32, scenes uint8) []byte {
	head := binary.LittleEndian.AppendUint64(nil, length)
	head = binary.LittleEndian.AppendUint64(head, first)
	return append(binary.LittleEndian.AppendUint32(head, n), scenes)
}

func pictureLine(channels uint8, height, width uint32, how uint8) []byte {
	line := binary.LittleEndian.AppendUint32([]byte{channels}, height)
	return append(binary.LittleEndian.AppendUint32(line, width), how)
}

func imageLine(name string, label uint32, picture []byte) []byte {
	line := append(binary.LittleEndian.AppendUint16(nil, uint16(len(name))), name...)
	return append(binary.LittleEndian.AppendUint32(line, label), picture...)
}

func scenesHead(feather float64, align uint8, scenes, backgrounds uint32) []byte {
	head := append(make([]byte, 32), binary.LittleEndian.AppendUint64(nil, math.Float64bits(feather))...)
	head = binary.LittleEndian.AppendUint32(append(head, align), scenes)
	return binary.LittleEndian.AppendUint32(head, backgrounds)
}

func u32(values ...uint32) (out []byte) {
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// TestHostilePacks: what an index declares is refused in a sentence, and takes no memory.
func TestHostilePacks(t *testing.T) {
	small := pictureLine(1, 2, 2, 0)
	one := slices.Concat(packHead(1, 0, 1, 0), imageLine("a.png", 3, small))
	scened := slices.Concat(packHead(1, 0, 1, 1), imageLine("a.png", 3, small))
	with := func(index ...[]byte) builder {
		return builder{pixels: []byte{1, 2, 3, 4}, index: slices.Concat(index...), begin: packMagic, end: packEnd}
	}
	deep := func(index ...[]byte) builder {
		b := with(append([][]byte{scened}, index...)...)
		b.pixels = []byte{1, 2, 3, 4, 6, 9, 9, 9, 9}
		return b
	}
	good := deep(scenesHead(1, 2, 1, 1), u32(7), small, u32(0))
	for _, b := range []builder{with(one), good} {
		if err := tryPack(b.bytes()); err != nil {
			t.Fatalf("a pack made by hand: %v", err)
		}
	}
	for want, b := range map[string]builder{
		"this is no pack":                      {begin: "variscope unit 1", index: one, end: packEnd},
		"this is a pack of form '2'":           {begin: "variscope pack 2", index: one, end: packEnd},
		"the end of the pack is missing":       {begin: packMagic, index: one, end: "PACK END"},
		"the end of the pack is missing or ":   {begin: packMagic, index: one, end: packEnd, length: uint64(len(one)) + 1},
		"the end of the pack is missing or d":  {begin: packMagic, index: one, end: packEnd, length: math.MaxUint64 - 3},
		"they have 31 bytes":                   {begin: packMagic[:15], end: packEnd},
		"index of the pack is too short":       {begin: packMagic, end: packEnd},
		"of 0 images from number 0 on":         with(packHead(5, 0, 0, 0)),
		"of 257 images from number 0 on":       with(packHead(500, 0, 257, 0)),
		"of 4294967295 images":                 with(packHead(1<<20, 0, math.MaxUint32, 0)),
		"of 1 images from number 5 on, of 5":   with(packHead(5, 5, 1, 0)),
		"number 18446744073709551615 on":       with(packHead(5, math.MaxUint64, 2, 0)),
		"on, of 18446744073709551615":          with(packHead(math.MaxUint64, 0, 1, 0)),
		"of 268435457":                         with(packHead(MaxImages+1, 0, 1, 0)),
		"of 2 images from number 0 on, of 2":   with(packHead(2, 0, 2, 2)),
		"image 0: the index of the pack is to": with(packHead(1, 0, 1, 0)),
		"image 1: the index of the pack is to": with(packHead(2, 0, 2, 0), one[21:]),
		"its label is 1048576":                 with(packHead(1, 0, 1, 0), imageLine("a", MaxClasses, small)),
		"its name \"a\\nb\" holds control":     with(packHead(1, 0, 1, 0), imageLine("a\nb", 0, small)),
		"its name \"\\xff\" is no UTF-8":       with(packHead(1, 0, 1, 0), imageLine("\xff", 0, small)),
		"its name has 1025 bytes":              with(packHead(1, 0, 1, 0), imageLine(strings.Repeat("x", 1025), 0, small)),
		"0 x 2 x 2 values":                     with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(0, 2, 2, 0))),
		"2 x 2 x 1 values":                     with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(2, 2, 1, 0))),
		"1 x 0 x 2 values":                     with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(1, 0, 2, 0))),
		"3 x 30000 x 30000 values":             with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(3, 30000, 30000, 0))),
		"1 x 4294967295 x 4294967295 values":   with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(1, math.MaxUint32, math.MaxUint32, 0))),
		"the unknown way 2":                    with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(1, 2, 2, 2))),
		"more or less than its index says":     with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(3, 4000, 4000, 0))),
		"more or less than its index says; ":   with(packHead(1, 0, 1, 0), imageLine("a", 0, pictureLine(1, 1, 3, 0))),
		"more or less than its index says; s":  with(one, []byte{0}),
		"the pack is too short; send it":       deep(),
		"is too short; send it again":          deep(scenesHead(0, 0, 2, 1), u32(7), small, u32(0)),
		"the pack is too short":                deep(scenesHead(0, 0, math.MaxUint32, math.MaxUint32), u32(7), small, u32(0)),
		"of 0 scenes per image":                deep(scenesHead(0, 0, 0, 0)),
		"of 1001 scenes per image":             deep(scenesHead(0, 0, 1001, 1), u32(7), small, make([]byte, 4004)),
		"1 scenes per image of 2 backgrounds":  deep(scenesHead(0, 0, 1, 2), u32(7), small, u32(8), small, u32(0)),
		"and of alignment 3":                   deep(scenesHead(0, 3, 1, 1), u32(7), small, u32(0)),
		"a feather of NaN pixels":              deep(scenesHead(math.NaN(), 0, 1, 1), u32(7), small, u32(0)),
		"a feather of -1 pixels":               deep(scenesHead(-1, 0, 1, 1), u32(7), small, u32(0)),
		"lists background 7 after 7":           deep(scenesHead(0, 0, 2, 2), u32(7), small, u32(7), small, u32(0, 1)),
		"lists background 4294967295 after":    deep(scenesHead(0, 0, 1, 1), u32(math.MaxUint32), small, u32(0)),
		"background 7: it is said to have":     deep(scenesHead(0, 0, 1, 1), u32(7), pictureLine(3, 1<<15, 1<<15, 1), u32(0)),
		"speaks of background 1 of 1":          deep(scenesHead(0, 0, 1, 1), u32(7), small, u32(1)),
		"holds more or less than its index":    deep(scenesHead(0, 0, 1, 1), u32(7), pictureLine(1, 2, 2, 1), u32(0)),
	} {
		data := b.bytes()
		var err error
		if n := allocated(func() { err = tryPack(data) }); n > 1<<20 {
			t.Errorf("%s: %d kB", want, n>>10)
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "the images of a unit of work cannot be used: ") {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// TestAMaskThatIsNone is found when it is needed.
func TestAMaskThatIsNone(t *testing.T) {
	small := pictureLine(1, 2, 2, 0)
	b := builder{
		pixels: []byte{1, 2, 3, 4, 0, 9, 9, 9, 9}, begin: packMagic, end: packEnd,
		index: slices.Concat(packHead(1, 0, 1, 1), imageLine("a.png", 3, small), scenesHead(0, 0, 1, 1), u32(7), small, u32(0)),
	}
	if err := tryPack(b.bytes()); err == nil || !strings.Contains(err.Error(), "the mask is empty") {
		t.Errorf("%v", err)
	}
}

// TestHugePacks: sizes that are declared for a file that is not there take no memory.
func TestHugePacks(t *testing.T) {
	for _, size := range []int64{math.MinInt64, -1, 0, MaxPack + 1, math.MaxInt64} {
		if _, err := OpenPack(bytes.NewReader(nil), size); err == nil || !strings.Contains(err.Error(), "a pack has from") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := OpenPack(readerAt{iotest.ErrReader(broken)}, 1000); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	index := slices.Concat(packHead(MaxImages, 0, 1, 0), imageLine("a", 0, pictureLine(1, 1, 1, 0)))
	long := builder{begin: packMagic, end: packEnd, index: append(index, make([]byte, maxIndex)...)}.bytes()
	var err error
	if n := allocated(func() { err = tryPack(long) }); err == nil || n > 1<<20 {
		t.Errorf("an index of %d bytes: %d kB, %v", len(long), n>>10, err)
	}
}

// TestLongAndThinPictures would become large on their way to the model's input.
func TestLongAndThinPictures(t *testing.T) {
	for _, tt := range []struct {
		height, width, side int
		resize              model.Resize
		ok                  bool
	}{
		{3000, 4000, 224, model.Stretch, true},
		{3000, 4000, 224, model.Crop, true},
		{1, 32768, 224, model.Stretch, true},
		{1, 32768, 224, model.Crop, false}, // 224 x 7,340,032
		{32768, 1, 224, model.Crop, false},
		{32768, 1, 224, model.Stretch, true},
		{32768, 1, 1000, model.Stretch, false}, // 32768 x 1000
		{4096, 4096, 4096, model.Stretch, true},
		{2, 30000, 28, model.Crop, true},
	} {
		spec := someTask().Spec
		spec.Channels, spec.Height, spec.Width, spec.Preprocessing.Resize = 3, tt.side, tt.side, tt.resize
		err := picture{channels: 3, height: tt.height, width: tt.width}.fits(spec)
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "on their way to the model's input") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	thin, small := pictureLine(1, 1, 32768, 0), pictureLine(1, 2, 2, 0)
	o := someOrder()
	o.Spec.Images, o.Chunk, o.Spec.Preprocessing.Resize, o.Spec.Family = 1, 0, model.Crop, "scenes:"+strings.Repeat("0", 64)+":1"
	for want, b := range map[string]builder{
		"image 0: its 1 x 32768 pixels become 1310720000 values": {
			pixels: make([]byte, 32768+4096+4), index: slices.Concat(packHead(1, 0, 1, 1), imageLine("a", 0, thin), scenesHead(0, 0, 1, 1), u32(7), small, u32(0)),
		},
		"background 7: its 1 x 32768 pixels become 1310720000 values": {
			pixels: make([]byte, 4+1+32768), index: slices.Concat(packHead(1, 0, 1, 1), imageLine("a", 0, small), scenesHead(0, 0, 1, 1), u32(7), thin, u32(0)),
		},
	} {
		b.begin, b.end = packMagic, packEnd
		p := opened(t, b.bytes())
		o.Spec.Height, o.Spec.Width = 28, 28
		if err := p.Fits(o); err != nil {
			t.Errorf("%v", err)
		}
		o.Spec.Height, o.Spec.Width = 200, 200
		if err := p.Fits(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// readerAt reads from a reader, wherever it is asked to.
type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return io.ReadFull(r, p) }

// TestAPackThatIsCutWhileItIsOpen: reading says which image.
func TestAPackThatIsCutWhileItIsOpen(t *testing.T) {
	_, scened := smallPacks(t)
	file := &cut{data: scened}
	p, err := OpenPack(file, int64(len(scened)))
	if err != nil {
		t.Fatal(err)
	}
	img, err := p.Image(1)
	if err != nil {
		t.Fatal(err)
	}
	file.data = file.data[:20]
	if _, err := p.Image(2); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "image pets/img002.png of a pack: ") {
		t.Errorf("%v", err)
	}
	to := suite.Fitting{Channels: 3, Height: 6, Width: 7}
	if err := p.Compose(make([]float32, 3*6*7), suite.Fit(img, to).Pix, 1, 1, to); err == nil || !strings.Contains(err.Error(), "mask of image pets/img001.png of a pack: ") {
		t.Errorf("%v", err)
	}
	g, err := p.Ingredients()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Background(g.Scene(1, 1)); err == nil || !strings.Contains(err.Error(), " of a pack: ") {
		t.Errorf("%v", err)
	}
}

// cut is a file that can be cut.
type cut struct{ data []byte }

func (c *cut) ReadAt(p []byte, at int64) (int, error) { return bytes.NewReader(c.data).ReadAt(p, at) }

func FuzzOpenPack(f *testing.F) {
	one, two := smallPacks(f)
	f.Add(one)
	f.Add(two)
	f.Add([]byte(packMagic + "\x00\x00\x00\x00\x00\x00\x00\x00" + packEnd))
	f.Fuzz(func(t *testing.T, data []byte) {
		// What stands before the end is also tried as a pack whose end is right.
		if len(data) > len(packMagic) {
			split := int(data[0])
			index := data[max(len(packMagic), len(data)-split):]
			ended := builder{begin: packMagic, end: packEnd, pixels: data[len(packMagic) : len(data)-len(index)], index: index}
			if err := tryPack(ended.bytes()); errors.Is(err, errImpossible) {
				t.Fatal(err)
			}
		}
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if err := tryPack(data); errors.Is(err, errImpossible) || err != nil && p.composite == nil {
			t.Fatal(err)
		}
		// A pack that can be read is written again with the same images.
		first, n := p.Range()
		var again bytes.Buffer
		if _, err := WritePack(t.Context(), &again, p, first, n); err != nil {
			return // masks and backgrounds that are none
		}
		sameImages(t, opened(t, again.Bytes()), p, first, n)
	})
}
