package transform

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// setNamed is a transformation set by its name.
func setNamed(tb testdata.TB, name string) Family {
	tb.Helper()
	return testdata.Must(ParseAny(name))(tb)
}

func setPlan(tb testdata.TB, name string, height, width int) *Plan {
	tb.Helper()
	return testdata.Must(setNamed(tb, name).Plan(height, width))(tb)
}

func TestSetsAreFamiliesWithoutValues(t *testing.T) {
	for name, steps := range map[string][]string{
		Plain: {"identity"}, Rot90: {"identity", "rot90 90°", "rot90 180°", "rot90 270°"},
		Grayscale: {"identity", "grayscale"},
	} {
		f := setNamed(t, " "+name+" ")
		if !f.IsSet() || !IsSet(name) || f.Name() != name || f.String() != name || f.Short() != name || f.Unit() != "" {
			t.Errorf("%s: %q, %q, unit %q, set %v", name, f, f.Short(), f.Unit(), f.IsSet())
		}
		if f.N() != len(steps) || f.Identity() != 0 || f.Values() != nil || f.Geometric() ||
			IdentityOf(name, f.N()) != 0 {
			t.Errorf("%s: %d transformations, identity %d, values %v", name, f.N(), f.Identity(), f.Values())
		}
		for i, want := range steps {
			testdata.Is(t, fmt.Sprintf("%s: transformation %d is called", name, i), f.Describe(i), want)
		}
		testdata.Refused(t, fmt.Sprintf("%s took an interpolation", name), testdata.Err(f.With(Nearest, "")), name)
		if _, err := Parse(name); !errors.Is(err, ErrSet) || !strings.Contains(err.Error(), "no variance matrix") {
			t.Errorf("Parse took %s: %v", name, err)
		}
	}
	if !slices.Equal(Sets(), []string{"plain", "rot90", "grayscale", "shift", "mask"}) ||
		slices.Contains(Names(), Plain) {
		t.Errorf("sets %v, families %v", Sets(), Names())
	}
}

func TestParseAnyTakesFamiliesToo(t *testing.T) {
	f, err := ParseAny("rotation:-15:15:1")
	if err != nil || f != family(t, "rotation:-15:15:1") || f.IsSet() || IdentityOf(f.String(), f.N()) != 15 {
		t.Fatalf("%v, %v", f, err)
	}
	testdata.Is(t, "got",
		f.Describe(3)+", "+f.Describe(15)+", "+f.Describe(16), "rotation -12°, identity, rotation 1°")
	for text, want := range map[string]string{
		"":                        "unknown name",
		"rot45":                   `unknown name "rot45"`,
		"turn:-1:1:1":             "and the transformation sets plain, rot90, grayscale, shift, mask",
		"rot90:-90:90:90":         "neither values nor options",
		"rot90;border=zero":       `leave out ";border=zero"`,
		"grayscale:":              "neither values nor options",
		"Rot90":                   "unknown name",
		"rotation:-15:15:1:0;a=b": "write it as",
	} {
		f, err := ParseAny(text)
		if err == nil || f != (Family{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, f, err, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		channels, height, width int
		want                    string
	}{
		{Plain, 1, 3, 5, ""},
		{Rot90, 3, 5, 5, ""},
		{Rot90, 1, 28, 32, "needs square ones, and these have 28 x 32 pixels"},
		{Grayscale, 3, 4, 9, ""},
		{Grayscale, 1, 28, 28, "not applicable to images of one channel"},
		{Grayscale, 4, 28, 28, "needs images of three channels"},
		{"rotation:-15:15:1", 1, 28, 32, ""},
	} {
		err := setNamed(t, tt.name).Fits(tt.channels, tt.height, tt.width)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s on %d x %d x %d: %v; want %q", tt.name, tt.channels, tt.height, tt.width, err, tt.want)
		}
	}
	testdata.Refused(t, "a plan for 4 x 5 pixels", testdata.Err(setNamed(t, Rot90).Plan(4, 5)), "square")
	testdata.Refused(t, "a plan for no pixels", testdata.Err(setNamed(t, Plain).Plan(0, 5)))
}

// TestSetOfQuarterTurns compares with the spec's index rule, applied as often as the angle says.
func TestSetOfQuarterTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side, channels := rapid.IntRange(1, 9).Draw(t, "side"), rapid.SampledFrom([]int{1, 3}).Draw(t, "channels")
		p := setPlan(t, Rot90, side, side)
		src := noise(uint64(side), channels*side*side)
		want := slices.Clone(src)
		for i := range p.count {
			got := make([]float32, len(src))
			p.Apply(got, src, channels, i)
			testdata.Equal(t, fmt.Sprintf("%d x 90 degrees of %v", i, src), got, want)
			want = turnedOnce(want, channels, side)
		}
		testdata.Equal(t, "four turns are not the identity", want, src)
	})
}

// turnedOnce is the spec's 90 degrees: out[y][x] = in[x][W-1-y].
func turnedOnce(in []float32, channels, side int) []float32 {
	out := make([]float32, len(in))
	for c := range channels {
		for y := range side {
			for x := range side {
				out[(c*side+y)*side+x] = in[(c*side+x)*side+side-1-y]
			}
		}
	}
	return out
}

// TestLuminance compares with exact arithmetic.
func TestLuminance(t *testing.T) {
	const height, width = 5, 7
	src := noise(3, 3*height*width)
	copy(src[:3], []float32{0, 1, 1})
	got := make([]float32, len(src))
	setPlan(t, Grayscale, height, width).Apply(got, src, 3, 1)
	for x := range height * width {
		sum := new(big.Rat)
		for c, weight := range []*big.Rat{ratio(299, 1000), ratio(587, 1000), ratio(114, 1000)} {
			v := new(big.Rat).SetFloat64(float64(src[c*height*width+x]))
			sum.Add(sum, v.Mul(v, weight))
		}
		want, _ := sum.Float32()
		for c := range 3 {
			if v := got[c*height*width+x]; v < want-6e-8 || v > want+6e-8 {
				t.Errorf("pixel %d of channel %d is %v in place of %v", x, c, v, want)
			}
		}
	}
}

// TestSetsInBatches: images one behind the other give the same bits as one at a time, and the
// identity the same bytes.
func TestSetsInBatches(t *testing.T) {
	const side, images = 6, 5
	for _, name := range []string{
		Plain, Rot90, Grayscale, "shift:3:2", "mask:2;layers=1",
		"scenes:" + selectionHash + ":2",
	} {
		p := setPlan(t, name, side, side)
		size := 3 * side * side
		src := noise(9, images*size)
		for i := range p.count {
			whole, one := make([]float32, len(src)), make([]float32, size)
			p.ApplyBatch(whole, src, 3, images, i)
			for k := range images {
				p.Apply(one, src[k*size:], 3, i)
				testdata.Equal(t, fmt.Sprintf("%s, transformation %d, image %d differs", name, i, k),
					one, whole[k*size:(k+1)*size])
			}
			if i == p.identity && !slices.Equal(whole, src) {
				t.Errorf("%s: the identity changes the image", name)
			}
		}
	}
}

// FuzzParseAny: what parses prints, parses again to the same value, and has strictly increasing
// values around the identity.
func FuzzParseAny(f *testing.F) {
	for _, text := range []string{
		"rot90", " plain ", "grayscale;x", "rot90:1", "rotation:-15:15:1", "scaling:0.7:1.3:0.02;border=edge", ";", ":",
		"shift:3:5", " shift : 03 : 5 ", "shift:17:1", "mask:3", "mask:3;after=batchnorm;layers=3, 1,3",
		"mask:16;layers=9999", "mask;layers=1", "scenes:" + selectionHash + ":32", " scenes :0: 1",
		"scenes:" + selectionHash + ":1001", "rotation:-1e2:1e2:.5e1", "rotation:-15:15:4",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseAny(text)
		if err != nil {
			return
		}
		again, err := ParseAny(got.String())
		if err != nil || again != got || again.String() != got.String() {
			t.Errorf("%q is %s, which is %v, %v", text, got, again, err)
		}
		if got.N() < 1 || got.Identity() >= got.N() || got.Describe(got.Identity()) != "identity" {
			t.Errorf("%q: %d transformations, identity %d", text, got.N(), got.Identity())
		}
		if got.IsSet() != IsSet(got.String()) || got.Identity() != IdentityOf(got.String(), got.N()) {
			t.Errorf("%q: its text %s says something else: set %v, identity %d", text, got, got.IsSet(), got.Identity())
		}
		checkRegions(t, got)
		if hash, n, ok := got.Scened(); ok {
			testdata.Is(t, "again", testdata.Must(Scenes(hash, n))(t), got)
		}
		if got.IsSet() {
			return
		}
		values, identity := got.Values(), 0.0
		if got.Name() == "scaling" {
			identity = 1
		}
		if len(values) < 3 || len(values)%2 == 0 || values[got.Identity()] != identity || !slices.IsSorted(values) ||
			len(slices.Compact(values)) != got.N() {
			t.Errorf("%q: the values %v", text, got.Values())
		}
	})
}

// checkRegions holds shift and mask to what they are made of.
func checkRegions(t *testing.T, f Family) {
	t.Helper()
	var again Family
	var err error
	switch n, shift, ok := f.Shifted(); {
	case ok:
		again, err = Shift(n, shift)
	default:
		m, ok := f.Masked()
		if !ok {
			return
		}
		again, err = Mask(m)
	}
	if err != nil || again != f {
		t.Errorf("%s is made of what gives %v, %v", f, again, err)
	}
}

// BenchmarkSets measures 32 images of 32 x 32 RGB pixels, in ns per pixel and channel.
func BenchmarkSets(b *testing.B) {
	const side, images = 32, 32
	for _, name := range []string{Plain, Rot90, Grayscale, "shift:3:5", "mask:2"} {
		b.Run(name, func(b *testing.B) {
			p := setPlan(b, name, side, side)
			src, dst := noise(1, images*3*side*side), make([]float32, images*3*side*side)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.ApplyBatch(dst, src, 3, images, i%p.count)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/pixel")
		})
	}
}
