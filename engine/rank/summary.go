package rank

import (
	"math"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// numbers are those of the outcomes by repetition: the mean over the budgets of the means over the
// selectors in which the number is defined.
func (t trials) numbers(budgets []int, of func(outcome) float64) []float64 {
	list := make([]float64, t.repetitions)
	values, means := make([]float64, t.selectors), make([]float64, len(budgets))
	for r := range list {
		for k, budget := range budgets {
			for s := range values {
				values[s] = of(t.outcomes[budget][s*t.repetitions+r])
			}
			means[k] = mean(values)
		}
		list[r] = mean(means)
	}
	return list
}

// only are the trials of one selector.
func (t trials) only(selector int) trials {
	one := trials{selectors: 1, repetitions: t.repetitions, sizes: t.sizes}
	from, to := selector*t.repetitions, (selector+1)*t.repetitions
	for _, list := range t.outcomes {
		one.outcomes = append(one.outcomes, list[from:to])
	}
	for _, list := range t.hits {
		n := len(list) / (t.selectors * t.repetitions)
		one.hits = append(one.hits, list[from*n:to*n])
	}
	return one
}

// best is the selector whose rankings correlate best with the truth, by the mean of Spearman over
// repetitions; the first of equal ones, and of none that is defined.
func (t trials) best(budget int) int {
	best, highest := 0, math.Inf(-1)
	for s := range t.selectors {
		if v := mean(t.only(s).numbers([]int{budget}, spearmanOf)); v > highest {
			best, highest = s, v
		}
	}
	return best
}

func spearmanOf(o outcome) float64 { return o.spearman }
func kendallOf(o outcome) float64  { return o.kendall }

// quality sums up the outcomes at some budgets.
func (t trials) quality(ks []int, budgets ...int) Quality {
	q := Quality{
		Draws: [][]float64{t.numbers(budgets, spearmanOf), t.numbers(budgets, kendallOf)},
		Rho:   stats.Correlation{Reason: repeated.Text}, Tau: stats.Correlation{Reason: repeated.Text},
		Top: ks, Jaccard: make([]Spread, len(ks)),
	}
	q.Spearman, q.Kendall = spread(q.Draws[0], neverDefined), spread(q.Draws[1], neverDefined)
	significant, all := 0, 0
	for _, budget := range budgets {
		all += len(t.outcomes[budget])
		for _, o := range t.outcomes[budget] {
			if o.significant {
				significant++
			}
		}
	}
	q.Significant = float64(significant) / float64(all)
	for k := range ks {
		draws := t.numbers(budgets, func(o outcome) float64 { return o.jaccard[k] })
		q.Jaccard[k], q.Draws = spread(draws, neverDefined), append(q.Draws, draws)
	}
	return q
}

// scores are each model's mean accuracy over selections with its standard deviation over
// repetitions (divisor one less than their number, 0 for one). The mean is taken of whole numbers,
// so that models with as many hits have equal scores.
func (t trials) scores(budget int) (means, deviations []float64) {
	n := len(t.hits[budget]) / (t.selectors * t.repetitions)
	means, deviations = make([]float64, n), make([]float64, n)
	shares := make([]float64, t.repetitions)
	for j := range n {
		var all int64
		for r := range shares {
			var hits int64
			for s := range t.selectors {
				hits += int64(t.hits[budget][(s*t.repetitions+r)*n+j])
			}
			all += hits
			shares[r] = float64(hits) / float64(t.selectors*t.sizes[budget])
		}
		means[j] = float64(all) / float64(t.selectors*t.repetitions*t.sizes[budget])
		deviations[j] = spread(shares, result.Reason{}).SD
	}
	return means, deviations
}
