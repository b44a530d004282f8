package assess

import (
	"context"
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

// goldenCARTCase has trees of depth max_depth, null for no limit.
type goldenCARTCase struct {
	Input struct {
		Kind     string      `json:"kind"`
		MaxDepth *int        `json:"max_depth"`
		X        [][]float64 `json:"x"`
		Y        []int       `json:"y"`
		XTest    [][]float64 `json:"x_test"`
	} `json:"input"`
	Expected struct {
		Nodes           goldenNodes `json:"nodes"`
		PredictTrain    []int       `json:"predict_train"`
		ProbabilityTest []float64   `json:"probability_test"`
		PredictTest     []int       `json:"predict_test"`
	} `json:"expected"`
}

// goldenNodes are a tree; a leaf has threshold null.
type goldenNodes struct {
	Left      []int       `json:"left"`
	Right     []int       `json:"right"`
	Feature   []int       `json:"feature"`
	Threshold []*float64  `json:"threshold"`
	Impurity  []float64   `json:"impurity"`
	Cover     []float64   `json:"cover"`
	Counts    [][]float64 `json:"counts"`
}

func goldenCART(t *testing.T, raw testdata.Case, tol tolerances) {
	var c goldenCARTCase
	raw.Read(t, &c.Input, &c.Expected)
	opts := tree.Options{}
	if c.Input.MaxDepth != nil {
		opts.MaxDepth = *c.Input.MaxDepth
	}
	grown := testdata.Must(tree.Grow(tree.Sample{X: c.Input.X, Y: c.Input.Y, Classes: 2}, nil, opts))(t)
	goldenTree(t, grown, c.Expected.Nodes, tol.Abs)
	testdata.Equal(t, "training rows", goldenVerdicts(c.Input.X, grown.Shares), c.Expected.PredictTrain)
	testdata.Equal(t, "test rows", goldenVerdicts(c.Input.XTest, grown.Shares), c.Expected.PredictTest)
	testdata.NearAll(t, "share", goldenEntries(c.Input.XTest, grown.Shares), c.Expected.ProbabilityTest, tol.Abs)
}

// goldenTree follows both trees from their roots, so that the numbers of the nodes may differ.
func goldenTree(t *testing.T, got *tree.Tree, want goldenNodes, tolerance float64) {
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
		testdata.Near(t, at+" threshold", got.Threshold[g], *want.Threshold[w], tolerance)
		follow(got.Left[g], want.Left[w])
		follow(got.Right[g], want.Right[w])
	}
	follow(0, 0)
}

type goldenBoostCase struct {
	Input struct {
		Kind      string        `json:"kind"`
		Algorithm tree.Boosting `json:"algorithm"`
		Rounds    int           `json:"rounds"`
		X         [][]float64   `json:"x"`
		Y         []int         `json:"y"`
		XTest     [][]float64   `json:"x_test"`
	} `json:"input"`
	Expected struct {
		Stumps          [][]float64          `json:"stumps"`
		Columns         []string             `json:"stump_columns"`
		DecisionTrain   []float64            `json:"decision_train"`
		DecisionTest    []float64            `json:"decision_test"`
		ProbabilityTest []float64            `json:"probability_test"`
		PredictTest     []int                `json:"predict_test"`
		Staged          map[string][]float64 `json:"staged_decision_test"`
	} `json:"expected"`
}

func goldenBoost(t *testing.T, raw testdata.Case, tol tolerances) {
	var c goldenBoostCase
	raw.Read(t, &c.Input, &c.Expected)
	sample := tree.Sample{X: c.Input.X, Y: c.Input.Y, Classes: 2}
	b, err := tree.GrowBoost(sample, tree.BoostOptions{Algorithm: c.Input.Algorithm, Rounds: c.Input.Rounds})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Stumps) != len(c.Expected.Stumps) {
		t.Fatalf("%d stumps, want %d", len(b.Stumps), len(c.Expected.Stumps))
	}
	for m, values := range c.Expected.Stumps {
		for k, name := range c.Expected.Columns {
			testdata.Near(t, "stump "+strconv.Itoa(m)+" "+name, goldenStump(t, b, m, name), values[k], tol.Boost)
		}
	}
	testdata.NearAll(t, "decision, training row", goldenEntries(c.Input.X, b.Decision),
		c.Expected.DecisionTrain, tol.Boost)
	testdata.NearAll(t, "decision, test row", goldenEntries(c.Input.XTest, b.Decision),
		c.Expected.DecisionTest, tol.Boost)
	testdata.NearAll(t, "probability", goldenEntries(c.Input.XTest,
		func(x []float64) []float64 { return tree.SharesOf(b.Decision(x)) }), c.Expected.ProbabilityTest, tol.Boost)
	testdata.Equal(t, "test rows", goldenVerdicts(c.Input.XTest, b.Decision), c.Expected.PredictTest)
	for stage, want := range c.Expected.Staged {
		m, err := strconv.Atoi(stage)
		if err != nil || m < 1 || m > len(b.Stumps) {
			t.Fatalf("stage %q of %d", stage, len(b.Stumps))
		}
		first := &tree.Boost{Algorithm: b.Algorithm, Stumps: b.Stumps[:m], Weights: b.Weights[:m], Errors: b.Errors[:m]}
		testdata.NearAll(t, "decision after "+stage, goldenEntries(c.Input.XTest, first.Decision), want, tol.Boost)
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

type goldenForestCase struct {
	Input struct {
		Kind        string      `json:"kind"`
		Trees       int         `json:"trees"`
		MaxFeatures string      `json:"max_features"`
		X           [][]float64 `json:"x"`
		Y           []int       `json:"y"`
		XTest       [][]float64 `json:"x_test"`
		YTest       []int       `json:"y_test"`
	} `json:"input"`
	Expected struct {
		AccuracyMean    float64   `json:"accuracy_mean"`
		AccuracySD      float64   `json:"accuracy_sd"`
		AccuracyMin     float64   `json:"accuracy_min"`
		AccuracyMax     float64   `json:"accuracy_max"`
		ProbabilityMean []float64 `json:"probability_mean"`
		ProbabilitySD   []float64 `json:"probability_sd"`
		Rule            string    `json:"rule"`
	} `json:"expected"`
}

// goldenForestRule is the rule that goldenForest checks; a file with another one needs another
// test.
const goldenForestRule = "mean over 10 own seeds of each probability within 0.03 + 2 sd of probability_mean; " +
	"mean accuracy within 0.03"

func goldenForest(t *testing.T, raw testdata.Case, _ tolerances) {
	var c goldenForestCase
	raw.Read(t, &c.Input, &c.Expected)
	if c.Expected.Rule != goldenForestRule || c.Input.MaxFeatures != "sqrt" {
		t.Fatalf("rule %q or max_features %q is not known", c.Expected.Rule, c.Input.MaxFeatures)
	}
	const seeds = 10
	sample := tree.Sample{X: c.Input.X, Y: c.Input.Y, Classes: 2}
	mean := make([]float64, len(c.Input.XTest))
	right := 0
	for seed := range uint64(seeds) {
		f, err := tree.GrowForest(context.Background(), sample,
			tree.ForestOptions{Trees: c.Input.Trees, Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, share := range goldenEntries(c.Input.XTest, f.Shares) {
			mean[i] += share / seeds
			if (share > 0.5) == (c.Input.YTest[i] == 1) {
				right++
			}
		}
	}
	accuracy := float64(right) / float64(seeds*len(c.Input.XTest))
	testdata.Near(t, "mean accuracy", accuracy, c.Expected.AccuracyMean, 0.03)
	for i, want := range c.Expected.ProbabilityMean {
		testdata.Near(t, "mean probability of row "+strconv.Itoa(i), mean[i], want, 0.03+2*c.Expected.ProbabilitySD[i])
	}
}

type goldenSHAPCase struct {
	Input struct {
		Kind     string `json:"kind"`
		Features int    `json:"features"`
		Trees    []struct {
			Left      []int       `json:"left"`
			Right     []int       `json:"right"`
			Feature   []int       `json:"feature"`
			Threshold []*float64  `json:"threshold"`
			Cover     []float64   `json:"cover"`
			Counts    [][]float64 `json:"counts"`
		} `json:"trees"`
		X [][]float64 `json:"x"`
	} `json:"input"`
	Expected struct {
		Base   float64     `json:"base"`
		Values [][]float64 `json:"values"`
		Output []float64   `json:"output"`
	} `json:"expected"`
}

func goldenSHAP(t *testing.T, raw testdata.Case, tol tolerances) {
	var c goldenSHAPCase
	raw.Read(t, &c.Input, &c.Expected)
	f := &tree.Forest{}
	for _, given := range c.Input.Trees {
		threshold := make([]float64, len(given.Threshold))
		for node, v := range given.Threshold {
			if v != nil {
				threshold[node] = *v
			}
		}
		f.Trees = append(f.Trees, &tree.Tree{
			Classes: 2, Left: given.Left, Right: given.Right, Feature: given.Feature, Threshold: threshold,
			Impurity: make([]float64, len(given.Left)), Cover: given.Cover, Counts: given.Counts,
		})
	}
	testdata.OK(t, f.Validate(c.Input.Features, 2))
	testdata.NearAll(t, "output", goldenEntries(c.Input.X, f.Shares), c.Expected.Output, tol.SHAP)
	for i, x := range c.Input.X {
		base, phi := f.Explain(x, 1)
		testdata.Near(t, "base", base, c.Expected.Base, tol.SHAP)
		testdata.NearAll(t, "row "+strconv.Itoa(i)+", phi", phi, c.Expected.Values[i], tol.SHAP)
	}
}
