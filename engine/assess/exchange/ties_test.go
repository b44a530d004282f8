package exchange

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// leaf is a tree of one leaf.
func leaf(counts []float64) *tree.Tree {
	cover := 0.0
	for _, c := range counts {
		cover += c
	}
	return &tree.Tree{
		Classes: len(counts), Left: []int{-1}, Right: []int{-1}, Feature: []int{-1}, Threshold: []float64{0},
		Impurity: []float64{0}, Cover: []float64{cover}, Counts: [][]float64{counts},
	}
}

// Forests of few votes, whose shares tie often and sum with rounding, are decided by the file as by
// the assessor.
func TestTiesOfForests(t *testing.T) {
	ties := 0
	rapid.Check(t, func(r *rapid.T) {
		classes := rapid.IntRange(2, 3).Draw(r, "classes")
		var trees []*tree.Tree
		for range rapid.IntRange(1, 12).Draw(r, "trees") {
			counts := make([]float64, classes)
			for k := range counts {
				counts[k] = float64(rapid.IntRange(0, 6).Draw(r, "count"))
			}
			counts[0] += float64(rapid.IntRange(1, 2).Draw(r, "more"))
			trees = append(trees, leaf(counts))
			if rapid.Bool().Draw(r, "mirrored") {
				mirrored := slices.Clone(counts)
				mirrored[0], mirrored[classes-1] = counts[classes-1], counts[0]
				trees = append(trees, leaf(mirrored))
			}
		}
		a := &assess.Assessor{
			Settings: assess.Settings{Algorithm: assess.RandomForest}, Names: []string{"a"},
			Classes: label.Values(classes), Forest: &tree.Forest{Trees: trees},
		}
		want := testdata.Must(a.Judge(assess.Row{X: []float64{0}}))(r)
		model := testdata.Must(Export(fileOf(a)))(r)
		got := verdictOf(operators(t, model)[0].sums([]float64{0}))
		if p := want.Probability; p[0] == p[classes-1] {
			ties++
		}
		if got != want.Class {
			r.Fatalf("class %d, not %d of probabilities %v", got, want.Class, want.Probability)
		}
	})
	if ties == 0 {
		t.Error("no tie was tried")
	}
}
