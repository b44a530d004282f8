package tree

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// pureBelow is the gini impurity up to which a node counts as pure (the distance from 1 to the next
// float64).
const pureBelow = 0x1p-52

// grower grows trees from one training set, one after the other, in memory that it keeps. It is for
// one goroutine.
type grower struct {
	*columns
	opts  Options
	tried int // columns per node, 0 for all

	weight []float64
	margin float64 // by which a candidate must beat the best one
	rng    *rand.Rand

	members []int32   // the rows of each node are a part of it, ascending
	inNode  []int32   // by row: 1 in the node at hand, else 0
	sorted  []int32   // the rows of the node in the order of a column
	keys    []uint64  // for sorting them
	aside   []int32   // rows that go right
	counts  []float64 // weight of the node per class,
	left    []float64 // and of the part that goes left
	drawn   []int     // all columns, the drawn ones first
	tree    *Tree
}

func newGrower(d *columns, opts Options) *grower {
	opts.MinLeaf = max(1, opts.MinLeaf)
	g := &grower{
		columns: d, opts: opts,
		members: make([]int32, 0, d.rows), inNode: make([]int32, d.rows), sorted: make([]int32, d.rows+1),
		keys: make([]uint64, d.rows), aside: make([]int32, d.rows),
		counts: make([]float64, d.classes), left: make([]float64, d.classes), drawn: make([]int, len(d.value)),
	}
	return g
}

// grow grows a tree with valid weights. rng draws the columns of each node where not all are tried.
func (g *grower) grow(weights []float64, rng *rand.Rand) *Tree {
	g.weight, g.rng = weights, rng
	g.members = g.members[:0]
	total := 0.0
	for i, w := range weights {
		if w > 0 {
			g.members = append(g.members, int32(i))
			total += w
		}
	}
	for c := range g.drawn {
		g.drawn[c] = c
	}
	g.margin = 1e-12 * total
	g.tree = &Tree{Classes: g.classes}
	g.node(g.members, 0)
	counts := grid[float64](len(g.tree.Counts), g.classes) // in one piece of memory
	for node := range counts {
		copy(counts[node], g.tree.Counts[node])
	}
	g.tree.Counts = counts
	return g.tree
}

// node grows the node of these rows and what is below it, left before right, and returns its
// number.
func (g *grower) node(rows []int32, depth int) int {
	id := g.leaf(rows)
	impurity := g.tree.Impurity[id]
	if len(rows) < 2*g.opts.MinLeaf || impurity <= pureBelow || g.opts.MaxDepth > 0 && depth >= g.opts.MaxDepth {
		return id
	}
	s := g.best(rows)
	if s.column < 0 {
		return id
	}
	cut := g.partition(rows, s)
	left := g.node(rows[:cut], depth+1)
	right := g.node(rows[cut:], depth+1)
	t := g.tree
	t.Left[id], t.Right[id], t.Feature[id], t.Threshold[id] = left, right, s.column, s.threshold
	return id
}

// leaf appends a leaf of these rows and leaves their weights per class in g.counts.
func (g *grower) leaf(rows []int32) int {
	clear(g.counts)
	for _, r := range rows {
		g.counts[g.class[r]] += g.weight[r]
	}
	cover := 0.0
	for _, w := range g.counts {
		cover += w
	}
	impurity := 1.0
	for _, w := range g.counts {
		q := w / cover
		impurity -= float64(q * q)
	}
	t := g.tree
	t.Left, t.Right, t.Feature = append(t.Left, -1), append(t.Right, -1), append(t.Feature, -1)
	t.Threshold = append(t.Threshold, 0)
	t.Impurity, t.Cover = append(t.Impurity, max(0, impurity)), append(t.Cover, cover)
	t.Counts = append(t.Counts, slices.Clone(g.counts))
	return len(t.Left) - 1
}

// partition puts the rows that go left before the others, both ascending, and returns how many
// there are.
func (g *grower) partition(rows []int32, s split) int {
	value := g.value[s.column]
	left, right := 0, 0
	for _, r := range rows {
		if value[r] <= s.threshold {
			rows[left] = r
			left++
		} else {
			g.aside[right] = r
			right++
		}
	}
	copy(rows[left:], g.aside[:right])
	return left
}

// best is the best split of a node whose weights are in g.counts; its column is -1 where there is
// none.
func (g *grower) best(rows []int32) split {
	s := split{column: -1, merit: math.Inf(-1)}
	for _, r := range rows {
		g.inNode[r] = 1
	}
	width := len(g.value)
	if g.tried == 0 || g.tried == width {
		for c := range width {
			g.try(c, rows, &s)
		}
	} else {
		g.tryDrawn(rows, &s)
	}
	for _, r := range rows {
		g.inNode[r] = 0
	}
	return s
}

// tryDrawn draws the columns to try, and on, one by one, until one of them can split the node. The
// drawn ones are visited in ascending order, so that ties go to the lowest as they do where all are
// tried.
func (g *grower) tryDrawn(rows []int32, s *split) {
	n := len(g.drawn)
	for k := range g.tried {
		g.swap(k, k+g.rng.IntN(n-k))
	}
	first := g.drawn[:g.tried]
	slices.Sort(first)
	for _, c := range first {
		g.try(c, rows, s)
	}
	for k := g.tried; k < n && s.column < 0; k++ {
		g.swap(k, k+g.rng.IntN(n-k))
		g.try(g.drawn[k], rows, s)
	}
}

func (g *grower) swap(a, b int) { g.drawn[a], g.drawn[b] = g.drawn[b], g.drawn[a] }

// inOrder are the node's rows in ascending order of a column: the whole column where all rows are
// in the node, else picked out of it, or sorted where they are so few that this is faster.
func (g *grower) inOrder(c int, rows []int32) []int32 {
	n := len(rows)
	if n == g.rows {
		return g.order[c]
	}
	if 2*n*bits.Len(uint(n)) < g.rows {
		keys, rank := g.keys[:n], g.rank[c]
		for k, r := range rows {
			keys[k] = uint64(rank[r])<<32 | uint64(r)
		}
		slices.Sort(keys)
		for k, key := range keys {
			g.sorted[k] = int32(uint32(key))
		}
		return g.sorted[:n]
	}
	k := 0
	for _, r := range g.order[c] {
		g.sorted[k] = r
		k += int(g.inNode[r])
	}
	return g.sorted[:n]
}
