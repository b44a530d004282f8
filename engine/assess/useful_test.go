package assess

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// TestUsefulEqualsSlowVersion: the order is the one that comes of taking, again and again, the
// first of the rows with the smallest margin.
func TestUsefulEqualsSlowVersion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	x, label := make([][]float64, 60), make([]int, 60)
	for i := range x {
		x[i] = []float64{rng.Float64(), math.Round(rng.Float64())}
		if label[i] = -1; i < 20 {
			label[i] = int(3 * x[i][0])
		}
	}
	x[3], x[31], x[44] = nil, nil, nil
	forest := testdata.Must(tree.GrowForest(t.Context(), tree.Sample{
		X: append(slices.Clone(x[:3]), x[4:20]...), Y: append(slices.Clone(label[:3]), label[4:20]...), Classes: 3,
	}, tree.ForestOptions{Seed: 5}))(t)
	var want []int
	for len(want) < 38 {
		best, least := -1, math.Inf(1)
		for i := 20; i < 60; i++ {
			if x[i] == nil || slices.Contains(want, i) {
				continue
			}
			shares := slices.Sorted(slices.Values(forest.Shares(x[i])))
			if margin := shares[2] - shares[1]; margin < least {
				best, least = i, margin
			}
		}
		want = append(want, best)
	}
	for range 2 {
		testdata.Equal(t, "order", testdata.Must(Useful(t.Context(), x, label, 3, 5))(t),
			append(slices.Clone(want), 31, 44))
	}
	for _, labelled := range []struct {
		x     [][]float64
		label []int
	}{{[][]float64{nil, nil, {1}, {2}}, []int{0, 1, -1, -1}}, {[][]float64{{5}, {6}, {1}, {2}}, []int{1, 1, -1, -1}}} {
		rows := testdata.Must(Useful(t.Context(), labelled.x, labelled.label, 2, 1))(t)
		testdata.Equal(t, "order with nothing to learn from", rows, []int{2, 3})
	}
}
