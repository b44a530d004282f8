package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// fewestResampled is the smallest number of pairs whose resamples are an interval of a rank
// correlation: among fewer, most resamples repeat so many pairs that the interval misses the
// correlation too often.
const fewestResampled = 6

// The streams of the resamples' random numbers.
const (
	streamSpearman = 1
	streamKendall  = 2
)

// SpearmanInterval is Spearman with a 95 % interval: the percentiles of the correlation over 2000
// resamples of the pairs, drawn from seed. Fewer than 6 pairs have none, nor have pairs all of
// whose resamples agree.
func SpearmanInterval(x, y []float64, seed uint64) Correlation {
	c := Spearman(x, y)
	x, y = CompletePairs(x, y)
	s := weightedRanks{x: classes(x), y: classes(y)}
	return c.resampled(seed, streamSpearman, s.correlation)
}

// KendallInterval is Kendall with an interval as SpearmanInterval has one.
func KendallInterval(x, y []float64, seed uint64) (Correlation, PairCounts) {
	c, counts := Kendall(x, y)
	k := newTau(x, y)
	first, second := make([]float64, 0, len(k.first)), make([]float64, 0, len(k.first))
	return c.resampled(seed, streamKendall, func(times []int) float64 {
		first, second = first[:0], second[:0]
		for at, n := range times { // the pairs are in order, so their copies are, too
			for range n {
				first, second = append(first, k.first[at]), append(second, k.second[at])
			}
		}
		if again, _ := k.of(first, second); again.Defined() {
			return again.Value
		}
		return math.NaN()
	}), counts
}

// resampled adds the interval. measure gets how often each pair was drawn.
func (c Correlation) resampled(seed, stream uint64, measure func(times []int) float64) Correlation {
	if !c.Defined() {
		return c
	}
	if c.N < fewestResampled {
		c.NoInterval = fmt.Sprintf("fewer than %d pairs", fewestResampled)
		return c
	}
	rng := rand.New(rand.NewPCG(seed, stream))
	times := make([]int, c.N)
	values := make([]float64, 0, DefaultResamples)
	for range DefaultResamples {
		clear(times)
		for range times {
			times[rng.IntN(len(times))]++
		}
		if v := measure(times); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	switch {
	case len(values) < DefaultResamples/20:
		c.NoInterval = fmt.Sprintf("only %d of %d resamples are defined", len(values), DefaultResamples)
	case values[0] == values[len(values)-1]:
		c.NoInterval = OneOrder
	default:
		c.Low, c.High, c.IntervalBy = Quantile(values, 0.025), Quantile(values, 0.975), Bootstrap
	}
	return c
}

// weightedRanks are pairs, each by the places of its two numbers among the distinct ones.
type weightedRanks struct{ x, y classed }

// classed are values by their places among the distinct values.
type classed struct {
	of     []int     // place of each value, from 0 on
	counts []int     // room: how many there are in each place
	ranks  []float64 // room: the mean rank in each place
}

func classes(values []float64) classed {
	distinct := slices.Clone(values)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	c := classed{counts: make([]int, len(distinct)), ranks: make([]float64, len(distinct))}
	for _, v := range values {
		at, _ := slices.BinarySearch(distinct, v)
		c.of = append(c.of, at)
	}
	return c
}

// rank fills in the mean ranks, less their mean, when value k is there times[k] times.
func (c classed) rank(times []int) {
	clear(c.counts)
	for k, n := range times {
		c.counts[c.of[k]] += n
	}
	before := 0
	for at, n := range c.counts {
		c.ranks[at] = float64(before) + float64(n+1)/2 - float64(len(times)+1)/2
		before += n
	}
}

// correlation is Spearman's of the pairs, pair k being there times[k] times; NaN where a variable
// is constant. It does not sort, so that thousands of resamples take milliseconds.
func (w weightedRanks) correlation(times []int) float64 {
	w.x.rank(times)
	w.y.rank(times)
	var xx, yy, xy float64
	for k, n := range times {
		if n > 0 {
			x, y := w.x.ranks[w.x.of[k]], w.y.ranks[w.y.of[k]]
			xx += float64(n) * float64(x*x)
			yy += float64(n) * float64(y*y)
			xy += float64(n) * float64(x*y)
		}
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, xy/math.Sqrt(xx*yy)))
}
