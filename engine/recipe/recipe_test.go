package recipe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/resample"
	"github.com/variscope/variscope/internal/testdata"
)

// TestTextReadsBack writes any recipe and reads it again.
func TestTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, maxSide)
		value := rapid.Float64Range(-300, 300)
		var r Recipe
		r.Resize = rapid.SampledFrom([]Resize{None, Stretch, Shorter, Longer, LongerRound}).Draw(t, "resize")
		if r.Resize != None {
			r.Height = side.Draw(t, "height")
		}
		if r.Resize == Stretch {
			r.Width = side.Draw(t, "width")
		}
		r.Filter = rapid.SampledFrom(resample.Kernels()).Draw(t, "filter")
		r.Aliased, r.Floor, r.Float = rapid.Bool().Draw(t, "aliased"), rapid.Bool().Draw(t, "floor"),
			rapid.Bool().Draw(t, "float")
		if rapid.Bool().Draw(t, "crop") {
			r.CropHeight, r.CropWidth = side.Draw(t, "crop height"), side.Draw(t, "crop width")
		}
		r.Pad = [3]float64{rapid.Float64Range(0, 255).Draw(t, "pad"), 0, 3}
		r.Channels = rapid.SampledFrom([]Channels{"", BGR, Gray}).Draw(t, "channels")
		r.Type = rapid.SampledFrom([]string{"", "uint8", "float16"}).Draw(t, "type")
		r.Layout = rapid.SampledFrom([]string{"", "nhwc"}).Draw(t, "layout")
		r.Scale = rapid.Float64Range(0.001, 300).Draw(t, "scale")
		r.Shift = value.Draw(t, "shift")
		r.Mean = rapid.SliceOfN(value, 3, 3).Draw(t, "mean")
		r.Std = rapid.SliceOfN(rapid.Float64Range(0.001, 100), 1, 1).Draw(t, "std")
		p := testdata.Must(Parse(r.Text()))(t)
		if p.Text() != r.Text() || p.Geometry != r.Geometry || p.Sets != All || p.Scaled() != r.Scaled() ||
			p.Shift != r.Shift {
			t.Fatalf("%s became %s", r.Text(), p.Text())
		}
	})
}

func TestCanonicalText(t *testing.T) {
	const imagenet = "0.456,0.406;std=0.229,0.224,0.225"
	for text, want := range map[string]string{
		"resize=shorter:256;filter=bilinear;crop=center:224x224;offset=round;depth=8;" +
			"mean=0.48499999999999999," + imagenet: "resize=shorter:256;crop=center:224x224;mean=0.485," + imagenet,
		"resize=stretch:32x48;antialias=1;pad=0;channels=rgb;scale=1;shift=0;mean=0,0,0;std=1": "resize=stretch:32x48",

		"scale=255;resize=stretch:8x8;type=uint8":            "resize=stretch:8x8;type=uint8",
		"resize=stretch:8x8;type=uint8;scale=1":              "resize=stretch:8x8;scale=1;type=uint8",
		"resize=none; crop=none ;depth=float":                "resize=none;depth=float",
		"resize=longer:64;crop=center:48x48;pad=124,116,104": "resize=longer:64;crop=center:48x48;pad=124,116,104",
	} {
		p, err := Read(text)
		if err != nil || p.Text() != want {
			t.Errorf("%s: %s, %v, want %s", text, p.Text(), err, want)
		}
	}
	for _, name := range Names() {
		r, ok := Named(name)
		p, err := Parse(r.Text())
		if !ok || err != nil || p.Text() != r.Text() || About(name) == "" {
			t.Errorf("%s: %s, %v", name, r.Text(), err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"imagenett": "is no name (imagenet,", "resize": "is no name", "resize=stretch:0x3": "no side of 1 to",
		"resize=stretch:8x8;size=3": "key \"size\" is unknown", "resize=none;resize=none": "there twice",
		"resize=none:3": "takes no size", "resize=stretch:8x8;filter=hamming": "none of",
		"crop=center:8x8": "need a resize", "resize=none;pad=256": "lie in 0..255",
		"mean=1,2;std=1": "mean has 2 numbers", "mean=NaN": "no finite number", "std=0": "must not be 0",
		"scale=0": "must not be 0", "resize=none;crop=8x8": "none or center:HxW", "resize=none;": "no KEY=VALUE",
		"resize=shorter:40000": "no side", "resize=none;mean=" + strings.Repeat("1", maxText): "at most",
	} {
		testdata.Refused(t, fmt.Sprintf("%.60s", text), testdata.Err(Read(text)), want)
	}
}

func TestSizesAndOffsets(t *testing.T) {
	for _, c := range []struct {
		g             Geometry
		height, width int
		want          [2]int
	}{
		{Geometry{Resize: Shorter, Height: 224}, 333, 500, [2]int{224, 336}}, // 336.3 truncated
		{Geometry{Resize: Longer, Height: 64}, 333, 500, [2]int{42, 64}},     // 42.6
		{Geometry{Resize: LongerRound, Height: 64}, 333, 500, [2]int{43, 64}},
		{Geometry{Resize: Shorter, Height: 10}, 5, 5, [2]int{10, 10}},
		{Geometry{Resize: Longer, Height: 10}, 5000, 1, [2]int{10, 1}},
		{Geometry{Resize: None}, 3, 4, [2]int{3, 4}},
		{Geometry{Resize: Stretch}, 3, 4, [2]int{7, 9}},
	} {
		if h, w := c.g.Size(c.height, c.width, [2]int{7, 9}); [2]int{h, w} != c.want {
			t.Errorf("%+v of %d x %d: %d x %d", c.g, c.height, c.width, h, w)
		}
	}
	round, floor := Geometry{}, Geometry{Floor: true}
	for _, c := range [][4]int{ // size, crop, torchvision's offset, transformers'
		{256, 224, 16, 16}, {5, 2, 2, 1}, {7, 4, 2, 1}, {3, 6, -1, -2}, {4, 6, -1, -1}, {6, 6, 0, 0},
	} {
		if a, b := round.Offset(c[0], c[1]), floor.Offset(c[0], c[1]); a != c[2] || b != c[3] {
			t.Errorf("%v: %d and %d", c, a, b)
		}
	}
}

func TestFeed(t *testing.T) {
	r := Recipe{Channels: BGR, Range: Range{Scale: 255, Mean: []float64{10, 20, 30}, Std: []float64{2}}}
	pix := []float32{0, 1, 0.2, 0.4, 0.6, 0.8} // red, green, blue of two pixels
	for _, last := range []bool{false, true} {
		f := testdata.Must(NewFeed(r, 3, last))(t)
		got := make([]float32, 6)
		f.Write(got, pix)
		for i := range got {
			c, x := i/2, i%2
			if last {
				c, x = i%3, i/3
			}
			if want := (pix[(2-c)*2+x]*255 - []float32{10, 20, 30}[c]) / 2; got[i]-want > 1e-4 || want-got[i] > 1e-4 {
				t.Errorf("channels last %v, entry %d: %v, want %v", last, i, got[i], want)
			}
		}
		if low, high := f.Span(); low != -15 || high != 122.5 {
			t.Errorf("span %v..%v", low, high)
		}
	}
	whole := []float32{-1, 0.5, 1.5, 254.6, 300}
	Whole(whole, "int8")
	testdata.Equal(t, "whole", whole, []float32{-128, -128, -126, 127, 127})
	for _, r := range []Recipe{
		{Channels: BGR},
		{Range: Range{Mean: []float64{1, 2, 3}}},
		{Range: Range{Mean: []float64{1}, Std: []float64{1e-60}}},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v is taken for one channel", r), testdata.Err(NewFeed(r, 1, false)))
	}
}

// TestHalfIsTheNearestOfAll compares with a search among all numbers of float16.
func TestHalfIsTheNearestOfAll(t *testing.T) {
	var all []float64 // in order of their bits: place k is even where its last digit is
	for bits := range 0x7c00 {
		exp, digits := bits>>10, float64(bits&0x3ff)
		if exp == 0 {
			all = append(all, math.Ldexp(digits, -24))
		} else {
			all = append(all, math.Ldexp(1024+digits, exp-25))
		}
	}
	all = append(all, 65536) // stands for infinity
	random := rand.New(rand.NewPCG(1, 2))
	values := []float32{0, 1, 65519.99, 65520, 2049, 2051, 5.96e-8, 2.98e-8, 8.9e-8, 6.1e-5, 0.1}
	for range 2000 {
		values = append(values, float32(math.Ldexp(random.Float64(), random.IntN(45)-28)))
	}
	for _, v := range values {
		k, _ := slices.BinarySearch(all, min(float64(v), 65536))
		if k > 0 {
			if below, above := float64(v)-all[k-1], all[k]-float64(v); below < above || below == above && k%2 == 1 {
				k--
			}
		}
		want := all[k]
		if k == len(all)-1 {
			want = math.Inf(1)
		}
		got := []float32{v, -v}
		Half(got)
		if float64(got[0]) != want || float64(got[1]) != -want {
			t.Fatalf("%v becomes %v, not %v", v, got, want)
		}
	}
}
