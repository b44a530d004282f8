package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactSignedRank is up to how many differences the distribution of the rank sum is counted.
const exactSignedRank = 100

// SignedRank is the two-sided p-value of Wilcoxon's signed-rank test that paired differences lie
// around 0, and how many of them count: those of 0 are left out, as Wilcoxon (1945) did, and NaN is
// no difference. Differences of equal size share their mean rank. Up to 100 differences the p-value
// is exact given these ranks, beyond it is that of the normal approximation with the correction for
// ties. Without any difference p is NaN.
func SignedRank(differences []float64) (p float64, n int) {
	var sizes []float64
	var plus []bool
	for _, d := range differences {
		if d != 0 && !math.IsNaN(d) {
			sizes, plus = append(sizes, math.Abs(d)), append(plus, d > 0)
		}
	}
	if n = len(sizes); n == 0 {
		return math.NaN(), 0
	}
	// Ranks are counted in halves, so that mean ranks are whole.
	order := UpTo(n)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	ranks := make([]int, n)
	ties := 0.0 // sum of t^3 - t
	for from := 0; from < n; {
		to := from
		for to < n && sizes[order[to]] == sizes[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			ranks[k] = from + 1 + to // twice the mean of from+1 to to
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	sum, total := 0, 0
	for k, r := range ranks {
		total += r
		if plus[k] {
			sum += r
		}
	}
	least := min(sum, total-sum)
	if n > exactSignedRank {
		count := float64(n)
		variance := count*(count+1)*(2*count+1)/24 - ties/48
		z := (float64(least)/2 - float64(total)/4) / math.Sqrt(variance)
		return min(1, 2*distuv.UnitNormal.CDF(z)), n
	}
	// The share of all 2^n choices of signs whose sum is at most the least one.
	shares := make([]float64, total+1)
	shares[0] = 1
	reached := 0
	for _, r := range ranks {
		reached += r
		for at := reached; at >= 0; at-- {
			share := shares[at] / 2
			if at >= r {
				share += shares[at-r] / 2
			}
			shares[at] = share
		}
	}
	for _, share := range shares[:least+1] {
		p += share
	}
	return min(1, 2*p), n
}
