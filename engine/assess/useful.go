package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/tree"
)

// Useful orders models by how much a label of each would tell an assessor: a random forest
// (spec/assessors.md) that is grown from the labelled rows of x, smallest margin between its two
// likeliest classes first, and rows in their order among equals. Rows of x are features, nil for
// a model without; label is the class of each row, or -1 for those that are to be ordered. The
// result has these rows; those without features are last. The same seed gives the same order.
// Rows stay as they are where labelled ones have no features, or all of them one label.
// Errors are those of tree.GrowForest.
func Useful(ctx context.Context, x [][]float64, label []int, classes int, seed uint64) ([]int, error) {
	learned := tree.Sample{Classes: classes}
	var rows []int
	for i, class := range label {
		switch {
		case class < 0:
			rows = append(rows, i)
		case x[i] != nil:
			learned.X, learned.Y = append(learned.X, x[i]), append(learned.Y, class)
		}
	}
	if len(learned.Y) == 0 || slices.Min(learned.Y) == slices.Max(learned.Y) {
		return rows, nil // nothing to learn from: those that are labelled have no features, or one label
	}
	forest, err := tree.GrowForest(ctx, learned, tree.ForestOptions{Seed: seed})
	if err != nil {
		return nil, fmt.Errorf("order models by what their labels would tell: %w", err)
	}
	margin := make([]float64, len(x))
	for _, i := range rows {
		if margin[i] = math.Inf(1); x[i] != nil {
			margin[i] = lead(forest.Shares(x[i]))
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(margin[a], margin[b]) })
	return rows, nil
}
