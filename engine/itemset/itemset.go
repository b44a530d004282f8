// Package itemset finds what goes together in lists of items: frequent itemsets by FP-Growth, association rules, and the
// ontology, a directed graph of items whose edges are rules of one item each (spec/background.md sections 2 and 3). Items are
// numbers from 0. It is pure.
package itemset

import "context"

// The defaults of spec/background.md section 2.
const (
	DefaultMinSupport    = 0.05
	DefaultMinConfidence = 0.30
)

// Itemset is a set of items with the number of transactions that hold all of them.
type Itemset struct {
	Items []int // ascending
	Count int
}

// Rule says that transactions with all items of Antecedent often hold those of Consequent. Both are ascending, disjoint and not
// empty. The counts are of transactions, n in all.
type Rule struct {
	Antecedent, Consequent                         []int
	Count, AntecedentCount, ConsequentCount, Total int
}

// Support is count(A u B) / n.
func (r Rule) Support() float64 { return float64(r.Count) / float64(r.Total) }

// Confidence is count(A u B) / count(A), one division, so that equal confidences are equal bits.
func (r Rule) Confidence() float64 { return float64(r.Count) / float64(r.AntecedentCount) }

// Lift is confidence / support(B).
func (r Rule) Lift() float64 {
	return r.Confidence() / (float64(r.ConsequentCount) / float64(r.Total))
}

// Mine finds all frequent itemsets of transactions over items 0..items-1 by FP-Growth: those with count >= minSupport * n - 1e-9.
// A transaction lists its items in any order; an item that is listed twice counts once. The result is ordered by size, then by item
// indices. The error is for an item that is out of range, a support outside of (0, 1], and the end of ctx; the first two name what
// is wrong. No transactions have no frequent itemsets.
func Mine(ctx context.Context, transactions [][]int, items int, minSupport float64) ([]Itemset, error) {
	panic("not built yet")
}

// Rules are all splits of frequent itemsets of two or more items with confidence >= minConfidence - 1e-12, ordered by the itemset
// (size, then item indices), then by the antecedent (size, then item indices). sets is the whole of what Mine returned for total transactions.
func Rules(sets []Itemset, total int, minConfidence float64) ([]Rule, error) {
	panic("not built yet")
}
