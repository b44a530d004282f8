package rank

import (
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

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
			testdata.Is(t, fmt.Sprintf("%s: %s has the reason", c.name, name), any(correlation.Reason), c.reason)
			if c.spearman != nil && correlation.Value != c.spearman {
				t.Errorf("%s: %s = %v, want %v", c.name, name, correlation.Value, c.spearman)
			}
		}
	}
	if v := Compare(nil, nil, []int{1}).Jaccard[0]; !math.IsNaN(v) {
		t.Errorf("no models have a similarity of %v", v)
	}
	testdata.Is(t, "two nearly equal best models have a similarity",
		Compare([]float64{0.9, 0.9 + 1e-12, 0.5}, []float64{3, 3, 1}, []int{1}).Jaccard[0], 1)
	testdata.Is(t, "a model without a number counts",
		Compare([]float64{1, 2, math.NaN()}, []float64{1, 2, 3}, []int{1}).Jaccard[0], 1)
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
	if q.Spearman != (Spread{Mean: 1, N: 1, Of: 1}) || q.Kendall != (Spread{Mean: 1, N: 1, Of: 1}) ||
		q.Significant != 1 || q.SpearmanP() != 2./720 || q.Tau.PBy != stats.Exact ||
		q.Rho.NoInterval != stats.OneOrder {
		t.Errorf("the truth itself has the quality %+v", q)
	}
	q = qualityOf(truth, make([]float64, 6), Options{Top: []int{1}})
	if q.Spearman.N != 0 || q.Spearman.Reason.Code != ScoreFixed || q.Significant != 0 || !math.IsNaN(q.SpearmanP()) ||
		!math.IsNaN(pOf(q.Tau)) {
		t.Errorf("a constant has the quality %+v", q)
	}
	testdata.Near(t, "similarity of all with the best", q.Jaccard[0].Mean, 1.0/6, 1e-12)
}
