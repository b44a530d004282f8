package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// fakeSource are images of several sizes: levels of bytes, but every third one has values between
// them.
type fakeSource struct {
	n      int
	change func(i int, img *suite.Image) error // may be nil
}

func (s fakeSource) Len() int { return s.n }

// Label is -1 for every fifth image.
func (s fakeSource) Label(i int) int { return i%5 - 1 }

func (s fakeSource) Name(i int) string { return fmt.Sprintf("pets/img%03d.png", i) }

func (s fakeSource) Image(i int) (suite.Image, error) {
	img := noisy(uint64(i), 1+2*(i%2), 3+i%4, 5+i%3, i%3 != 2)
	if s.change != nil {
		return img, s.change(i, &img)
	}
	return img, nil
}

// noisy is a random image, of levels alone or of any values in [0, 1].
func noisy(seed uint64, channels, height, width int, leveled bool) suite.Image {
	random := rand.New(rand.NewPCG(seed, 5))
	img := suite.Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, channels*height*width)}
	for k := range img.Pix {
		if img.Pix[k] = random.Float32(); leveled {
			img.Pix[k] = float32(random.IntN(256)) / 255
		}
	}
	return img
}

func written(tb testing.TB, source engine.Source, first, n int) []byte {
	tb.Helper()
	var out bytes.Buffer
	blob := testdata.Must(WritePack(tb.Context(), &out, source, first, n))(tb)
	testdata.OK(tb, blob.Check(bytes.NewReader(out.Bytes())))
	return out.Bytes()
}

func opened(tb testing.TB, data []byte) *Pack {
	tb.Helper()
	return testdata.Must(OpenPack(NewKept(), bytes.NewReader(data), int64(len(data))))(tb)
}

// sameImages holds a pack to its source, bit by bit.
func sameImages(tb testing.TB, p *Pack, source engine.Source, first, n int) {
	tb.Helper()
	if int(p.tail.First) != first || len(p.images) != n || p.Len() != source.Len() {
		tb.Fatalf("%d images from %d on, of %d", len(p.images), p.tail.First, p.Len())
	}
	for i := first; i < first+n; i++ {
		want := testdata.Must(source.Image(i))(tb)
		got, err := p.Image(i)
		if err != nil || !sameBits(got, want) {
			tb.Fatalf("image %d: %v\n%v in place of\n%v", i, err, got, want)
		}
		if p.Label(i) != source.Label(i) || p.Name(i) != source.Name(i) {
			tb.Fatalf("image %d is %s, label %d", i, p.Name(i), p.Label(i))
		}
	}
}

func sameBits(a, b suite.Image) bool {
	return a.Channels == b.Channels && a.Height == b.Height && a.Width == b.Width &&
		slices.EqualFunc(a.Pix, b.Pix, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// TestPacksAreTheirSource for any window of it; whatever is read first, the pack's bytes are the
// same.
func TestPacksAreTheirSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := fakeSource{n: rapid.IntRange(1, 700).Draw(t, "images")}
		n := rapid.IntRange(1, min(source.n, 40)).Draw(t, "n")
		first := rapid.IntRange(0, source.n-n).Draw(t, "first")
		var one, two bytes.Buffer
		a, err := WritePack(context.Background(), &one, source, first, n)
		b, err2 := WritePack(context.Background(), &two, source, first, n)
		if err != nil || err2 != nil || a != b || !bytes.Equal(one.Bytes(), two.Bytes()) || a.Size != int64(one.Len()) {
			t.Fatalf("%+v and %+v: %v, %v", a, b, err, err2)
		}
		p := testdata.Must(OpenPack(NewKept(), bytes.NewReader(one.Bytes()), a.Size))(t)
		for _, i := range rapid.Permutation(slices.Collect(numbers(first, n))).Draw(t, "order") {
			want, _ := source.Image(i)
			if got, err := p.Image(i); err != nil || !sameBits(got, want) || p.Label(i) != source.Label(i) ||
				p.Name(i) != source.Name(i) {
				t.Fatalf("image %d: %v", i, err)
			}
			if each := p.images[i-first].each; (each == 1) != (i%3 != 2) {
				t.Fatalf("image %d has %d bytes per value", i, each)
			}
		}
	})
}

func numbers(first, n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := first; i < first+n && yield(i); i++ {
		}
	}
}

// TestEveryLevelIsAByte, and nothing else is: neighbours of levels, zeros with a sign, values
// outside, no numbers.
func TestEveryLevelIsAByte(t *testing.T) {
	var values []float32
	for b := range 256 {
		values = append(values, float32(b)/255)
	}
	if out, ok := appendLevels([]byte("x"), values); !ok || len(out) != 257 || out[0] != 'x' || out[256] != 255 ||
		out[7] != 6 {
		t.Errorf("%v, %v", out, ok)
	}
	odd := []float32{
		float32(math.Copysign(0, -1)), 0.5, -1, 2, 1e30, float32(math.NaN()), float32(math.Inf(1)),
		float32(math.Inf(-1)), math.Nextafter32(values[77], 0), math.Nextafter32(values[200], 1),
		math.Nextafter32(1, 2), math.Float32frombits(0x7fa00001),
	}
	for _, v := range odd {
		if out, ok := appendLevels(nil, []float32{values[3], v}); ok || len(out) > 0 {
			t.Errorf("%v is taken for a level", v)
		}
	}
	source := fakeSource{n: 1, change: func(_ int, img *suite.Image) error {
		*img = suite.Image{Channels: 1, Height: 1, Width: len(odd), Pix: odd}
		return nil
	}}
	sameImages(t, opened(t, written(t, source, 0, 1)), source, 0, 1)
}

// TestAPackKnowsItsOwnImages and says so for others.
func TestAPackKnowsItsOwnImages(t *testing.T) {
	p := opened(t, written(t, fakeSource{n: 600}, 512, 88))
	for _, i := range []int{-1, 0, 511, 600, math.MaxInt, math.MinInt} {
		testdata.Refused(t, fmt.Sprintf("image %d", i),
			testdata.Err(p.Image(i)), "the pack has images 512 to 599 of 600, not image ")
		if p.Label(i) != -1 || p.Name(i) != fmt.Sprint(i) {
			t.Errorf("image %d is %s, label %d", i, p.Name(i), p.Label(i))
		}
	}
	o := someOrder()
	testdata.OK(t, p.fits(o))
	for want, change := range map[string]func(*Order){
		"and the unit those from 256 to 511 of 600": func(o *Order) { o.Chunk = 1 },
		"and the unit those from 512 to 600 of 601": func(o *Order) { o.Spec.Images = 601 },
		"does not have the scenes of scenes:0123":   func(o *Order) { o.Spec.Family = "scenes:" + hashC + ":3" },
		"unknown name": func(o *Order) { o.Spec.Family = "?" },
	} {
		o := someOrder()
		if change(&o); p.fits(o) == nil || !strings.Contains(p.fits(o).Error(), want) {
			t.Errorf("%v; want %s", p.fits(o), want)
		}
	}
	if p.Selection() != "" || p.Compose(nil, nil, 512, 1, suite.Fitting{}) == nil {
		t.Error("a pack without scenes has some")
	}
}

// TestSourcesThatCannotBePacked name what is wrong.
func TestSourcesThatCannotBePacked(t *testing.T) {
	broken := errors.New("damaged file")
	sized := func(h, w int) func(int, *suite.Image) error {
		return func(i int, img *suite.Image) error { img.Height, img.Width = h, w; return nil }
	}
	for want, tt := range map[string]struct {
		source   engine.Source
		first, n int
	}{
		"no pack of 0 images":             {fakeSource{n: 9}, 0, 0},
		"no pack of 257 images":           {fakeSource{n: 900}, 0, 257},
		"2 images from number -1 on":      {fakeSource{n: 9}, -1, 2},
		"2 images from number 8 on, of 9": {fakeSource{n: 9}, 8, 2},
		"1 to 256 of at most 268435456":   {fakeSource{n: MaxImages + 1}, 0, 1},
		"image pets/img005.png: damaged file": {fakeSource{
			n: 9, change: func(i int, _ *suite.Image) error { return map[int]error{5: broken}[i] },
		}, 0, 9},
		"image pets/img004.png: it has":            {fakeSource{n: 9, change: sized(100, 100)}, 4, 2},
		"it is said to have 1 x 0 x 5 values":      {fakeSource{n: 9, change: sized(0, 5)}, 4, 2},
		"it is said to have 1 x 32769 x 1 values":  {fakeSource{n: 9, change: sized(32769, 1)}, 4, 2},
		"it is said to have 3 x 9000 x 9000 value": {fakeSource{n: 9, change: sized(9000, 9000)}, 5, 2},
		"it is said to have 2 x 3 x 5 values": {fakeSource{n: 9, change: func(_ int, img *suite.Image) error {
			img.Channels, img.Height, img.Width = 2, 3, 5
			return nil
		}}, 0, 2},
		"the scenes of selection abc cannot be taken along": {uncomposed{fakeSource{n: 9}}, 0, 2},
		"its label is 1048576":                              {labelled{fakeSource{n: 9}, MaxClasses}, 0, 2},
	} {
		var out bytes.Buffer
		blob, err := WritePack(t.Context(), &out, tt.source, tt.first, tt.n)
		if err == nil || !strings.Contains(err.Error(), want) || blob != (Blob{}) {
			t.Errorf("%v; want %s", err, want)
		}
		testdata.Refused(t, fmt.Sprintf("%s: what was written is a pack", want),
			testdata.Err(OpenPack(NewKept(), bytes.NewReader(out.Bytes()), int64(out.Len()))))
	}
	if _, err := WritePack(t.Context(), fullDisk{}, fakeSource{n: 2}, 0, 2); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	source := fakeSource{n: 9, change: func(int, *suite.Image) error {
		if read++; read == 3 {
			cancel()
		}
		return nil
	}}
	if _, err := WritePack(ctx, io.Discard, source, 0, 9); !errors.Is(err, context.Canceled) || read != 3 {
		t.Errorf("%v after %d images", err, read)
	}
}

// labelled has one label for all images.
type labelled struct {
	fakeSource
	label int
}

func (s labelled) Label(int) int { return s.label }

// uncomposed is a source with scenes of which it does not say what they are made of.
type uncomposed struct{ fakeSource }

func (uncomposed) Selection() string                                       { return "abc" }
func (uncomposed) Compose(_, _ []float32, _, _ int, _ suite.Fitting) error { return nil }

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestAPackIsNotLargerThanItMayBe: the writer stops before it writes more.
func TestAPackIsNotLargerThanItMayBe(t *testing.T) {
	img := noisy(1, 3, 1100, 1000, true)
	source := fakeSource{n: 100, change: func(_ int, to *suite.Image) error { *to = img; return nil }}
	const most = 10 << 20
	var got counter
	p := &packer{
		ctx: t.Context(), out: &got, most: most, sum: sha256.New(), source: source,
		tail: packTail{Images: 100, Here: 100},
	}
	err := p.write()
	if err == nil || !strings.Contains(err.Error(), "image pets/img003.png: the images have more than 10 MiB") ||
		got > most || got < most/2 {
		t.Errorf("%v after %d bytes", err, got)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// TestNamesAreForMessages: what is in them beyond words is left out.
func TestNamesAreForMessages(t *testing.T) {
	for name, want := range map[string]string{
		"cat/ä b.png":           "cat/ä b.png",
		"a\nb\x1b[2J\x7f\u0085": "a b\ufffd[2J\ufffd ",
		"\xff\xfe.png":          "\ufffd\ufffd.png",
		"":                      "",
	} {
		data := written(t, named{fakeSource{n: 1}, name}, 0, 1)
		testdata.Is(t, fmt.Sprintf("%q is read as", name), opened(t, data).Name(0), want)
	}
	for _, long := range []string{strings.Repeat("ä", 70000), strings.Repeat("\x00", 5000)} {
		got := opened(t, written(t, named{fakeSource{n: 1}, long}, 0, 1)).Name(0)
		if len(got) > maxImageName || len(got) < maxImageName/2 || !utf8.ValidString(got) {
			t.Errorf("%d bytes of %d", len(got), len(long))
		}
	}
}

type named struct {
	fakeSource
	name string
}

func (s named) Name(int) string { return s.name }
