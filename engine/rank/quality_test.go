package rank

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

func slowJaccard(a, b []float64, k int) float64 {
	in := func(list []float64, j int) bool {
		better := 0
		for _, v := range list {
			if v > list[j] {
				better++
			}
		}
		return better < k
	}
	common, either := 0.0, 0.0
	for j := range a {
		if in(a, j) && in(b, j) {
			common++
		}
		if in(a, j) || in(b, j) {
			either++
		}
	}
	return common / either
}

func TestJaccardAgainstItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	for range 3000 {
		n, levels := 2+random.IntN(14), 1+random.IntN(10)
		truth, scores := make([]float64, n), make([]float64, n)
		for j := range n {
			truth[j], scores[j] = float64(random.IntN(levels))/8, float64(random.IntN(levels))/8
		}
		ks := []int{1, 2, 3, 5, 10, 100}
		similar := Compare(truth, scores, ks).Jaccard
		for at, k := range ks {
			testdata.Near(t, "jaccard", similar[at], slowJaccard(truth, scores, k), 1e-12)
			testdata.Near(t, "jaccard from the other side", Compare(scores, truth, []int{k}).Jaccard[0], similar[at], 1e-12)
		}
		if similar[5] != 1 {
			t.Fatalf("more than all models have a similarity of %v", similar[5])
		}
	}
}

func TestCompareOfFewModels(t *testing.T) {
	for _, c := range []struct {
		name             string
		truth, scores    []float64
		spearman, reason any
	}{
		{"none", nil, nil, nil, fewModels.Text},
		{"one", []float64{1}, []float64{2}, nil, fewModels.Text},
		{"two in order", []float64{1, 2}, []float64{5, 9}, 1.0, ""},
		{"two the other way round", []float64{1, 2}, []float64{9, 5}, -1.0, ""},
		{"two equal true", []float64{2, 2}, []float64{9, 5}, nil, stats.FirstFixed},
		{"two equal scores", []float64{1, 2}, []float64{5, 5}, nil, stats.SecondFixed},
		{"two of three", []float64{1, 2, 3}, []float64{4, math.NaN(), 5}, 1.0, ""},
		{"one of three", []float64{1, math.NaN(), 3}, []float64{4, 5, math.NaN()}, nil, fewModels.Text},
	} {
		got := Compare(c.truth, c.scores, []int{1})
		for name, correlation := range map[string]stats.Correlation{"spearman": got.Spearman, "kendall": got.Kendall} {
			if correlation.Reason != c.reason {
				t.Errorf("%s: %s has the reason %q, want %q", c.name, name, correlation.Reason, c.reason)
			}
			if c.spearman != nil && correlation.Value != c.spearman {
				t.Errorf("%s: %s = %v, want %v", c.name, name, correlation.Value, c.spearman)
			}
		}
	}
	if v := Compare(nil, nil, []int{1}).Jaccard[0]; !math.IsNaN(v) {
		t.Errorf("no models have a similarity of %v", v)
	}
	if v := Compare([]float64{1, 2, math.NaN()}, []float64{1, 2, 3}, []int{1}).Jaccard[0]; v != 1 {
		t.Errorf("a model without a number counts: %v", v)
	}
}

func TestNearlyEqualScoresShareARank(t *testing.T) {
	truth := []float64{0.9, 0.9 + 1e-12, 0.5}
	if v := Compare(truth, []float64{3, 3, 1}, []int{1}).Jaccard[0]; v != 1 {
		t.Errorf("two equal best models have a similarity of %v, want 1", v)
	}
}

func TestSpread(t *testing.T) {
	none := result.Because(Undefined, "none")
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, Spread{Mean: 5, SD: math.Sqrt(32.0 / 7), N: 8, Of: 8}},
		{[]float64{nan, 1, 3}, Spread{Mean: 2, SD: math.Sqrt2, N: 2, Of: 3}},
		{[]float64{7}, Spread{Mean: 7, N: 1, Of: 1}},
		{[]float64{nan, nan}, Spread{Of: 2, Reason: none}},
	} {
		got := spread(c.values, none)
		if c.want.N == 0 {
			if !math.IsNaN(got.Mean) || !math.IsNaN(got.SD) {
				t.Errorf("%v: %+v is a number", c.values, got)
			}
			got.Mean, got.SD = 0, 0
		}
		testdata.Near(t, "mean", got.Mean, c.want.Mean, 1e-12)
		testdata.Near(t, "deviation", got.SD, c.want.SD, 1e-12)
		if got.N != c.want.N || got.Of != c.want.Of || got.Reason != c.want.Reason {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
}

func TestQualityOfARankingWithoutRepetitions(t *testing.T) {
	truth := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	q := qualityOf(truth, truth, Options{Top: []int{1, 3}})
	if q.Spearman != (Spread{Mean: 1, N: 1, Of: 1}) || q.Kendall != (Spread{Mean: 1, N: 1, Of: 1}) || q.Significant != 1 || q.SpearmanP() != 2./720 || q.Tau.PBy != stats.Exact || q.Rho.NoInterval != stats.OneOrder {
		t.Errorf("the truth itself has the quality %+v", q)
	}
	q = qualityOf(truth, make([]float64, 6), Options{Top: []int{1}})
	if q.Spearman.N != 0 || q.Spearman.Reason.Code != ScoreFixed || q.Significant != 0 || !math.IsNaN(q.SpearmanP()) || !math.IsNaN(q.KendallP()) {
		t.Errorf("a constant has the quality %+v", q)
	}
	testdata.Near(t, "similarity of all with the best", q.Jaccard[0].Mean, 1.0/6, 1e-12)
}
