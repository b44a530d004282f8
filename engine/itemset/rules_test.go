package itemset

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowRules tries every split of every set and counts in the transactions.
func slowRules(transactions [][]int, sets []Itemset, minConfidence float64) []Rule {
	count := func(items []int) int {
		n := 0
		for _, list := range transactions {
			if !slices.ContainsFunc(items, func(item int) bool { return !slices.Contains(list, item) }) {
				n++
			}
		}
		return n
	}
	var rules []Rule
	for _, set := range sets {
		for mask := 1; mask < 1<<len(set.Items)-1; mask++ {
			r := Rule{Count: count(set.Items), Total: len(transactions)}
			for k, item := range set.Items {
				if mask>>k&1 == 1 {
					r.Antecedent = append(r.Antecedent, item)
				} else {
					r.Consequent = append(r.Consequent, item)
				}
			}
			r.AntecedentCount, r.ConsequentCount = count(r.Antecedent), count(r.Consequent)
			if float64(r.Count)/float64(r.AntecedentCount) >= minConfidence-1e-12 {
				rules = append(rules, r)
			}
		}
	}
	slices.SortFunc(rules, Rule.compare)
	return rules
}

func TestRulesAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transactions, items := baskets(t)
		support := rapid.SampledFrom([]float64{0.02, 0.1, 0.3}).Draw(t, "support")
		sets := testdata.Must(Mine(context.Background(), transactions, items, support))(t)
		confidence := rapid.SampledFrom([]float64{0, 0.3, 0.5, 2.0 / 3, 1}).Draw(t, "confidence")
		got := testdata.Must(Rules(t.Context(), sets, len(transactions), confidence))(t)
		if want := slowRules(transactions, sets, confidence); len(got) != len(want) || len(got) > 0 &&
			!reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestRulesRefuse(t *testing.T) {
	a, b, ab := Itemset{[]int{0}, 5}, Itemset{[]int{1}, 5}, Itemset{[]int{0, 1}, 3}
	for _, c := range []struct {
		name, want string
		sets       []Itemset
		confidence float64
	}{
		{"a part is missing", "itemset [1] is part of [0 1]", []Itemset{a, ab}, 0.3},
		{"a consequent is missing", "itemset [0] is part of [0 1]", []Itemset{b, ab}, 0},
		{
			"a part is rarer than the whole", "itemset [0] is part of [0 1], which occurs 3 times, but occurs 2 times",
			[]Itemset{{[]int{0}, 2}, b, ab},
			0.3,
		},
		{"a count above the total", "count of 11 among 10", []Itemset{{[]int{0}, 11}}, 0.3},
		{"a count of 0", "count of 0", []Itemset{{[]int{0}, 0}}, 0.3},
		{"confidence below 0", "minimum confidence -0.1", nil, -0.1},
		{"confidence above 1", "minimum confidence 1.1", nil, 1.1},
		{"confidence NaN", "minimum confidence NaN", nil, math.NaN()},
	} {
		testdata.Refused(t, c.name, testdata.Err(Rules(t.Context(), c.sets, 10, c.confidence)), c.want)
	}
	testdata.Is(t, "no sets", len(testdata.Must(Rules(t.Context(), nil, 0, 0.3))(t)), 0)
}

// TestRulesAreCancelled before a set is split, and in the middle of a large one.
func TestRulesAreCancelled(t *testing.T) {
	sets := testdata.Must(Mine(t.Context(), together(12, 2), 12, 1))(t)
	for _, asked := range []int{0, 1, 5000} {
		ctx := &countdown{Context: t.Context(), left: asked}
		if rules, err := Rules(ctx, sets, 2, 0.5); !errors.Is(err, context.Canceled) || rules != nil || ctx.left < -1 {
			t.Errorf("cancelled after %d steps: %d rules, %v, asked %d times more", asked, len(rules), err, -ctx.left-1)
		}
	}
}

// countdown is a context that is cancelled when it has been asked so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
