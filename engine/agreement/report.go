package agreement

import (
	"encoding/json"
	"strconv"
)

// Report holds every measure of one set of ratings. It is immutable after Measure returned it.
type Report struct {
	Raters  []string `json:"raters"`
	Classes []string `json:"classes"` // in order, the words of files
	// Items counts all items, ItemsRated those with a rating, ItemsTwo those with two or more.
	Items      int `json:"items"`
	ItemsRated int `json:"items_rated"`
	ItemsTwo   int `json:"items_2plus"`

	Percent Estimate `json:"percent"`
	// Cohen has one entry per pair of raters a < b, ordered by a, then b. CohenMean is the mean of the defined kappas.
	Cohen     []Pair   `json:"cohen_pairs"`
	CohenMean Estimate `json:"cohen_mean"`
	// CohenMeanLinear and CohenMeanQuadratic are those means of the weighted kappas; nil for two classes, where they equal CohenMean.
	CohenMeanLinear    *Estimate `json:"cohen_mean_linear,omitempty"`
	CohenMeanQuadratic *Estimate `json:"cohen_mean_quadratic,omitempty"`
	Majority           Majority  `json:"majority"`
	// VsMajority has one entry per rater: Cohen against the majority under tie policy Unresolved. Unless LeaveOneOut is
	// set, the rater's own vote is part of the majority and the values are biased upward; Note says so.
	VsMajority  []AgainstMajority `json:"cohen_vs_majority"`
	LeaveOneOut bool              `json:"leave_one_out"`
	Note        string            `json:"cohen_vs_majority_note"`

	// Generalised is set when the rated items have different numbers of ratings, so that Fleiss is the generalisation.
	Fleiss      Estimate `json:"fleiss"`
	Generalised bool     `json:"fleiss_generalised"`

	// Weighted and ordered forms are nil for two classes, where they equal the nominal one.
	GwetAC1          Estimate  `json:"gwet_ac1"`
	GwetAC2Linear    *Estimate `json:"gwet_ac2_linear,omitempty"`
	GwetAC2Quadratic *Estimate `json:"gwet_ac2_quadratic,omitempty"`

	KrippendorffNominal  Estimate  `json:"krippendorff_nominal"`
	KrippendorffOrdinal  *Estimate `json:"krippendorff_ordinal,omitempty"`
	KrippendorffInterval *Estimate `json:"krippendorff_interval,omitempty"`
}

// Cohen is the agreement of two columns of ratings.
type Cohen struct {
	N       int      `json:"n"` // items with both ratings
	Percent Estimate `json:"percent"`
	Kappa   Estimate `json:"kappa"`
	// Linear and Quadratic are the weighted kappas, nil for two classes.
	Linear    *Estimate `json:"kappa_linear,omitempty"`
	Quadratic *Estimate `json:"kappa_quadratic,omitempty"`
	// Confusion is K x K counts: row the first column's class, column the second's.
	Confusion [][]int `json:"confusion"`
}

// Pair is Cohen's kappa of raters A < B (indices).
type Pair struct {
	A      int       `json:"-"`
	B      int       `json:"-"`
	Raters [2]string `json:"raters"`
	Cohen
}

// AgainstMajority is Cohen's kappa of a rater (index, the rows of Confusion) against the majority vote (its columns).
type AgainstMajority struct {
	Index int    `json:"-"`
	Rater string `json:"rater"`
	Cohen
}

// Majority holds the majority class of each item under the three tie policies; Missing where there is none.
type Majority struct {
	Unresolved []int // ties have no majority: the items to discuss
	Lowest     []int // the smallest of the tied classes
	Highest    []int // the largest of the tied classes, the cautious choice for testing
}

// MarshalJSON writes the report with the majority columns in the words of Classes.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	return json.Marshal(struct {
		plain
		Majority map[string][]*string `json:"majority"`
	}{plain(r), map[string][]*string{
		"unresolved": r.words(r.Majority.Unresolved),
		"lowest":     r.words(r.Majority.Lowest),
		"highest":    r.words(r.Majority.Highest),
	}})
}

func (r Report) words(column []int) []*string {
	words := make([]*string, len(column))
	for k, class := range column {
		if class != Missing {
			words[k] = &r.Classes[class]
		}
	}
	return words
}

// Pair returns the entry of raters a and b in either order; ok is false when they are equal or out of range. For a > b
// the rows of Confusion still belong to the smaller index.
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
