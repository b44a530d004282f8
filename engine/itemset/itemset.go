// Package itemset finds what goes together in lists of items: frequent itemsets by FP-Growth,
// association rules, and the ontology, a directed graph of items whose edges are rules of one item
// each (spec/background.md sections 2 and 3). Items are numbers from 0. It is pure.
package itemset

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// The defaults of spec/background.md section 2.
const (
	DefaultMinSupport    = 0.05
	DefaultMinConfidence = 0.30
)

// The most that Mine and Rules find. A set of k items has 2^k subsets that are as frequent as it
// is, so that items which occur together in many transactions make more of both than anybody can
// look at, or a computer can keep.
const (
	MaxItemsets = 1_000_000
	MaxRules    = 1_000_000
)

// Itemset is a set of items with the number of transactions that hold all of them.
type Itemset struct {
	Items []int // ascending
	Count int
}

// compare orders itemsets by size, then by item indices.
func (s Itemset) compare(other Itemset) int {
	return cmp.Or(cmp.Compare(len(s.Items), len(other.Items)), slices.Compare(s.Items, other.Items))
}

// Rule says that transactions with all items of Antecedent often hold those of Consequent. Both are
// ascending, disjoint and not empty. The counts are of transactions, n in all.
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

// compare orders rules by the size of A u B, then by the items of A, then by those of B.
func (r Rule) compare(other Rule) int {
	return cmp.Or(
		cmp.Compare(len(r.Antecedent)+len(r.Consequent), len(other.Antecedent)+len(other.Consequent)),
		slices.Compare(r.Antecedent, other.Antecedent), slices.Compare(r.Consequent, other.Consequent),
	)
}

// leastCount is the smallest count of a frequent itemset: count >= minSupport * n - 1e-9, and at
// least 1, since what never occurs is not frequent however low the bar lies.
func leastCount(transactions int, minSupport float64) int {
	return max(int(math.Ceil(float64(minSupport*float64(transactions))-1e-9)), 1)
}

// checkSupport refuses a minimum support outside of (0, 1].
func checkSupport(minSupport float64) error {
	if minSupport > 0 && minSupport <= 1 {
		return nil
	}
	return fmt.Errorf("minimum support %g: it must be above 0 and at most 1", minSupport)
}

// checkConfidence refuses a minimum confidence outside of [0, 1].
func checkConfidence(minConfidence float64) error {
	if minConfidence >= 0 && minConfidence <= 1 {
		return nil
	}
	return fmt.Errorf("minimum confidence %g: it must be from 0 to 1", minConfidence)
}

// confident tells whether a rule's confidence reaches the bar; rounding does not decide.
func confident(count, antecedent int, minConfidence float64) bool {
	return float64(count)/float64(antecedent) >= minConfidence-1e-12
}

// counted are the items of all transactions, and in how many transactions each of 0..items-1
// occurs.
type counted struct {
	transactions [][]int // each ascending and without repetition
	counts       []int
}

// count orders the items of each transaction and counts them. The error names an item that is out
// of range.
func count(transactions [][]int, items int) (counted, error) {
	c := counted{transactions: make([][]int, len(transactions)), counts: make([]int, max(items, 0))}
	for t, list := range transactions {
		for _, item := range list {
			if item < 0 || item >= items {
				return counted{}, fmt.Errorf("transaction %d has item %d, but the items are 0 to %d", t, item, items-1)
			}
		}
		sorted := slices.Clone(list)
		slices.Sort(sorted)
		c.transactions[t] = slices.Compact(sorted)
		for _, item := range c.transactions[t] {
			c.counts[item]++
		}
	}
	return c, nil
}

// key is a set of items as a key of a map.
func key(buffer []byte, items []int) []byte {
	buffer = buffer[:0]
	for _, item := range items {
		buffer = binary.AppendUvarint(buffer, uint64(item))
	}
	return buffer
}
