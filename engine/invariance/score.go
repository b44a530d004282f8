package invariance

import (
	"slices"

	"github.com/variscope/variscope/engine/assess"
)

// Score names a number of a Result: a mean of Result.Mean, or one of the four of assess.Scores.
// Studies plot those of Scores against accuracy.
type Score string

// The scores. Robust accuracy is correct_product of spec/assessors.md.
const (
	ScoreEI                 Score = "ei"
	ScoreProduct            Score = "ei_product"
	ScoreJS                 Score = "js"
	ScoreL2                 Score = "l2"
	ScoreKL                 Score = "kl"
	ScoreKLReverse          Score = "kl_reverse" // of tables alone
	ScoreConsistent         Score = "consistent"
	ScoreRobustAccuracy     Score = "robust_accuracy"
	ScoreCorrectMean        Score = "correct_mean"
	ScoreConsistencyProduct Score = "consistency_product"
	ScoreConsistencyMean    Score = "consistency_mean"
)

// tableScores are the measures in the order of tables.
var tableScores = []Score{ScoreEI, ScoreProduct, ScoreConsistent, ScoreJS, ScoreKL, ScoreKLReverse, ScoreL2}

// UnmarshalText reads a score's name, or "correct_product" for robust accuracy.
func (s *Score) UnmarshalText(text []byte) error {
	if *s = Score(text); *s == Score(assess.CorrectProduct) {
		*s = ScoreRobustAccuracy
	}
	return nil
}

// Of is the score's value in a result, NaN where there is none.
func (s Score) Of(r Result) float64 {
	switch s {
	case ScoreRobustAccuracy:
		return r.Scores.CorrectProduct
	case ScoreCorrectMean, ScoreConsistencyProduct, ScoreConsistencyMean:
		return assess.Score(s).Of(r.Scores)
	}
	if m := s.measure(); m >= 0 {
		return r.Mean[m]
	}
	return nan
}

// measure is the measure that the score is the mean of, -1 for none.
func (s Score) measure() Measure { return Measure(slices.Index(measureNames[:], string(s))) }

// Title is the score's name over columns and in menus.
func (s Score) Title() string { return sayings[s].title }

// Name is the score's name on an axis.
func (s Score) Name() string { return sayings[s].name }

// Help says what the score is, for the head of its column.
func (s Score) Help() string { return sayings[s].help }

// saying is what people read of a score; shares of images or predictions are in percent.
type saying struct {
	title, name, help string
	share             bool
}

var sayings = map[Score]saying{
	ScoreEI: {
		"EI", "effective invariance",
		"effective invariance (spec/ei.md): where both predictions agree the root " +
			"of the two confidences' product, else 0; 0..1, mean over images and transformations", false,
	},
	ScoreProduct: {"EI product", "EI without the root", "the two confidences' product where both predictions agree, " +
		"else 0; for comparison only", false},
	ScoreConsistent: {"consistent", "prediction consistency", "share of images whose prediction stays the same", true},
	ScoreJS: {"JS", "Jensen-Shannon divergence", "Jensen-Shannon divergence of the two softmax vectors, natural " +
		"logarithm: 0 for equal ones, at most ln 2 = 0.693", false},
	ScoreKL: {"KL", "Kullback-Leibler divergence", "Kullback-Leibler divergence of the transformed image's softmax " +
		"from the image's: sum of p ln(p/q)", false},
	ScoreKLReverse: {
		"KL reverse", "reverse Kullback-Leibler divergence",
		"Kullback-Leibler divergence of the image's " +
			"softmax from the transformed image's: sum of q ln(q/p)", false,
	},
	ScoreL2: {"L2", "L2 distance", "Euclidean distance of both softmax vectors: 0 for equal ones, at most 1.41", false},
	ScoreRobustAccuracy: {
		"robust accuracy", "robust accuracy",
		"share of images that are classified rightly under all transformations", true,
	},
	ScoreCorrectMean: {
		"correct mean", "correct mean", "accuracy, mean over all transformations and the images as they are", true,
	},
	ScoreConsistencyProduct: {"consistency product", "consistency product", "share of images whose prediction stays " +
		"the same under all transformations; needs no labels", true},
	ScoreConsistencyMean: {
		"consistency mean", "consistency mean",
		"share of predictions that equal that for the image " +
			"as it is, mean over all transformations; needs no labels", true,
	},
}
