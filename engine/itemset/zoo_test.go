package itemset

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// scenes are the transactions of a zoo, and the settings that its expected lists were made with.
type scenes struct {
	names        []string
	transactions [][]int
	support      float64
	confidence   float64
}

// table reads a CSV file without its header.
func table(tb testing.TB, path string) (header []string, rows [][]string) {
	tb.Helper()
	file := testdata.Must(os.Open(path))(tb)
	defer file.Close()
	r := csv.NewReader(file)
	r.FieldsPerRecord = -1 // transactions have as many items as they like
	all, err := r.ReadAll()
	if err != nil || len(all) == 0 {
		tb.Fatalf("%s: %d rows, %v", path, len(all), err)
	}
	return all[0], all[1:]
}

func number(tb testing.TB, text string) float64 {
	tb.Helper()
	return testdata.Must(strconv.ParseFloat(text, 64))(tb)
}

// ownScenes are the transactions that lie beside this test, those of the 960 images of the zoo.
func ownScenes(tb testing.TB) scenes {
	tb.Helper()
	s := scenes{support: DefaultMinSupport, confidence: DefaultMinConfidence}
	var rows [][]string
	s.names, rows = table(tb, filepath.Join("testdata", "transactions.csv"))
	for _, row := range rows {
		items := make([]int, len(row))
		for k, text := range row {
			items[k] = int(number(tb, text))
		}
		s.transactions = append(s.transactions, items)
	}
	return s
}

// zooScenes reads the keywords of a zoo by the rule of the background paper [2]: elements with a
// share above 0.01, and the scene with the largest score.
func zooScenes(tb testing.TB, folder string) scenes {
	tb.Helper()
	data := testdata.Must(os.ReadFile(filepath.Join(folder, "expected", "summary.json")))(tb)
	var summary struct {
		Mining struct {
			Transactions string
			MinSupport   float64 `json:"min_support"`
			Confidence   float64 `json:"min_confidence"`
		}
	}
	testdata.OK(tb, json.Unmarshal(data, &summary))
	s := scenes{support: summary.Mining.MinSupport, confidence: summary.Mining.Confidence}
	header, rows := table(tb, filepath.Join(folder, "keywords.csv"))
	const first = 5 // column of the keyword vector
	s.names = header[first:]
	for _, row := range rows {
		switch summary.Mining.Transactions {
		case "all", row[1], row[1] + "s":
			s.transactions = append(s.transactions, present(tb, s.names, row[first:]))
		case "target", "targets", "background", "backgrounds":
		default:
			tb.Fatalf("summary.json: transactions %q", summary.Mining.Transactions)
		}
	}
	return s
}

func present(tb testing.TB, names, values []string) []int {
	tb.Helper()
	var items []int
	scene, best := -1, math.Inf(-1)
	for k, text := range values {
		v := number(tb, text)
		if strings.HasPrefix(names[k], "seg_") {
			if v > 0.01 {
				items = append(items, k)
			}
		} else if v > best {
			scene, best = k, v
		}
	}
	return append(items, scene)
}

// holds compares what is found in transactions with the lists in a folder, order included, and
// returns the largest difference.
func (s scenes) holds(t *testing.T, folder string) float64 {
	t.Helper()
	sets := testdata.Must(Mine(context.Background(), s.transactions, len(s.names), s.support))(t)
	rules := testdata.Must(Rules(t.Context(), sets, len(s.transactions), s.confidence))(t)
	o := testdata.Must(New(s.names, s.transactions, s.support, s.confidence))(t)
	largest := 0.0
	differ := func(got float64, want string) { largest = math.Max(largest, math.Abs(got-number(t, want))) }
	joined := func(items []int) string {
		list := make([]string, len(items))
		for k, item := range items {
			list[k] = s.names[item]
		}
		return strings.Join(list, "+")
	}
	_, rows := table(t, filepath.Join(folder, "itemsets.csv"))
	if len(rows) != len(sets) {
		t.Fatalf("%d itemsets, want %d", len(sets), len(rows))
	}
	for k, row := range rows {
		got := []string{strconv.Itoa(len(sets[k].Items)), joined(sets[k].Items), strconv.Itoa(sets[k].Count)}
		testdata.Equal(t, fmt.Sprintf("itemset %d", k), got, row[:3])
		differ(float64(sets[k].Count)/float64(len(s.transactions)), row[3])
	}
	if _, rows = table(t, filepath.Join(folder, "rules.csv")); len(rows) != len(rules) {
		t.Fatalf("%d rules, want %d", len(rules), len(rows))
	}
	for k, row := range rows {
		r := rules[k]
		if joined(r.Antecedent) != row[0] || joined(r.Consequent) != row[1] {
			t.Fatalf("rule %d is %s -> %s, want %v", k, joined(r.Antecedent), joined(r.Consequent), row)
		}
		differ(r.Support(), row[2])
		differ(r.Confidence(), row[3])
	}
	if _, rows = table(t, filepath.Join(folder, "ontology.csv")); len(rows) != len(o.Edges) {
		t.Fatalf("%d edges, want %d", len(o.Edges), len(rows))
	}
	for k, row := range rows {
		e := o.Edges[k]
		if o.Names[e.From] != row[0] || o.Names[e.To] != row[1] {
			t.Fatalf("edge %d leads %s, want %v", k, o.title(e), row)
		}
		differ(o.Support(e), row[2])
		differ(e.Weight, row[3])
	}
	if !(largest <= 1e-8) {
		t.Errorf("the largest difference is %g", largest)
	}
	return largest
}

// TestZooBackgroundItemsets finds the itemsets, rules and edges of the scenes zoo.
func TestZooBackgroundItemsets(t *testing.T) {
	folder, ok := testdata.Zoo("scenes")
	if ok {
		_, err := os.Stat(filepath.Join(folder, "expected", "rules.csv"))
		ok = err == nil
	}
	if !ok {
		fmt.Println("zoo scenes: absent (expected/itemsets.csv, rules.csv, ontology.csv)")
		return
	}
	s := zooScenes(t, folder)
	largest := s.holds(t, filepath.Join(folder, "expected"))
	fmt.Printf("zoo scenes itemsets: %d transactions, largest difference %.2g\n", len(s.transactions), largest)
}

// TestScenesOfThisRepository finds the same in the copy that lies beside this test.
func TestScenesOfThisRepository(t *testing.T) {
	s := ownScenes(t)
	if s.holds(t, "testdata"); len(s.transactions) != 960 || len(s.names) != 34 {
		t.Errorf("%d transactions over %d items", len(s.transactions), len(s.names))
	}
}
