package stats

import (
	"cmp"
	"math"
	"slices"
)

// BenjaminiHochberg are the q-values of p-values of tests that are read together (Benjamini and
// Hochberg 1995): the smallest share of false discoveries at which each test still counts as one.
// They stand in the order of p; a p of NaN is no test and has a q of NaN.
func BenjaminiHochberg(p []float64) []float64 {
	q := make([]float64, len(p))
	var order []int
	for k, v := range p {
		if q[k] = math.NaN(); !math.IsNaN(v) {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	least := 1.0
	for at, k := range order {
		least = min(least, float64(p[k]*float64(len(order)))/float64(len(order)-at))
		q[k] = least
	}
	return q
}

// Holm are the p-values of tests that are read together, adjusted by Holm (1979): below alpha, each
// is significant with a probability of at most alpha for any error among all. They stand in the
// order of p; a p of NaN is no test and stays NaN.
func Holm(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	var order []int
	for k, v := range p {
		if adjusted[k] = math.NaN(); !math.IsNaN(v) {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	largest := 0.0
	for at, k := range order {
		largest = max(largest, min(1, p[k]*float64(len(order)-at)))
		adjusted[k] = largest
	}
	return adjusted
}
