package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// FewForKendall is the reason why Kendall's tau-b is undefined for fewer than two pairs of numbers.
const FewForKendall = "fewer than 2 pairs"

// PairCounts are what Kendall's tau-b counts over all pairs of items (spec/laf.md section 4). Pairs
// tied in both count nowhere.
type PairCounts struct{ Concordant, Discordant, TiesFirst, TiesSecond int64 }

// Kendall is tau-b with its p-value. A pair with a NaN is dropped. Fewer than 2 pairs of numbers,
// or a constant variable, have none; what was counted is returned all the same. Infinite values
// have an order like all others. It has no interval: KendallInterval has one. It panics when x and
// y differ in length.
func Kendall(x, y []float64) (Correlation, PairCounts) {
	k := newTau(x, y)
	c, counts := k.of(k.first, k.second)
	if c.Defined() {
		c.P, c.PBy = k.p(counts)
	}
	return c, counts
}

// KendallValue is Kendall without the p-value, which takes longer than all the rest.
func KendallValue(x, y []float64) Correlation {
	k := newTau(x, y)
	c, _ := k.of(k.first, k.second)
	return c
}

// tau are the pairs that have both numbers, sorted by the first, then by the second.
type tau struct {
	first, second []float64
	sorted, spare []float64 // room for of
}

func newTau(x, y []float64) tau {
	x, y = CompletePairs(x, y)
	order := UpTo(len(x))
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	k := tau{sorted: make([]float64, len(x)), spare: make([]float64, len(x))}
	for _, item := range order {
		k.first, k.second = append(k.first, x[item]), append(k.second, y[item])
	}
	return k
}

// of is tau-b, without p, of as many pairs in the same order. It takes O(n log n): the discordant
// pairs are the exchanges of a merge sort (Knight 1966).
func (k tau) of(first, second []float64) (Correlation, PairCounts) {
	c := Correlation{N: len(first)}
	both := tiedInBoth(first, second)
	inFirst := tiesOf(first).pairs
	copy(k.sorted, second)
	discordant := exchanges(k.sorted, k.spare)
	inSecond := tiesOf(k.sorted).pairs
	all := pairsAmong(len(first))
	counts := PairCounts{
		Discordant: discordant, TiesFirst: inFirst - both, TiesSecond: inSecond - both,
		Concordant: all - inFirst - inSecond + both - discordant,
	}
	switch {
	case len(first) < 2:
		c.Reason = FewForKendall
	case inFirst == all:
		c.Reason = FirstFixed
	case inSecond == all:
		c.Reason = SecondFixed
	default:
		above := float64(counts.Concordant - counts.Discordant)
		c.Value = max(-1, min(1, above/math.Sqrt(float64(all-inFirst)*float64(all-inSecond))))
	}
	return c, counts
}

// p is the two-sided p-value of the pairs, which of has counted, and how it was computed.
func (k tau) p(counts PairCounts) (p float64, by string) {
	n, above := len(k.first), counts.Concordant-counts.Discordant
	slices.Sort(k.sorted)
	first, second := tiesOf(k.first), tiesOf(k.sorted)
	switch untied := first.pairs+second.pairs == 0; {
	case untied && n <= mostExactKendall:
		return exactTauP(n, counts.Discordant), Exact
	case n <= mostPermuted:
		return permutedTauP(k.first, k.second, above), Exact
	}
	return max(leastP(n), normalTauP(float64(above), n, first, second)), Normal
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

// tiedInBoth counts the pairs that agree in both variables, sorted by the first, then by the
// second.
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

// exchanges sorts values and counts the pairs that stood in falling order. spare has the same
// length.
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

// normalTauP is the two-sided probability of P - Q at least as far from 0, from the variance of P -
// Q among independent variables with these ties (Kendall, Rank Correlation Methods, chapter 5).
func normalTauP(above float64, n int, first, second ties) float64 {
	size := float64(n)
	m := size * (size - 1)
	variance := (m*(2*size+5)-first.wide-second.wide)/18 + 2*float64(first.pairs)*float64(second.pairs)/m
	if n > 2 {
		variance += first.triples * second.triples / (9 * m * (size - 2))
	}
	return min(1, 2*distuv.UnitNormal.Survival(math.Abs(above)/math.Sqrt(variance)))
}
