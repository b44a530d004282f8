package corrupt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// constant is an image of one value.
func constant(value float32, channels, height, width int) suite.Image {
	img := suite.Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, channels*height*width)}
	for i := range img.Pix {
		img.Pix[i] = value
	}
	return img
}

// moments are mean and standard deviation.
func moments(values []float64) (mean, std float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		std += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(std)
}

// drawn is what a filter adds to many images of one value, in float64 and unclipped: what is drawn,
// without the rounding.
func drawn(t *testing.T, s Setting, value float64, images int) []float64 {
	t.Helper()
	c := testdata.Must(New(s, nil))(t)
	f := testdata.Must(c.filter(3, 32, 32))(t)
	var all []float64
	work := newCall()
	for index := range images {
		work.begin(s, index)
		r := raster{3, 32, 32, work.take(3 * 32 * 32)}
		for i := range r.pix {
			r.pix[i] = value
		}
		testdata.OK(t, f(work, r))
		all = append(all, r.pix...)
	}
	return all
}

// The bounds below are at least five standard errors wide, and the seeds are fixed.

func TestGaussianNoiseHasItsMoments(t *testing.T) {
	for severity := 1; severity <= Severities; severity++ {
		values := drawn(t, Setting{Name: "gaussian_noise", Severity: severity, Seed: 1}, 0.5, 20)
		p, _ := parameters("gaussian_noise", severity, [3]int{3, 32, 32})
		mean, std := moments(values)
		bound := 5 * p[0] / math.Sqrt(float64(len(values)))
		if math.Abs(mean-0.5) > bound || math.Abs(std-p[0]) > bound {
			t.Errorf("severity %d: mean %v, std %v, want 0.5 and %v", severity, mean, std, p[0])
		}
		within := 0.0
		for _, v := range values {
			if math.Abs(v-0.5) < p[0] {
				within++
			}
		}
		testdata.Near(t, fmt.Sprintf("severity %d", severity), within/float64(len(values)), 0.6827, 0.01)
	}
}

func TestShotNoiseCountsPhotons(t *testing.T) {
	for severity := 1; severity <= Severities; severity++ {
		p, _ := parameters("shot_noise", severity, [3]int{3, 32, 32})
		for _, value := range []float64{0.01, 0.3, 1} {
			values := drawn(t, Setting{Name: "shot_noise", Severity: severity, Seed: 2}, value, 20)
			mean, std := moments(values)
			want := math.Sqrt(value / p[0])
			bound := 6 * want / math.Sqrt(float64(len(values)))
			if math.Abs(mean-value) > bound || math.Abs(std-want) > 0.02*want {
				t.Errorf("severity %d at %v: mean %v, std %v, want std %v", severity, value, mean, std, want)
			}
			for _, v := range values {
				if count := v * p[0]; math.Abs(count-math.Round(count)) > 1e-9 || v < 0 {
					t.Fatalf("severity %d: %v is no whole number of photons", severity, count)
				}
			}
		}
	}
}

// TestPoisson compares the share of every count with the Poisson law, on both sides of the change
// of method.
func TestPoisson(t *testing.T) {
	const draws = 200000
	for _, mean := range []float64{0.2, 3, 9.9, 10, 25, 80, 500} {
		random := rand.New(rand.NewPCG(3, uint64(mean*10)))
		counts := map[float64]float64{}
		for range draws {
			counts[poisson(random, mean)]++
		}
		worst := 0.0
		for k := range int(mean+12*math.Sqrt(mean)) + 10 {
			gamma, _ := math.Lgamma(float64(k + 1))
			want := math.Exp(float64(k)*math.Log(mean) - mean - gamma)
			worst = max(worst, math.Abs(counts[float64(k)]/draws-want)/math.Sqrt(want*(1-want)/draws+1e-9))
			delete(counts, float64(k))
		}
		if worst > 5 || len(counts) > 0 {
			t.Errorf("mean %v: a count is %v standard errors off; counts beyond %v", mean, worst, counts)
		}
	}
	testdata.Is(t, "mean 0", poisson(rand.New(rand.NewPCG(1, 1)), 0), 0)
}

func TestImpulseNoiseHitsItsShare(t *testing.T) {
	for severity := 1; severity <= Severities; severity++ {
		values := drawn(t, Setting{Name: "impulse_noise", Severity: severity, Seed: 4}, 0.5, 40)
		p, _ := parameters("impulse_noise", severity, [3]int{3, 32, 32})
		black, white, n := 0.0, 0.0, float64(len(values))
		for _, v := range values {
			switch v {
			case 0:
				black++
			case 1:
				white++
			case 0.5:
			default:
				t.Fatalf("a value became %v", v)
			}
		}
		bound := 5 * math.Sqrt(p[0]/2/n)
		if math.Abs(black/n-p[0]/2) > bound || math.Abs(white/n-p[0]/2) > bound {
			t.Errorf("severity %d: %v black, %v white, want %v each", severity, black/n, white/n, p[0]/2)
		}
	}
}

// Motion over a ramp moves it by what the angle says: the angles are uniform from -45 to 45
// degrees.
func TestMotionAnglesFillTheirRange(t *testing.T) {
	work := newCall()
	var angles []float64
	for index := range 4000 {
		work.begin(Setting{Name: "motion_blur", Severity: 1, Seed: 5}, index)
		angles = append(angles, work.uniform(45))
	}
	mean, std := moments(angles)
	if math.Abs(mean) > 2 || math.Abs(std-90/math.Sqrt(12)) > 1 {
		t.Errorf("mean %v, std %v, want 0 and %v", mean, std, 90/math.Sqrt(12))
	}
}

// Exchanges keep the values of an image; copies do not bring new ones.
func TestGlassMovesPixels(t *testing.T) {
	for _, size := range [][3]int{{3, 32, 32}, {1, 28, 28}, {3, 20, 14}} {
		for _, copies := range []bool{false, true} {
			r := noise(10, size[0], size[1], size[2])
			before := map[float64]int{}
			for _, v := range r.pix {
				before[v]++
			}
			first := r.pix[0]
			g := glass{reach: 2, gray: size[0] == 1, copies: copies, height: size[1], width: size[2]}
			g.move(rand.New(rand.NewPCG(1, 2)), r)
			moved, lost := 0, 0
			after := map[float64]int{}
			for _, v := range r.pix {
				after[v]++
			}
			for v, n := range before {
				if after[v] != n {
					lost++
				}
			}
			for v := range after {
				if before[v] == 0 {
					t.Fatalf("%v: %v was not in the image", size, v)
				}
			}
			for i, v := range noise(10, size[0], size[1], size[2]).pix {
				if r.pix[i] != v {
					moved++
				}
			}
			if wantLost := copies && size[0] == 3; (lost > 0) != wantLost || moved < len(r.pix)/8 || r.pix[0] != first {
				t.Errorf("%v, copies %v: %d values lost, %d moved", size, copies, lost, moved)
			}
		}
	}
}

func TestCopiesAreAnotherImageForRGBOnly(t *testing.T) {
	for channels, want := range map[int]bool{1: false, 3: true} {
		img := picture(11, channels, 32, 32)
		plain := applied(t, Setting{Name: glassBlur, Severity: 3, Seed: 1}, 0, img)
		copies := applied(t, Setting{Name: glassBlur, Severity: 3, Seed: 1, Compat: true}, 0, img)
		testdata.Is(t, fmt.Sprintf("%d channels: differ", channels),
			fmt.Sprint(plain.Pix) != fmt.Sprint(copies.Pix), want)
	}
}

// Fog keeps the order of the formula: nothing is darker than the image times m/(m+c), nothing
// lighter than m.
func TestFogStaysBetweenItsBounds(t *testing.T) {
	for severity := 1; severity <= Severities; severity++ {
		r := noise(12, 3, 32, 32)
		for i := range r.pix {
			r.pix[i] *= 0.8
		}
		got := corrupted(t, Setting{Name: "fog", Severity: severity, Seed: 6}, r)
		p, _ := parameters("fog", severity, [3]int{3, 32, 32})
		m := 0.0
		for _, v := range r.pix {
			m = max(m, v)
		}
		for i, v := range got.pix {
			if low := r.pix[i] * m / (m + p[0]); v < low-1e-12 || v > m+1e-12 {
				t.Fatalf("severity %d: value %d is %v, want %v..%v", severity, i, v, low, m)
			}
		}
		// The same fog lies over all channels.
		fog := func(c, i int) float64 { return got.plane(c)[i]*(m+p[0])/m - r.plane(c)[i] }
		for i := range 1024 {
			testdata.Near(t, fmt.Sprintf("severity %d: the fog at %d differs between channels", severity, i),
				fog(0, i), fog(2, i), 1e-9)
		}
	}
}

// Synthetic frost lies in base..1, and its colours are those of the spec.
func TestSyntheticFrost(t *testing.T) {
	low, high, crystals := 1.0, 0.0, 0
	for index := range 20 {
		work := newCall()
		work.begin(Setting{Name: "frost", Severity: 1, Seed: 7}, index)
		into := raster{3, 32, 20, make([]float64, 3*32*20)}
		synthetic(64)(work, into)
		for i := range into.area() {
			blue := into.plane(2)[i]
			low, high = min(low, blue), max(high, blue)
			if blue > frostBase+frostRange {
				crystals++
			}
			if math.Abs(into.plane(0)[i]-0.88*blue) > 1e-12 || math.Abs(into.plane(1)[i]-0.95*blue) > 1e-12 {
				t.Fatalf("pixel %d is %v, %v, %v", i, into.plane(0)[i], into.plane(1)[i], blue)
			}
		}
	}
	if low < frostBase || low > 0.7 || high != 1 || crystals < 100 {
		t.Errorf("frost from %v to %v with %d crystals", low, high, crystals)
	}
}

// Maps are square: an image of one very long row must not take the memory of its square, and is
// covered all the same.
func TestPlasmasAreBounded(t *testing.T) {
	for _, c := range [][4]int{
		{32, 28, 30, 32},
		{32, 32, 32, 32},
		{32, 33, 5, 64},
		{64, 64, 64, 64},
		{32, 2048, 2049, 2048},
		{64, 1, 30000, 2048},
	} {
		testdata.Is(t, fmt.Sprintf("from %d on, %d x %d is covered", c[0], c[1], c[2]),
			covering(c[0], c[1], c[2]), c[3])
	}
	for _, name := range []string{"fog", "frost"} {
		out := applied(t, Setting{Name: name, Severity: 5, Seed: 1}, 0, constant(0.5, 1, 2, 3000))
		values := map[float32]bool{}
		for _, v := range out.Pix[2100:3000] {
			values[v] = true
		}
		if len(values) < 100 {
			t.Errorf("%s: a long image ends in %d values", name, len(values))
		}
	}
}

// Every turn shows every pixel of the crop once.
func TestTurned(t *testing.T) {
	const height, width = 3, 5
	for quarters := range 4 {
		h, w := height, width // of the turned crop
		if quarters%2 == 1 {
			h, w = w, h
		}
		seen := map[[2]int]bool{}
		for i := range h * w {
			y, x := turned(i/w, i%w, quarters, height, width)
			if y < 0 || y >= height || x < 0 || x >= width {
				t.Fatalf("quarters %d: (%d, %d) lies outside", quarters, y, x)
			}
			seen[[2]int{y, x}] = true
		}
		testdata.Is(t, fmt.Sprintf("quarters %d", quarters), len(seen), height*width)
	}
	if y, x := turned(0, 0, 1, height, width); y != 0 || x != width-1 {
		t.Errorf("a quarter turn shows (%d, %d) in the upper left corner, want the upper right one", y, x)
	}
}

// Snow is the same flakes for an image turned by 180 degrees, turned: its layer is added to itself
// rotated.
func TestSnowLayerIsRotatedByHalfATurn(t *testing.T) {
	r := raster{1, 28, 28, make([]float64, 784)}
	for severity := 1; severity <= Severities; severity++ {
		got := corrupted(t, Setting{Name: "snow", Severity: severity, Seed: 8}, r)
		flakes := 0
		for i, v := range got.pix {
			if math.Abs(v-got.pix[783-i]) > 1e-12 {
				t.Fatalf("severity %d: pixel %d is %v, its counterpart %v", severity, i, v, got.pix[783-i])
			}
			if v > got.pix[0]+0.01 {
				flakes++
			}
		}
		if flakes == 0 {
			t.Errorf("severity %d: no flakes", severity)
		}
	}
}
