package invariance

import (
	"math"

	"github.com/variscope/variscope/engine/assess"
)

// Score names a number of a Result that studies plot against accuracy.
type Score string

// The scores: the means of Result.Mean, and the four of assess.Scores.
const (
	ScoreEI                 Score = "ei"
	ScoreProduct            Score = "ei_product"
	ScoreJS                 Score = "js"
	ScoreL2                 Score = "l2"
	ScoreKL                 Score = "kl"
	ScoreConsistent         Score = "consistent"
	ScoreCorrectProduct     Score = "correct_product"
	ScoreCorrectMean        Score = "correct_mean"
	ScoreConsistencyProduct Score = "consistency_product"
	ScoreConsistencyMean    Score = "consistency_mean"
)

// Scores returns all scores in the order of menus.
func Scores() []Score {
	return []Score{
		ScoreEI, ScoreProduct, ScoreJS, ScoreL2, ScoreKL, ScoreConsistent,
		ScoreCorrectProduct, ScoreCorrectMean, ScoreConsistencyProduct, ScoreConsistencyMean,
	}
}

// Of is the score's value in a result, NaN where there is none.
func (s Score) Of(r Result) float64 {
	switch s {
	case ScoreCorrectProduct, ScoreCorrectMean, ScoreConsistencyProduct, ScoreConsistencyMean:
		return assess.Score(s).Of(r.Scores)
	}
	for m, name := range measureNames {
		if name == string(s) {
			return r.Mean[m]
		}
	}
	return math.NaN()
}
