package dscore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// madeHits are answers of which each kind has its own share of right ones.
func madeHits(seed uint64, n, images int) Hits {
	random := rand.New(rand.NewPCG(seed, 0))
	hits := func() []bool {
		share, h := random.Float64(), make([]bool, images)
		for k := range h {
			h[k] = random.Float64() < share
		}
		return h
	}
	h := Hits{Grid: n, Classes: 10, Original: hits()}
	for range n * n {
		h.Variants, h.Shifted = append(h.Variants, hits()), append(h.Shifted, hits())
	}
	return h
}

func TestAccuraciesOfHits(t *testing.T) {
	h := Hits{
		Grid: 1, Classes: 3, Original: []bool{true, true, true, false},
		Variants: [][]bool{{false, true, true, false}}, Shifted: [][]bool{{false, false, false, true}},
	}
	want := Accuracies{Original: 0.75, Variants: []float64{0.5}, Shifted: []float64{0.25}, Classes: 3}
	testdata.NoDiff(t, "accuracies", cmp.Diff(want, testdata.Must(h.Accuracies())(t)))
}

func TestHitsAreRefused(t *testing.T) {
	for name, change := range map[string]func(h *Hits){
		"not n = 0":                   func(h *Hits) { h.Grid = 0 },
		"not n = 17":                  func(h *Hits) { h.Grid = 17 },
		"not 3 and 4":                 func(h *Hits) { h.Variants = h.Variants[:3] },
		"not 4 and 3":                 func(h *Hits) { h.Shifted = h.Shifted[:3] },
		"there are none":              func(h *Hits) { *h = madeHits(1, 2, 0) },
		"one class, not 0":            func(h *Hits) { h.Classes = 0 },
		"region 3 has 4 answers":      func(h *Hits) { h.Variants[2] = h.Variants[2][:4] },
		"4 shifted to it for 5 image": func(h *Hits) { h.Shifted[1] = h.Shifted[1][:4] },
	} {
		h := madeHits(1, 2, 5)
		change(&h)
		_, err := h.Accuracies()
		_, err2 := Bootstrap(t.Context(), h, BootstrapOptions{Samples: 10}, nil)
		if err == nil || err2 == nil || err.Error() != err2.Error() || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v; %v", name, err, err2)
		}
	}
}

// slowBootstrap draws the same images and goes through Hits.Accuracies and Compute for every
// sample.
func slowBootstrap(t *rapid.T, h Hits, samples int, level float64, seed uint64) Intervals {
	parts := map[string][]float64{}
	put := func(name string, v float64) { parts[name] = append(parts[name], v) }
	for b := range samples {
		random := rand.New(rand.NewPCG(seed, uint64(b)))
		drawn := make([]int, len(h.Original))
		for k := range drawn {
			drawn[k] = random.IntN(len(h.Original))
		}
		pick := func(hits []bool) []bool {
			some := make([]bool, len(drawn))
			for k, image := range drawn {
				some[k] = hits[image]
			}
			return some
		}
		r := Hits{Grid: h.Grid, Classes: h.Classes, Original: pick(h.Original)}
		for i := range h.Variants {
			r.Variants, r.Shifted = append(r.Variants, pick(h.Variants[i])), append(r.Shifted, pick(h.Shifted[i]))
		}
		a := testdata.Must(r.Accuracies())(t)
		s := testdata.Must(Compute(a))(t)
		put("original", a.Original)
		for i := range a.Variants {
			put(fmt.Sprint("features", i), s.Features[i])
			put(fmt.Sprint("attention", i), s.Attention[i])
			put(fmt.Sprint("variants", i), a.Variants[i])
			put(fmt.Sprint("shifted", i), a.Shifted[i])
			put(fmt.Sprint("loss", i), a.Original-a.Variants[i])
		}
	}
	of := func(name string) Interval {
		slices.Sort(parts[name])
		return Interval{Low: stats.Quantile(parts[name], (1-level)/2), High: stats.Quantile(parts[name], 1-(1-level)/2)}
	}
	few := Interval{Reason: TooFewImages}
	all := Intervals{
		Level: level, Samples: samples,
		Original: of("original"), Robust: few, Fitness: few, DScore: few, P: few,
	}
	for i := range h.Variants {
		all.Features = append(all.Features, few)
		all.Attention = append(all.Attention, of(fmt.Sprint("attention", i)))
		all.Variants = append(all.Variants, of(fmt.Sprint("variants", i)))
		all.Shifted = append(all.Shifted, of(fmt.Sprint("shifted", i)))
		all.Loss = append(all.Loss, of(fmt.Sprint("loss", i)))
	}
	return all
}

func TestBootstrapAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, images := rapid.SampledFrom([]int{1, 2, 3, 5, 6, 8}).Draw(t, "n"), rapid.IntRange(1, 70).Draw(t, "images")
		h := madeHits(rapid.Uint64().Draw(t, "hits"), n, images)
		o := BootstrapOptions{
			Samples: rapid.IntRange(1, 12).Draw(t, "samples"),
			Level:   rapid.SampledFrom([]float64{0.5, 0.9, 0.95}).Draw(t, "level"),
			Seed:    rapid.Uint64Min(1).Draw(t, "seed"), Workers: rapid.IntRange(1, 5).Draw(t, "workers"),
		}
		got, err := Bootstrap(context.Background(), h, o, nil)
		if want := slowBootstrap(t, h, o.Samples, o.Level, o.Seed); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v (%v)", got, want, err)
		}
	})
}

func TestBootstrapWithAnyNumberOfWorkers(t *testing.T) {
	h := madeHits(2, 3, 400)
	var first Intervals
	for _, workers := range []int{1, 2, 3, 16, 0} {
		var progress testdata.Progress
		got, err := Bootstrap(t.Context(), h, BootstrapOptions{Workers: workers, Samples: 200}, &progress)
		testdata.OK(t, err)
		progress.Whole(t, 200)
		if workers == 1 {
			first = got
		} else if !reflect.DeepEqual(got, first) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, first)
		}
	}
}

func TestBootstrapRefusesOptions(t *testing.T) {
	for _, o := range []BootstrapOptions{{Samples: -1}, {Level: 1}, {Level: -0.5}, {Level: math.NaN()}} {
		if iv, err := Bootstrap(t.Context(), madeHits(1, 2, 10), o, nil); err == nil || iv.Samples != 0 {
			t.Errorf("%+v: %+v", o, iv)
		}
	}
}

func TestBootstrapEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	progress := &testdata.Progress{After: 5, Stop: cancel}
	_, err := Bootstrap(ctx, madeHits(1, 3, 500), BootstrapOptions{Samples: 100_000, Workers: 3}, progress)
	if !errors.Is(err, context.Canceled) || progress.Done.Load() > 5+3 {
		t.Errorf("%v after %d samples", err, progress.Done.Load())
	}
}

func TestTallyAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var sum tally
		want := make([]int, wordBits)
		for range rapid.IntRange(0, 300).Draw(t, "eights") {
			var eight [8]uint64
			for k := range eight {
				eight[k] = random.Uint64() | random.Uint64()
				for bit := range want {
					want[bit] += int(eight[k] >> bit & 1)
				}
			}
			sum.add(&eight)
		}
		few := rapid.IntRange(0, wordBits).Draw(t, "bits")
		got := make([]int, few)
		if sum.counts(got); !slices.Equal(got, want[:few]) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func BenchmarkBootstrap(b *testing.B) {
	for _, n := range []int{2, 3, 5, 16} {
		h := madeHits(1, n, 10_000)
		b.Run(fmt.Sprintf("10000 images, n=%d, 1000 samples", n), func(b *testing.B) {
			for b.Loop() {
				testdata.Must(Bootstrap(b.Context(), h, BootstrapOptions{}, nil))(b)
			}
		})
	}
}
