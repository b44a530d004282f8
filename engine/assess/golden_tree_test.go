package assess

import (
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// goldenVerdicts is the class with the largest share for each row, the lowest among equals.
func goldenVerdicts(x [][]float64, shares func(x []float64) []float64) []int {
	classes := make([]int, len(x))
	for i := range x {
		for c, share := range shares(x[i]) {
			if share > shares(x[i])[classes[i]] {
				classes[i] = c
			}
		}
	}
	return classes
}

// goldenEntries is the entry of class 1 for each row.
func goldenEntries(x [][]float64, of func(x []float64) []float64) []float64 {
	list := make([]float64, len(x))
	for i := range x {
		list[i] = of(x[i])[1]
	}
	return list
}

func goldenCART(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind     string
		MaxDepth int `json:"max_depth"` // null for no limit
		X        [][]float64
		Y        []int
		XTest    [][]float64 `json:"x_test"`
	}
	var want struct {
		Nodes           tree.Tree
		PredictTrain    []int     `json:"predict_train"`
		ProbabilityTest []float64 `json:"probability_test"`
		PredictTest     []int     `json:"predict_test"`
	}
	raw.Read(t, &input, &want)
	grown := testdata.Must(tree.Grow(tree.Sample{X: input.X, Y: input.Y, Classes: 2}, nil,
		tree.Options{MaxDepth: input.MaxDepth}))(t)
	goldenTree(t, grown, want.Nodes, tol.Abs)
	testdata.Equal(t, "training rows", goldenVerdicts(input.X, grown.Shares), want.PredictTrain)
	testdata.Equal(t, "test rows", goldenVerdicts(input.XTest, grown.Shares), want.PredictTest)
	testdata.NearAll(t, "share", goldenEntries(input.XTest, grown.Shares), want.ProbabilityTest, tol.Abs)
}

// goldenTree follows both trees from their roots, so that the numbers of the nodes may differ.
func goldenTree(t *testing.T, got *tree.Tree, want tree.Tree, tolerance float64) {
	t.Helper()
	if got.Nodes() != len(want.Left) {
		t.Fatalf("%d nodes, want %d", got.Nodes(), len(want.Left))
	}
	var follow func(g, w int)
	follow = func(g, w int) {
		at := "node " + strconv.Itoa(w)
		testdata.Near(t, at+" impurity", got.Impurity[g], want.Impurity[w], tolerance)
		testdata.Near(t, at+" cover", got.Cover[g], want.Cover[w], tolerance)
		testdata.NearAll(t, at+" counts", got.Counts[g], want.Counts[w], tolerance)
		if got.Feature[g] != want.Feature[w] {
			t.Fatalf("%s splits on column %d, want %d", at, got.Feature[g], want.Feature[w])
		}
		if want.Left[w] < 0 {
			return
		}
		testdata.Near(t, at+" threshold", got.Threshold[g], want.Threshold[w], tolerance)
		follow(got.Left[g], want.Left[w])
		follow(got.Right[g], want.Right[w])
	}
	follow(0, 0)
}

func goldenBoost(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind      string
		Algorithm tree.Boosting
		Rounds    int
		X         [][]float64
		Y         []int
		XTest     [][]float64 `json:"x_test"`
	}
	var want struct {
		Stumps          [][]float64
		Columns         []string             `json:"stump_columns"`
		DecisionTrain   []float64            `json:"decision_train"`
		DecisionTest    []float64            `json:"decision_test"`
		ProbabilityTest []float64            `json:"probability_test"`
		PredictTest     []int                `json:"predict_test"`
		Staged          map[string][]float64 `json:"staged_decision_test"`
	}
	raw.Read(t, &input, &want)
	b := testdata.Must(tree.GrowBoost(tree.Sample{X: input.X, Y: input.Y, Classes: 2},
		tree.BoostOptions{Algorithm: input.Algorithm, Rounds: input.Rounds}))(t)
	if len(b.Stumps) != len(want.Stumps) {
		t.Fatalf("%d stumps, want %d", len(b.Stumps), len(want.Stumps))
	}
	for m, values := range want.Stumps {
		for k, name := range want.Columns {
			testdata.Near(t, "stump "+strconv.Itoa(m)+" "+name, goldenStump(t, b, m, name), values[k], tol.Boost)
		}
	}
	shares := func(x []float64) []float64 { return tree.SharesOf(b.Decision(x)) }
	testdata.NearAll(t, "decision, training row", goldenEntries(input.X, b.Decision), want.DecisionTrain, tol.Boost)
	testdata.NearAll(t, "decision, test row", goldenEntries(input.XTest, b.Decision), want.DecisionTest, tol.Boost)
	testdata.NearAll(t, "probability", goldenEntries(input.XTest, shares), want.ProbabilityTest, tol.Boost)
	testdata.Equal(t, "test rows", goldenVerdicts(input.XTest, b.Decision), want.PredictTest)
	for stage, want := range want.Staged {
		m, err := strconv.Atoi(stage)
		if err != nil || m < 1 || m > len(b.Stumps) {
			t.Fatalf("stage %q of %d", stage, len(b.Stumps))
		}
		first := &tree.Boost{Algorithm: b.Algorithm, Stumps: b.Stumps[:m], Weights: b.Weights[:m], Errors: b.Errors[:m]}
		testdata.NearAll(t, "decision after "+stage, goldenEntries(input.XTest, first.Decision), want, tol.Boost)
	}
}

// goldenStump is one of the numbers that the file lists for stump m.
func goldenStump(t *testing.T, b *tree.Boost, m int, name string) float64 {
	t.Helper()
	stump := b.Stumps[m]
	share := func(child int) float64 { return stump.Counts[child][1] / stump.Cover[child] }
	switch name {
	case "feature":
		return float64(stump.Feature[0])
	case "threshold":
		return stump.Threshold[0]
	case "p1_left":
		return share(stump.Left[0])
	case "p1_right":
		return share(stump.Right[0])
	case "weight":
		return b.Weights[m]
	case "error":
		return b.Errors[m]
	}
	t.Fatalf("column %q of a stump is not known", name)
	return 0
}

// goldenForestRule is the rule that goldenForest checks; a file with another one needs another
// test.
const goldenForestRule = "mean over 10 own seeds of each probability within 0.03 + 2 sd of probability_mean; " +
	"mean accuracy within 0.03"

func goldenForest(t *testing.T, raw testdata.Case, _ tolerances) {
	var input struct {
		Kind        string
		Trees       int
		MaxFeatures string `json:"max_features"`
		X           [][]float64
		Y           []int
		XTest       [][]float64 `json:"x_test"`
		YTest       []int       `json:"y_test"`
	}
	var want struct {
		AccuracyMean    float64   `json:"accuracy_mean"`
		AccuracySD      float64   `json:"accuracy_sd"`
		AccuracyMin     float64   `json:"accuracy_min"`
		AccuracyMax     float64   `json:"accuracy_max"`
		ProbabilityMean []float64 `json:"probability_mean"`
		ProbabilitySD   []float64 `json:"probability_sd"`
		Rule            string
	}
	raw.Read(t, &input, &want)
	if want.Rule != goldenForestRule || input.MaxFeatures != "sqrt" {
		t.Fatalf("rule %q or max_features %q is not known", want.Rule, input.MaxFeatures)
	}
	const seeds = 10
	sample := tree.Sample{X: input.X, Y: input.Y, Classes: 2}
	mean := make([]float64, len(input.XTest))
	right := 0
	for seed := range uint64(seeds) {
		f := testdata.Must(tree.GrowForest(t.Context(), sample,
			tree.ForestOptions{Trees: input.Trees, Seed: seed + 1}))(t)
		for i, share := range goldenEntries(input.XTest, f.Shares) {
			mean[i] += share / seeds
			if (share > 0.5) == (input.YTest[i] == 1) {
				right++
			}
		}
	}
	testdata.Near(t, "mean accuracy", float64(right)/float64(seeds*len(input.XTest)), want.AccuracyMean, 0.03)
	for i, p := range want.ProbabilityMean {
		testdata.Near(t, "mean probability of row "+strconv.Itoa(i), mean[i], p, 0.03+2*want.ProbabilitySD[i])
	}
}

func goldenSHAP(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind     string
		Features int
		Trees    []*tree.Tree
		X        [][]float64
	}
	var want struct {
		Base   float64
		Values [][]float64
		Output []float64
	}
	raw.Read(t, &input, &want)
	for _, given := range input.Trees {
		given.Classes, given.Impurity = 2, make([]float64, len(given.Left))
	}
	f := &tree.Forest{Trees: input.Trees}
	testdata.OK(t, f.Validate(input.Features, 2))
	testdata.NearAll(t, "output", goldenEntries(input.X, f.Shares), want.Output, tol.SHAP)
	for i, x := range input.X {
		base, phi := f.Explain(x, 1)
		testdata.Near(t, "base", base, want.Base, tol.SHAP)
		testdata.NearAll(t, "row "+strconv.Itoa(i)+", phi", phi, want.Values[i], tol.SHAP)
	}
}
