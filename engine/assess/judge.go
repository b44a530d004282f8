package assess

import (
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/tree"
)

// Verdict is what an assessor says of a model.
type Verdict struct {
	Class int
	Label label.Value
	// Probability is per class and sums to 1; nil for the baseline, which has none.
	Probability []float64
	// Score grows with variance: the probability of variant, the regression's value, the boosting's
	// decision, the baseline's score with its sign changed. It orders models; it is not comparable
	// between algorithms.
	Score float64
}

// Variant is the probability of the last class; NaN for the baseline.
func (v Verdict) Variant() float64 {
	if len(v.Probability) == 0 {
		return math.NaN()
	}
	return v.Probability[len(v.Probability)-1]
}

// Judge judges a model. The error says that the row has other columns or a number that is not
// finite, or lacks the score of the baseline, which looks at no columns.
func (a *Assessor) Judge(r Row) (Verdict, error) {
	if a.Threshold != nil {
		return a.judgeScore(r)
	}
	if err := checkCells(r, a.Names); err != nil {
		return Verdict{}, fmt.Errorf("judge by %s: %w", a.Settings.Algorithm, err)
	}
	var v Verdict
	last := len(a.Classes) - 1
	switch {
	case a.Tree != nil:
		v.Probability = a.Tree.Shares(r.X)
		v.Class, v.Score = likeliest(v.Probability, 0.5), v.Probability[last]
	case a.Forest != nil:
		trees := float64(len(a.Forest.Trees))
		v.Probability = a.Forest.Votes(r.X)
		v.Class = likeliest(v.Probability, trees/2) // before they are divided, as an exported model decides
		for class := range v.Probability {
			v.Probability[class] /= trees
		}
		v.Score = v.Probability[last]
	case a.Boost != nil:
		decision := a.Boost.Decision(r.X)
		v.Class, v.Score = likeliest(decision, 0), decision[last]
		v.Probability = tree.SharesOf(decision)
	case a.Linear != nil:
		v.Score = a.Linear.Value(r.X)
		if math.IsNaN(v.Score) || math.IsInf(v.Score, 0) {
			return Verdict{}, fmt.Errorf("judge by %s: model %s has features too large to be summed",
				a.Settings.Algorithm, r.ID)
		}
		v.Class, v.Probability = a.Linear.class(v.Score, len(a.Classes)), a.Linear.shares(v.Score, len(a.Classes))
	default:
		return Verdict{}, errors.New("the assessor has learned nothing; train it or open a saved one")
	}
	v.Label = a.Classes[v.Class]
	return v, nil
}

func (a *Assessor) judgeScore(r Row) (Verdict, error) {
	value, err := r.score(a.Threshold.Score)
	if err != nil {
		return Verdict{}, fmt.Errorf("judge by %s: %w", a.Settings.Algorithm, err)
	}
	class := a.Threshold.class(value)
	return Verdict{Class: class, Label: a.Classes[class], Score: -value}, nil
}

// likeliest is the class with the largest output, the lowest of several. With two classes it is 1
// where its output lies above the bound, as spec/assessors.md decides ties, so that the rounding of
// the other output has no say.
func likeliest(output []float64, bound float64) int {
	if len(output) == 2 {
		if output[1] > bound {
			return 1
		}
		return 0
	}
	return stats.Largest(output)
}
