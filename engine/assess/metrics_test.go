package assess

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// said are predictions with these truths, verdicts and probabilities of variant (two classes).
func said(truths, verdicts []int, variant []float64) []Prediction {
	list := make([]Prediction, len(truths))
	for k := range list {
		p := variant[k]
		list[k] = Prediction{
			Row: k, Truth: truths[k], Verdict: Verdict{Class: verdicts[k], Score: p, Probability: []float64{1 - p, p}},
		}
	}
	return list
}

func drawPredictions(t *rapid.T, classes int) []Prediction {
	n := rapid.IntRange(1, 25).Draw(t, "n")
	list := make([]Prediction, n)
	for k := range list {
		list[k] = Prediction{Row: k, Truth: rapid.IntRange(0, classes-1).Draw(t, "truth")}
		list[k].Class = rapid.IntRange(0, classes-1).Draw(t, "verdict")
		list[k].Score = float64(rapid.IntRange(-4, 4).Draw(t, "score"))
	}
	return list
}

func TestAreaUnderROCIsTheShareOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 3).Draw(t, "classes")
		predictions := drawPredictions(t, classes)
		won, pairs := 0.0, 0.0
		for _, a := range predictions {
			for _, b := range predictions {
				if a.Truth != classes-1 || b.Truth == classes-1 {
					continue
				}
				pairs++
				switch {
				case a.Score > b.Score:
					won++
				case a.Score == b.Score:
					won += 0.5
				}
			}
		}
		if got := Measure(predictions, classes).AUC; !equal(got, won/pairs) {
			t.Errorf("AUC %v, want %v", got, won/pairs)
		}
	})
}

func TestCurvesCountWhatLiesAboveTheThreshold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		predictions := drawPredictions(t, 2)
		m := Measure(predictions, 2)
		scores := map[float64]bool{}
		for _, p := range predictions {
			scores[p.Score] = true
		}
		if points := len(scores) + 1; m.ROC != nil && len(m.ROC) != points || m.PR != nil && len(m.PR) != points {
			t.Errorf("%d and %d points for %d thresholds", len(m.ROC), len(m.PR), points)
		}
		at := func(threshold float64) (hits, alarms, variant, others float64) {
			for _, p := range predictions {
				above := 0.0
				if p.Score >= threshold {
					above = 1
				}
				hits, variant = hits+above*float64(p.Truth), variant+float64(p.Truth)
				alarms, others = alarms+above*float64(1-p.Truth), others+float64(1-p.Truth)
			}
			return hits, alarms, variant, others
		}
		for k, p := range m.ROC {
			hits, alarms, variant, others := at(p.Threshold)
			if !equal(p.X, alarms/others) || !equal(p.Y, hits/variant) {
				t.Errorf("ROC point %d is %+v", k, p)
			}
		}
		average, recall := 0.0, 0.0
		for k, p := range m.PR {
			hits, alarms, variant, _ := at(p.Threshold)
			precision := hits / (hits + alarms)
			if k == 0 {
				precision = 1
			}
			if !equal(p.X, hits/variant) || !equal(p.Y, precision) {
				t.Errorf("PR point %d is %+v", k, p)
			}
			average += (p.X - recall) * precision
			recall = p.X
		}
		if len(m.PR) > 0 && !equal(average, m.AveragePrecision) {
			t.Errorf("average precision %v, want %v", m.AveragePrecision, average)
		}
	})
}

func TestMetricsOfAConfusion(t *testing.T) {
	truths := []int{0, 0, 0, 0, 1, 1, 2, 2, 2, 2}
	verdicts := []int{0, 0, 1, 2, 1, 0, 2, 2, 2, 0}
	list := make([]Prediction, len(truths))
	for k := range list {
		list[k] = Prediction{Truth: truths[k], Verdict: Verdict{Class: verdicts[k], Score: float64(verdicts[k])}}
	}
	m := Measure(list, 3)
	if want := [][]int{{2, 1, 1}, {1, 1, 0}, {1, 0, 3}}; !reflect.DeepEqual(m.Confusion, want) {
		t.Errorf("confusion %v, want %v", m.Confusion, want)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"accuracy", m.Accuracy, 0.6},
		{"balanced", m.Balanced, (0.5 + 0.5 + 0.75) / 3},
		{"precision", m.Precision, 0.75},
		{"recall", m.Recall, 0.75},
		{"F1", m.F1, 0.75},
		{"macro F1", m.MacroF1, (4.0/8 + 2.0/4 + 6.0/8) / 3},
	} {
		testdata.Near(t, c.name, c.got, c.want, 1e-15)
	}
	if m.Calibration != nil || !math.IsNaN(m.Brier) {
		t.Errorf("without probabilities there are %v and %v", m.Calibration, m.Brier)
	}
}

func TestWhatIsUndefinedIsNaN(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name                                                        string
		predictions                                                 []Prediction
		balanced, precision, recall, f1, macro, auc, average, brier float64
	}{
		{"nothing", nil, nan, nan, nan, nan, nan, nan, nan, nan},
		{"no variant", said([]int{0, 0}, []int{0, 0}, []float64{0, 0.5}), 1, nan, nan, nan, 1, nan, nan, 0.125},
		{
			"false alarm", said([]int{0, 0}, []int{0, 1}, []float64{0, 1}), 0.5, 0, nan, 0, (2.0/3 + 0) / 2, nan,
			nan, 0.5,
		},
		{"missed", said([]int{1, 1}, []int{0, 0}, []float64{0, 0}), 0, nan, 0, 0, 0, nan, 1, 1},
	} {
		m := Measure(c.predictions, 2)
		got := []float64{m.Balanced, m.Precision, m.Recall, m.F1, m.MacroF1, m.AUC, m.AveragePrecision, m.Brier}
		for k, want := range []float64{c.balanced, c.precision, c.recall, c.f1, c.macro, c.auc, c.average, c.brier} {
			if !equal(got[k], want) {
				t.Errorf("%s: measure %d is %v, want %v", c.name, k, got[k], want)
			}
		}
	}
}

func TestCalibration(t *testing.T) {
	m := Measure(said([]int{0, 1, 0, 1, 1, 1}, []int{0, 0, 0, 1, 1, 1}, []float64{0, 0.0625, 0.3, 0.96875, 1, 0.5}), 2)
	want := []Bin{{0.03125, 0.5, 2}, {0.3, 0, 1}, {0.5, 1, 1}, {0.984375, 1, 2}}
	if !reflect.DeepEqual(m.Calibration, want) {
		t.Errorf("calibration %v, want %v", m.Calibration, want)
	}
	brier := (0.9375*0.9375 + 0.09 + 0.03125*0.03125 + 0.25) / 6
	testdata.Near(t, "Brier score", m.Brier, brier, 1e-15)
	for _, bound := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} { // belongs to the bin below
		list := Measure(said([]int{0, 0}, []int{0, 0}, []float64{bound, math.Nextafter(bound, 1)}), 2).Calibration
		testdata.Is(t, fmt.Sprintf("%v and the next number fall into", bound), len(list), 2)
	}
}
