package assess

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
)

// Linear is a linear regression on normalised rows or z-scores, of the class's position 0..1 (three
// classes: 0, 1/2, 1); the nearest class is the verdict, the more variant one of two equally near.
// Probabilities interpolate between the positions.
type Linear struct {
	Coefficients []float64 `json:"coefficients"`
	Intercept    float64   `json:"intercept"`
	ZScores      bool      `json:"z_scores"`
	Mean         []float64 `json:"mean,omitempty"` // of the columns, and their deviations, for z-scores
	Std          []float64 `json:"std,omitempty"`
	Centre       []float64 `json:"centre"` // mean of the normalised training rows, the base of explanations
}

// Threshold is the baseline: a model below it is variant. Three classes have two thresholds,
// ascending: below the first variant, below the second borderline. They may be infinite.
type Threshold struct {
	Score      Score
	Thresholds []float64
}

// Assessor is a trained classifier. Exactly one of the last five is set. It is immutable and safe
// for many goroutines.
type Assessor struct {
	Settings  Settings      `json:"settings"`
	Names     []string      `json:"names"`   // columns that it was trained on
	Classes   []label.Value `json:"classes"` // in order
	Tree      *tree.Tree    `json:"tree,omitempty"`
	Forest    *tree.Forest  `json:"forest,omitempty"`
	Boost     *tree.Boost   `json:"boost,omitempty"`
	Linear    *Linear       `json:"linear,omitempty"`
	Threshold *Threshold    `json:"threshold,omitempty"`
}

// learner is what the assessor learned: its algorithm, and a check of it; "" when it has none or
// several.
func (a *Assessor) learner() (Algorithm, func() error) {
	width, classes := len(a.Names), len(a.Classes)
	found, check, n := Algorithm(""), func() error { return nil }, 0
	take := func(is bool, algorithm Algorithm, how func() error) {
		if is {
			found, check, n = algorithm, how, n+1
		}
	}
	take(a.Tree != nil, DecisionTree, func() error {
		if a.Tree.Classes != classes {
			return fmt.Errorf("the tree has %d classes, the assessor %d", a.Tree.Classes, classes)
		}
		return a.Tree.Validate(width)
	})
	take(a.Forest != nil, RandomForest, func() error { return a.Forest.Validate(width, classes) })
	take(a.Boost != nil, AdaBoost, func() error { return a.Boost.Validate(width, classes) })
	take(a.Linear != nil, Regression, func() error { return a.Linear.validate(width) })
	take(a.Threshold != nil, Baseline, func() error { return a.Threshold.validate(classes) })
	if n != 1 {
		return "", nil
	}
	return found, check
}

// Validate checks an assessor that comes from a file, so that judging and explaining with it cannot
// fail: settings, columns, classes, exactly one learner, the one of the settings, and what that
// holds.
func (a *Assessor) Validate() error {
	if err := a.Settings.Validate(); err != nil {
		return err
	}
	if err := checkClasses(a.Classes); err != nil {
		return err
	}
	if err := checkNames(a.Names); err != nil {
		return err
	}
	algorithm, check := a.learner()
	switch {
	case algorithm == "":
		return errors.New("an assessor holds exactly one of tree, forest, boost, linear and threshold; " +
			"this one does not")
	case algorithm != a.Settings.Algorithm:
		return fmt.Errorf("the settings name the algorithm %s, but the assessor holds %s",
			a.Settings.Algorithm, algorithm)
	case algorithm != Baseline && len(a.Names) == 0:
		return fmt.Errorf("an assessor by %s needs features, and this one has none", algorithm)
	}
	return check()
}
