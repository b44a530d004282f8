package derive

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text, canonical, short, words, kind string
		severity                            int
		want                                Change
	}{
		{
			" shift : region = 04 ;t=1; n=2", "shift:n=2;t=1;region=4", "shifted 2x2 t1 region 4",
			"shifted to region 4 of 2 × 2, t = 1", "shifted 2x2 t1", 0,
			Shift{2, 1, 4},
		},
		{
			"corruption:fog:3", "corruption:fog:3;seed=1", "fog 3", "fog, severity 3", "fog", 3,
			corrupt.Setting{Name: "fog", Severity: 3, Seed: 1},
		},
		{
			"corruption:shot_noise:5;seed=9;store=uint8", "corruption:shot_noise:5;seed=9;store=uint8",
			"shot noise 5, seed 9, uint8", "shot noise, severity 5, seed 9, values cut to steps of 1/255",
			"shot_noise", 5,
			corrupt.Setting{Name: "shot_noise", Severity: 5, Seed: 9, Truncate: true},
		},
	} {
		c, err := Parse(tt.text)
		if err != nil || c != tt.want || c.String() != tt.canonical || c.Short() != tt.short || c.Words() != tt.words ||
			c.Check() != nil {
			t.Errorf("%q: %#v, %v", tt.text, c, err)
			continue
		}
		if kind, severity := c.Kind(); kind != tt.kind || severity != tt.severity {
			t.Errorf("%q is of kind %q %d", tt.text, kind, severity)
		}
		if kind, severity := Kind(tt.text); kind != tt.kind || severity != tt.severity {
			t.Errorf("the text %q is of kind %q %d", tt.text, kind, severity)
		}
	}
	for _, text := range []string{"", "mirror:x", "shift:n=0;t=5;region=1"} {
		if kind, severity := Kind(text); kind != text || severity != 0 {
			t.Errorf("%q is of kind %q %d", text, kind, severity)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "known are corruption:NAME:SEVERITY;seed=N and shift:n=N;t=T;region=R",
		"mirror:x":                   `change of images "mirror:x"`,
		"corruption:rain:3":          `corruption "corruption:rain:3"`,
		"shift":                      "write it as shift:n=3;t=5;region=7",
		"shift:3:5":                  `"3:5" is unknown`,
		"shift:n=3;t=5":              "n, t or region is missing",
		"shift:n=3;t=5;region=7;n=3": `"n=3" is unknown or given twice`,
		"shift:n=3;t=5;region=":      `region is ""`,
		"shift:n=3;t=-5;region=1":    `t is "-5"`,
		"shift:n=0;t=5;region=1":     "n is 0",
		"shift:n=17;t=5;region=1":    "n is 17; it is a whole number from 1 to 16",
		"shift:n=3;t=0;region=1":     "t is 0",
		"shift:n=3;t=5;region=10":    "region 10 does not exist; 3 x 3 regions are numbered 1 to 9",
		"shift:n=3;t=5;region=" + "99999999999999999999": "whole number",
	} {
		c, err := Parse(text)
		if err == nil || c != nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q: %v, %v; want %q", text, c, err, want)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	for _, c := range []Change{Shift{}, Shift{3, 5, 10}, Shift{2, 0, 1}, corrupt.Setting{Name: "rain", Severity: 1}} {
		apply, err := c.Prepare()
		if err == nil || apply != nil || c.Check() == nil || err.Error() != c.Check().Error() {
			t.Errorf("%v: %v", c, err)
		}
	}
	if list, err := Shifts(3, 5); err != nil || len(list) != 9 || list[8] != (Shift{3, 5, 9}) {
		t.Errorf("%v, %v", list, err)
	}
	testdata.Refused(t, "shifts to 17 x 17 regions", testdata.Err(Shifts(17, 5)))
	apply := prepared(t, Shift{2, 2, 1})
	for _, img := range []suite.Image{
		{},
		{Channels: 1, Height: 2, Width: 2, Pix: make([]float32, 3)},
		{Channels: 1, Height: 0, Width: 2},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v", img),
			testdata.Err(apply(0, img)), "shifted 2x2 t2 region 1: the image is said to be")
	}
}

func prepared(tb testdata.TB, c Change) suite.Change {
	tb.Helper()
	return testdata.Must(c.Prepare())(tb)
}

func noisy(seed uint64, channels, height, width int) suite.Image {
	random := rand.New(rand.NewPCG(seed, 1))
	img := suite.Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, channels*height*width)}
	for i := range img.Pix {
		img.Pix[i] = random.Float32()
	}
	return img
}

// placed is the image in the padding of the shift's region, resized back.
func placed(s Shift, img suite.Image) suite.Image {
	out := img
	out.Pix = make([]float32, len(img.Pix))
	region.Place(out.Pix, img.Pix, img.Channels, img.Height, img.Width,
		region.Pad(img.Height, img.Width, s.N, s.T, s.Region))
	return out
}

func same(a, b suite.Image) bool {
	return a.Channels == b.Channels && a.Height == b.Height && a.Width == b.Width && slices.Equal(a.Pix, b.Pix)
}

// TestShiftAgainstPlacing shifts images of several sizes in turn; the source stays as it is.
func TestShiftAgainstPlacing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Shift{N: rapid.IntRange(1, 4).Draw(t, "n"), T: rapid.IntRange(1, 12).Draw(t, "t")}
		s.Region = rapid.IntRange(1, s.N*s.N).Draw(t, "region")
		apply, side := prepared(t, s), rapid.IntRange(1, 10)
		for k := range 4 {
			img := noisy(uint64(k), rapid.SampledFrom([]int{1, 3}).Draw(t, "channels"), side.Draw(t, "height"),
				side.Draw(t, "width"))
			before := slices.Clone(img.Pix)
			got, err := apply(k, img)
			if err != nil || !same(got, placed(s, img)) || !slices.Equal(before, img.Pix) {
				t.Fatalf("%v: %+v, %v", s, got, err)
			}
			if lowest, highest := slices.Min(got.Pix), slices.Max(got.Pix); lowest < 0 || highest > 1 {
				t.Fatalf("%v: values from %v to %v", s, lowest, highest)
			}
		}
	})
}

func TestShiftOfOneRegionChangesNothing(t *testing.T) {
	img := noisy(3, 3, 5, 7)
	for _, s := range []Shift{{1, 1, 1}, {3, 8, 9}} {
		if got, err := prepared(t, s)(0, img); err != nil || !same(got, img) {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// TestShiftOfManySizesAtOnce: more sizes than tables are kept for, from many goroutines.
func TestShiftOfManySizesAtOnce(t *testing.T) {
	s := Shift{2, 3, 4}
	apply := prepared(t, s)
	var work sync.WaitGroup
	for g := range 4 {
		work.Go(func() {
			for k := range 2 * keptSizes {
				img := noisy(uint64(k), 1, 3+(k+g*31)%(keptSizes+20), 4)
				if got, err := apply(k, img); err != nil || !same(got, placed(s, img)) {
					t.Errorf("image of %d rows: %v", img.Height, err)
				}
			}
		})
	}
	work.Wait()
}

func TestCorruptionsArePreparedAsTheyAre(t *testing.T) {
	setting := corrupt.Setting{Name: "impulse_noise", Severity: 4, Seed: 3}
	c := testdata.Must(corrupt.New(setting, nil))(t)
	img := noisy(5, 3, 32, 32)
	want := testdata.Must(c.Apply(11, img))(t)
	if got, err := prepared(t, setting)(11, img); err != nil || !same(got, want) {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"shift:n=3;t=5;region=7", "shift:region=1;t=1;n=1", "shift:n=3;t=5", "shift:3:5:7", "corruption:fog:3;seed=2",
		"corruption:glass_blur:1;compat=copy", ":", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			if c != nil {
				t.Fatalf("%q: error and value", text)
			}
			return
		}
		again, err := Parse(c.String())
		if err != nil || again != c || c.Check() != nil {
			t.Fatalf("%q is %s, which is %v, %v", text, c, again, err)
		}
	})
}

// BenchmarkShift measures images of 32 x 32 RGB pixels.
func BenchmarkShift(b *testing.B) {
	apply, img := prepared(b, Shift{3, 5, 1}), noisy(1, 3, 32, 32)
	b.ReportAllocs()
	for b.Loop() {
		testdata.Must(apply(0, img))(b)
	}
}
