package tree

import (
	"math"
	"math/rand/v2"
	"slices"
)

// slowTree grows the same tree as Grow, by the words of spec/assessors.md and nothing else: every
// candidate's impurities are computed anew from the rows.
type slowTree struct {
	Sample
	weights []float64
	opts    Options
	total   float64
	tree    *Tree
}

func growSlowly(s Sample, weights []float64, opts Options) *Tree {
	g := &slowTree{Sample: s, weights: weights, opts: opts, tree: &Tree{Classes: s.Classes}}
	var rows []int
	for i, w := range weights {
		g.total += w
		if w > 0 {
			rows = append(rows, i)
		}
	}
	g.grow(rows, 0)
	return g.tree
}

// weigh returns the weights per class of rows, their sum, and the gini impurity.
func (g *slowTree) weigh(rows []int) (counts []float64, cover, impurity float64) {
	counts = make([]float64, g.Classes)
	for _, i := range rows {
		counts[g.Y[i]] += g.weights[i]
		cover += g.weights[i]
	}
	impurity = 1
	for _, w := range counts {
		impurity -= w / cover * (w / cover)
	}
	return counts, cover, impurity
}

func (g *slowTree) grow(rows []int, depth int) int {
	t := g.tree
	id := len(t.Left)
	counts, cover, impurity := g.weigh(rows)
	t.Left, t.Right, t.Feature = append(t.Left, -1), append(t.Right, -1), append(t.Feature, -1)
	t.Threshold, t.Impurity = append(t.Threshold, 0), append(t.Impurity, impurity)
	t.Cover, t.Counts = append(t.Cover, cover), append(t.Counts, counts)
	pure := slices.Max(counts) == cover
	if pure || len(rows) < 2 || g.opts.MaxDepth > 0 && depth == g.opts.MaxDepth {
		return id
	}
	best, column, threshold := math.Inf(-1), -1, 0.0
	for c := range g.X[0] {
		for _, cut := range g.cuts(rows, c) {
			left, right := g.part(rows, c, cut)
			if len(left) < g.opts.MinLeaf || len(right) < g.opts.MinLeaf {
				continue
			}
			_, leftCover, leftImpurity := g.weigh(left)
			_, rightCover, rightImpurity := g.weigh(right)
			if d := cover*impurity - leftCover*leftImpurity - rightCover*rightImpurity; d > best+1e-12*g.total {
				best, column, threshold = d, c, cut
			}
		}
	}
	if column < 0 {
		return id
	}
	left, right := g.part(rows, column, threshold)
	t.Feature[id], t.Threshold[id] = column, threshold
	leftID := g.grow(left, depth+1)
	rightID := g.grow(right, depth+1)
	t.Left[id], t.Right[id] = leftID, rightID
	return id
}

// cuts are the candidate thresholds of a column, ascending.
func (g *slowTree) cuts(rows []int, c int) []float64 {
	var values []float64
	for _, i := range rows {
		values = append(values, g.X[i][c])
	}
	slices.Sort(values)
	values = slices.Compact(values)
	var cuts []float64
	for k := 1; k < len(values); k++ {
		mid := values[k-1]/2 + values[k]/2
		if mid == values[k] {
			mid = values[k-1]
		}
		cuts = append(cuts, mid)
	}
	return cuts
}

func (g *slowTree) part(rows []int, c int, threshold float64) (left, right []int) {
	for _, i := range rows {
		if g.X[i][c] <= threshold {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

// coarse is a random training set with few distinct values per column, so that rows and splits tie
// often. Some columns may be constant and some classes empty.
func coarse(rng *rand.Rand, rows, width, classes int) Sample {
	s := Sample{X: grid[float64](rows, width), Y: make([]int, rows), Classes: classes}
	for c := range width {
		levels := 1 + rng.IntN(6)
		for i := range s.X {
			s.X[i][c] = float64(rng.IntN(levels)-2) / 3
		}
	}
	for i := range s.Y {
		s.Y[i] = rng.IntN(classes)
	}
	return s
}

// smooth is a random training set without equal values.
func smooth(rng *rand.Rand, rows, width, classes int) Sample {
	s := coarse(rng, rows, width, classes)
	for i := range s.X {
		for c := range s.X[i] {
			s.X[i][c] = rng.NormFloat64()
		}
	}
	return s
}
