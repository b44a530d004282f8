package scatter

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// published is a cloud of the size and with about the distances of the paper's (spec sections 5 and
// 9): 33 images per target, the first at distance 0.
func published(targets int) Cloud {
	random := rand.New(rand.NewPCG(7, 0))
	c := Cloud{}
	for range targets {
		distances, signals := make([]float64, 33), make([]float64, 33)
		for i := range distances {
			if i > 0 {
				distances[i] = min(max(0.85+0.25*random.NormFloat64(), 0.05), 1.6)
			}
			signals[i] = min(max(0.9-0.4*distances[i]*random.Float64(), 0), 1)
			c.D = max(c.D, distances[i])
		}
		c.Distances, c.Signals = append(c.Distances, distances), append(c.Signals, signals)
	}
	return c
}

// BenchmarkInterpolate is the three matrices of a cloud of 1712 targets, 1.86 million points (spec
// section 10: below 5 s on two processors).
func BenchmarkInterpolate(b *testing.B) {
	c := published(1712)
	start := testdata.ProcessorTime()
	for b.Loop() {
		testdata.Must(Interpolate(b.Context(), c, DefaultRaster, Interpolants()))(b)
	}
	b.ReportMetric(float64(c.Points()), "points")
	b.ReportMetric((testdata.ProcessorTime()-start).Seconds()/float64(b.N), "cpu-s/op")
}

// BenchmarkAgainstDirect is how many times faster than the double loop over all points and elements
// it is, on one processor and a smaller cloud.
func BenchmarkAgainstDirect(b *testing.B) {
	c := published(24)
	var ours, direct time.Duration // of the processor
	for b.Loop() {
		for _, p := range Interpolants() {
			start := testdata.ProcessorTime()
			if _, err := place(c.Distances, c.value, c.D, DefaultRaster).interpolate(b.Context(), []Interpolant{p},
				1); err != nil {
				b.Fatal(err)
			}
			ours += testdata.ProcessorTime() - start
			start = testdata.ProcessorTime()
			slow(c, DefaultRaster, p)
			direct += testdata.ProcessorTime() - start
		}
	}
	b.ReportMetric(direct.Seconds()/ours.Seconds(), "times-faster")
}

// BenchmarkPreview is what a slider waits for while it moves (below 100 ms), with the widest
// interpolant.
func BenchmarkPreview(b *testing.B) {
	bins := testdata.Must(Bin(b.Context(), published(1712), DefaultCells))(b)
	start := testdata.ProcessorTime()
	for b.Loop() {
		bins.Preview(DefaultRaster, Interpolant{32, 10, 32})
	}
	b.ReportMetric((testdata.ProcessorTime()-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkBin is what has to be done once before previews.
func BenchmarkBin(b *testing.B) {
	c := published(1712)
	start := testdata.ProcessorTime()
	for b.Loop() {
		testdata.Must(Bin(b.Context(), c, DefaultCells))(b)
	}
	b.ReportMetric((testdata.ProcessorTime()-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
}
