package stats

import (
	"math"
	"math/bits"
	"slices"
)

// mostPermuted is the largest number of pairs whose permutations are all looked at: 9! are 362,880.
const mostPermuted = 9

// mostExactKendall is the largest number of pairs for which the exact distribution of Kendall's
// tau without ties is computed.
const mostExactKendall = 50

// leastP is the smallest two-sided p-value that n pairs can have: of all orders of n values one
// is the most extreme on each side. It stays above 0 where 2/n! is too small for a float64.
func leastP(n int) float64 {
	logarithm, _ := math.Lgamma(float64(n) + 1)
	return max(min(1, 2*math.Exp(-logarithm)), math.SmallestNonzeroFloat64)
}

// permutedP is the two-sided p-value of sum(x[k] y[k]) among the sums of all orders of y, twice
// the smaller tail and at most 1. x and y are centred and of length 1, so that the sums are
// correlations and rounding can be told from a difference. It takes at most mostPermuted values.
//
// It meets in the middle: the orders of y divide into a choice of values that stand against the
// first half of x, the orders of these, and the orders of the others. So it sorts few sums and
// counts pairs of them in place of making all n! sums.
func permutedP(x, y []float64, observed float64) float64 {
	n := len(x)
	const slack = 1e-12 // sums that differ by less are equal
	first, second := orderSums(x[:n/2], y), orderSums(x[n/2:], y)
	total, above, below := 0, 0, 0
	for chosen, front := range first {
		if bits.OnesCount(uint(chosen)) != n/2 {
			continue
		}
		slices.Sort(front)
		back := second[len(second)-1-chosen] // the sums of all values that are not chosen
		for _, b := range back {
			above += len(front) - countBelow(front, observed-slack-b)
		}
		total += len(front) * len(back)
	}
	if 2*above > total { // else the other tail is the larger one
		for chosen, front := range first {
			if bits.OnesCount(uint(chosen)) == n/2 {
				for _, b := range second[len(second)-1-chosen] {
					below += countBelow(front, observed+slack-b)
				}
			}
		}
		above = min(above, below)
	}
	return min(1, 2*float64(above)/float64(total))
}

// countBelow is how many of the sorted values are smaller than limit.
func countBelow(sorted []float64, limit float64) int {
	from, to := 0, len(sorted)
	for from < to {
		if middle := (from + to) / 2; sorted[middle] < limit {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// orderSums are, for every choice of up to len(x) values of y (bit k of the index stands for
// y[k]), the sums x[0] y[a] + x[1] y[b] + ... over all orders of the chosen values.
func orderSums(x, y []float64) [][]float64 {
	sums := make([][]float64, 1<<len(y))
	sums[0] = []float64{0}
	for chosen := 1; chosen < len(sums); chosen++ {
		size := bits.OnesCount(uint(chosen))
		if size > len(x) {
			continue
		}
		list := make([]float64, 0, size*len(sums[chosen&(chosen-1)]))
		for rest := chosen; rest != 0; rest &= rest - 1 {
			last := bits.TrailingZeros(uint(rest))
			for _, sum := range sums[chosen&^(1<<last)] {
				list = append(list, sum+float64(x[size-1]*y[last]))
			}
		}
		sums[chosen] = list
	}
	return sums
}

// permutedTauP is the two-sided p-value of P - Q = above among all orders of second, twice the
// smaller tail and at most 1. first is sorted; both may have ties. It takes at most mostPermuted
// values.
//
// Items with equal values of first form a group. The groups take their values of second one after
// another; what a group adds to P - Q depends on which values are taken already, not on their
// order, so sets of values are counted in place of orders.
func permutedTauP(first, second []float64, above int64) float64 {
	n := len(first)
	shift := n * (n - 1) / 2
	counts := make([][]int64, 1<<n) // by the set of values that are taken: how often each P - Q, moved by shift
	counts[0] = make([]int64, 2*shift+1)
	counts[0][shift] = 1
	for from := 0; from < n; {
		to := from + 1
		for to < n && first[to] == first[from] {
			to++
		}
		next := make([][]int64, 1<<n)
		for taken, ways := range counts {
			if ways == nil {
				continue
			}
			for group := range 1 << n {
				if group&taken == 0 && bits.OnesCount(uint(group)) == to-from {
					addShifted(next, taken|group, ways, gain(second, taken, group))
				}
			}
		}
		counts, from = next, to
	}
	var total, atLeast, atMost int64
	for k, ways := range counts[1<<n-1] {
		total += ways
		if int64(k-shift) >= above {
			atLeast += ways
		}
		if int64(k-shift) <= above {
			atMost += ways
		}
	}
	return min(1, 2*float64(min(atLeast, atMost))/float64(total))
}

// gain is what the values of a group add to P - Q when those taken stand before them.
func gain(values []float64, taken, group int) int {
	sum := 0
	for ; group != 0; group &= group - 1 {
		v := values[bits.TrailingZeros(uint(group))]
		for rest := taken; rest != 0; rest &= rest - 1 {
			switch u := values[bits.TrailingZeros(uint(rest))]; {
			case u < v:
				sum++
			case u > v:
				sum--
			}
		}
	}
	return sum
}

// addShifted adds the ways to reach each sum, by further on, to those of a set of values.
func addShifted(counts [][]int64, set int, ways []int64, by int) {
	into := counts[set]
	if into == nil {
		into = make([]int64, len(ways))
		counts[set] = into
	}
	for k, n := range ways {
		if n != 0 {
			into[k+by] += n
		}
	}
}

// exactTauP is the two-sided p-value of so many discordant pairs among n items without ties: in
// how many of all orders there are as few, or as many, exchanges (Kendall 1938).
func exactTauP(n int, discordant int64) float64 {
	few := int(min(discordant, pairsAmong(n)-discordant))
	orders := make([]float64, few+1) // in units of n!: the share of orders with k exchanges
	orders[0] = 1
	for size := 2; size <= n; size++ { // the size-th item stands before 0 to size-1 of the others
		sums := make([]float64, few+2)
		for k, share := range orders {
			sums[k+1] = sums[k] + share
		}
		for k := range orders {
			orders[k] = (sums[k+1] - sums[max(0, k+1-size)]) / float64(size)
		}
	}
	tail := 0.0
	for _, share := range orders {
		tail += share
	}
	return min(1, 2*tail)
}
