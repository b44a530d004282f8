package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
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
	p, err := OpenPack(NewKept(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if p != nil {
			return errImpossible
		}
		return err
	}
	for k := range p.images {
		i := int(p.tail.First) + k
		img, err := p.Image(i)
		if err != nil {
			return err
		}
		if p.Label(i) < -1 || p.Label(i) >= MaxClasses || checkText(p.Name(i), maxImageName) != nil ||
			len(img.Pix) != img.Channels*img.Height*img.Width {
			return errImpossible
		}
		to := suite.Fitting{Channels: 3, Height: 6, Width: 7}
		for t := 1; t <= min(p.Scenes(), 4); t++ {
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
		testdata.OK(t, tryPack(data))
		for n := range data {
			testdata.Refused(t, fmt.Sprintf("the first %d of %d bytes are a pack", n, len(data)),
				testdata.Err(OpenPack(NewKept(), bytes.NewReader(data[:n]), int64(n))))
			// A file that is shorter than it was said to be.
			testdata.Refused(t, fmt.Sprintf("%d of %d bytes are a whole pack", n, len(data)),
				testdata.Err(OpenPack(NewKept(), bytes.NewReader(data[:n]), int64(len(data)))))
		}
		testdata.Refused(t, "a byte more",
			testdata.Err(OpenPack(NewKept(), bytes.NewReader(append(bytes.Clone(data), 0)), int64(len(data)+1))))
	}
}

// TestFlippedBits: a pack with any bit changed is refused or read whole, without a panic, and
// Blob.Check finds all of them.
func TestFlippedBits(t *testing.T) {
	one, two := smallPacks(t)
	for _, data := range [][]byte{one, two} {
		blob := testdata.Must(BlobOf(bytes.NewReader(data)))(t)
		for at := range data {
			for bit := range 8 {
				changed := bytes.Clone(data)
				changed[at] ^= 1 << bit
				err := tryPack(changed)
				if errors.Is(err, errImpossible) || err == nil && at >= len(data)-len(packEnd) {
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
	pixels  []byte
	tail    packTail
	numbers []int32
	names   string
	cut     int // bytes that lack at the end of the names
	end     string
}

func (b builder) bytes() []byte {
	if b.tail.Names == 0 {
		b.tail.Names = int64(len(b.names))
	}
	data := slices.Concat(b.pixels, Bytes(b.numbers), []byte(b.names))
	data, err := binary.Append(data[:len(data)-b.cut], binary.LittleEndian, b.tail)
	if err != nil {
		panic(err)
	}
	return append(data, b.end...)
}

// oneImage is a pack of an image of 2 x 2 pixels.
func oneImage() builder {
	return builder{[]byte{1, 2, 3, 4}, packTail{Images: 1, Here: 1}, []int32{3, 1, 2, 2, 1}, "a.png", 0, packEnd}
}

// onScene is a pack of an image of 2 x 2 pixels on background 7.
func onScene() builder {
	return builder{
		[]byte{1, 2, 3, 4, 6, 9, 9, 9, 9},
		packTail{Images: 1, Here: 1, Scenes: 1, Backgrounds: 1, Feather: 1, Align: 2},
		[]int32{3, 1, 2, 2, 1, 7, 1, 2, 2, 1, 0},
		"a.png", 0, packEnd,
	}
}

// TestHostilePacks: what an index declares is refused in a sentence, and takes no memory.
func TestHostilePacks(t *testing.T) {
	const altered = "cut off or changed on the way"
	line := func(numbers ...int32) func(*builder) { return func(b *builder) { b.numbers = numbers } }
	scened := func(numbers ...int32) func(*builder) {
		return func(b *builder) { *b = onScene(); copy(b.numbers, numbers) }
	}
	tail := func(change func(h *packTail)) func(*builder) {
		return func(b *builder) { *b = onScene(); change(&b.tail) }
	}
	for k, tt := range []struct {
		want   string
		change func(b *builder)
	}{
		{"", func(*builder) {}},
		{"", func(b *builder) { *b = onScene() }},
		{"do not end with", func(b *builder) { b.end = "variscope pack 1" }},
		{altered, func(b *builder) { b.cut = len("a.png") + 5*4 }},
		{altered, func(b *builder) { *b = onScene(); b.pixels = nil; b.cut = 1 }},
		{altered, tail(func(h *packTail) { h.Names = -1 })},
		{altered, tail(func(h *packTail) { h.Names = math.MaxInt64 })},
		{altered, tail(func(h *packTail) { h.Names = 1000 })},
		{"no pack of 0 images", tail(func(h *packTail) { h.Here = 0 })},
		{"no pack of 257 images", tail(func(h *packTail) { h.Images, h.Here = 500, 257 })},
		{"no pack of 9223372036854775807 images", tail(func(h *packTail) {
			h.Images, h.Here = MaxImages, math.MaxInt64
		})},
		{"1 images from number 5 on, of 5", tail(func(h *packTail) { h.Images, h.First = 5, 5 })},
		{"from number -1 on", tail(func(h *packTail) { h.First = -1 })},
		{"on, of -9223372036854775808", tail(func(h *packTail) { h.Images = math.MinInt64 })},
		{"no pack of 0 scenes", tail(func(h *packTail) { h.Scenes = 0 })},
		{"no pack of 1001 scenes", tail(func(h *packTail) { h.Scenes = 1001 })},
		{"no pack of 9223372036854775807 scenes", tail(func(h *packTail) {
			h.Scenes, h.Backgrounds = math.MaxInt64, math.MaxInt64
		})},
		{"1 scenes per image, on 2 backgrounds", tail(func(h *packTail) { h.Backgrounds = 2 })},
		{altered, tail(func(h *packTail) { h.Backgrounds = 0 })},
		{"in alignment 3", tail(func(h *packTail) { h.Align = 3 })},
		{"a feather of NaN pixels", tail(func(h *packTail) { h.Feather = math.NaN() })},
		{altered, line(MaxClasses, 1, 2, 2, 1)},
		{"0 x 2 x 2 values", line(3, 0, 2, 2, 1)},
		{"1 x 0 x 2 values", line(3, 1, 0, 2, 1)},
		{"3 x 30000 x 30000 values", line(3, 3, 30000, 30000, 1)},
		{"1 x 2147483647 x 2147483647 values", line(3, 1, math.MaxInt32, math.MaxInt32, 1)},
		{"have 2 bytes each", line(3, 1, 2, 2, 2)},
		{altered, line(3, 3, 4000, 4000, 1)},
		{altered, line(3, 1, 2, 2, 4)},
		{altered, func(b *builder) { b.pixels = b.pixels[1:] }},
		{altered, func(b *builder) { b.names = "a\nb" }},
		{altered, func(b *builder) { b.tail.Images, b.tail.Here, b.numbers = 2, 2, append(b.numbers, b.numbers...) }},
		{`the name "a\x00b"`, func(b *builder) { b.names = "a\x00b" }},
		{`the name "\xff"`, func(b *builder) { b.names = "\xff" }},
		{"has 1025 bytes", func(b *builder) { b.names = strings.Repeat("x", 1025) }},
		{altered, scened(3, 1, 2, 2, 1, MaxImages)},
		{"line 1 of the index of the pack: it is said to have", scened(3, 1, 2, 2, 1, 7, 3, 1<<15, 1<<15, 4)},
		{altered, scened(3, 1, 2, 2, 1, 7, 1, 2, 2, 4)},
		{altered, scened(3, 1, 2, 2, 1, 7, 1, 2, 2, 1, 1)},
		{altered, func(b *builder) {
			*b = onScene()
			b.tail.Scenes, b.tail.Backgrounds, b.pixels = 2, 2, append(b.pixels, 9, 9, 9, 9)
			b.numbers = []int32{3, 1, 2, 2, 1, 7, 1, 2, 2, 1, 7, 1, 2, 2, 1, 0, 1}
		}},
	} {
		b := oneImage()
		tt.change(&b)
		data := b.bytes()
		var err error
		if n := allocated(func() { err = tryPack(data) }); n > 1<<20 {
			t.Errorf("%d, %s: %d kB", k, tt.want, n>>10)
		}
		if tt.want == "" && err == nil {
			continue
		}
		if err == nil || tt.want == "" || !strings.Contains(err.Error(), tt.want) ||
			!strings.HasPrefix(err.Error(), "the images of a unit of work cannot be used: ") {
			t.Errorf("%d: %v; want %s", k, err, tt.want)
		}
	}
}

// TestAMaskThatIsNone is found when it is needed.
func TestAMaskThatIsNone(t *testing.T) {
	b := onScene()
	b.pixels[4] = 0
	testdata.Refused(t, "the mask is empty", tryPack(b.bytes()), "the mask is empty")
}

// TestHugePacks: sizes that are declared for a file that is not there take no memory.
func TestHugePacks(t *testing.T) {
	for _, size := range []int64{math.MinInt64, -1, 0, MaxPack + 1, math.MaxInt64} {
		testdata.ErrorIs(t, fmt.Sprintf("%d bytes", size),
			testdata.Err(OpenPack(NewKept(), bytes.NewReader(nil), size)), ErrAltered)
	}
	broken := errors.New("the disk is gone")
	if _, err := OpenPack(NewKept(), readerAt{iotest.ErrReader(broken)}, 1000); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	b := oneImage()
	b.names = strings.Repeat("\n", 8<<20)
	long := b.bytes()
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
		{1, 32768, 224, model.Stretch, true},
		{1, 32768, 224, model.Crop, false},     // 224 x 7,340,032
		{32768, 1, 1000, model.Stretch, false}, // 32768 x 1000
		{2, 30000, 28, model.Crop, true},
	} {
		spec := someTask().Spec
		spec.Channels, spec.Height, spec.Width, spec.Preprocessing.Resize = 3, tt.side, tt.side, tt.resize
		err := picture{channels: 3, height: tt.height, width: tt.width}.fits(spec)
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "on their way to the model's input") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	o := someOrder()
	o.Spec.Images, o.Chunk, o.Spec.Preprocessing.Resize, o.Spec.Family = 1, 0, model.Crop,
		"scenes:"+strings.Repeat("0", 64)+":1"
	image, scene := onScene(), onScene()
	image.pixels, image.numbers = make([]byte, 32768+4096+4), []int32{0, 1, 1, 32768, 1, 7, 1, 2, 2, 1, 0}
	scene.pixels, scene.numbers = make([]byte, 4+1+32768), []int32{0, 1, 2, 2, 1, 7, 1, 1, 32768, 1, 0}
	for want, b := range map[string]builder{
		"image 0: its 1 x 32768 pixels become 1310720000 values":      image,
		"background 7: its 1 x 32768 pixels become 1310720000 values": scene,
	} {
		p := opened(t, b.bytes())
		o.Spec.Height, o.Spec.Width = 28, 28
		testdata.OK(t, p.fits(o))
		o.Spec.Height, o.Spec.Width = 200, 200
		testdata.Refused(t, want, p.fits(o), want)
	}
}

// readerAt reads from a reader, wherever it is asked to.
type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return io.ReadFull(r, p) }

// TestAPackThatIsCutWhileItIsOpen: reading says which image.
func TestAPackThatIsCutWhileItIsOpen(t *testing.T) {
	_, scened := smallPacks(t)
	file := &cut{data: scened}
	p := testdata.Must(OpenPack(NewKept(), file, int64(len(scened))))(t)
	img := testdata.Must(p.Image(1))(t)
	file.data = file.data[:4]
	if _, err := p.Image(2); !errors.Is(err, ErrAltered) ||
		!strings.Contains(err.Error(), "image pets/img002.png of a pack: ") {
		t.Errorf("%v", err)
	}
	to := suite.Fitting{Channels: 3, Height: 6, Width: 7}
	testdata.Refused(t, "error",
		p.Compose(make([]float32, 3*6*7), suite.Fit(img, to).Pix, 1, 1, to),
		"mask of image pets/img001.png of a pack: ")
	g := testdata.Must(p.Ingredients())(t)
	testdata.Refused(t, " of a pack: ", testdata.Err(g.Background(g.Scene(1, 1))), " of a pack: ")
}

// cut is a file that can be cut.
type cut struct{ data []byte }

func (c *cut) ReadAt(p []byte, at int64) (int, error) { return bytes.NewReader(c.data).ReadAt(p, at) }

func FuzzOpenPack(f *testing.F) {
	one, two := smallPacks(f)
	f.Add(one)
	f.Add(two)
	f.Add(onScene().bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		// What stands before the end is also tried as a pack whose end is right.
		if err := tryPack(append(bytes.Clone(data), packEnd...)); errors.Is(err, errImpossible) {
			t.Fatal(err)
		}
		p, err := OpenPack(NewKept(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if err := tryPack(data); errors.Is(err, errImpossible) || err != nil && p.Scenes() == 0 {
			t.Fatal(err)
		}
		// A pack that can be read is written again with the same images.
		first, n := int(p.tail.First), len(p.images)
		var again bytes.Buffer
		if _, err := WritePack(t.Context(), &again, p, first, n); err != nil {
			return // masks and backgrounds that are none
		}
		sameImages(t, opened(t, again.Bytes()), p, first, n)
	})
}
