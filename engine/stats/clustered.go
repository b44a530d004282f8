package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Clustered is the 95 % interval of a share whose items come in clusters, such as the composites
// of one target: of items of[k] of cluster k, right[k] count. Items of a cluster are alike, so
// that they say less than as many from different clusters. It is Wilson's interval with an
// effective number of items, at most all n: n/(n+s) P (1-P) / v * (t(n) / t(K))^2 (Korn and
// Graubard 1998; Dean and Pagano 2015).
//
// Few clusters say little of how much clusters differ, and nothing where all items count or none
// does. So one more cluster is taken in, none of whose s items count, or all of them, whichever
// gives the smaller number. s = sum of of[k]^2 / n is the size of an item's cluster on average, P
// is the share of all n + s items, and v = sum of (right - P of)^2 / (n+s)^2 the variance of a
// ratio over these clusters. It is known from few clusters, hence t(f), the 97.5 % quantile of
// Student's t with f degrees of freedom.
//
// Clusters of one item each give Wilson's interval. Empty clusters do not count. One cluster says
// nothing of others: of fewer than two both ends are NaN. It panics for lists of different
// lengths.
func Clustered(right, of []int) (low, high float64) {
	if len(right) != len(of) {
		panic(fmt.Sprintf("stats: %d counts of %d clusters", len(right), len(of)))
	}
	hits, n, size, clusters := 0.0, 0.0, 0.0, 0.0
	for k := range of {
		if of[k] > 0 {
			clusters++
		}
		hits, n, size = hits+float64(right[k]), n+float64(of[k]), size+float64(of[k]*of[k])
	}
	if clusters < 2 {
		return math.NaN(), math.NaN()
	}
	size /= n
	known, effective := student95(n)/student95(clusters), n
	for _, more := range []float64{0, size} { // right items of the further cluster
		share := (hits + more) / (n + size)
		away := more - float64(share*size)
		squares := float64(away * away)
		for k := range of {
			away = float64(right[k]) - float64(share*float64(of[k]))
			squares += float64(away * away)
		}
		if squares > 0 { // else all or none count, with the further cluster, too
			effective = min(effective, n*(n+size)*share*(1-share)/squares*known*known)
		}
	}
	return wilson(hits/n, effective)
}

// student95 is how far from 0 a value of Student's t lies in 5 % of all cases.
func student95(freedom float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975)
}
