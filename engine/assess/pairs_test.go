package assess

import (
	"errors"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// ofFolds is what was evaluated with these accuracies of 2 tests after 4 models in each fold.
func ofFolds(a Algorithm, kind SchemeKind, accuracies ...float64) Compared {
	var folds []FoldResult
	for _, v := range accuracies {
		folds = append(folds, FoldResult{Tests: 2, Trained: 4, Accuracy: v})
	}
	return Compared{Settings: Settings{Algorithm: a}, Evaluation: Evaluation{
		Scheme: Scheme{Kind: kind}, Folds: [][]FoldResult{folds[:2], folds[2:]},
	}}
}

func TestPairsOfAssessors(t *testing.T) {
	list := []Compared{
		ofFolds(DecisionTree, KFold, 1, 0.5, 1, 0.5), ofFolds(RandomForest, KFold, 0.5, 0.5, 0.5, 1),
		{Settings: Settings{Algorithm: AdaBoost}, Problem: errors.New("none")},
		ofFolds(Regression, KFold, 0.75, 0.25, 0.75, 0.25),
	}
	pairs := PairsOf(list)
	testdata.Is(t, "pairs", len(pairs), 3)
	// Differences 1/2, 0, 1/2, -1/2: mean 1/8, variance 11/48; the factor is 1/4 + 1/2.
	testdata.Near(t, "t", pairs[0].T, 0.125/math.Sqrt(0.75*11.0/48), 1e-12)
	testdata.Is(t, "the same in every fold", pairs[1].Why.Code, SameEverywhere)
	testdata.Is(t, "difference", pairs[1].Mean, 0.25)
	testdata.Near(t, "Holm", pairs[0].Holm, min(1, 2*pairs[0].P), 1e-12) // of two tests; the third pair has none
	held := []Compared{
		ofFolds(DecisionTree, PaperScheme, 1, 0.5, 1, 0.75), ofFolds(RandomForest, PaperScheme, 0, 0.5, 0, 0.25),
	}
	for _, c := range held {
		c.Evaluation.Folds[0][0].Name, c.Evaluation.Folds[1][0].Name = holdOutFold, holdOutFold
	}
	if p := PairsOf(held)[0]; p.Mean != 0.25 || p.N != 2 {
		t.Errorf("with hold-out models: %+v", p)
	}
	apart := []Compared{ofFolds(DecisionTree, KFold, 1, 0, 1, 0), ofFolds(RandomForest, KFold, 0, 1, 0, 1)}
	if p := PairsOf(apart)[0]; p.Low != -1 || p.High != 1 {
		t.Errorf("accuracies differ by %v..%v", p.Low, p.High)
	}
	groups := PairsOf([]Compared{
		ofFolds(DecisionTree, LeaveGroupOut, 1, 0.5, 1, 0.5), ofFolds(RandomForest, LeaveGroupOut, 0, 0.5, 1, 1),
	})
	if p := groups[0]; p.Why.Code != NoRandomFolds || !math.IsNaN(p.P) || !math.IsNaN(p.Low) {
		t.Errorf("%+v", p)
	}
}

// Ceilings of few models, of annotators who agree, and of none.
func TestCeilingsAtTheirEnds(t *testing.T) {
	of := func(n int, ratings ...label.Value) []Ceiling {
		d := Data{Classes: label.Values(2), Raters: make([]string, len(ratings))}
		var e Evaluation
		for i := range n {
			d.Rows = append(d.Rows, Row{Label: label.Invariant, Ratings: ratings})
			e.Predictions = append(e.Predictions, Prediction{Row: i, Verdict: Verdict{Class: 1}})
		}
		return CeilingsOf([]Compared{{Data: &d, Evaluation: e}})
	}
	agreeing := of(10, label.Invariant, label.Invariant)
	low, high := agreeing[0].Ends()
	if testdata.Near(t, "low", low, math.Pow(0.025, 0.1), 1e-12); agreeing[1].Value.Value != 1 || high != 1 {
		t.Errorf("%+v", agreeing)
	}
	if low, high = agreeing[2].Ends(); agreeing[2].Value.Value != 0 || low != 0 || high != 1-math.Pow(0.025, 0.1) {
		t.Errorf("an assessor that is always wrong: %+v", agreeing[2])
	}
	tied := of(5, label.Invariant, label.Variant, label.Variant)
	if tied[0].NoInterval() != agreement.TooFewItems || tied[0].Value.Value != 1.0/3 ||
		tied[1].Value.Value != (0+0.5+0.5)/3 {
		t.Errorf("%+v", tied)
	}
	if len(of(10, label.Invariant)) != 0 || len(of(10, label.Invariant, label.Borderline)) != 0 ||
		CeilingsOf(nil) != nil {
		t.Error("a ceiling without two annotators")
	}
}
