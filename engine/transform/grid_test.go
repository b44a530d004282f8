package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func TestShiftAndMaskTexts(t *testing.T) {
	for _, tt := range []struct {
		text, canonical, short string
		n                      int
	}{
		{"shift:3:5", "shift:3:5", "shift 3x3 t5", 10},
		{" shift : 04:1 ", "shift:4:1", "shift 4x4 t1", 17},
		{"shift:1:32768", "shift:1:32768", "shift 1x1 t32768", 2},
		{"mask:3", "mask:3", "mask 3x3", 10},
		{"mask:2;layers= 10,3 ,1, 3", "mask:2;layers=1,3,10", "mask 2x2 layers 1,3,10", 5},
		{
			"mask:2;after=batchnorm;layers= auto", "mask:2;layers=auto;after=batchnorm",
			"mask 2x2 layers auto after batch-norm", 5,
		},
		{"mask:2;layers=all", "mask:2", "mask 2x2", 5},
		{"mask:5;after=batchnorm", "mask:5;after=batchnorm", "mask 5x5 after batch-norm", 26},
		{
			"mask:2; after = batchnorm ;layers=02", "mask:2;layers=2;after=batchnorm",
			"mask 2x2 layer 2 after batch-norm", 5,
		},
	} {
		f, err := ParseAny(tt.text)
		if err != nil || f.String() != tt.canonical || f.Short() != tt.short || f.N() != tt.n {
			t.Errorf("%q is %s, %s with %d transformations, %v", tt.text, f, f.Short(), f.N(), err)
			continue
		}
		testdata.Is(t, "again", testdata.Must(ParseAny(f.String()))(t), f)
		if !f.IsSet() || !IsSet(tt.canonical) || f.Identity() != 0 || IdentityOf(tt.canonical, f.N()) != 0 ||
			f.Values() != nil || f.Geometric() || f.Unit() != "" {
			t.Errorf("%s: set %v, identity %d, values %v", f, f.IsSet(), f.Identity(), f.Values())
		}
		testdata.ErrorIs(t, fmt.Sprintf("Parse of %q", tt.text), testdata.Err(Parse(tt.text)), ErrSet)
		testdata.Refused(t, fmt.Sprintf("%s took an interpolation", f),
			testdata.Err(f.With(Nearest, "")), tt.canonical)
		checkRegions(t, f)
	}
}

func TestShiftAndMaskErrors(t *testing.T) {
	for text, want := range map[string]string{
		"shift":                             "shift needs n and t: shift:3:5",
		"shift:3:5:7":                       "shift needs n and t: shift:3:5",
		"shift:3:":                          `t is ""; it must be a whole number`,
		"shift:n=3;t=5":                     `takes no options; leave out "t=5"`,
		"shift:0:5":                         "n is 0; it is a whole number from 1 to 16",
		"shift:3:0":                         "t is 0; it is a whole number from 1 to 32768",
		"shift:3:32769":                     "t is 32769; it is a whole number from 1 to 32768",
		"shift:-3:5":                        `n is "-3"`,
		"shift:3:5.0":                       `t is "5.0"`,
		"shift:3:99999999999999999999999":   "it must be a whole number",
		"shift:3:5;border=zero":             `leave out "border=zero"`,
		"mask":                              "mask needs n alone: mask:3, or mask:3;layers=1,3",
		"mask:3:5":                          "mask needs n alone",
		"mask:x":                            `n is "x"`,
		"mask:3;":                           `unknown option ""; write layers=1,3 or after=batchnorm`,
		"mask:3;layer=1":                    `unknown option "layer=1"`,
		"mask:3;layers=":                    `a layer is ""`,
		"mask:3;layers=0":                   "there is no layer 0; convolutions are numbered from 1",
		"mask:3;layers=1,10000":             "there is no layer 10000",
		"mask:3;layers=1;layers=2":          "layers is given twice",
		"mask:3;after=relu":                 `unknown word "relu"`,
		"mask:3;after=batchnorm;after=conv": "after is given twice",
		"shifted:3:5":                       `unknown name "shifted"`,
	} {
		f, err := ParseAny(text)
		if err == nil || f != (Family{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, f, err, want)
			continue
		}
		if !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q: the message does not name the text: %v", text, err)
		}
	}
}

func TestRegionsAreNamed(t *testing.T) {
	shift, mask := setNamed(t, "shift:3:5"), setNamed(t, "mask:4")
	for got, want := range map[string]string{
		shift.Describe(0): "identity", shift.Describe(5): "shifted to region 5",
		shift.Describe(9): "shifted to region 9", mask.Describe(0): "identity", mask.Describe(16): "region 16 deleted",
	} {
		testdata.Is(t, "it", got, want)
	}
}

// TestNumbersOfNoSet: what a text cannot say.
func TestNumbersOfNoSet(t *testing.T) {
	for _, f := range []Family{{}, setNamed(t, "shift:4:7"), setNamed(t, Rot90), family(t, "rotation:-15:15:1")} {
		if m, ok := f.Masked(); ok || m.N != 0 {
			t.Errorf("%s has masks %+v", f, m)
		}
	}
	if _, _, ok := setNamed(t, "mask:3").Shifted(); ok {
		t.Error("a mask that is a shift")
	}
	for _, m := range []Masks{{}, {N: -1}, {N: 17}, {N: 2, Layers: []int{-4, 1}}} {
		if f, err := Mask(m); err == nil || f != (Family{}) {
			t.Errorf("%+v: %v, %v", m, f, err)
		}
	}
	if f, err := Shift(3, -1); err == nil || f != (Family{}) {
		t.Errorf("%v, %v", f, err)
	}
}

func TestDefaultsOfSets(t *testing.T) {
	for _, name := range Sets() {
		text, ok := Default(name)
		if f := setNamed(t, text); !ok || f.String() != text || f.Name() != name {
			t.Errorf("%s: %q is %s", name, text, f)
		}
	}
}

func TestWhatChangesImages(t *testing.T) {
	for text, want := range map[string]bool{
		"rotation:-15:15:1": true, "brightness:-0.3:0.3:0.02": true, "rot90": true, "grayscale": true,
		"shift:3:5": true, "plain": false, "mask:3": false, "mask:2;layers=1": false,
	} {
		testdata.Is(t, fmt.Sprintf("%s changes images", text), setNamed(t, text).ChangesImages(), want)
	}
	if (Family{}).ChangesImages() {
		t.Error("no family changes images")
	}
}

func TestMaskLeavesImagesAlone(t *testing.T) {
	p := setPlan(t, "mask:4;layers=2", 3, 5)
	src := noise(4, 2*3*3*5)
	for i := range p.count {
		dst := make([]float32, len(src))
		if p.ApplyBatch(dst, src, 3, 2, i); !slices.Equal(dst, src) {
			t.Errorf("transformation %d changes the image", i)
		}
	}
	if p.count != 17 || p.identity != 0 {
		t.Errorf("%d transformations, identity %d", p.count, p.identity)
	}
	for _, i := range []int{-1, 17} {
		testdata.Panics(t, fmt.Sprint("transformation ", i), func() { p.Apply(make([]float32, len(src)), src, 3, i) })
	}
	for _, size := range [][3]int{{1, 1, 1}, {4, 1, 90}, {7, 33, 2}} {
		testdata.OK(t, setNamed(t, "mask:16").Fits(size[0], size[1], size[2]))
		testdata.OK(t, setNamed(t, "shift:16:1").Fits(size[0], size[1], size[2]))
	}
	for _, text := range []string{"mask:3", "shift:3:5"} {
		testdata.Refused(t, fmt.Sprintf("%s on no pixels", text),
			setNamed(t, text).Fits(1, 0, 5), "cannot be transformed")
	}
}

// TestShiftMovesToRegions: transformation i is the image in the padding of region i, resized back.
func TestShiftMovesToRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 12)
		height, width, channels := side.Draw(t, "height"), side.Draw(t, "width"),
			rapid.SampledFrom([]int{1, 3}).Draw(t, "channels")
		n, by := rapid.IntRange(1, 4).Draw(t, "n"), rapid.IntRange(1, 14).Draw(t, "t")
		f := testdata.Must(Shift(n, by))(t)
		p := setPlan(t, f.String(), height, width)
		src := noise(uint64(height*width), channels*height*width)
		for i := range p.count {
			got, want := make([]float32, len(src)), slices.Clone(src)
			p.Apply(got, src, channels, i)
			if i > 0 {
				region.Place(want, src, channels, height, width, region.Pad(height, width, n, by, i))
			}
			testdata.Equal(t, fmt.Sprintf("%s, transformation %d", f, i), got, want)
			if identical := slices.Equal(got, src); identical != (i == 0 || n == 1 || by > height && by > width) {
				t.Fatalf("%s of %d x %d, transformation %d: the image is the same: %v", f, height, width, i, identical)
			}
		}
	})
}
