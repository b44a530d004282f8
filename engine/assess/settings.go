package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/tree"
)

// Algorithm is how an assessor learns.
type Algorithm string

// The rows of the paper's Table IV.
const (
	DecisionTree Algorithm = "tree"
	RandomForest Algorithm = "forest"
	AdaBoost     Algorithm = "adaboost"
	Regression   Algorithm = "linear"
	Baseline     Algorithm = "baseline"
)

// Algorithms are all, in the order of Table IV.
func Algorithms() []Algorithm {
	return []Algorithm{DecisionTree, RandomForest, AdaBoost, Regression, Baseline}
}

// Score names one of the four readings of Eq. 1.
type Score string

// The scores of the baseline. The default is CorrectProduct, or ConsistencyProduct where a row has
// no CorrectProduct.
const (
	CorrectProduct     Score = "correct_product"
	CorrectMean        Score = "correct_mean"
	ConsistencyProduct Score = "consistency_product"
	ConsistencyMean    Score = "consistency_mean"
)

// scores are all, in the order in which tuning tries them.
func scores() []Score {
	return []Score{CorrectProduct, CorrectMean, ConsistencyProduct, ConsistencyMean}
}

func (s Score) known() bool { return slices.Contains(scores(), s) }

// Of is the named one of the scores; NaN for a name that is not known.
func (s Score) Of(all Scores) float64 {
	switch s {
	case CorrectProduct:
		return all.CorrectProduct
	case CorrectMean:
		return all.CorrectMean
	case ConsistencyProduct:
		return all.ConsistencyProduct
	case ConsistencyMean:
		return all.ConsistencyMean
	}
	return math.NaN()
}

// Settings are an algorithm and its hyper-parameters; zero values are scikit-learn 1.2's defaults.
// An algorithm does not read what belongs to others; AdaBoost reads MaxDepth, but not MinLeaf.
type Settings struct {
	Algorithm    Algorithm     `json:"algorithm"`
	Seed         uint64        `json:"seed"`
	MaxDepth     int           `json:"max_depth,omitempty"`
	MinLeaf      int           `json:"min_leaf,omitempty"`
	Trees        int           `json:"trees,omitempty"`
	Columns      int           `json:"columns,omitempty"`
	Boosting     tree.Boosting `json:"boosting,omitempty"`
	Rounds       int           `json:"rounds,omitempty"`
	LearningRate float64       `json:"learning_rate,omitempty"`
	ZScores      bool          `json:"z_scores,omitempty"` // linear: z-scores per column instead of rows of length 1
	Score        Score         `json:"score,omitempty"`    // of the baseline
	Workers      int           `json:"-"`                  // 0 for one per processor; results are the same for any number
}

// Validate checks settings that come from flags, forms and files. The error names the setting.
func (s Settings) Validate() error {
	if !slices.Contains(Algorithms(), s.Algorithm) {
		return fmt.Errorf("algorithm %q is not known; use tree, forest, adaboost, linear or baseline", s.Algorithm)
	}
	for _, n := range []struct {
		name  string
		value int
	}{
		{"depth", s.MaxDepth},
		{"smallest leaf", s.MinLeaf},
		{"number of trees", s.Trees},
		{"number of columns per node", s.Columns},
		{"number of rounds", s.Rounds},
		{"number of workers", s.Workers},
	} {
		if n.value < 0 {
			return fmt.Errorf("the %s is %d; use 0 for the default or a positive number", n.name, n.value)
		}
	}
	if s.LearningRate < 0 || math.IsNaN(s.LearningRate) || math.IsInf(s.LearningRate, 0) {
		return fmt.Errorf("the learning rate is %v; use 0 for the default or a positive number", s.LearningRate)
	}
	if s.Boosting != "" && s.Boosting != tree.SAMMER && s.Boosting != tree.SAMME {
		return fmt.Errorf("boosting %q is not known; use SAMME.R or SAMME", s.Boosting)
	}
	if s.Score != "" && !s.Score.known() {
		return fmt.Errorf("score %q is not known; "+
			"use correct_product, correct_mean, consistency_product or consistency_mean", s.Score)
	}
	return nil
}
