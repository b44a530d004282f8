package itemset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestMineDoesNotDependOnOrder: transactions and their items may come in any order.
func TestMineDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transactions, items := baskets(t)
		a := testdata.Must(Mine(context.Background(), transactions, items, 0.1))(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r.Shuffle(len(transactions), func(i, j int) {
			transactions[i], transactions[j] = transactions[j], transactions[i]
		})
		for _, list := range transactions {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		if b, err := Mine(context.Background(), transactions, items, 0.1); err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%v became %v (%v)", a, b, err)
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
		{"no items", [][]int{{}, {}}, 0, 0.05, nil},
		{"empty transactions", [][]int{{}, nil}, 2, 0.5, nil},
		{"one item", [][]int{{0}, {0}, {}}, 1, 0.05, []Itemset{{[]int{0}, 2}}},
		{
			"listed twice, counted once",
			[][]int{{1, 1, 0, 1}},
			2, 1,
			[]Itemset{{[]int{0}, 1}, {[]int{1}, 1}, {[]int{0, 1}, 1}},
		},
		{
			"support 1",
			[][]int{{0, 1}, {0, 1, 2}, {1, 0}},
			3, 1,
			[]Itemset{{[]int{0}, 3}, {[]int{1}, 3}, {[]int{0, 1}, 3}},
		},
		{
			"just enough",
			[][]int{{0}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}},
			2, 0.1,
			[]Itemset{{[]int{0}, 1}, {[]int{1}, 9}},
		},
		{
			"0.3 of 10 is 3 in spite of rounding",
			[][]int{{0}, {0}, {0}, {}, {}, {}, {}, {}, {}, {}},
			1, 0.1 + 0.2,
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

// TestEverythingFrequent: twelve items in every transaction make all 4095 sets.
func TestEverythingFrequent(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	got, err := Mine(context.Background(), [][]int{all, all, all}, len(all), 0.9)
	if err != nil || len(got) != 1<<12-1 {
		t.Fatalf("%d sets, %v", len(got), err)
	}
	for _, set := range got {
		if set.Count != 3 {
			t.Fatalf("%v", set)
		}
	}
	if last := got[len(got)-1]; !slices.Equal(last.Items, all) {
		t.Errorf("the last set is %v", last.Items)
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

// TestTooManyItemsets: 40 items that always occur together make 2^40 sets, which ends with an error
// and not with the memory.
func TestTooManyItemsets(t *testing.T) {
	_, err := Mine(context.Background(), together(40, 3), 40, 0.05)
	testdata.Refused(t, "error", err, "more than 1000000: raise the minimum support")
}

func TestMineEnds(t *testing.T) {
	for _, asked := range []int{0, 1, 2, 3, 1000} {
		if _, err := Mine(&countdown{Context: t.Context(), left: asked}, together(40, 10_000), 40,
			0.05); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d questions: %v", asked, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	testdata.ErrorIs(t, "Mine", testdata.Err(Mine(ctx, nil, 0, 0.05)), context.DeadlineExceeded)
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

// BenchmarkNew builds the ontology of the same transactions.
func BenchmarkNew(b *testing.B) {
	transactions := realistic(20_000, 40, 1)
	names := strings.Split("a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N", " ")
	for b.Loop() {
		testdata.Must(New(names, transactions, DefaultMinSupport, DefaultMinConfidence))(b)
	}
}
