package transform

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// applied is one image under transformation i.
func applied(t testdata.TB, f Family, src []float32, channels, h, w, i int) []float32 {
	t.Helper()
	p := testdata.Must(f.Plan(h, w))(t)
	dst := make([]float32, len(src))
	p.Apply(dst, src, channels, i)
	return dst
}

// mirrored flips an image left to right.
func mirrored(src []float32, w int) []float32 {
	out := slices.Clone(src)
	for row := range slices.Chunk(out, w) {
		slices.Reverse(row)
	}
	return out
}

func compare(t testdata.TB, what string, got, want []float32, tolerance float64) {
	t.Helper()
	for k := range got {
		if math.Abs(float64(got[k]-want[k])) > tolerance {
			t.Fatal(fmt.Sprintf("%s: entry %d is %v, want %v", what, k, got[k], want[k]))
		}
	}
}

// TestMirror: what a family does to the mirrored image with V, it does to the image with -V,
// mirrored. Nearest is left out: its halves go right.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{
			"rotation:-60:60:20", "shear:-60:60:20", "translation-x:-0.3:0.3:0.1",
		}).Draw(t, "family")
		f, err := family(t, name).With(rapid.SampledFrom([]Interpolation{Bilinear, Bicubic}).Draw(t, "interpolation"),
			rapid.SampledFrom(Borders()).Draw(t, "border"))
		if err != nil {
			t.Fatal(err)
		}
		h, w := rapid.IntRange(2, 9).Draw(t, "height"), rapid.IntRange(2, 9).Draw(t, "width")
		src := noise(rapid.Uint64().Draw(t, "seed"), 2*h*w)
		i := rapid.IntRange(0, f.N()-1).Draw(t, "i")
		got := applied(t, f, mirrored(src, w), 2, h, w, i)
		want := mirrored(applied(t, f, src, 2, h, w, f.N()-1-i), w)
		compare(t, f.String(), got, want, 3e-6)
	})
}

// TestGeometryIsLinear: half of one image and half of another, transformed, is half of each
// transformed. Bicubic is left out: it is clipped.
func TestGeometryIsLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		if !f.Geometric() || f.Interpolation() == Bicubic {
			return
		}
		const h, w = 5, 6
		seed := rapid.Uint64().Draw(t, "seed")
		a, b, sum := noise(seed, h*w), noise(seed+1, h*w), make([]float32, h*w)
		for k := range sum {
			sum[k] = (a[k] + b[k]) / 2
		}
		i := rapid.IntRange(0, f.N()-1).Draw(t, "i")
		ta, tb := applied(t, f, a, 1, h, w, i), applied(t, f, b, 1, h, w, i)
		want := make([]float32, h*w)
		for k := range want {
			want[k] = (ta[k] + tb[k]) / 2
		}
		compare(t, f.String(), applied(t, f, sum, 1, h, w, i), want, 1e-6)
	})
}

// TestPixelsStayInRange: from [0, 1] comes [0, 1], up to the rounding of weights.
func TestPixelsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		h, w := rapid.IntRange(1, 8).Draw(t, "height"), rapid.IntRange(1, 8).Draw(t, "width")
		src := noise(rapid.Uint64().Draw(t, "seed"), h*w)
		for k := range src {
			src[k] = float32(math.Round(float64(src[k]))) // black and white overshoots most
		}
		for _, v := range applied(t, f, src, 1, h, w, rapid.IntRange(0, f.N()-1).Draw(t, "i")) {
			if !(v >= 0 && v <= 1+1e-6) {
				t.Fatalf("%s: %v", f, v)
			}
		}
	})
}

// TestBordersAgreeInside: where nothing outside is read, the borders give the same bits. A small
// turn of an image in a wide frame of black does not read beyond it.
func TestBordersAgreeInside(t *testing.T) {
	const side, frame = 20, 6
	src := make([]float32, side*side)
	for k, v := range noise(3, side*side) {
		if y, x := k/side, k%side; min(y, x, side-1-y, side-1-x) >= frame {
			src[k] = v
		}
	}
	for _, text := range []string{
		"rotation:-15:15:5", "shear:-10:10:5", "translation-x:-0.15:0.15:0.05",
		"scaling:0.9:1.1:0.05",
	} {
		for _, interpolation := range Interpolations() {
			for i := range family(t, text).N() {
				var all [][]float32
				for _, border := range Borders() {
					f := testdata.Must(family(t, text).With(interpolation, border))(t)
					all = append(all, applied(t, f, src, 1, side, side, i))
				}
				if !slices.Equal(all[0], all[1]) || !slices.Equal(all[0], all[2]) {
					t.Errorf("%s, %s, %d: the borders differ", text, interpolation, i)
				}
			}
		}
	}
}

func TestChannelsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		if f.Name() == "contrast" {
			return // its mean is over all channels
		}
		const h, w = 4, 7
		src := noise(rapid.Uint64().Draw(t, "seed"), 5*h*w)
		i := rapid.IntRange(0, f.N()-1).Draw(t, "i")
		all := applied(t, f, src, 5, h, w, i)
		for c := range 5 {
			part := applied(t, f, src[c*h*w:(c+1)*h*w], 1, h, w, i)
			testdata.Equal(t, fmt.Sprintf("%s: channel %d differs alone", f, c), part, all[c*h*w:(c+1)*h*w])
		}
	})
}

func TestPlanIsShared(t *testing.T) {
	p := plan(t, "rotation:-15:15:5;border=reflect", 9, 9)
	src := noise(5, 5*81)
	want := make([][]float32, p.count)
	for i := range want {
		want[i] = make([]float32, len(src))
		p.ApplyBatch(want[i], src, 1, 5, i)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			dst := make([]float32, len(src))
			for i := range p.count {
				if p.ApplyBatch(dst, src, 1, 5, i); !slices.Equal(dst, want[i]) {
					t.Errorf("transformation %d differs", i)
				}
			}
		})
	}
	wait.Wait()
}

// TestCallersErrorsPanic: slices that are too short and an index out of range.
func TestCallersErrorsPanic(t *testing.T) {
	p := plan(t, "shear:-10:10:5", 3, 3)
	for name, call := range map[string]func(){
		"short dst":      func() { p.Apply(make([]float32, 8), make([]float32, 9), 1, 0) },
		"short src":      func() { p.Apply(make([]float32, 9), make([]float32, 8), 1, 0) },
		"transformation": func() { p.Apply(make([]float32, 9), make([]float32, 9), 1, 5) },
		"zero family":    func() { Family{name: "rotation", alpha: "x", k: 1}.Values() },
		"no values":      func() { Family{name: "rotation", alpha: "1"}.Values() },
	} {
		testdata.Panics(t, name, call)
	}
}
