package agreement

import "strconv"

// Report holds every measure of one set of ratings. It is immutable after Measure returned it.
type Report struct {
	Raters  []string
	Classes []string // in order, the words of files
	// Items counts all items, ItemsRated those with a rating, ItemsTwo those with two or more.
	Items      int
	ItemsRated int
	ItemsTwo   int

	Percent Estimate
	// Cohen has one entry per pair of raters a < b, ordered by a, then b. CohenMean is the mean of
	// the defined kappas.
	Cohen     []Pair
	CohenMean Estimate
	// CohenMeanLinear and CohenMeanQuadratic are those means of the weighted kappas; nil for two
	// classes, where they equal CohenMean.
	CohenMeanLinear    *Estimate
	CohenMeanQuadratic *Estimate
	Majority           Majority
	// VsMajority has one entry per rater: Cohen against the majority under tie policy Unresolved.
	// Unless LeaveOneOut is set, the rater's own vote is part of the majority and the values are
	// biased upward; Note says so.
	VsMajority  []AgainstMajority
	LeaveOneOut bool
	Note        string

	// Generalised is set when the rated items have different numbers of ratings, so that Fleiss is
	// the generalisation.
	Fleiss      Estimate
	Generalised bool

	// Weighted and ordered forms are nil for two classes, where they equal the nominal one.
	GwetAC1          Estimate
	GwetAC2Linear    *Estimate
	GwetAC2Quadratic *Estimate

	KrippendorffNominal  Estimate
	KrippendorffOrdinal  *Estimate
	KrippendorffInterval *Estimate
}

// Cohen is the agreement of two columns of ratings.
type Cohen struct {
	N       int // items with both ratings
	Percent Estimate
	Kappa   Estimate
	// Linear and Quadratic are the weighted kappas, nil for two classes.
	Linear    *Estimate
	Quadratic *Estimate
	// Confusion is K x K counts: row the first column's class, column the second's.
	Confusion [][]int
}

// Pair is Cohen's kappa of raters A < B (indices).
type Pair struct {
	A      int
	B      int
	Raters [2]string
	Cohen
}

// AgainstMajority is Cohen's kappa of a rater (index, the rows of Confusion) against the majority
// vote (its columns).
type AgainstMajority struct {
	Index int
	Rater string
	Cohen
}

// Majority holds the majority class of each item under the three tie policies; Missing where there
// is none.
type Majority struct {
	Unresolved []int // ties have no majority: the items to discuss
	Lowest     []int // the smallest of the tied classes
	Highest    []int // the largest of the tied classes, the cautious choice for testing
}

// Pair returns the entry of raters a and b in either order; ok is false when they are equal or out
// of range. For a > b the rows of Confusion still belong to the smaller index.
func (r Report) Pair(a, b int) (p Pair, ok bool) {
	for _, p := range r.Cohen {
		if p.A == min(a, b) && p.B == max(a, b) {
			return p, true
		}
	}
	return Pair{}, false
}

// classNames returns the given names, or "0", "1", ... for what is not named.
func classNames(names []string, classes int) []string {
	list := make([]string, classes)
	for k := range list {
		list[k] = strconv.Itoa(k)
		if k < len(names) {
			list[k] = names[k]
		}
	}
	return list
}
