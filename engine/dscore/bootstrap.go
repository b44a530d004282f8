package dscore

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/stats"
)

// Interval is an interval of bootstrap samples over images. When Reason is not empty there is none,
// and Low and High mean nothing.
type Interval struct {
	Low, High float64
	Reason    string `json:",omitempty"`
}

// Intervals are those of a score's parts, and of every region. Those of accuracies, losses and
// distributions are percentile intervals; for v_robust, v_fitness, D-Score and p see pivot. Without
// these there are none of the features' distribution either.
type Intervals struct {
	Level                      float64 // 0.95
	Samples                    int
	Original                   Interval
	Robust, Fitness, DScore, P Interval
	Features, Attention        []Interval // per region
	Variants, Shifted          []Interval // accuracies, per region
	Loss                       []Interval // Original - Variants, per region
}

// BootstrapOptions say how intervals are drawn.
type BootstrapOptions struct {
	Samples int     // 0 for 1,000
	Level   float64 // 0 for 0.95
	Seed    uint64  // 0 for 1
	Workers int     // 0 for one per processor; the result has the same bits for any number
}

// What a zero in BootstrapOptions stands for.
const (
	defaultSamples = 1000
	defaultLevel   = 0.95
	defaultSeed    = 1
)

// Filled are the options with what their zeros stand for. Fewer than one sample and a level outside
// (0, 1) are errors.
func (o BootstrapOptions) Filled() (BootstrapOptions, error) {
	o.Samples = cmp.Or(o.Samples, defaultSamples)
	o.Level = cmp.Or(o.Level, defaultLevel)
	o.Seed = cmp.Or(o.Seed, defaultSeed)
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case o.Samples < 1:
		return o, fmt.Errorf("a bootstrap of %d samples is not possible; take at least 1", o.Samples)
	case !(o.Level > 0 && o.Level < 1):
		return o, fmt.Errorf("an interval at level %v is not possible; it lies between 0 and 1", o.Level)
	}
	return o, nil
}

// Bootstrap draws images with replacement; one draw serves all parts of the score. p (may be nil)
// counts samples.
//
// Sample b draws as many images as there are from the generator (Seed, b), whoever computes it.
// Quantiles are interpolated linearly (stats.Quantile). The error is that of Hits.Accuracies, wrong
// options, or the end of ctx.
func Bootstrap(ctx context.Context, h Hits, o BootstrapOptions, p progress.Progress) (Intervals, error) {
	o, err := o.Filled()
	if err != nil {
		return Intervals{}, err
	}
	p = progress.Or(p)
	p.SetTotal(int64(o.Samples))
	drawn, err := draw(ctx, h, o, p)
	if err != nil {
		return Intervals{}, err
	}
	all, err := intervals(ctx, drawn.samples, h.Grid*h.Grid, o)
	if err != nil {
		return Intervals{}, err
	}
	of := drawn.intervals(o.Level)
	all.Robust, all.Fitness, all.DScore, all.P = of[0], of[1], of[2], of[0]
	if reason := all.P.Reason; reason != "" {
		for i := range all.Features {
			all.Features[i] = Interval{Reason: reason}
		}
		return all, nil
	}
	g := bound(h.Grid, h.Classes)
	all.P = Interval{Low: probability(all.P.Low, g), High: probability(all.P.High, g)}
	return all, nil
}

// resampled is a bootstrap sample: its accuracies and its score.
type resampled struct {
	Accuracies
	Score
}

// draw draws the samples. Options are whole.
func draw(ctx context.Context, h Hits, o BootstrapOptions, p progress.Progress) (pivot, error) {
	at, err := h.Accuracies()
	if err != nil {
		return pivot{}, err
	}
	samples, hits := make([]resampled, o.Samples), pack(h)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(o.Workers, o.Samples) {
		wait.Go(func() {
			source := rand.NewPCG(0, 0)
			d := &drawing{
				packed: hits, source: source, random: rand.New(source),
				tallies: make([]tally, hits.width), batch: make([][8]uint64, hits.width), total: make([]int, hits.bits),
			}
			for ctx.Err() == nil {
				b := int(next.Add(1)) - 1
				if b >= len(samples) {
					return
				}
				a := accuracies(d.counts(o.Seed, b), h)
				samples[b] = resampled{a, compute(h.Grid, a)}
				p.Add(1)
			}
		})
	}
	wait.Wait()
	return pivot{h.Grid, len(h.Original), at, samples}, ctx.Err()
}

// accuracies are the shares that counts of hits are of as many images as there are.
func accuracies(counts []int, h Hits) Accuracies {
	all := make([]float64, len(counts))
	for k, count := range counts {
		all[k] = float64(count) / float64(len(h.Original))
	}
	regions := len(h.Variants)
	return Accuracies{Original: all[0], Variants: all[1 : 1+regions], Shifted: all[1+regions:], Classes: h.Classes}
}

// drawing is what one worker needs for a sample.
type drawing struct {
	packed
	source  *rand.PCG
	random  *rand.Rand
	tallies []tally
	batch   [][8]uint64 // per word of an image: that word of eight drawn images
	total   []int
}

// counts draws a sample and counts the hits among its images, each as often as it was drawn. The
// slice is used again.
func (d *drawing) counts(seed uint64, sample int) []int {
	d.source.Seed(seed, uint64(sample))
	clear(d.tallies)
	for drawn := 0; drawn < d.images; drawn += 8 {
		some := min(8, d.images-drawn)
		if some < 8 {
			clear(d.batch)
		}
		for k := range some {
			image := d.random.IntN(d.images) * d.width
			for j, w := range d.words[image : image+d.width] {
				d.batch[j][k] = w
			}
		}
		for j := range d.tallies {
			d.tallies[j].add(&d.batch[j])
		}
	}
	for j := range d.tallies {
		d.tallies[j].counts(d.total[j*wordBits : min((j+1)*wordBits, d.bits)])
	}
	return d.total
}

// intervals are the quantiles of the samples, without those of scores. The error is the end of ctx.
func intervals(ctx context.Context, samples []resampled, regions int, o BootstrapOptions) (Intervals, error) {
	values := make([]float64, len(samples))
	tail := (1 - o.Level) / 2
	of := func(part func(s *resampled) float64) Interval {
		for b := range samples {
			values[b] = part(&samples[b])
		}
		slices.Sort(values)
		return Interval{Low: stats.Quantile(values, tail), High: stats.Quantile(values, 1-tail)}
	}
	all := Intervals{
		Level: o.Level, Samples: o.Samples,
		Original: of(func(s *resampled) float64 { return s.Original }),
	}
	for i := range regions {
		if err := ctx.Err(); err != nil {
			return Intervals{}, err
		}
		all.Features = append(all.Features, of(func(s *resampled) float64 { return s.Features[i] }))
		all.Attention = append(all.Attention, of(func(s *resampled) float64 { return s.Attention[i] }))
		all.Variants = append(all.Variants, of(func(s *resampled) float64 { return s.Variants[i] }))
		all.Shifted = append(all.Shifted, of(func(s *resampled) float64 { return s.Shifted[i] }))
		all.Loss = append(all.Loss, of(func(s *resampled) float64 { return s.Original - s.Variants[i] }))
	}
	return all, nil
}
