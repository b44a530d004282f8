package itemset

import (
	"context"
	"fmt"
	"slices"
)

// Rules are all splits of frequent itemsets of two or more items with confidence >= minConfidence -
// 1e-12, ordered by the size of antecedent and consequent together, then by the antecedent's item
// indices, then by the consequent's. sets is the whole of what Mine returned for total
// transactions. The error is ctx's, or for sets that cannot be that, a confidence outside of [0,
// 1], and more than MaxRules rules.
func Rules(ctx context.Context, sets []Itemset, total int, minConfidence float64) ([]Rule, error) {
	if err := checkConfidence(minConfidence); err != nil {
		return nil, fmt.Errorf("find rules: %w", err)
	}
	s := splitter{ctx: ctx, total: total, least: minConfidence, counts: make(map[string]int, len(sets))}
	for _, set := range sets {
		if set.Count < 1 || set.Count > total {
			return nil, fmt.Errorf("find rules: itemset %v has a count of %d among %d transactions", set.Items,
				set.Count, total)
		}
		s.counts[string(key(s.buffer, set.Items))] = set.Count
	}
	for _, set := range sets {
		if len(set.Items) < 2 {
			continue
		}
		s.set, s.consequent, s.antecedent = set, s.consequent[:0], append(s.antecedent[:0], set.Items...)
		if err := s.split(0); err != nil {
			return nil, fmt.Errorf("find rules at minimum confidence %g: %w", minConfidence, err)
		}
	}
	slices.SortFunc(s.found, Rule.compare)
	return s.found, nil
}

// splitter splits one itemset after the other.
type splitter struct {
	ctx                    context.Context
	total                  int
	least                  float64
	counts                 map[string]int
	set                    Itemset
	antecedent, consequent []int
	found                  []Rule
	buffer                 []byte
}

// split moves each item of the antecedent from index `from` on to the consequent, keeps the rule,
// and goes on from there. A rule whose confidence is too low is not split further: with fewer items
// the antecedent is at least as frequent, so no confidence rises.
func (s *splitter) split(from int) error {
	if err := s.ctx.Err(); err != nil || len(s.antecedent) == 1 {
		return err
	}
	for k := from; k < len(s.antecedent); k++ {
		item := s.antecedent[k]
		s.antecedent = slices.Delete(s.antecedent, k, k+1)
		s.consequent = append(s.consequent, item)
		ok, err := s.keep()
		if err == nil && ok {
			err = s.split(k)
		}
		if err != nil {
			return err
		}
		s.consequent = s.consequent[:len(s.consequent)-1]
		s.antecedent = slices.Insert(s.antecedent, k, item)
	}
	return nil
}

// keep appends the rule of the present split; ok is false when its confidence is too low.
func (s *splitter) keep() (ok bool, err error) {
	antecedent, err := s.count(s.antecedent)
	if err != nil || !confident(s.set.Count, antecedent, s.least) {
		return false, err
	}
	consequent, err := s.count(s.consequent)
	if err != nil {
		return false, err
	}
	if len(s.found) == MaxRules {
		return false, fmt.Errorf("there are more than %d: "+
			"raise the minimum confidence or the minimum support", MaxRules)
	}
	s.found = append(s.found, Rule{
		Antecedent: slices.Clone(s.antecedent), Consequent: slices.Clone(s.consequent),
		Count: s.set.Count, AntecedentCount: antecedent, ConsequentCount: consequent, Total: s.total,
	})
	return true, nil
}

// count is that of a part of the set, which is at least as frequent as the set.
func (s *splitter) count(items []int) (int, error) {
	s.buffer = key(s.buffer, items)
	n, ok := s.counts[string(s.buffer)]
	if !ok || n < s.set.Count {
		return 0, fmt.Errorf("itemset %v is part of %v, which occurs %d times, "+
			"but occurs %d times itself; give all frequent itemsets", items, s.set.Items, s.set.Count, n)
	}
	return n, nil
}

// Associations are the frequent itemsets of transactions over the items 0..items-1 and the rules
// that they give: Mine and Rules, one after the other.
func Associations(
	ctx context.Context, transactions [][]int, items int, minSupport, minConfidence float64,
) ([]Itemset, []Rule, error) {
	sets, err := Mine(ctx, transactions, items, minSupport)
	if err != nil {
		return nil, nil, err
	}
	rules, err := Rules(ctx, sets, len(transactions), minConfidence)
	return sets, rules, err
}
