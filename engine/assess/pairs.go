package assess

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Codes of why the difference of two assessors has no interval and no p-value.
const (
	SameEverywhere = "same_everywhere" // the difference is the same in every fold
	NoRandomFolds  = "no_random_folds" // the folds are groups of models
)

// PairOf is how much more accurate one assessor is than another on the same folds, with the
// corrected resampled t-test (stats.CorrectedT) over the folds of all repetitions that are drawn: a
// row of Pairs. The fold of hold-out models is not drawn, and repeating it adds no evidence.
type PairOf struct {
	A, B *Compared
	stats.Resampled
	// TestsPerTrained is how many models were tested in all for one that was trained on.
	TestsPerTrained float64
	Holm            float64 // P adjusted for all pairs by Holm (1979)
	Why             result.Reason
}

// PairsOf compares all assessors that were evaluated on the same folds, each with those after it.
// Groups of leave-one-group-out are no random splits, so their differences have no test.
func PairsOf(list []Compared) (pairs []PairOf) {
	found := made(list)
	var p []float64
	for k, a := range found {
		for _, b := range found[k+1:] {
			pair := PairOf{A: a, B: b}
			var differences []float64
			tests, trained := 0, 0
			for r, folds := range a.Evaluation.Folds {
				for f, fold := range folds {
					if fold.Name == holdOutFold && a.Evaluation.Scheme.Kind == PaperScheme {
						continue
					}
					differences = append(differences, fold.Accuracy-b.Evaluation.Folds[r][f].Accuracy)
					tests, trained = tests+fold.Tests, trained+fold.Trained
				}
			}
			pair.TestsPerTrained = float64(tests) / float64(trained)
			pair.Resampled = stats.CorrectedT(differences, pair.TestsPerTrained)
			pair.Low, pair.High = max(pair.Low, -1), min(pair.High, 1) // no two accuracies lie farther apart
			switch {
			case a.Evaluation.Scheme.Kind == LeaveGroupOut:
				pair.Low, pair.High, pair.T, pair.P = nan, nan, nan, nan
				pair.Why = result.Because(NoRandomFolds, "groups are no random parts of the models")
			case pair.P != pair.P:
				pair.Why = result.Because(SameEverywhere, "the difference is the same in every fold")
			}
			pairs, p = append(pairs, pair), append(p, pair.P)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		pairs[k].Holm = adjusted
	}
	return pairs
}

// Pairs is the table of the differences between assessors.
var Pairs = result.Table[PairOf]{
	Name: "pairs", Title: "Differences between assessors", Noun: "pair",
	ID: func(p PairOf) string { return string(p.A.Settings.Algorithm) + "/" + string(p.B.Settings.Algorithm) },
	Columns: []result.Column[PairOf]{
		algorithm(func(p PairOf) *Compared { return p.A }),
		result.Texts("other", "less", "the assessor whose accuracy is taken away",
			func(p PairOf) string { return string(p.B.Settings.Algorithm) }).
			Told(func(p PairOf) string { return p.B.Title() }),
		result.Numbers("difference", "difference",
			"mean difference of the drawn folds' accuracies (not of hold-out models), with its 95 % interval, which "+
				"is widened because the repetitions share models (Nadeau and "+
				"Bengio) and cut at 100 points", result.Points,
			func(p PairOf) float64 { return p.Mean }).
			Between(func(p PairOf) float64 { return p.Low }, func(p PairOf) float64 { return p.High }),
		result.Numbers("t", "t", "the difference in units of its corrected standard error", result.Number,
			func(p PairOf) float64 { return p.T }).Because(PairOf.why).In(result.Offered),
		result.Numbers("p", "p", "corrected resampled t-test (Nadeau and Bengio), two-sided", result.P,
			func(p PairOf) float64 { return p.P }).Because(PairOf.why),
		result.Numbers("p_holm", "p of all pairs", "p adjusted for all pairs of this table by Holm", result.P,
			func(p PairOf) float64 { return p.Holm }).Because(PairOf.why),
		result.Counts("n", "folds", "repetitions times drawn folds", func(p PairOf) int { return p.N }),
		result.Numbers("tests_per_trained", "tested per trained",
			"tested models for one that was trained on, by which the variance is corrected", result.Number,
			func(p PairOf) float64 { return p.TestsPerTrained }).In(result.Offered),
	},
}

func (p PairOf) why() result.Reason { return p.Why }
