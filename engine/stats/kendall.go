package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// FewForKendall is the reason why Kendall's tau-b is undefined for fewer than two pairs of numbers.
const FewForKendall = "fewer than 2 pairs"

// PairCounts are what Kendall's tau-b counts over all pairs of items (spec/laf.md section 4). Pairs tied in both count nowhere.
type PairCounts struct{ Concordant, Discordant, TiesFirst, TiesSecond int64 }

// Kendall is tau-b with two-sided p from the normal approximation with tie correction. A pair with a NaN is dropped. Fewer than 2
// pairs of numbers, or a constant variable, have none; what was counted is returned all the same. Infinite values have an order
// like all others. It takes O(n log n): the discordant pairs are the exchanges of a merge sort (Knight 1966). It panics when x
// and y differ in length.
func Kendall(x, y []float64) (Correlation, PairCounts) {
	x, y = completePairs(x, y)
	c := Correlation{N: len(x)}
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	first, second := make([]float64, len(x)), make([]float64, len(x))
	for k, item := range order {
		first[k], second[k] = x[item], y[item]
	}
	both := tiedInBoth(first, second)
	inFirst := tiesOf(first)
	discordant := exchanges(second, make([]float64, len(second))) // sorts it
	inSecond := tiesOf(second)
	all := pairsAmong(len(x))
	counts := PairCounts{
		Discordant: discordant, TiesFirst: inFirst.pairs - both, TiesSecond: inSecond.pairs - both,
		Concordant: all - inFirst.pairs - inSecond.pairs + both - discordant,
	}
	switch {
	case len(x) < 2:
		c.Reason = FewForKendall
		return c, counts
	case inFirst.pairs == all:
		c.Reason = FirstFixed
		return c, counts
	case inSecond.pairs == all:
		c.Reason = SecondFixed
		return c, counts
	}
	above := float64(counts.Concordant - counts.Discordant)
	untiedFirst, untiedSecond := float64(all-inFirst.pairs), float64(all-inSecond.pairs)
	c.Value = max(-1, min(1, above/math.Sqrt(untiedFirst*untiedSecond)))
	c.P = kendallP(above, len(x), inFirst, inSecond)
	return c, counts
}

// pairsAmong is the number of pairs of n items.
func pairsAmong(n int) int64 { return int64(n) * int64(n-1) / 2 }

// ties are sums over the groups of t equal values of one variable, which the tie correction needs.
type ties struct {
	pairs         int64   // t(t-1)/2
	triples, wide float64 // t(t-1)(t-2) and t(t-1)(2t+5)
}

// tiesOf takes sorted values.
func tiesOf(sorted []float64) ties {
	var sum ties
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		t := float64(to - from)
		sum.pairs += pairsAmong(to - from)
		sum.triples += t * (t - 1) * (t - 2)
		sum.wide += t * (t - 1) * (2*t + 5)
		from = to
	}
	return sum
}

// tiedInBoth counts the pairs that agree in both variables, sorted by the first, then by the second.
func tiedInBoth(first, second []float64) int64 {
	var pairs int64
	for from := 0; from < len(first); {
		to := from + 1
		for to < len(first) && first[to] == first[from] && second[to] == second[from] {
			to++
		}
		pairs += pairsAmong(to - from)
		from = to
	}
	return pairs
}

// exchanges sorts values and counts the pairs that stood in falling order. spare has the same length.
func exchanges(values, spare []float64) int64 {
	if len(values) < 2 {
		return 0
	}
	half := len(values) / 2
	left, right := values[:half], values[half:]
	count := exchanges(left, spare[:half]) + exchanges(right, spare[half:])
	copy(spare, values)
	left, right = spare[:half], spare[half:]
	for k := range values {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			values[k], left = left[0], left[1:]
			continue
		}
		count += int64(len(left))
		values[k], right = right[0], right[1:]
	}
	return count
}

// kendallP is the two-sided probability of P - Q at least as far from 0, from the variance of P - Q among independent variables
// with these ties (Kendall, Rank Correlation Methods, chapter 5).
func kendallP(above float64, n int, first, second ties) float64 {
	size := float64(n)
	m := size * (size - 1)
	variance := (m*(2*size+5)-first.wide-second.wide)/18 + 2*float64(first.pairs)*float64(second.pairs)/m
	if n > 2 {
		variance += first.triples * second.triples / (9 * m * (size - 2))
	}
	return min(1, 2*distuv.UnitNormal.Survival(math.Abs(above)/math.Sqrt(variance)))
}
