package itemset

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// table reads a CSV file of testdata.
func table(tb testing.TB, name string) (header []string, rows [][]string) {
	tb.Helper()
	file := testdata.Must(os.Open(filepath.Join("testdata", name)))(tb)
	defer file.Close()
	r := csv.NewReader(file)
	r.FieldsPerRecord = -1 // transactions have as many items as they like
	all, err := r.ReadAll()
	if err != nil || len(all) == 0 {
		tb.Fatalf("%s: %d rows, %v", name, len(all), err)
	}
	return all[0], all[1:]
}

func number(tb testing.TB, text string) float64 {
	tb.Helper()
	return testdata.Must(strconv.ParseFloat(text, 64))(tb)
}

// TestZooBackgroundItemsets finds the itemsets, rules and edges of the scenes zoo, order included:
// the transactions of its 960 images and what was found in them lie beside this test.
func TestZooBackgroundItemsets(t *testing.T) {
	names, lines := table(t, "transactions.csv")
	var transactions [][]int
	for _, line := range lines {
		items := make([]int, len(line))
		for k, text := range line {
			items[k] = int(number(t, text))
		}
		transactions = append(transactions, items)
	}
	if len(transactions) != 960 || len(names) != 34 {
		t.Fatalf("%d transactions over %d items", len(transactions), len(names))
	}
	sets := testdata.Must(Mine(t.Context(), transactions, len(names), DefaultMinSupport))(t)
	rules := testdata.Must(Rules(t.Context(), sets, len(transactions), DefaultMinConfidence))(t)
	o := testdata.Must(New(names, transactions, DefaultMinSupport, DefaultMinConfidence))(t)
	largest := 0.0
	differ := func(got float64, want string) { largest = math.Max(largest, math.Abs(got-number(t, want))) }
	joined := func(items []int) string {
		list := make([]string, len(items))
		for k, item := range items {
			list[k] = names[item]
		}
		return strings.Join(list, "+")
	}
	_, rows := table(t, "itemsets.csv")
	if len(rows) != len(sets) {
		t.Fatalf("%d itemsets, want %d", len(sets), len(rows))
	}
	for k, row := range rows {
		got := []string{strconv.Itoa(len(sets[k].Items)), joined(sets[k].Items), strconv.Itoa(sets[k].Count)}
		testdata.Equal(t, fmt.Sprintf("itemset %d", k), got, row[:3])
		differ(float64(sets[k].Count)/float64(len(transactions)), row[3])
	}
	if _, rows = table(t, "rules.csv"); len(rows) != len(rules) {
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
	if _, rows = table(t, "ontology.csv"); len(rows) != len(o.Edges) {
		t.Fatalf("%d edges, want %d", len(o.Edges), len(rows))
	}
	for k, row := range rows {
		e := o.Edges[k]
		if o.Names[e.From] != row[0] || o.Names[e.To] != row[1] {
			t.Fatalf("edge %d leads from %q to %q, want %v", k, o.Names[e.From], o.Names[e.To], row)
		}
		differ(o.Support(e), row[2])
		differ(e.Weight, row[3])
	}
	fmt.Printf("zoo scenes itemsets: %d transactions, largest difference %.2g\n", len(transactions), largest)
	if !(largest <= 1e-8) {
		t.Errorf("the largest difference is %g", largest)
	}
}
