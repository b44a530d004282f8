package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

func (g golden) sds(c testdata.Case) {
	var input struct {
		Kind      string
		Classes   int
		Labels    [][]int32
		Truth     []int32
		Positions []int `json:"pool_positions"`
	}
	var want struct {
		Pseudo                   []int32
		Hits, Order, Top, Bottom []int
		Discrimination           []float64
		Pool, Selected           []int32
		Accuracy                 []float64
		Rank                     []int
	}
	c.Read(g, &input, &want)
	d := goldenLabels(input.Labels, input.Classes)
	d.Truth = input.Truth
	got := discriminated(g, d)
	testdata.Equal(g, "pseudo", got.pseudo, want.Pseudo)
	testdata.Equal(g, "hits", got.hits, want.Hits)
	testdata.Equal(g, "order", got.order, want.Order)
	testdata.Equal(g, "top", got.top, want.Top)
	testdata.Equal(g, "bottom", got.bottom, want.Bottom)
	testdata.NearAll(g, "discrimination", got.share, want.Discrimination, g.tolerance.Other)
	testdata.Equal(g, "pool", got.pool, want.Pool)
	var selected []int32
	for _, at := range input.Positions {
		selected = append(selected, got.pool[at])
	}
	testdata.Equal(g, "selected", selected, want.Selected)
	s := sampling{Data: d, budgets: []int{len(selected)}, repetitions: 1, keepHits: true}
	t := s.trials(SDS, 1)
	s.judge(selected, t, 0)
	scores, _ := t.scores(0)
	testdata.NearAll(g, "accuracy", scores, want.Accuracy, g.tolerance.Other)
	testdata.Equal(g, "rank", Competition(scores), want.Rank)
}

func (g golden) ces(c testdata.Case) {
	type answer struct {
		Entropy []float64 `json:"cross_entropy"`
		Chosen  int
		Table   [][]float64 `json:"pool_table"`
	}
	var input struct {
		Kind          string
		Probabilities [][]float64
		Pool          []int32
		Groups        [][]int32
	}
	var want map[string]answer
	c.Read(g, &input, &want)
	var table []float64
	for _, row := range input.Probabilities {
		table = append(table, row...)
	}
	classes := len(input.Probabilities[0])
	for name, expected := range want {
		var p picker
		switch name {
		case "whole":
			p = newWhole(table, classes, len(input.Probabilities))
		case "reference":
			r := newReference(table, classes)
			r.take(input.Pool)
			g.poolTable(r, expected.Table)
			r.reset()
			p = r
		default:
			g.Fatalf("mode %q is not known", name)
		}
		p.take(input.Pool)
		chosen, costs := cheapest(p, input.Groups)
		testdata.NearAll(g, name+" cross entropy", costs, expected.Entropy, g.tolerance.Other)
		testdata.Is(g, fmt.Sprintf("%s chooses group", name), chosen, expected.Chosen)
	}
}

// cheapest is the first group of least cost.
func cheapest(p picker, groups [][]int32) (chosen int, costs []float64) {
	for k, group := range groups {
		costs = append(costs, p.cost(group))
		if cheaper(costs[k], costs[chosen]) {
			chosen = k
		}
	}
	return chosen, costs
}

func (g golden) poolTable(r *reference[float64], want [][]float64) {
	for c, row := range want {
		var got []float64
		for _, n := range r.counts[c*cesBins : (c+1)*cesBins] {
			got = append(got, n/float64(len(r.chosen)))
		}
		testdata.NearAll(g, "pool table of class "+strconv.Itoa(c), got, row, g.tolerance.Other)
	}
}

func (g golden) crc(c testdata.Case) {
	var input struct {
		Kind   string
		Models [][][]float64 `json:"probabilities_by_model"`
	}
	var want struct {
		Score []float64
		Rank  []int
	}
	c.Read(g, &input, &want)
	var scores []float64
	for _, rows := range input.Models {
		var table []float64
		for _, row := range rows {
			table = append(table, row...)
		}
		scores = append(scores, meanLargest(table, len(rows[0])))
	}
	testdata.NearAll(g, "score", scores, want.Score, g.tolerance.Other)
	testdata.Equal(g, "rank", Competition(scores), want.Rank)
}

func (g golden) metrics(c testdata.Case) {
	var input struct {
		Kind         string
		Truth, Score []float64
		K            []int
	}
	var want struct {
		RankTruth         []int `json:"rank_truth"`
		RankScore         []int `json:"rank_score"`
		Spearman, Kendall *float64
		Reason            json.RawMessage
		Concordant        int64
		Discordant        int64
		TiesTruth         int64 `json:"ties_truth_only"`
		TiesScore         int64 `json:"ties_score_only"`
		Jaccard           map[string]float64
	}
	c.Read(g, &input, &want)
	testdata.Equal(g, "rank of truth", Competition(input.Truth), want.RankTruth)
	testdata.Equal(g, "rank of score", Competition(input.Score), want.RankScore)
	got := Compare(input.Truth, input.Score, input.K)
	g.correlation("spearman", got.Spearman, want.Spearman)
	g.correlation("kendall", got.Kendall, want.Kendall)
	if pairs := (stats.PairCounts{
		Concordant: want.Concordant, Discordant: want.Discordant, TiesFirst: want.TiesTruth, TiesSecond: want.TiesScore,
	}); got.Pairs != pairs {
		g.Errorf("pairs = %+v, want %+v", got.Pairs, pairs)
	}
	testdata.Is(g, "values of Jaccard are expected for", len(want.Jaccard), len(input.K))
	for at, k := range input.K {
		expected, known := want.Jaccard[strconv.Itoa(k)]
		if !known || !(math.Abs(got.Jaccard[at]-expected) <= g.tolerance.Other) {
			g.Errorf("jaccard at %d = %v, want %v", k, got.Jaccard[at], expected)
		}
	}
}

func (g golden) correlation(name string, got stats.Correlation, want *float64) {
	switch {
	case want == nil && (got.Defined() || got.Reason == ""):
		g.Errorf("%s = %+v, want undefined with a reason", name, got)
	case want != nil && (!got.Defined() || !(math.Abs(got.Value-*want) <= g.tolerance.Other)):
		g.Errorf("%s = %+v, want %v", name, got, *want)
	}
}
