package itemset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slow finds all frequent itemsets by counting every set of items in every transaction.
func slow(transactions [][]int, items int, minSupport float64) []Itemset {
	var found []Itemset
	for mask := 1; mask < 1<<items; mask++ {
		set := Itemset{}
		for item := range items {
			if mask>>item&1 == 1 {
				set.Items = append(set.Items, item)
			}
		}
		for _, list := range transactions {
			if !slices.ContainsFunc(set.Items, func(item int) bool { return !slices.Contains(list, item) }) {
				set.Count++
			}
		}
		if set.Count > 0 && float64(set.Count) >= float64(minSupport*float64(len(transactions)))-1e-9 {
			found = append(found, set)
		}
	}
	slices.SortFunc(found, Itemset.compare)
	return found
}

// baskets draws transactions over few items, some listed twice, some transactions empty.
func baskets(t *rapid.T) (transactions [][]int, items int) {
	items = rapid.IntRange(1, 9).Draw(t, "items")
	item := rapid.IntRange(0, items-1)
	if rapid.Bool().Draw(t, "skewed") { // low items are common
		item = rapid.Map(rapid.Float64Range(0, 0.999), func(v float64) int { return int(v * v * v * float64(items)) })
	}
	return rapid.SliceOfN(rapid.SliceOfN(item, 0, 2*items), 0, 40).Draw(t, "transactions"), items
}

func TestMineAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transactions, items := baskets(t)
		support := rapid.SampledFrom([]float64{0.01, 0.05, 0.1, 0.25, 1.0 / 3, 0.5, 0.7, 1}).Draw(t, "support")
		before := slices.Clone(transactions)
		for k := range before {
			before[k] = slices.Clone(before[k])
		}
		got := testdata.Must(Mine(context.Background(), transactions, items, support))(t)
		want := slow(transactions, items, support)
		if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for k := range before {
			testdata.Equal(t, fmt.Sprintf("transaction %d was changed", k), before[k], transactions[k])
		}
	})
}

func TestMineEdges(t *testing.T) {
	for _, c := range []struct {
		name         string
		transactions [][]int
		items        int
		support      float64
		want         []Itemset
	}{
		{"no transactions", nil, 3, 0.05, nil},
		{"empty transactions", [][]int{{}, nil}, 2, 0.5, nil},
		{
			"0.3 of 10 is 3 in spite of rounding",
			[][]int{{0}, {0}, {0}, {}, {}, {}, {}, {}, {}, {}},
			1, 0.30000000000000004,
			[]Itemset{{[]int{0}, 3}},
		},
		{"what never occurs is not frequent", [][]int{{0}}, 3, 1e-12, []Itemset{{[]int{0}, 1}}},
	} {
		got, err := Mine(context.Background(), c.transactions, c.items, c.support)
		if err != nil || len(got) != len(c.want) || len(got) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestMineRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want   string
		transactions [][]int
		items        int
		support      float64
	}{
		{"an item too large", "transaction 1 has item 2, but the items are 0 to 1", [][]int{{0}, {1, 2}}, 2, 0.1},
		{"an item below 0", "transaction 0 has item -1", [][]int{{-1}}, 2, 0.1},
		{"an item of none", "transaction 0 has item 0", [][]int{{0}}, 0, 0.1},
		{"support 0", "minimum support 0", nil, 2, 0},
		{"support above 1", "minimum support 1.5", nil, 2, 1.5},
		{"support NaN", "minimum support NaN", nil, 2, math.NaN()},
	} {
		testdata.Refused(t, c.name,
			testdata.Err(Mine(context.Background(), c.transactions, c.items, c.support)), c.want)
	}
}

// together are n transactions of the same items.
func together(items, n int) [][]int {
	all := testdata.UpTo(items)
	return slices.Repeat([][]int{all}, n)
}

// TestTooMany: 40 items that always occur together make 2^40 sets, and 14 make 4.7 million rules,
// which ends with an error and not with the memory.
func TestTooMany(t *testing.T) {
	testdata.Refused(t, "itemsets", testdata.Err(Mine(t.Context(), together(40, 3), 40, 0.05)),
		"more than 1000000: raise the minimum support")
	sets := testdata.Must(Mine(t.Context(), together(14, 2), 14, 1))(t)
	testdata.Is(t, "itemsets", len(sets), 1<<14-1)
	testdata.Refused(t, "rules", testdata.Err(Rules(t.Context(), sets, 2, 0.3)),
		"more than 1000000: raise the minimum confidence")
}

func TestMineEnds(t *testing.T) {
	for _, asked := range []int{0, 1, 2, 3, 1000} {
		if _, err := Mine(&countdown{Context: t.Context(), left: asked}, together(40, 10_000), 40,
			0.05); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d questions: %v", asked, err)
		}
	}
}

// realistic draws n transactions over items as keywords of scenes come: some kinds of scenes with
// likely items, and few others.
func realistic(n, items int, seed uint64) [][]int {
	r := rand.New(rand.NewPCG(seed, 7))
	const kinds = 10
	likely := make([][]float64, kinds)
	for k := range likely {
		likely[k] = make([]float64, items)
		for item := range items {
			likely[k][item] = 0.02
			if r.Float64() < 0.2 {
				likely[k][item] = 0.3 + 0.6*r.Float64()
			}
		}
	}
	transactions := make([][]int, n)
	for t := range transactions {
		kind := likely[r.IntN(kinds)]
		for item, p := range kind {
			if r.Float64() < p {
				transactions[t] = append(transactions[t], item)
			}
		}
	}
	return transactions
}

// BenchmarkMine mines 20,000 transactions of 40 items.
func BenchmarkMine(b *testing.B) {
	transactions := realistic(20_000, 40, 1)
	b.ReportAllocs()
	for b.Loop() {
		testdata.Must(Mine(b.Context(), transactions, 40, DefaultMinSupport))(b)
	}
}
