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
