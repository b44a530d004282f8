package tree

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func mustForest(t testing.TB, s Sample, opts ForestOptions) *Forest {
	t.Helper()
	f := testdata.Must(GrowForest(context.Background(), s, opts))(t)
	testdata.OK(t, f.Validate(len(s.X[0]), s.Classes))
	return f
}

func TestForestIsTheSameForAnyWorkers(t *testing.T) {
	for _, classes := range []int{2, 3} {
		s := made(120, 30, classes, 4)
		want := mustForest(t, s, ForestOptions{Seed: 9, Workers: 1})
		if len(want.Trees) != 100 {
			t.Fatalf("%d trees by default", len(want.Trees))
		}
		for _, workers := range []int{0, 2, 3, 16, 1000} {
			if !reflect.DeepEqual(want, mustForest(t, s, ForestOptions{Seed: 9, Workers: workers})) {
				t.Errorf("%d workers grow another forest", workers)
			}
		}
		if reflect.DeepEqual(want, mustForest(t, s, ForestOptions{Seed: 10})) {
			t.Error("the seed does not matter")
		}
	}
}

// TestForestOfAllColumns compares each tree with a CART of the same rows.
func TestForestOfAllColumns(t *testing.T) {
	s := made(40, 6, 2, 8)
	opts := ForestOptions{Trees: 12, Columns: 6, Seed: 3, Options: Options{MaxDepth: 4, MinLeaf: 2}}
	for b, got := range mustForest(t, s, opts).Trees {
		rng := rand.New(rand.NewPCG(opts.Seed, uint64(b)))
		weights := make([]float64, len(s.X))
		for range weights {
			weights[rng.IntN(len(weights))]++
		}
		sameTree(t, "tree", got, growSlowly(s, weights, opts.Options))
	}
}

// TestDrawnColumns sees that with one column per node every column gets its share of the roots, and
// that each split is the best one of its column.
func TestDrawnColumns(t *testing.T) {
	s := made(60, 5, 2, 2)
	f := mustForest(t, s, ForestOptions{Trees: 1000, Columns: 1, Seed: 1, Options: Options{MaxDepth: 1}})
	roots := make([]int, 5)
	for b, got := range f.Trees {
		roots[got.Feature[0]]++
		rng := rand.New(rand.NewPCG(1, uint64(b)))
		weights := make([]float64, len(s.X))
		for range weights {
			weights[rng.IntN(len(weights))]++
		}
		only := Sample{X: grid[float64](60, 1), Y: s.Y, Classes: 2}
		for i := range only.X {
			only.X[i][0] = s.X[i][got.Feature[0]]
		}
		if want := growSlowly(only, weights, Options{MaxDepth: 1}); got.Threshold[0] != want.Threshold[0] {
			t.Fatalf("tree %d splits column %d at %v, want %v", b, got.Feature[0], got.Threshold[0], want.Threshold[0])
		}
	}
	for c, n := range roots {
		if n < 150 || n > 250 { // 200 expected, deviation 13
			t.Errorf("column %d splits %d of 1000 roots", c, n)
		}
	}
}

// TestDrawingGoesOnPastConstants has one column of thirty that can split at all.
func TestDrawingGoesOnPastConstants(t *testing.T) {
	s := Sample{X: grid[float64](40, 30), Y: make([]int, 40), Classes: 2}
	for i := range s.X {
		s.X[i][17], s.Y[i] = float64(i), i/20
	}
	for b, grown := range mustForest(t, s, ForestOptions{Seed: 2}).Trees {
		if grown.Nodes() != 3 || grown.Feature[0] != 17 {
			t.Fatalf("tree %d has %d nodes and splits on %d", b, grown.Nodes(), grown.Feature[0])
		}
	}
}

func TestForestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, err := GrowForest(ctx, made(50, 5, 2, 1), ForestOptions{})
	if f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", f, err)
	}
}

func TestForestErrors(t *testing.T) {
	s := made(10, 4, 2, 1)
	broken := made(10, 4, 2, 1)
	broken.X[3][2] = math.NaN()
	tests := []struct {
		s    Sample
		opts ForestOptions
		want string
	}{
		{s, ForestOptions{Trees: -1}, "-1 trees"},
		{s, ForestOptions{Columns: -2}, "-2 columns"},
		{s, ForestOptions{Workers: -3}, "-3 workers"},
		{s, ForestOptions{Columns: 5}, "there are only 4"},
		{s, ForestOptions{Options: Options{MinLeaf: -1}}, "negative"},
		{broken, ForestOptions{}, "row 3, column 2"},
	}
	for _, test := range tests {
		_, err := GrowForest(context.Background(), test.s, test.opts)
		testdata.Refused(t, "error", err, test.want)
	}
}

// Votes are the sums of the trees' shares, Shares their means.
func TestVotes(t *testing.T) {
	s := made(50, 7, 3, 6)
	f := mustForest(t, s, ForestOptions{Trees: 9, Seed: 5, Options: Options{MinLeaf: 4}})
	for _, x := range s.X {
		votes, shares, want := f.Votes(x), f.Shares(x), make([]float64, 3)
		for _, grown := range f.Trees {
			for c, v := range grown.Shares(x) {
				want[c] += v
			}
		}
		testdata.NearAll(t, "votes", votes, want, 1e-14)
		testdata.Equal(t, "shares", shares, []float64{votes[0] / 9, votes[1] / 9, votes[2] / 9})
	}
}

// TestForestOfOneClass grows leaves only.
func TestForestOfOneClass(t *testing.T) {
	s := made(20, 4, 2, 1)
	clear(s.Y)
	f := mustForest(t, s, ForestOptions{Trees: 5})
	testdata.NoDiff(t, "difference", cmp.Diff([]float64{1, 0}, f.Shares(s.X[0])))
	base, phi := f.Explain(s.X[0], 0)
	if base != 1 || cmp.Diff(make([]float64, 4), phi) != "" {
		t.Errorf("base %v, phi %v", base, phi)
	}
}
