package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Clustered is the 95 % interval of a share whose items come in clusters, such as the composites
// of one target: of items of[k] of cluster k, right[k] count. Items of a cluster are alike, so
// that they say less than as many from different clusters. It is Wilson's interval with the
// effective number of items p (1-p) / v * (t(n-1) / t(K-1))^2, n at most and 1 at least: p is the
// share of all n items, v = sum over k of (right[k] - p of[k])^2 / n^2 the variance of a ratio
// over K clusters, and t(f) the 97.5 % quantile of Student's t with f degrees of freedom, since v
// is known from K clusters alone (Korn and Graubard 1998; Dean and Pagano 2015). Where p is 0 or 1
// this variance says nothing, and every cluster counts as one item. So clusters of one item each
// give Wilson's interval. Empty clusters do not count. One cluster says nothing of others: of
// fewer than two both ends are NaN. It panics for lists of different lengths.
func Clustered(right, of []int) (low, high float64) {
	if len(right) != len(of) {
		panic(fmt.Sprintf("stats: %d counts of %d clusters", len(right), len(of)))
	}
	hits, all, clusters := 0, 0, 0
	for k, n := range of {
		if n > 0 {
			clusters++
		}
		hits, all = hits+right[k], all+n
	}
	if clusters < 2 {
		return math.NaN(), math.NaN()
	}
	n := float64(all)
	p, squares := float64(hits)/n, 0.0
	for k := range of {
		away := float64(right[k]) - float64(p*float64(of[k]))
		squares += float64(away * away)
	}
	effective := float64(clusters)
	if hits > 0 && hits < all {
		known := student95(n-1) / student95(float64(clusters-1))
		effective = max(1, min(n, p*(1-p)*n*n/squares*known*known))
	}
	return wilson(p, effective)
}

// student95 is how far from 0 a value of Student's t lies in 5 % of all cases.
func student95(freedom float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975)
}
