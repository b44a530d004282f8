package tree

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/variscope/variscope/internal/testdata"
)

// randomTree is any tree, not a grown one: columns come again on a path, covers are uneven.
func randomTree(rng *rand.Rand, width, depth int) *Tree {
	t := &Tree{Classes: 3}
	var grow func(cover float64, depth int) int
	grow = func(cover float64, depth int) int {
		id := len(t.Left)
		t.Left, t.Right, t.Feature = append(t.Left, -1), append(t.Right, -1), append(t.Feature, -1)
		t.Threshold, t.Impurity, t.Cover = append(t.Threshold, 0), append(t.Impurity, 0.5), append(t.Cover, cover)
		share := rng.Float64() * cover / 2
		t.Counts = append(t.Counts, []float64{share, cover / 2, cover/2 - share})
		if depth == 0 || id > 0 && rng.IntN(5) == 0 {
			return id
		}
		t.Feature[id], t.Threshold[id] = rng.IntN(width), rng.NormFloat64()
		part := 0.02 + 0.96*rng.Float64()
		left := grow(cover*part, depth-1)
		right := grow(cover-cover*part, depth-1)
		t.Left[id], t.Right[id] = left, right
		return id
	}
	grow(100, depth)
	return t
}

// TestExplainGrownTrees explains what was learned from many columns with long paths; the values sum
// to the output.
func TestExplainGrownTrees(t *testing.T) {
	for _, classes := range []int{2, 3} {
		s := made(200, 40, classes, 5)
		grown := mustGrow(t, s, nil, Options{})
		forest := mustForest(t, s, ForestOptions{Seed: 4, Trees: 20})
		boosts := []*Boost{
			mustBoost(t, s, BoostOptions{}),
			mustBoost(t, s, BoostOptions{Algorithm: SAMME, Depth: 3, Rounds: 9}),
		}
		for _, x := range s.X[:40] {
			for class := range classes {
				phi := make([]float64, len(x))
				base := grown.Explain(x, func(leaf int) float64 { return grown.share(leaf, class) }, phi)
				sums(t, "tree", base, phi, grown.Shares(x)[class])
				base, phi = forest.Explain(x, class)
				sums(t, "forest", base, phi, forest.Shares(x)[class])
				for _, b := range boosts {
					base, phi = b.Explain(x, class)
					sums(t, string(b.Algorithm), base, phi, b.Decision(x)[class])
					terms := 0.0
					for m, stump := range b.Stumps {
						terms += b.Terms(m, stump.Leaf(x))[class]
					}
					testdata.Is(t, "sum of the terms", terms, b.Decision(x)[class])
				}
			}
		}
	}
}

func sums(t *testing.T, what string, base float64, phi []float64, output float64) {
	t.Helper()
	testdata.Near(t, what, base+floats.Sum(phi), output, 1e-10)
}

// TestExplainDegenerateTree goes down a path of 400 columns, each splitting off one row; with the
// same share everywhere the values are known: v(Z) of the deepest leaf is the product of what is
// not in Z.
func TestExplainDegenerateTree(t *testing.T) {
	const n = 400
	grown := &Tree{Classes: 2}
	for c := range n {
		cover := float64(uint64(1) << 40)
		grown.Left, grown.Right = append(grown.Left, 2*c+1, -1), append(grown.Right, 2*c+2, -1)
		grown.Feature, grown.Threshold = append(grown.Feature, c, -1), append(grown.Threshold, 0, 0)
		scale := math.Pow(0.5, float64(c)/40)
		grown.Cover = append(grown.Cover, cover*scale, cover*scale*(1-math.Pow(0.5, 1.0/40)))
	}
	grown.Left, grown.Right, grown.Feature = append(grown.Left, -1), append(grown.Right, -1), append(grown.Feature, -1)
	grown.Threshold, grown.Cover = append(grown.Threshold, 0),
		append(grown.Cover, float64(uint64(1)<<40)*math.Pow(0.5, n/40))
	x := make([]float64, n)
	for c := range x {
		x[c] = 1
	}
	phi := make([]float64, n)
	base := grown.Explain(x, func(leaf int) float64 {
		if leaf == 2*n {
			return 1
		}
		return 0
	}, phi)
	testdata.Near(t, "base", base, math.Pow(0.5, n/40), 1e-12)
	for c := range phi {
		testdata.Near(t, "symmetric column", phi[c], (1-base)/n, 1e-12)
	}
}

// TestExplainWithoutCover has children that no training row reached, which a grown tree never has.
func TestExplainWithoutCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, empty := range []int{0, 1, 2, 4} {
		grown := randomTree(rng, 2, 5)
		for node := empty; node < grown.Nodes(); node++ {
			grown.Cover[node] = 0
		}
		phi := make([]float64, 2)
		value := func(leaf int) float64 { return float64(leaf) }
		x := []float64{0.5, -0.5}
		base := grown.Explain(x, value, phi)
		sums(t, "without cover", base, phi, value(grown.Leaf(x)))
	}
}
