package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

var _ exchange.Runner = (*Runtime)(nil)

// models is a repository of made-up models; the second feature of every third one is 0, and a
// column is constant.
func judgedModels(count, classes int, seed uint64) assess.Data {
	d := assess.Data{Names: []string{"a", "b", "c", "d", "e"}, Classes: label.Values(classes)}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range count {
		class := i % classes
		x := []float64{
			random.Float64() + 0.4*float64(class), random.Float64(), random.NormFloat64(), 3, 1e-3 * random.Float64(),
		}
		if i%3 == 0 {
			x[1] = 0
		}
		d.Rows = append(d.Rows, assess.Row{ID: fmt.Sprint(i), X: x, Label: d.Classes[class]})
	}
	return d
}

func exported(tb testing.TB, a *assess.Assessor) []byte {
	tb.Helper()
	model, err := exchange.Export(saved.File{Name: "a", Assessor: a, Versions: map[string]string{"variscope": "0.1.0"}})
	if err != nil {
		tb.Fatal(err)
	}
	return model
}

// treesOf are all trees of an assessor.
func treesOf(a *assess.Assessor) []*tree.Tree {
	switch {
	case a.Tree != nil:
		return []*tree.Tree{a.Tree}
	case a.Forest != nil:
		return a.Forest.Trees
	case a.Boost != nil:
		return a.Boost.Stumps
	}
	return nil
}

// probes are the training rows, rows beside them, and rows that lie on the thresholds of the trees
// or just above them.
func probes(d assess.Data, a *assess.Assessor) [][]float64 {
	var x [][]float64
	random := rand.New(rand.NewPCG(9, 9))
	for _, row := range d.Rows {
		x = append(x, row.X)
		beside := append([]float64(nil), row.X...)
		for f := range beside {
			beside[f] += 0.2 * random.NormFloat64()
		}
		x = append(x, beside)
	}
	for k, t := range treesOf(a) {
		for node, f := range t.Feature {
			if f < 0 {
				continue
			}
			on := append([]float64(nil), d.Rows[(k+node)%len(d.Rows)].X...)
			on[f] = t.Threshold[node]
			above := append([]float64(nil), on...)
			above[f] = math.Nextafter(on[f], math.Inf(1))
			x = append(x, on, above)
		}
	}
	return append(x, make([]float64, len(d.Names)))
}

// Through the real library, every assessor judges as it does itself, on and beside its thresholds.
func TestJudgeExported(t *testing.T) {
	r := library(t)
	for _, classes := range []int{2, 3} {
		d := judgedModels(60, classes, 3)
		for _, s := range []assess.Settings{
			{Algorithm: assess.DecisionTree, MaxDepth: 4},
			{Algorithm: assess.RandomForest, Seed: 5, Trees: 20, MinLeaf: 4},
			{Algorithm: assess.AdaBoost},
			{Algorithm: assess.AdaBoost, Boosting: tree.SAMME, MaxDepth: 2, LearningRate: 0.5},
			{Algorithm: assess.Regression},
			{Algorithm: assess.Regression, ZScores: true},
		} {
			name := fmt.Sprintf("%d classes, %+v", classes, s)
			a := testdata.Must(assess.Train(t.Context(), d, d.Labelled(), s))(t)
			x := probes(d, a)
			report, err := exchange.Check(t.Context(), r, "a.onnx", a, exported(t, a), x)
			limit := 1e-6
			if a.Linear != nil {
				limit = 1e-4 // its coefficients are large, for the sake of the last column, and its numbers float32
			}
			if err != nil || report.Rows != len(x) || report.Largest > limit ||
				a.Linear == nil && report.Near+report.Moved > 0 {
				t.Errorf("%s: %+v, %v", name, report, err)
			}
		}
	}
}

// leafTree splits at a threshold of the first feature; counts are those of the left and of the
// right leaf.
func leafTree(threshold float64, left, right []float64) *tree.Tree {
	total := func(counts []float64) (sum float64) {
		for _, c := range counts {
			sum += c
		}
		return sum
	}
	both := make([]float64, len(left))
	for k := range both {
		both[k] = left[k] + right[k]
	}
	return &tree.Tree{
		Classes: len(left), Left: []int{1, -1, -1}, Right: []int{2, -1, -1}, Feature: []int{0, -1, -1},
		Threshold: []float64{threshold, 0, 0}, Impurity: []float64{0.5, 0, 0},
		Cover: []float64{total(both), total(left), total(right)}, Counts: [][]float64{both, left, right},
	}
}

// Votes that tie, or that differ by one rounding, are decided as the assessor decides them.
func TestJudgeTies(t *testing.T) {
	r := library(t)
	forest := func(trees ...*tree.Tree) *assess.Assessor {
		return &assess.Assessor{
			Settings: assess.Settings{Algorithm: assess.RandomForest}, Names: []string{"a"},
			Classes: label.Values(trees[0].Classes), Forest: &tree.Forest{Trees: trees},
		}
	}
	boost := func(weights []float64, stumps ...*tree.Tree) *assess.Assessor {
		return &assess.Assessor{
			Settings: assess.Settings{Algorithm: assess.AdaBoost}, Names: []string{"a"}, Classes: label.Values(2),
			Boost: &tree.Boost{
				Algorithm: tree.SAMME, Stumps: stumps, Weights: weights, Errors: make([]float64, len(stumps)),
			},
		}
	}
	zero, one := []float64{4, 0}, []float64{0, 4}
	for name, a := range map[string]*assess.Assessor{
		"one against one": forest(leafTree(0, zero, one), leafTree(0, one, zero)),
		"tenths and fifths": forest(
			leafTree(0, []float64{9, 1}, []float64{1, 9}), leafTree(0, []float64{7, 3}, []float64{3, 7}),
			leafTree(0, []float64{0, 4}, []float64{4, 0}), leafTree(0, []float64{4, 1}, []float64{1, 4}),
			leafTree(0, []float64{3, 2}, []float64{2, 3}),
		),
		"three classes": forest(leafTree(0, []float64{1, 0, 0}, []float64{0, 0, 1}),
			leafTree(0, []float64{0, 0, 1}, []float64{0, 1, 0})),
		"weights of a sum": boost([]float64{0.3, 0.1, 0.2}, leafTree(0, zero, one), leafTree(0, one, zero),
			leafTree(0, one, zero)),
	} {
		report, err := exchange.Check(t.Context(), r, "a.onnx", a, exported(t, a), [][]float64{{-1}, {0}, {1}})
		if err != nil || report.Largest > 1e-6 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

func TestJudgeRefuses(t *testing.T) {
	r := library(t)
	d := judgedModels(20, 2, 1)
	a := testdata.Must(assess.Train(t.Context(), d, d.Labelled(), assess.Settings{Algorithm: assess.DecisionTree}))(t)
	model := exported(t, a)
	for want, judge := range map[string]struct {
		model []byte
		x     [][]float64
	}{
		"a.onnx: there is nothing to judge":                {model, nil},
		"a.onnx: row 2 has 1 features and the first one 5": {model, [][]float64{make([]float64, 5), {1}}},
		"a.onnx cannot be run: ": {
			model[:len(model)/2], [][]float64{make([]float64, 5)},
		},
		"a.onnx cannot be run: Got invalid dimensions for input": {model, [][]float64{{1, 2}}},
		"a.onnx cannot be run: Invalid":                          {tiny().file(), [][]float64{{1, 2}}},
	} {
		_, _, err := r.Judge(t.Context(), "a.onnx", judge.model, judge.x)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Judge(ctx, "a.onnx", model, [][]float64{d.Rows[0].X}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkJudge(b *testing.B) {
	r := library(b)
	d := judgedModels(150, 2, 1)
	a := testdata.Must(assess.Train(b.Context(), d, d.Labelled(), assess.Settings{Algorithm: assess.RandomForest}))(b)
	model, x := exported(b, a), probes(d, a)[:150]
	for b.Loop() {
		if _, _, err := r.Judge(b.Context(), "a.onnx", model, x); err != nil {
			b.Fatal(err)
		}
	}
}
