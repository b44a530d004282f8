package assess

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// reread is a copy of an assessor that may be changed.
func reread(t *testing.T, a *Assessor) *Assessor {
	t.Helper()
	var back Assessor
	testdata.OK(t, json.Unmarshal([]byte(text(t, a)), &back))
	return &back
}

func TestAssessorsFromFilesAreChecked(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	of := map[Algorithm]*Assessor{}
	for _, a := range Algorithms() {
		of[a] = trained(t, d, Settings{Algorithm: a, Trees: 3, Rounds: 4, ZScores: true})
	}
	for _, c := range []struct {
		name   string
		from   Algorithm
		change func(a *Assessor)
		want   string
	}{
		{"settings", DecisionTree, func(a *Assessor) { a.Settings.MinLeaf = -2 }, "smallest leaf is -2"},
		{"other algorithm", DecisionTree, func(a *Assessor) { a.Settings.Algorithm = Regression }, "linear"},
		{"no learner", DecisionTree, func(a *Assessor) { a.Tree = nil }, "exactly one"},
		{"two learners", DecisionTree, func(a *Assessor) { a.Linear = &Linear{} }, "exactly one"},
		{"classes", DecisionTree, func(a *Assessor) { a.Classes = []label.Value{"good", "bad"} }, "good"},
		{"four classes", DecisionTree, func(a *Assessor) { a.Classes = make([]label.Value, 4) }, "4 classes"},
		{"class more", DecisionTree, func(a *Assessor) { a.Classes = label.Values(3) }, "2 classes"},
		{"no columns", DecisionTree, func(a *Assessor) { a.Names = nil }, "needs features"},
		{"column twice", DecisionTree, func(a *Assessor) { a.Names[1] = a.Names[0] }, "two features"},
		{"tree beyond the columns", DecisionTree, func(a *Assessor) { a.Tree.Feature[0] = 3 }, ""},
		{"circle", DecisionTree, func(a *Assessor) { a.Tree.Left[0] = 0 }, ""},
		{"empty forest", RandomForest, func(a *Assessor) { a.Forest.Trees = nil }, "no trees"},
		{"tree missing", RandomForest, func(a *Assessor) { a.Forest.Trees[1] = nil }, "tree 1"},
		{"tree of a forest", RandomForest, func(a *Assessor) { a.Forest.Trees[2].Feature[0] = 9 }, "tree 2"},
		{"no stumps", AdaBoost, func(a *Assessor) { a.Boost.Stumps = nil }, "no stumps"},
		{"boosting", AdaBoost, func(a *Assessor) { a.Boost.Algorithm = "x" }, `"x"`},
		{"weights", AdaBoost, func(a *Assessor) { a.Boost.Weights = a.Boost.Weights[1:] }, "weights"},
		{"errors", AdaBoost, func(a *Assessor) { a.Boost.Errors = nil }, "0 errors"},
		{"weight", AdaBoost, func(a *Assessor) { a.Boost.Weights[0] = 0 }, "weight 0"},
		{"weight NaN", AdaBoost, func(a *Assessor) { a.Boost.Weights[0] = math.NaN() }, "NaN"},
		{"error", AdaBoost, func(a *Assessor) { a.Boost.Errors[0] = 2 }, "error 2"},
		{"stump", AdaBoost, func(a *Assessor) { a.Boost.Stumps[0].Threshold = nil }, "stump 0"},
		{"coefficients", Regression, func(a *Assessor) { a.Linear.Coefficients = nil }, "0 coefficients"},
		{"coefficient", Regression, func(a *Assessor) { a.Linear.Coefficients[0] = math.Inf(1) }, "Inf"},
		{"intercept", Regression, func(a *Assessor) { a.Linear.Intercept = math.NaN() }, "intercept"},
		{"centre", Regression, func(a *Assessor) { a.Linear.Centre = nil }, "0 centre"},
		{"deviation", Regression, func(a *Assessor) { a.Linear.Std[1] = 0 }, "deviations"},
		{"deviations", Regression, func(a *Assessor) { a.Linear.Std = nil }, "normalisation"},
		{"means", Regression, func(a *Assessor) { a.Linear.Mean = a.Linear.Mean[:1] }, "1 means"},
		{"normalisation", Regression, func(a *Assessor) { a.Linear.ZScores = false }, "normalisation"},
		{"thresholds", Baseline, func(a *Assessor) { a.Threshold.Thresholds = nil }, "0 thresholds"},
		{"threshold", Baseline, func(a *Assessor) { a.Threshold.Thresholds[0] = math.NaN() }, "order"},
		{"score", Baseline, func(a *Assessor) { a.Threshold.Score = "" }, "score"},
		{"descending", Baseline, func(a *Assessor) {
			a.Classes, a.Threshold.Thresholds = label.Values(3), []float64{1, 0}
		}, "order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := reread(t, of[c.from])
			testdata.OK(t, a.Validate())
			c.change(a)
			says(t, a.Validate(), c.want)
		})
	}
}

// FuzzAssessor reads assessors as from an edited file: what Validate lets through must judge
// without a panic.
func FuzzAssessor(f *testing.F) {
	d := madeUp(12, 2, 2, 1)
	for _, a := range Algorithms() {
		for _, boosting := range []tree.Boosting{tree.SAMMER, tree.SAMME} {
			f.Add([]byte(text(f, trained(f, d, Settings{Algorithm: a, Boosting: boosting, Trees: 2, Rounds: 2}))))
		}
	}
	f.Add([]byte(text(f, trained(f, madeUp(12, 2, 3, 1), Settings{Algorithm: Regression, ZScores: true}))))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Assessor
		if json.Unmarshal(data, &a) != nil || a.Validate() != nil {
			return
		}
		for _, fill := range []float64{0, 1e300, -1} {
			r := Row{ID: "x", X: make([]float64, len(a.Names))}
			for c := range r.X {
				r.X[c] = fill
			}
			v, err := a.Judge(r)
			if err == nil && v.Label != a.Classes[v.Class] {
				t.Fatalf("class %d is called %s", v.Class, v.Label)
			}
		}
	})
}
