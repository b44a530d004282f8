package itemset

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// letters names items a, b, c and so on.
func letters(items int) []string {
	names := make([]string, items)
	for k := range names {
		names[k] = string(rune('a' + k))
	}
	return names
}

func built(tb testing.TB, items int, transactions [][]int, support, confidence float64) Ontology {
	tb.Helper()
	return testdata.Must(New(letters(items), transactions, support, confidence))(tb)
}

// small has a, b and c as nodes and d too rare: a -> b 2/4 of a, b -> a 2/3, c -> b 1/2, b -> c
// 1/3.
func small(tb testing.TB) Ontology {
	tb.Helper()
	return built(tb, 4, [][]int{{0, 1}, {1, 0, 0}, {0}, {0}, {1, 2}, {2}, {}, {}, {}, {3}}, 0.1, 0.34)
}

// chain is a path of n items with edges in one direction, made by hand.
func chain(tb testing.TB, n int) Ontology {
	tb.Helper()
	o := built(tb, n, nil, 0.5, 0.5)
	for k := 1; k < n; k++ {
		o = testdata.Must(o.With(Edit{From: o.Names[k-1], To: o.Names[k], Weight: 0.5}))(tb)
	}
	return o
}

func TestOntologyOfFewTransactions(t *testing.T) {
	o := small(t)
	testdata.Equal(t, "nodes", o.Nodes, []int{0, 1, 2, 3})
	testdata.Equal(t, "counts", o.Counts, []int{4, 3, 2, 1})
	testdata.Equal(t, "edges", o.Edges, []Edge{ // 1/3 of b have c, which is too few
		{From: 0, To: 1, Count: 2, Weight: 0.5},
		{From: 1, To: 0, Count: 2, Weight: 2.0 / 3},
		{From: 2, To: 1, Count: 1, Weight: 0.5},
	})
	testdata.Is(t, "support", o.Support(o.Edges[0]), 0.2)
	testdata.Is(t, "lift", o.Lift(o.Edges[0]), 0.5/0.3)
	if !math.IsNaN(o.Support(Edge{From: 0, To: 1})) || !math.IsNaN(chain(t, 2).Lift(Edge{From: 0, To: 1, Weight: 1})) {
		t.Error("what nobody counted has a number")
	}
}

// TestEdgesAreRulesOfOneItemEach holds the pairs that New counts to what Mine and Rules find.
func TestEdgesAreRulesOfOneItemEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transactions, items := baskets(t)
		support := rapid.SampledFrom([]float64{0.02, 0.1, 0.3}).Draw(t, "support")
		confidence := rapid.SampledFrom([]float64{0, 0.3, 0.5, 1}).Draw(t, "confidence")
		o := testdata.Must(New(letters(items), transactions, support, confidence))(t)
		sets := testdata.Must(Mine(context.Background(), transactions, items, support))(t)
		rules := testdata.Must(Rules(t.Context(), sets, len(transactions), confidence))(t)
		var nodes []int
		for _, set := range sets {
			if len(set.Items) == 1 {
				nodes = append(nodes, set.Items[0])
			}
		}
		var edges []Edge
		for _, r := range rules {
			if len(r.Antecedent)+len(r.Consequent) == 2 {
				edges = append(edges, Edge{
					From: r.Antecedent[0], To: r.Consequent[0], Count: r.Count, Weight: r.Confidence(),
				})
			}
		}
		if !slices.Equal(o.Nodes, nodes) || !slices.Equal(o.Edges, edges) {
			t.Fatalf("nodes %v, want %v; edges %v, want %v", o.Nodes, nodes, o.Edges, edges)
		}
		for item := range items {
			from, to := o.From(item), o.To(item)
			for _, e := range edges {
				if (e.From == item) != slices.Contains(from, e) || (e.To == item) != slices.Contains(to, e) {
					t.Fatalf("item %d has %v and %v of %v", item, from, to, edges)
				}
			}
		}
	})
}

func TestNewRefuses(t *testing.T) {
	wide := make([]string, maxNodes+1)
	for k := range wide {
		wide[k] = fmt.Sprint(k)
	}
	all := testdata.UpTo(len(wide))
	for _, c := range []struct {
		name, want          string
		names               []string
		transactions        [][]int
		support, confidence float64
	}{
		{"a name used twice", `items 0 and 2 are both called "sky"`, []string{"sky", "sea", "sky"}, nil, 0.1, 0.3},
		{"no name", "item 1 has no name", []string{"sky", ""}, nil, 0.1, 0.3},
		{"a name of no letters", `item 0 is called "\xff"`, []string{"\xff"}, nil, 0.1, 0.3},
		{"a name of two lines", `item 0 is called "a\nb"`, []string{"a\nb"}, nil, 0.1, 0.3},
		{"an item out of range", "transaction 0 has item 2", []string{"sky"}, [][]int{{2}}, 0.1, 0.3},
		{"support 0", "minimum support 0", []string{"sky"}, nil, 0, 0.3},
		{"confidence 2", "minimum confidence 2", []string{"sky"}, nil, 0.1, 2},
		{"too many items", "5001 items reach the minimum support", wide, [][]int{all}, 0.1, 0.3},
	} {
		testdata.Refused(t, c.name, testdata.Err(New(c.names, c.transactions, c.support, c.confidence)), c.want)
	}
	if o, err := New(nil, nil, 0.1, 0.3); err != nil || len(o.Nodes) != 0 || o.Hash == "" {
		t.Errorf("an empty ontology: %+v, %v", o, err)
	}
}

func TestHashNamesWhatTheGraphIsMadeOf(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct {
		name                string
		names               []string
		transactions        [][]int
		support, confidence float64
	}{
		{"base", []string{"a", "bc"}, [][]int{{0, 1}, {0}}, 0.1, 0.3},
		{"other names", []string{"ab", "c"}, [][]int{{0, 1}, {0}}, 0.1, 0.3},
		{"other transactions", []string{"a", "bc"}, [][]int{{0, 1}, {1}}, 0.1, 0.3},
		{"items in other transactions", []string{"a", "bc"}, [][]int{{0}, {1, 0}}, 0.1, 0.3},
		{"one more transaction", []string{"a", "bc"}, [][]int{{0, 1}, {0}, {}}, 0.1, 0.3},
		{"other support", []string{"a", "bc"}, [][]int{{0, 1}, {0}}, 0.2, 0.3},
		{"other confidence", []string{"a", "bc"}, [][]int{{0, 1}, {0}}, 0.1, 0.2},
	} {
		o := testdata.Must(New(c.names, c.transactions, c.support, c.confidence))(t)
		if other, twice := seen[o.Hash]; twice || len(o.Hash) != 64 {
			t.Errorf("%s and %s have the hash %q", c.name, other, o.Hash)
		}
		seen[o.Hash] = c.name
	}
	again, err := New([]string{"a", "bc"}, [][]int{{1, 0, 1}, {0}}, 0.1, 0.3)
	if err != nil || seen[again.Hash] != "base" {
		t.Errorf("the order of items changes the hash (%v)", err)
	}
	edited, err := again.With(Edit{From: "a", To: "bc", Weight: 0.2})
	if err != nil || edited.Hash != again.Hash {
		t.Errorf("an edit changes the hash (%v)", err)
	}
}

func TestEditing(t *testing.T) {
	o := small(t)
	before := slices.Clone(o.Edges)
	edited := testdata.Must(o.With(
		Edit{From: "a", To: "b", Weight: 0.9, Note: "seen more often"},
		Edit{From: "b", To: "a", Weight: 0},
		Edit{From: "b", To: "a", Weight: 0}, // there is none any more
		Edit{From: "d", To: "a", Weight: 1},
	))(t)
	want := []Edge{{0, 1, 2, 0.9, true}, {2, 1, 1, 0.5, false}, {3, 0, 0, 1, true}}
	if !slices.Equal(edited.Edges, want) || !slices.Equal(edited.Nodes, []int{0, 1, 2, 3}) || len(edited.Edits) != 4 {
		t.Errorf("edges %v, nodes %v, %d edits", edited.Edges, edited.Nodes, len(edited.Edits))
	}
	if !slices.Equal(o.Edges, before) || len(o.Edits) != 0 {
		t.Error("the graph that was edited has changed")
	}
	again, err := edited.With(Edit{From: "d", To: "a"})
	if err != nil || len(again.Edges) != 2 || len(edited.Edges) != 3 || len(again.Edits) != 5 {
		t.Errorf("%v, %v", again.Edges, err)
	}
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{Edit{From: "x", To: "a", Weight: 1}, `no item is called "x"`},
		{Edit{From: "a", To: "", Weight: 1}, `no item is called ""`},
		{Edit{From: "a", To: "a", Weight: 1}, `from "a" to "a"`},
		{Edit{From: "a", To: "b", Weight: -0.1}, "weight -0.1"},
		{Edit{From: "a", To: "b", Weight: 1.5}, "weight 1.5"},
		{Edit{From: "a", To: "b", Weight: math.NaN()}, "weight NaN"},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v", c.edit), testdata.Err(o.With(c.edit)), c.want)
	}
}

// TestEditsAreRecorded: the same edits on the same graph make the same graph, whether they come at
// once or one by one.
func TestEditsAreRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transactions, items := baskets(t)
		if items < 2 {
			return
		}
		o := testdata.Must(New(letters(items), transactions, 0.3, 0.5))(t)
		name := rapid.IntRange(0, items-1)
		step := o
		for range rapid.IntRange(0, 8).Draw(t, "edits") {
			from, to := name.Draw(t, "from"), name.Draw(t, "to")
			if from == to {
				continue
			}
			step = testdata.Must(step.With(Edit{
				From: o.Names[from], To: o.Names[to],
				Weight: rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "weight"),
			}))(t)
		}
		once, err := o.With(step.Edits...)
		if err != nil || !reflect.DeepEqual(once, step) {
			t.Fatalf("%+v, want %+v (%v)", once, step, err)
		}
	})
}
