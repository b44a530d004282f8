package corrupt

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// picture is an image of 8 bits with some structure.
func picture(seed uint64, channels, height, width int) suite.Image {
	r := noise(seed, channels, height, width)
	img := suite.Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, len(r.pix))}
	for i, v := range r.pix {
		place := i % r.area()
		wave := 0.5 + 0.4*math.Sin(float64(place/width)/3)*math.Cos(float64(place%width)/4)
		img.Pix[i] = float32(math.Floor((0.8*wave+0.2*v)*255)) / 255
	}
	return img
}

func corruption(t testing.TB, s Setting) *Corruption {
	t.Helper()
	return testdata.Must(New(s, nil))(t)
}

func applied(t testing.TB, s Setting, index int, img suite.Image) suite.Image {
	t.Helper()
	return testdata.Must(corruption(t, s).Apply(index, img))(t)
}

// everything calls visit for all corruptions and severities.
func everything(visit func(s Setting)) {
	for _, name := range Names() {
		for severity := 1; severity <= Severities; severity++ {
			visit(Setting{Name: name, Severity: severity, Seed: 1})
		}
	}
}

// TestEverySize: images of any size are corrupted into images of that size in [0, 1], and stay as
// they are themselves.
func TestEverySize(t *testing.T) {
	everything(func(s Setting) {
		for _, size := range [][3]int{
			{1, 28, 28},
			{3, 32, 32},
			{3, 28, 28},
			{1, 32, 32},
			{1, 1, 1},
			{3, 1, 1},
			{1, 2, 3},
			{3, 3, 2},
			{1, 1, 9},
			{3, 40, 3},
			{1, 70, 41},
		} {
			img := picture(1, size[0], size[1], size[2])
			before := slices.Clone(img.Pix)
			out, err := corruption(t, s).Apply(3, img)
			if s.Name == "elastic" && min(size[1], size[2]) < smallestElastic {
				testdata.Refused(t, fmt.Sprintf("%s of %v", s, size), err, "elastic needs at least 3 a side")
				continue
			}
			if err != nil {
				t.Fatalf("%s of %v: %v", s, size, err)
			}
			if out.Channels != size[0] || out.Height != size[1] || out.Width != size[2] ||
				len(out.Pix) != len(img.Pix) {
				t.Fatalf("%s of %v is %d x %d x %d", s, size, out.Channels, out.Height, out.Width)
			}
			testdata.Equal(t, fmt.Sprintf("%s of %v changed the image that it was given", s, size), img.Pix, before)
			for i, v := range out.Pix {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%s of %v: value %d is %v", s, size, i, v)
				}
			}
		}
	})
}

// TestOrderDoesNotMatter: the same index gives the same bits, whatever was corrupted before and
// beside it.
func TestOrderDoesNotMatter(t *testing.T) {
	const images = 12
	everything(func(s Setting) {
		shared := corruption(t, s)
		var want [images][]float32
		for i := range want {
			want[i] = applied(t, s, i, picture(2, 1+2*(i%2), 28+4*(i%3), 28)).Pix
		}
		var wait sync.WaitGroup
		for worker := range 3 {
			wait.Go(func() {
				for k := range images {
					i := (k*5 + worker*7) % images
					out, err := shared.Apply(i, picture(2, 1+2*(i%2), 28+4*(i%3), 28))
					if err != nil || !slices.Equal(out.Pix, want[i]) {
						t.Errorf("%s: image %d differs in another order (%v)", s, i, err)
					}
				}
			})
		}
		wait.Wait()
	})
}

// TestDrawsDiffer: index, severity and seed each give other draws where there are any.
func TestDrawsDiffer(t *testing.T) {
	random := []string{
		"gaussian_noise", "shot_noise", "impulse_noise", glassBlur, "motion_blur", "snow", "frost", "fog", "elastic",
	}
	img := picture(3, 3, 32, 32)
	for _, name := range Names() {
		s := Setting{Name: name, Severity: 3, Seed: 1}
		other := s
		other.Seed = 2
		first := applied(t, s, 0, img).Pix
		differs := [2]bool{
			!slices.Equal(first, applied(t, s, 1, img).Pix), !slices.Equal(first, applied(t, other, 0, img).Pix),
		}
		if want := slices.Contains(random, name); differs != [2]bool{want, want} {
			t.Errorf("%s: differs by index and seed %v, want %v", name, differs, want)
		}
	}
	a, b := newCall(), newCall()
	a.begin(Setting{Name: "fog", Severity: 1, Seed: 1}, 7)
	b.begin(Setting{Name: "fog", Severity: 2, Seed: 1}, 7)
	if a.random.Uint64() == b.random.Uint64() {
		t.Error("two severities draw the same")
	}
	a.begin(Setting{Name: "fog", Severity: 1, Seed: 1}, 7) // suites that were derived before stay as they are
	testdata.Is(t, "the first draw of fog 1 for image 7", a.random.Uint64(), 0x84a200c83b1e20d4)
}

// TestBlackUnderFog: the spec's m = 0.
func TestBlackUnderFog(t *testing.T) {
	for _, v := range applied(t, Setting{Name: "fog", Severity: 5, Seed: 1}, 0, constant(0, 1, 28, 28)).Pix {
		if v != 0 {
			t.Fatalf("black became %v", v)
		}
	}
}

func TestSigmaNothingIsTheIdentity(t *testing.T) {
	r := noise(13, 1, 9, 6)
	want := slices.Clone(r.pix)
	newSmoother(gaussian(0, 4), 9, 6, edge).apply(newCall(), r.pix)
	testdata.Equal(t, "G(0) changes the image", r.pix, want)
	if got := gaussian(0.05, 4); len(got) != 1 || got[0] != 1 {
		t.Errorf("G(0.05) is %v: it reaches no neighbour", got)
	}
}

func TestTruncationCutsToSteps(t *testing.T) {
	everything(func(s Setting) {
		img := picture(4, 3, 32, 32)
		full := applied(t, s, 0, img)
		s.Truncate = true
		cut := applied(t, s, 0, img)
		for i, v := range cut.Pix {
			step := math.Round(float64(v) * 255)
			if v != float32(step/255) || float64(full.Pix[i])*255-step > 1+1e-4 ||
				step-float64(full.Pix[i])*255 > 1e-4 {
				t.Fatalf("%s: value %d is %v, uncut %v", s, i, v, full.Pix[i])
			}
		}
	})
}

// TestEightBitsAreExact: every value of 8 bits, however it was rounded to float32, is pixel/255 in
// float64; 16 bits stay.
func TestEightBitsAreExact(t *testing.T) {
	for k := range 256 {
		for _, v := range []float32{float32(k) / 255, float32(float64(k) / 255)} {
			testdata.Is(t, fmt.Sprintf("%d is read as", k), exact(float64(v)), float64(k)/255)
			if got := byteOf(float64(v)); int(got) != k {
				t.Errorf("%d is byte %d", k, got)
			}
		}
		if v := float64(float32((float64(k)*257 + 1) / 65535)); k < 255 && exact(v) != v {
			t.Errorf("a value of 16 bits beside %d is read as %v", k, exact(v))
		}
	}
}

func TestBadImages(t *testing.T) {
	nan := constant(0.5, 1, 4, 4)
	nan.Pix[3] = float32(math.NaN())
	high := constant(0.5, 1, 4, 4)
	high.Pix[2] = 1.5
	bad := map[string]suite.Image{
		"has 2 channels":              {Channels: 2, Height: 1, Width: 1, Pix: make([]float32, 2)},
		"1 x 0 x 3 but has 0 values":  {Channels: 1, Height: 0, Width: 3},
		"3 x 2 x 2 but has 11 values": {Channels: 3, Height: 2, Width: 2, Pix: make([]float32, 11)},
		"value 3 is NaN":              nan,
		"value 2 is 1.5":              high,
	}
	everything(func(s Setting) {
		for want, img := range bad {
			_, err := corruption(t, s).Apply(6, img)
			testdata.Refused(t, fmt.Sprint(s), err, want, s.Short())
		}
	})
	if _, err := New(Setting{Name: "frost", Severity: 1}, []suite.Image{constant(0, 1, 9, 9), nan}); err == nil ||
		!strings.Contains(err.Error(), "frost photograph 2: value 3") {
		t.Errorf("a photograph with NaN: %v", err)
	}
	wide := constant(0.5, 1, 1, largestJPEG+1)
	testdata.Refused(t, "a wide image as JPEG",
		testdata.Err(corruption(t, Setting{Name: "jpeg", Severity: 1}).Apply(0, wide)), "at most 65535")
}

func TestFrostFromPhotographs(t *testing.T) {
	photographs := []suite.Image{constant(0.25, 3, 200, 300), constant(0.75, 1, 170, 160)}
	c := testdata.Must(New(Setting{Name: "frost", Severity: 1, Seed: 1}, photographs))(t)
	seen := map[float32]int{}
	for index := range 40 {
		out := testdata.Must(c.Apply(index, constant(0.1, 3, 32, 32)))(t)
		for _, v := range out.Pix {
			if v != out.Pix[0] {
				t.Fatal("an even photograph gave an uneven image")
			}
		}
		seen[out.Pix[0]]++
	}
	low, high := float32(0.1+0.2*0.25), float32(0.1+0.2*0.75)
	near := func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }
	for v, n := range seen {
		if !near(v, low) && !near(v, high) || n < 8 {
			t.Errorf("value %v was seen %d times", v, n)
		}
	}
	testdata.Is(t, "got", len(seen), 2)
	testdata.Refused(t, "a photograph smaller than the image",
		testdata.Err(c.Apply(0, constant(0.1, 3, 180, 180))), "photograph 2 has 160 x 170 pixels")
}

// A photograph is reduced to a fifth for RGB of 32 pixels a side, and no further than the image's
// size.
func TestPhotographsAreReduced(t *testing.T) {
	for _, c := range []struct{ channels, side, want int }{{3, 32, 80}, {3, 128, 320}, {1, 28, 400}, {3, 300, 400}} {
		s := setup{
			channels: c.channels, height: c.side, width: c.side, frost: []suite.Image{constant(0.5, 3, 400, 400)},
		}
		_, s.scale = measured(c.channels, c.side, c.side)
		list, err := fitted(s)
		if err != nil || list[0].Height != c.want || list[0].Channels != c.channels {
			t.Errorf("%d channels, side %d: %v, %d pixels, want %d", c.channels, c.side, err, list[0].Height, c.want)
		}
	}
}

func TestScaled(t *testing.T) {
	for size, want := range map[[3]int]string{
		{1, 28, 28}: "", {3, 28, 28}: "", {3, 32, 32}: "", {1, 32, 32}: "",
		{1, 56, 60}:   "lengths × 2: made for 28 pixels a side, these have 56",
		{3, 224, 224}: "lengths × 7: made for 32 pixels a side, these have 224",
		{3, 40, 30}:   "lengths × 0.938: made for 32 pixels a side, these have 30",
	} {
		testdata.Is(t, fmt.Sprintf("%v", size), Scaled(size[0], size[1], size[2]), want)
	}
}

// TestManySizes: kernels are forgotten where a folder holds images of ever other sizes.
func TestManySizes(t *testing.T) {
	c := corruption(t, Setting{Name: "defocus_blur", Severity: 1})
	for side := range 3 * keptSizes {
		testdata.Must(c.Apply(side, constant(0.5, 1, 3, side+1)))(t)
		if len(c.filters) > keptSizes {
			t.Fatalf("%d sizes are kept", len(c.filters))
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, s := range []Setting{
		{},
		{Name: "rain", Severity: 1},
		{Name: "fog"},
		{Name: "fog", Severity: 6},
		{Name: "fog", Severity: 1, Compat: true},
	} {
		if _, err := New(s, nil); err == nil || errors.Unwrap(err) != nil {
			t.Errorf("%+v: %v", s, err)
		}
		if fmt.Sprint(s.Check()) == "<nil>" {
			t.Errorf("%+v is taken", s)
		}
	}
}
