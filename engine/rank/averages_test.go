package rank

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

// suites has averages and signed-rank tests of rankers over suites.
func (g golden) suites(c testdata.Case) {
	var in struct {
		Kind   string
		Values [][]*float64  // suite x ranker
		Draws  [][][]float64 // suite x ranker x repetition
	}
	var want struct {
		Averages   []*float64
		Deviations []*float64
		Pairs      [][3]*float64 // suites, better, mean difference
		P          []*float64
		Holm       []*float64 `json:"p_holm"`
	}
	c.Read(g, &in, &want)
	group := Suites{Of: "all"}
	for s, row := range in.Values {
		on := &OnSuite{Suite: fmt.Sprint("suite ", s)}
		for k, v := range row {
			q := noQuality(noTruth, 1, nil)
			if v != nil {
				q.Spearman = Spread{Mean: *v, N: 1, Of: 1}
			}
			if in.Draws != nil && in.Draws[s][k] != nil {
				q.Draws = [][]float64{in.Draws[s][k], nil}
			}
			on.Rankings = append(on.Rankings, Ranking{Method: Method(fmt.Sprint("ranker ", k)), Quality: q})
		}
		group.On = append(group.On, on)
	}
	same := func(what string, got float64, want *float64) {
		if want == nil {
			want = &undefined
		}
		if math.IsNaN(got) != math.IsNaN(*want) || math.Abs(got-*want) > g.tolerance.Other {
			g.Errorf("%s: %v, want %v", what, got, *want)
		}
	}
	spearman := Measures(nil)[0]
	for k, by := range rankersOf(group.On) {
		a := averaged(group.On, spearman, by.name)
		if a.Suites == 0 {
			a.Average, a.SD = undefined, undefined
		}
		same("average of "+by.name, a.Average, want.Averages[k])
		same("deviation of "+by.name, a.SD, want.Deviations[k])
	}
	rows := rivals(group, spearman)
	testdata.Is(g, "pairs", len(rows), len(want.Pairs))
	for k, r := range rows {
		what := r.First + ", " + r.Second
		same(what+": suites", float64(r.Suites), want.Pairs[k][0])
		same(what+": better", float64(r.Better), want.Pairs[k][1])
		same(what+": difference", r.Mean, want.Pairs[k][2])
		same(what+": p", r.P, want.P[k])
		same(what+": adjusted p", r.Adjusted, want.Holm[k])
		if r.noTest().None() == math.IsNaN(r.P) {
			g.Errorf("%s: p %v because %v", what, r.P, r.noTest())
		}
	}
}

// The average of a curve is what boards at each of its budgets give, repetition by repetition, and
// the average over suites that of these repetitions.
func TestAveragesEqualBoards(t *testing.T) {
	r := example(t)
	o := Options{Methods: []Method{LaFMethod, Random}, Repetitions: 7, Seed: 3, Top: []int{1, 2}}
	budgets := []int{2, 5, 9}
	sum := make([]float64, 7)
	for k, b := range budgets {
		o.Budget = b
		one := leaderboard(t, r.Data, o)
		for i, v := range one.Rankings[1].Quality.Draws[1] {
			sum[i] += v / float64(len(budgets))
		}
		if k == 0 {
			r.On[0].Leaderboard, r.On[1].Leaderboard = one, one
		}
	}
	curves := testdata.Must(Curves(t.Context(), r.Data, o, budgets, nil))(t)
	r.On[0].Curves, r.On[1].Curves = curves, curves
	testdata.NearAll(t, "Kendall by repetition", curves[1].Average.Draws[1], sum, 1e-12)
	if curves[1].Quality[0].Draws != nil || curves[0].Average.Draws != nil {
		t.Error("draws of a point or of LaF")
	}
	want := spread(sum, neverDefined)
	for _, a := range AveragesOf(append(r.Groups(), Suites{Of: "both", On: r.On})) {
		if a.Measure.Key != "kendall" {
			continue
		}
		if a.Budgets != 3 || a.Suites != 1+strings.Count(a.Of, "both") {
			t.Errorf("%s: %d budgets, %d suites", a.Of, a.Budgets, a.Suites)
		}
		switch a.Ranker {
		case "random":
			testdata.Near(t, a.Of+": average", a.Average, want.Mean, 1e-12)
			testdata.Near(t, a.Of+": deviation", a.SD, want.SD, 1e-12)
			testdata.Is(t, "repetitions", a.Repetitions, 7)
		case "laf":
			testdata.Near(t, a.Of+": LaF", a.Average, r.On[0].named("laf").Quality.Kendall.Mean, 1e-12)
			if a.Repetitions != 0 || !math.IsNaN(a.SD) {
				t.Errorf("LaF: %+v", a)
			}
		}
	}
	// Two rankers are compared at the budgets that both have.
	less := curves[1]
	less.Method, less.Budgets, less.Quality = "less", less.Budgets[1:], less.Quality[1:]
	some := *r.On[0]
	some.Curves = append(some.Curves[:2:2], less)
	some.Rankings = append(some.Rankings[:2:2], Ranking{Method: "less"})
	for _, pair := range rivals(Suites{On: []*OnSuite{&some}}, Measure{Key: "kendall"}) {
		if pair.Second == "less" && pair.First == "random" && (pair.Budgets != 2 || pair.Mean != 0) {
			t.Errorf("%+v", pair)
		}
	}
	// Over suites with other repetitions there is no deviation.
	fewer := *r.On[1]
	o.Repetitions = 2
	fewer.Leaderboard, fewer.Curves = leaderboard(t, r.Data, o), nil
	if a := averaged([]*OnSuite{r.On[0], &fewer}, Measure{Key: "kendall"}, "random"); a.Suites != 2 ||
		!math.IsNaN(a.SD) || a.Repetitions != 0 {
		t.Errorf("%+v", a)
	}
}

// The averages that the LaF paper's Tables 5 to 7 print are those of their rows, but for these
// cells.
func TestPublishedAverages(t *testing.T) {
	read := func(name string) *bytes.Reader {
		return bytes.NewReader(testdata.Must(os.ReadFile(filepath.Join(testdata.Root(), "docs", "published", name)))(t))
	}
	groups, is, err := ReadQualities(read("laf-tables-3-8.csv"))
	if err != nil || !is || len(groups) != 5 || len(groups[0].On) != 7 || len(groups[3].On) != 15 {
		t.Fatalf("%d groups, %v, %v", len(groups), is, err)
	}
	found := map[string]float64{}
	for _, a := range AveragesOf(groups) {
		found[a.Of+" "+a.Ranker+" "+a.Measure.Key] = a.Average
	}
	var differ []string
	rows := testdata.Must(csv.NewReader(read("laf-printed.csv")).ReadAll())(t)
	for _, row := range rows[1:] {
		what := strings.Join(row[1:4], " ")
		v, there := found[what]
		if got := strconv.FormatFloat(v, 'f', 2, 64); !there || got != row[4] {
			differ = append(differ, what+" "+row[4]+" "+got)
		}
	}
	testdata.NoDiff(t, "cells that differ", cmp.Diff([]string{
		"CIFAR-10-C sds kendall 0.81 0.80",
		"clean random jaccard_1 0.10 0.09", "clean sds jaccard_1 0.15 0.12",
		"clean random jaccard_3 0.19 0.18", "clean sds jaccard_3 0.27 0.34", "clean ces jaccard_3 0.46 0.39",
		"clean laf jaccard_3 0.51 0.54", "clean random jaccard_5 0.28 0.26", "clean sds jaccard_5 0.39 0.44",
		"clean ces jaccard_5 0.53 0.44", "clean random jaccard_10 0.49 0.44", "clean sds jaccard_10 0.62 0.60",
		"clean ces jaccard_10 0.61 0.55",
	}, differ))
	testdata.Is(t, "printed averages", len(rows)-1, 40)
}

// quality.csv of a ranking is read back: its averages are those of the ranking.
func TestQualitiesOfOwnTables(t *testing.T) {
	r := example(t)
	var file bytes.Buffer
	testdata.OK(t, Qualities.Sheet(RatedOf(r.On...)).CSV(&file, true))
	groups, is, err := ReadQualities(&file)
	if err != nil || !is || len(groups) != 2 || groups[0].Of != "pets" || groups[1].Of != "shifted suites" {
		t.Fatalf("%+v, %v, %v", groups, is, err)
	}
	r.On[0].Curves = nil
	got, want := AveragesOf(groups), AveragesOf(r.Groups())
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d averages, want %d", len(got), len(want))
	}
	for k, a := range got {
		if w := want[k]; a.Ranker != w.Ranker || a.Measure != w.Measure || a.Average != w.Average || a.Budgets != 0 {
			t.Errorf("%+v, want %+v", a, w)
		}
	}
	for _, s := range GivenSheets(groups[:1]) {
		if testdata.OK(t, s.Check()); s.Name != Averages.Name {
			t.Errorf("one suite has the table %s", s.Name)
		}
	}
}

func TestTablesThatAreNoQualities(t *testing.T) {
	for text, want := range map[string]string{
		"suite,method,spearman\n": "no row below", "suite,method,spearman\na,laf,1.5\n": "line 2, column spearman",
		"suite,method,jaccard_3\na,laf,-0.1\n": "from 0 to 1", "suite,method,kendall\na,laf,x\n": `"x"`,
		"suite,method,kendall\n,laf,1\n":           "names no suite",
		"suite,method,kendall\na,laf,1\na,laf,1\n": "a has laf twice",
		"suite,method,kendall\na,laf\n":            "wrong number of fields",
	} {
		_, is, err := ReadQualities(strings.NewReader(text))
		if !is {
			t.Errorf("%q is none", text)
		}
		testdata.Refused(t, text, err, want)
	}
	for _, text := range []string{
		"", "suite,method\n", "image,truth,m1\n0,1,1\n", "suite,method,jaccard_0\na,laf,1\n",
		"suite,method,jaccard_x\na,laf,1\n",
	} {
		if groups, is, err := ReadQualities(strings.NewReader(text)); is || err != nil {
			t.Errorf("%q: %v, %v", text, groups, err)
		}
	}
}
