package transform

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func plan(tb testdata.TB, text string, height, width int) *Plan {
	tb.Helper()
	return testdata.Must(family(tb, text).Plan(height, width))(tb)
}

func family(tb testdata.TB, text string) Family {
	tb.Helper()
	return testdata.Must(Parse(text))(tb)
}

// noise is n pixels, uniform in [0, 1).
func noise(seed uint64, n int) []float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	pix := make([]float32, n)
	for i := range pix {
		pix[i] = random.Float32()
	}
	return pix
}

// anyFamily draws a family of any name, interpolation and border with up to 9 transformations.
func anyFamily(t *rapid.T) Family {
	name := rapid.SampledFrom(Names()).Draw(t, "name")
	k := rapid.IntRange(1, 4).Draw(t, "k")
	span := map[string]int{"rotation": 180, "shear": 80, "scaling": 9}[name]
	unit := 10 // tenths
	if name == "rotation" || name == "shear" {
		unit = 1
	}
	if span == 0 {
		span = 12
	}
	step := rapid.IntRange(1, span/k).Draw(t, "step")
	number := func(n int) string {
		if unit == 1 {
			return decimalText(ratio(n, 1))
		}
		return decimalText(ratio(n, unit))
	}
	text := name + ":" + number(-k*step) + ":" + number(k*step) + ":" + number(step)
	f := family(t, text)
	if f.Geometric() {
		var err error
		f, err = f.With(rapid.SampledFrom(Interpolations()).Draw(t, "interpolation"),
			rapid.SampledFrom(Borders()).Draw(t, "border"))
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// TestApplyAgainstSlow compares with the slow version below, which takes everything straight from
// the definition.
func TestApplyAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		h, w := rapid.IntRange(1, 9).Draw(t, "height"), rapid.IntRange(1, 9).Draw(t, "width")
		channels, images := rapid.SampledFrom([]int{1, 3}).Draw(t, "channels"), rapid.IntRange(1, 5).Draw(t, "images")
		i := rapid.IntRange(0, f.N()-1).Draw(t, "transformation")
		size := channels * h * w
		src := noise(rapid.Uint64().Draw(t, "seed"), images*size)
		p := testdata.Must(f.Plan(h, w))(t)
		batch, one := make([]float32, images*size), make([]float32, size)
		p.ApplyBatch(batch, src, channels, images, i)
		for n := range images {
			in := src[n*size : (n+1)*size]
			p.Apply(one, in, channels, i)
			want := slow(f, f.Values()[i], in, channels, h, w)
			for k := range one {
				if batch[n*size+k] != one[k] {
					t.Fatalf("%s, value %v, image %d, entry %d: %v in a batch, %v alone", f, f.Values()[i], n, k,
						batch[n*size+k], one[k])
				}
				if math.Abs(float64(one[k])-want[k]) > 2e-6 {
					t.Fatalf("%s, value %v, %dx%d, entry %d: %v, want %v", f, f.Values()[i], h, w, k, one[k], want[k])
				}
			}
		}
	})
}

// slow transforms one image in float64, pixel by pixel, from the formulas of spec/variance.md
// section 2.
func slow(f Family, v float64, src []float32, channels, h, w int) []float64 {
	out := make([]float64, len(src))
	mean := 0.0
	for _, p := range src {
		mean += float64(p) / float64(len(src))
	}
	for k, p := range src {
		switch f.Name() {
		case "brightness":
			out[k] = math.Min(1, math.Max(0, float64(p)*(1+v)))
		case "contrast":
			out[k] = math.Min(1, math.Max(0, mean+(1+v)*(float64(p)-mean)))
		}
	}
	if !f.Geometric() {
		return out
	}
	cy, cx := float64(h-1)/2, float64(w-1)/2
	for c := range channels {
		for y := range h {
			for x := range w {
				sy, sx := slowSource(f.Name(), v, float64(y)-cy, float64(x)-cx, h, w)
				out[(c*h+y)*w+x] = slowRead(f, src[c*h*w:], cy+sy, cx+sx, h, w)
			}
		}
	}
	return out
}

// slowSource is the source offset from the centre.
func slowSource(name string, v, dy, dx float64, h, w int) (float64, float64) {
	a := v * math.Pi / 180
	switch name {
	case "rotation":
		return math.Sin(a)*dx + math.Cos(a)*dy, math.Cos(a)*dx - math.Sin(a)*dy
	case "scaling":
		return dy / v, dx / v
	case "translation-x":
		return dy, dx - v*float64(w)
	case "translation-y":
		return dy - v*float64(h), dx
	case "shear":
		return dy, dx - math.Tan(a)*dy
	}
	panic("the slow version does not know " + name)
}

// slowRead sums over a wide neighbourhood with the kernel of the interpolation.
func slowRead(f Family, src []float32, y, x float64, h, w int) float64 {
	if f.Interpolation() == Nearest {
		return slowPixel(f.Border(), src, int(math.Floor(y+0.5+1e-9)), int(math.Floor(x+0.5+1e-9)), h, w)
	}
	kernel := func(d float64) float64 { return math.Max(0, 1-math.Abs(d)) }
	if f.Interpolation() == Bicubic {
		kernel = func(d float64) float64 {
			const a = -0.5
			switch d = math.Abs(d); {
			case d < 1:
				return (a+2)*d*d*d - (a+3)*d*d + 1
			case d < 2:
				return a*d*d*d - 5*a*d*d + 8*a*d - 4*a
			}
			return 0
		}
	}
	sum := 0.0
	for j := int(math.Floor(y)) - 3; j <= int(math.Floor(y))+3; j++ {
		for i := int(math.Floor(x)) - 3; i <= int(math.Floor(x))+3; i++ {
			if k := kernel(y-float64(j)) * kernel(x-float64(i)); k != 0 {
				sum += k * slowPixel(f.Border(), src, j, i, h, w)
			}
		}
	}
	if f.Interpolation() == Bicubic {
		sum = math.Min(1, math.Max(0, sum))
	}
	return sum
}

func slowPixel(b Border, src []float32, y, x, h, w int) float64 {
	inside := y >= 0 && y < h && x >= 0 && x < w
	switch {
	case b == Zero && !inside:
		return 0
	case b == Edge:
		y, x = min(max(y, 0), h-1), min(max(x, 0), w-1)
	case b == Reflect:
		y, x = slowReflect(y, h), slowReflect(x, w)
	}
	return float64(src[y*w+x])
}

// slowReflect walks step by step and turns round at the ends.
func slowReflect(i, n int) int {
	if n == 1 {
		return 0
	}
	for i < 0 || i >= n {
		if i < 0 {
			i = -i
		} else {
			i = 2*(n-1) - i
		}
	}
	return i
}

func TestIdentityCopiesTheBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		p := testdata.Must(f.Plan(5, 7))(t)
		src := noise(rapid.Uint64().Draw(t, "seed"), 3*5*7)
		src[3] = math.Float32frombits(0x7fc12345) // a NaN keeps its bits too
		dst := make([]float32, len(src))
		p.Apply(dst, src, 3, f.Identity())
		for k := range src {
			if math.Float32bits(dst[k]) != math.Float32bits(src[k]) {
				t.Fatalf("%s: entry %d is %v, was %v", f, k, dst[k], src[k])
			}
		}
	})
}

func TestPlanRefusals(t *testing.T) {
	f := family(t, "rotation:-90:90:0.5")
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-1, 5}, {1 << 16, 2}} {
		testdata.Refused(t, fmt.Sprintf("%v", size), testdata.Err(f.Plan(size[0], size[1])), "rotation -90..90°")
	}
	testdata.Refused(t, "large", testdata.Err(f.Plan(8000, 8000)), "GiB")
	testdata.Refused(t, "the zero family has a plan", testdata.Err((Family{}).Plan(3, 3)))
}

func TestFarSourcesStayHarmless(t *testing.T) {
	for _, border := range Borders() {
		for _, text := range []string{
			"scaling:0.000000000001:1.999999999999:0.999999999999",
			"shear:-89.999999999:89.999999999:89.999999999", "translation-x:-1e15:1e15:1e15",
		} {
			f := testdata.Must(family(t, text).With("", border))(t)
			p := testdata.Must(f.Plan(4, 4))(t)
			src, dst := noise(1, 16), make([]float32, 16)
			for i := range p.count {
				p.Apply(dst, src, 1, i)
				for _, v := range dst {
					if !(v >= 0 && v <= 1.000001) {
						t.Fatalf("%s: %v", f, v)
					}
				}
			}
		}
	}
}

func TestApplyAllocatesNothing(t *testing.T) {
	src, dst := noise(1, 5*3*64), make([]float32, 5*3*64)
	for _, name := range Names() {
		text, _ := Default(name)
		p := plan(t, text, 8, 8)
		testdata.Is(t, name, testing.AllocsPerRun(20, func() { p.ApplyBatch(dst, src, 3, 5, 1) }), 0)
	}
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
