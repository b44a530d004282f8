package invariance

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/variscope/variscope/engine/stats"
)

// The ends of the 95 % band.
const lowTail, highTail = 0.025, 0.975

// resampled are the lines through resamples of the points, in the order in which they were drawn;
// those with fewer than two distinct scores are dropped. The drawing is one sequence, the fitting
// is spread over the processors. The error is the end of ctx.
func (d data) resampled(ctx context.Context, o StudyOptions, stream uint64) ([]stats.Line, error) {
	plan := stats.Plan{Items: len(d.x), Resamples: o.Resamples, Seed: o.Seed, Stream: stream, Given: o.Given}
	drawn := make([][]int, 0, plan.Count())
	plan.Each(func(items []int) { drawn = append(drawn, slices.Clone(items)) })
	lines := make([]stats.Line, len(drawn))
	var wait sync.WaitGroup
	share := (len(drawn) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	for first := 0; first < len(drawn); first += share {
		some := drawn[first:min(first+share, len(drawn))]
		wait.Go(func() {
			for k, items := range some {
				if ctx.Err() != nil {
					return
				}
				lines[first+k] = d.through(items)
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(lines, func(l stats.Line) bool { return !l.Defined() }), nil
}

// through is the robust line through some of the points, each as often as it is named.
func (d data) through(items []int) stats.Line {
	x, y := make([]float64, len(items)), make([]float64, len(items))
	for i, k := range items {
		x[i], y[i] = d.x[k], d.y[k]
	}
	return stats.Huber(x, y)
}

// Ends are those of a 95 % interval, NaN where there is none.
type Ends struct{ Low, High float64 }

// ends are the 2.5 % and 97.5 % quantiles of a number of lines; NaN without lines.
func ends(lines []stats.Line, of func(stats.Line) float64) Ends {
	if len(lines) == 0 {
		return Ends{nan, nan}
	}
	values := make([]float64, len(lines))
	for b, l := range lines {
		values[b] = of(l)
	}
	slices.Sort(values)
	return Ends{stats.Quantile(values, lowTail), stats.Quantile(values, highTail)}
}

// band are the ends of the lines' values at every score of the grid; nil without lines.
func band(lines []stats.Line, grid []float64) (low, high []float64) {
	if len(lines) == 0 {
		return nil, nil
	}
	for _, x := range grid {
		e := ends(lines, func(l stats.Line) float64 { return l.At(x) })
		low, high = append(low, e.Low), append(high, e.High)
	}
	return low, high
}
