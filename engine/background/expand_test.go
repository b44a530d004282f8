package background

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/internal/testdata"
)

// graph is an ontology with these edges, put into their order.
func graph(items int, edges ...itemset.Edge) itemset.Ontology {
	o := itemset.Ontology{Names: make([]string, items), Counts: make([]int, items)}
	for i := range items {
		o.Nodes = append(o.Nodes, i)
	}
	o.Edges = edges
	slices.SortFunc(o.Edges, func(a, b itemset.Edge) int { return (a.From-b.From)*items + a.To - b.To })
	return o
}

func TestExpandEdges(t *testing.T) {
	first := func(item int) Keyword { return Keyword{Item: item, Score: 1, From: -1} }
	o := graph(2, itemset.Edge{From: 0, To: 1, Weight: 0.5})
	for _, c := range []struct {
		name    string
		o       itemset.Ontology
		present []int
		want    []Keyword
	}{
		{"nothing", o, nil, []Keyword{}},
		{"empty ontology", graph(0), []int{4, 0, 4}, []Keyword{first(0), first(4)}},
		{"items the graph does not know", o, []int{77, -5}, []Keyword{first(-5), first(77)}},
	} {
		testdata.NoDiff(t, c.name, cmp.Diff(c.want, Expand(c.o, c.present, Expansion{MaxLevels: 2})))
	}
}

// expandSlowly is the loop of spec/background.md section 4 word by word, over a matrix of weights
// (NaN: no edge).
func expandSlowly(weight [][]float64, present []int, e Expansion) []Keyword {
	least := e.MinKeywords
	if least <= 0 {
		least = math.MaxInt
	}
	level, score, from := map[int]int{}, map[int]float64{}, map[int]int{}
	for _, item := range present {
		level[item], score[item], from[item] = 0, 1, -1
	}
	for i := 0; len(level) < least && (e.MaxLevels == 0 || i < e.MaxLevels); i++ {
		found := map[int]bool{}
		for b := range weight {
			if _, there := level[b]; there {
				continue
			}
			for a := range weight {
				if l, there := level[a]; !there || l != i || math.IsNaN(weight[a][b]) {
					continue
				}
				if s := score[a] * weight[a][b]; !found[b] || s > score[b] {
					found[b], score[b], from[b] = true, s, a
				}
			}
		}
		if len(found) == 0 {
			break
		}
		for b := range found {
			level[b] = i + 1
		}
	}
	list := []Keyword{}
	for item, l := range level {
		list = append(list, Keyword{Item: item, Level: l, Score: score[item], From: from[item]})
	}
	slices.SortFunc(list, func(a, b Keyword) int {
		switch {
		case a.Level != b.Level:
			return a.Level - b.Level
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.Item - b.Item
	})
	return list
}

// TestExpandAgainstTheLoop compares on random graphs with many equal weights.
func TestExpandAgainstTheLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 4))
	for round := range 500 {
		items := 1 + random.IntN(14)
		density := random.Float64() * 0.6
		weight := make([][]float64, items)
		var edges []itemset.Edge
		for a := range weight {
			weight[a] = make([]float64, items)
			for b := range weight[a] {
				weight[a][b] = math.NaN()
				if a != b && random.Float64() < density {
					weight[a][b] = float64(1+random.IntN(8)) / 8
					edges = append(edges, itemset.Edge{From: a, To: b, Weight: weight[a][b]})
				}
			}
		}
		var present []int
		for item := range items {
			if random.IntN(3) == 0 {
				present = append(present, item)
			}
		}
		e := Expansion{MinKeywords: random.IntN(items + 3), MaxLevels: random.IntN(6)}
		want := expandSlowly(weight, present, e)
		testdata.NoDiff(t, fmt.Sprintf("round %d, %+v from %v", round, e, present),
			cmp.Diff(want, Expand(graph(items, edges...), present, e)))
	}
}

func TestLevels(t *testing.T) {
	at := func(levels ...int) (list []Keyword) {
		for i, l := range levels {
			list = append(list, Keyword{Item: i, Level: l})
		}
		return list
	}
	all := [][]Keyword{at(0, 0, 1, 1, 2), at(0), at(0, 1, 1, 1, 1, 3)}
	want := []LevelCount{
		{Level: 0, Min: 1, Max: 2, Mean: 4.0 / 3},
		{Level: 1, Min: 1, Max: 5, Mean: 10.0 / 3},
		{Level: 2, Min: 1, Max: 5, Mean: 11.0 / 3},
		{Level: 3, Min: 1, Max: 6, Mean: 4},
		{Level: 4, Min: 1, Max: 6, Mean: 4},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, Levels(all, 4)))
	if got := Levels(nil, 4); got != nil {
		t.Errorf("without expansions there are %v", got)
	}
	if got := Levels([][]Keyword{nil}, 0); len(got) != 1 || got[0] != (LevelCount{}) {
		t.Errorf("an image without keywords counts as %v", got)
	}
	testdata.NoDiff(t, "up to the last level", cmp.Diff(want[:4], Levels(all, 0)))
}

// TestExpansionsOfBeforeAreRead: what was written with 0 levels, which meant none, still adds no
// keyword; without a number of levels there are all.
func TestExpansionsOfBeforeAreRead(t *testing.T) {
	for text, want := range map[string]Expansion{
		`{"min_keywords":32,"max_levels":5}`: {MinKeywords: 32, MaxLevels: 5},
		`{"min_keywords":32,"max_levels":0}`: {MinKeywords: 1},
		`{"min_keywords":7}`:                 {MinKeywords: 7},
	} {
		got := DefaultExpansion()
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
		data, err := json.Marshal(got)
		again := Expansion{}
		if err = errors.Join(err, json.Unmarshal(data, &again)); err != nil || again != want {
			t.Errorf("%s is read back as %+v, %v", data, again, err)
		}
	}
	o := graph(3, itemset.Edge{From: 0, To: 1, Weight: 0.5})
	none := Expansion{MinKeywords: 1}
	if got := Expand(o, []int{0}, none); len(got) != 1 {
		t.Errorf("nothing is expanded, and there are %v", got)
	}
}

// TestZooBackgroundExpansion: keywords.csv with the graph of its pairs gives expansion.csv, in its
// order and to 1e-8.
func TestZooBackgroundExpansion(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	scenes := zooScenes(t, folder)
	table, keywords := scenes.Table, scenes.Keywords
	settings := settingsOf(t, folder)
	o, rows := zooOntology(t, table, keywords, settings)
	transactions := make([][]int, len(rows))
	for i, row := range rows {
		transactions[i] = keywords.Present[row]
	}
	mined, err := itemset.New(keywords.Items, transactions,
		settings.Expansion.MinSupport, settings.Expansion.MinConfidence)
	if err != nil {
		t.Fatal(err)
	}
	testdata.NoDiff(t, "the mined graph is not that of the pairs", cmp.Diff(o.Edges, mined.Edges))
	want := map[string][][]string{}
	var targets []string
	for _, line := range records(t, folder, filepath.Join("expected", "expansion.csv")) {
		if want[line[0]] == nil {
			targets = append(targets, line[0])
		}
		want[line[0]] = append(want[line[0]], line[1:])
	}
	largest := 0.0
	for _, target := range targets {
		row := slices.IndexFunc(table.Rows, func(r Row) bool { return r.File == target })
		if row < 0 {
			t.Fatalf("keywords.csv has no %s", target)
		}
		got := Expand(mined, keywords.Present[row], Expansion{MaxLevels: settings.Expansion.MaxLevels})
		if len(got) != len(want[target]) {
			t.Errorf("%s: %d keywords, want %d", target, len(got), len(want[target]))
			continue
		}
		for i, k := range got {
			line := want[target][i]
			score := number(t, line[2])
			largest = math.Max(largest, math.Abs(score-k.Score))
			if strconv.Itoa(k.Level) != line[0] || keywords.Items[k.Item] != line[1] || math.Abs(score-k.Score) > 1e-8 {
				t.Errorf("%s: keyword %d is %s on level %d with %.9f, want %v", target, i, keywords.Items[k.Item],
					k.Level, k.Score, line)
			}
		}
	}
	fmt.Printf("zoo scenes: %d expansions, largest difference %.2g\n", len(targets), largest)
}

// zooSettings is the part of summary.json that expansion.csv was made by.
type zooSettings struct {
	Expansion struct {
		Transactions  string
		MinSupport    float64 `json:"min_support"`
		MinConfidence float64 `json:"min_confidence"`
		MaxLevels     int     `json:"max_levels"`
	}
}

func settingsOf(t *testing.T, folder string) (s zooSettings) {
	t.Helper()
	text := testdata.Must(os.ReadFile(filepath.Join(folder, "expected", "summary.json")))(t)
	testdata.OK(t, json.Unmarshal(text, &s))
	return s
}

// zooOntology counts every pair of words in the chosen rows, which it returns too
// (spec/background.md section 3), without mining.
func zooOntology(
	t *testing.T, table Table, keywords Keywords, s zooSettings,
) (o itemset.Ontology, rows []int) {
	t.Helper()
	rows = table.Of(strings.TrimSuffix(s.Expansion.Transactions, "s"))
	if s.Expansion.Transactions == "all" {
		rows = append(table.Of(BackgroundKind), table.Of(TargetKind)...)
	}
	if len(rows) == 0 {
		t.Fatalf("summary.json wants the transactions %q", s.Expansion.Transactions)
	}
	count := func(items ...int) (n int) {
		for _, row := range rows {
			if !slices.ContainsFunc(items, func(item int) bool {
				return !slices.Contains(keywords.Present[row], item)
			}) {
				n++
			}
		}
		return n
	}
	var edges []itemset.Edge
	for from := range keywords.Items {
		for to := range keywords.Items {
			both := count(from, to)
			if from == to || both == 0 || float64(both) < s.Expansion.MinSupport*float64(len(rows))-1e-9 {
				continue
			}
			if weight := float64(both) / float64(count(from)); weight >= s.Expansion.MinConfidence-1e-12 {
				edges = append(edges, itemset.Edge{From: from, To: to, Count: both, Weight: weight})
			}
		}
	}
	return graph(len(keywords.Items), edges...), rows
}

// TestZooBackgroundTable: keywords.csv is written as it was read.
func TestZooBackgroundTable(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	table := zooScenes(t, folder).Table
	out := testdata.Must(os.Create(filepath.Join(t.TempDir(), "keywords.csv")))(t)
	testdata.OK(t, table.WriteTable(out))
	testdata.OK(t, out.Close())
	want := records(t, folder, "keywords.csv")
	got := records(t, filepath.Dir(out.Name()), "keywords.csv")
	testdata.NoDiff(t, "difference", cmp.Diff(want, got))
	fmt.Printf("zoo scenes: %d rows of %d + %d keywords, largest difference 0\n", len(table.Rows), len(table.Elements),
		len(table.Scenes))
}
