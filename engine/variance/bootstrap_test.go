package variance

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

func ends(b Band) []float64 { return slices.Concat(b.Low.Data, b.High.Data) }

// TestBandEqualsSlowVersion: weights of images in place of repeated images, element by element, for
// both kinds of modality; the bits are the same for any number of goroutines.
func TestBandEqualsSlowVersion(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	const n, m = 4, 300 // more than one block of images
	signals, distances := make([][]float32, n), make([][]float32, n*(n-1)/2)
	for _, rows := range [][][]float32{signals, distances} {
		for i := range rows {
			for range m {
				rows[i] = append(rows[i], float32(random.ExpFloat64()))
			}
		}
	}
	images := without(testdata.UpTo(m), 17)
	b := Bootstrap{Resamples: 120, Seed: 5}
	for name, d := range map[string]Differences{
		"scalar": ScalarDifferences(signals),
		"vector": VectorDifferences(distances, n),
	} {
		band := testdata.Must(d.Band(t.Context(), images, b, nil))(t)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		testdata.Equal(t, name+" on one goroutine", ends(testdata.Must(d.Band(t.Context(), images, b, nil))(t)),
			ends(band))
		for i := range n {
			for j := range n {
				var values []float64
				for r := range b.Resamples {
					weight := map[int]float64{}
					for _, k := range b.draw(images, r) {
						weight[k]++
					}
					sum := 0.0
					for _, k := range images {
						sum += weight[k] * math.Pow(d.At(i, j, k), 2)
					}
					values = append(values, math.Sqrt(sum/float64(len(images))))
				}
				slices.Sort(values)
				testdata.Near(t, name+", low", band.Low.At(i, j), stats.Quantile(values, 0.025), 1e-12)
				testdata.Near(t, name+", high", band.High.At(i, j), stats.Quantile(values, 0.975), 1e-12)
			}
		}
		testdata.Near(t, name+", width", band.Width().At(2, 1), band.High.At(2, 1)-band.Low.At(1, 2), 0)
	}
}

func TestBandOfEdges(t *testing.T) {
	same := make([][]float32, 3)
	for i := range same {
		same[i] = slices.Repeat([]float32{float32(i)}, LeastImages)
	}
	d, b := ScalarDifferences(same), Bootstrap{Resamples: 100}
	images := testdata.UpTo(LeastImages)
	band := testdata.Must(d.Band(t.Context(), images, b, nil))(t)
	whole := testdata.Must(d.Matrix(images))(t)
	testdata.Equal(t, "the band of images that are all alike", ends(band), ends(Band{whole, whole}))
	testdata.Equal(t, "its centre", ends(band.Centre(0)), ends(Band{whole.Centre(0), whole.Centre(0)}))

	_, err := d.Band(t.Context(), images[1:], b, nil)
	testdata.ErrorIs(t, "too few images", err, ErrFewImages)
	same[1][3] = float32(math.NaN())
	var notFinite *NotFiniteError
	if _, err := d.Band(t.Context(), images, b, nil); !errors.As(err, &notFinite) || notFinite.Image != 3 {
		t.Errorf("a signal that is NaN: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = ScalarDifferences(same[:1]).Band(ended, images, b, nil)
	testdata.ErrorIs(t, "ended", err, context.Canceled)

	for resamples, right := range map[int]bool{0: true, 99: false, 100: true} {
		if err := option.Check(&Resampling{Resamples: resamples}); (err == nil) != right {
			t.Errorf("%d resamples: %v", resamples, err)
		}
	}
}

// TestGoldenBands: what scripts/golden/bootstrap.py has computed.
func TestGoldenBands(t *testing.T) {
	var allowed tolerance
	testdata.Cases(t, testdata.Further(t, "bootstrap"), &allowed, func(t *testing.T, c testdata.Case) {
		g := golden{t, allowed, c}
		var in struct {
			Signals, Distances [][]float32
			Images             []int
			Resamples          int
			Seed               uint64
		}
		var want struct {
			Drawn     [][]int // the first resamples
			Low, High [][]float64
		}
		g.read(c.Input, &in)
		g.read(c.Expected, &want)
		d := ScalarDifferences(in.Signals)
		if in.Distances != nil {
			d = VectorDifferences(in.Distances, len(want.Low))
		}
		b := Bootstrap{in.Resamples, in.Seed}
		for r, drawn := range want.Drawn {
			testdata.Equal(t, "drawn", b.draw(in.Images, r), drawn)
		}
		band, err := d.Band(t.Context(), in.Images, b, nil)
		g.matrix("low", band.Low, err, want.Low)
		g.matrix("high", band.High, err, want.High)
	})
}

func BenchmarkBand(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 1))
	signals := make([][]float32, 31)
	for i := range signals {
		for range 10_000 {
			signals[i] = append(signals[i], random.Float32())
		}
	}
	d, images := ScalarDifferences(signals), testdata.UpTo(10_000)
	for b.Loop() {
		if _, err := d.Band(b.Context(), images, Bootstrap{Resamples: 100}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
