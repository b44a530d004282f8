package dscore

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

// slowDiffer draws each sample image by image for both models, and asks for each pair of
// accuracies that could be true how far the difference of the samples lies from theirs.
func slowDiffer(t *rapid.T, a, b Hits, o BootstrapOptions) (d Differences) {
	var of [2]pivot
	for k, h := range []Hits{a, b} {
		of[k] = pivot{grid: h.Grid, images: len(h.Original), at: testdata.Must(h.Accuracies())(t)}
	}
	for s := range o.Samples {
		random := rand.New(rand.NewPCG(o.Seed, uint64(s)))
		var some [2]Hits
		for k, h := range []Hits{a, b} {
			some[k] = Hits{Grid: h.Grid, Classes: h.Classes}
			some[k].Variants, some[k].Shifted = make([][]bool, len(h.Variants)), make([][]bool, len(h.Shifted))
		}
		for range a.Original {
			image := random.IntN(len(a.Original))
			for k, h := range []Hits{a, b} {
				some[k].Original = append(some[k].Original, h.Original[image])
				for i := range h.Variants {
					some[k].Variants[i] = append(some[k].Variants[i], h.Variants[i][image])
					some[k].Shifted[i] = append(some[k].Shifted[i], h.Shifted[i][image])
				}
			}
		}
		for k := range some {
			drawn := testdata.Must(some[k].Accuracies())(t)
			of[k].samples = append(of[k].samples, resampled{drawn, testdata.Must(Compute(drawn))(t)})
		}
	}
	gap := func(of func(k int) float64) float64 { return of(1) - of(0) }
	d.Original = slowDiscordant(a.Original, b.Original, (1-o.Level)/2)
	for part, into := range []*Interval{&d.Robust, &d.Fitness, &d.DScore} {
		value := gap(func(k int) float64 { return of[k].scores(of[k].at)[part] })
		*into = Interval{Low: value, High: value}
		for _, x := range of[0].possible() {
			for _, y := range of[1].possible() {
				truth := [2]Accuracies{x, y}
				var errors []float64
				for s := range o.Samples {
					errors = append(errors, gap(func(k int) float64 {
						at, sample := of[k].at, of[k].samples[s].Accuracies
						moved := Accuracies{
							Original: truth[k].Original + sample.Original - at.Original, Classes: at.Classes,
						}
						for i := range at.Variants {
							moved.Variants = append(moved.Variants,
								truth[k].Variants[i]+sample.Variants[i]-at.Variants[i])
							moved.Shifted = append(moved.Shifted, truth[k].Shifted[i]+sample.Shifted[i]-at.Shifted[i])
						}
						return of[k].scores(moved)[part] - of[k].scores(truth[k])[part]
					}))
				}
				slices.Sort(errors)
				tail := 0.6 * (1 - o.Level) / 2
				into.Low = min(into.Low, value-stats.Quantile(errors, 1-tail))
				into.High = max(into.High, value-stats.Quantile(errors, tail))
			}
		}
	}
	return d
}

// slowDiscordant lets the two shares vary against each other as their correlation says, and turns
// a share of the images that one model alone has right into a difference.
func slowDiscordant(first, second []bool, tail float64) (in Interval) {
	down, up, all := 0, 0, len(first)
	for i := range first {
		if first[i] && !second[i] {
			down++
		} else if second[i] && !first[i] {
			up++
		}
	}
	a, b := float64(down)/float64(all), float64(up)/float64(all)
	r := -a * b / math.Max(1e-300, math.Sqrt(a*(1-a)*b*(1-b)))
	of, low, high := slowExact(up, down+up, tail), slowExact(down, all, tail), slowExact(up, all, tail)
	way := func(x, y float64) float64 { return math.Sqrt(x*x + y*y - 2*r*x*y) }
	in.Low = min(b-a-way(b-high[0], low[1]-a), (a+b)*(2*of[0]-1))
	in.High = max(b-a+way(high[1]-b, a-low[0]), (a+b)*(2*of[1]-1))
	return in
}

// slowExact seeks the shares under which so many or more, and so few or fewer, of n have a chance
// of the tail.
func slowExact(k, n int, tail float64) [2]float64 {
	ways := make([]float64, n+1)
	for i := range ways {
		ways[i], _ = new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(i))).Float64()
	}
	seek := func(from, to int, rising bool) float64 {
		a, b := 0.0, 1.0
		for range 60 {
			share, chance := (a+b)/2, 0.0
			for i := from; i <= to; i++ {
				chance += ways[i] * math.Pow(share, float64(i)) * math.Pow(1-share, float64(n-i))
			}
			if (chance < tail) == rising {
				a = share
			} else {
				b = share
			}
		}
		return a
	}
	share := [2]float64{0, 1}
	if k > 0 {
		share[0] = seek(k, n, true)
	}
	if k < n {
		share[1] = seek(0, k, false)
	}
	return share
}

// TestFewDiscordantImages: few images that one model alone has right, all of them the same one's,
// name no better model, as McNemar's exact test does not: its p is 2/2^4 of four, and 2/2^6 of
// six. Where there is none, other images could still set the models apart, in both ways.
func TestFewDiscordantImages(t *testing.T) {
	for few, holds := range map[int]bool{4: true, 5: true, 6: false} {
		second := make([]bool, 1000)
		for i := range few {
			second[i] = true
		}
		if in := discordant(make([]bool, 1000), second, 0.025); (in.Low <= 0) != holds || in.High < float64(few)/1000 {
			t.Errorf("%d images: %+v", few, in)
		}
	}
	unseen := 1 - math.Pow(0.025, 1.0/18)
	none := discordant(make([]bool, 18), make([]bool, 18), 0.025)
	testdata.NearAll(t, "no image", []float64{none.Low, none.High}, []float64{-unseen, unseen}, 1e-12)
}

// TestDifferencesOfAccuracyCover: whatever two models have right alone, 95 % of the intervals hold
// the difference.
func TestDifferencesOfAccuracyCover(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	for _, c := range []struct {
		images   int
		down, up float64
	}{{18, 0.03, 0}, {18, 0.2, 0}, {50, 0.01, 0.1}, {200, 0.03, 0.002}, {200, 0.2, 0.2}} {
		const rounds = 1000
		covered := 0
		for range rounds {
			first, second := make([]bool, c.images), make([]bool, c.images)
			for i := range first {
				u := random.Float64()
				first[i], second[i] = u < c.down, u >= c.down && u < c.down+c.up
			}
			if in := discordant(first, second, 0.025); in.Low <= c.up-c.down && c.up-c.down <= in.High {
				covered++
			}
		}
		testdata.Holds(t, fmt.Sprint(c), covered, rounds, 0.95, 1)
	}
}

func TestDifferAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, images := rapid.IntRange(1, 3).Draw(t, "n"), MinImages+rapid.IntRange(0, 20).Draw(t, "images")
		a, b := madeHits(rapid.Uint64().Draw(t, "first"), n, images),
			madeHits(rapid.Uint64().Draw(t, "second"), n, images)
		o := BootstrapOptions{
			Samples: rapid.IntRange(1, 8).Draw(t, "samples"),
			Level:   rapid.SampledFrom([]float64{0.5, 0.95}).Draw(t, "level"), Seed: rapid.Uint64Min(1).Draw(t, "seed"),
			Workers: rapid.IntRange(1, 5).Draw(t, "workers"),
		}
		got := testdata.Must(Differ(t.Context(), a, b, o, nil))(t)
		if want := slowDiffer(t, a, b, o); !cmp.Equal(got, want, cmpopts.EquateApprox(1e-12, 1e-12)) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// A model does not differ from itself, however uncertain its own scores are. Both ways round, the
// difference is the same.
func TestDifferencesOfPairs(t *testing.T) {
	a, b := madeHits(1, 2, 600), madeHits(7, 2, 600)
	o := BootstrapOptions{Samples: 100}
	same := testdata.Must(Differ(t.Context(), a, a, o, nil))(t)
	if in := same.Original; in.Low != -in.High || !(in.High > 0) || same.DScore.Low > 0 || same.DScore.High < 0 {
		t.Errorf("%+v", same)
	}
	there := testdata.Must(Differ(t.Context(), a, b, o, nil))(t)
	back := testdata.Must(Differ(t.Context(), b, a, o, nil))(t)
	testdata.Near(t, "low", there.Robust.Low, -back.Robust.High, 1e-12)
	testdata.Near(t, "high", there.Robust.High, -back.Robust.Low, 1e-12)
	few := testdata.Must(Differ(t.Context(), madeHits(1, 2, 20), madeHits(2, 2, 20), o, nil))(t)
	if few.DScore.Reason != TooFewImages || few.Original.Reason != "" {
		t.Errorf("%+v", few)
	}
	for _, other := range []Hits{madeHits(1, 3, 600), madeHits(1, 2, 601)} {
		_, err := Differ(t.Context(), a, other, o, nil)
		testdata.Refused(t, "other regions or images", err, "same images and regions")
	}
}
