package tree

import "gonum.org/v1/gonum/integrate/quad"

// explainer computes Shapley values of trees at one point.
//
// With v(Z) as in spec/assessors.md (TreeSHAP), a leaf adds value * prod_j f_j to v(Z), where j
// runs over the d distinct columns on its path and f_j is o_j for j in Z (1 where all splits on j
// send x the leaf's way, else 0) and z_j otherwise (the product of the shares of cover that these
// splits send there). The Shapley weight |Z|! (d-1-|Z|)! / d! is the integral over t in 0..1 of
// t^|Z| (1-t)^(d-1-|Z|), so that the leaf's part of phi_i becomes
//
//	value * (o_i - z_i) * integral of prod_{j != i} (t o_j + (1-t) z_j) dt,
//
// a polynomial of degree d-1, which Gauss-Legendre quadrature with ceil(d/2) nodes integrates
// exactly. All its terms are positive, so no digits are lost on long paths.
type explainer struct {
	x, phi []float64
	t      []float64 // nodes of the quadrature in 0..1
	weight []float64
	path   []step    // the distinct columns between root and node
	factor []float64 // by column of the path, by node of the quadrature,
	before []float64 // and the products of the factors of the columns before it
	after  []float64 // by node of the quadrature: its weight times the factors of the columns behind
	tree   *Tree
	value  func(leaf int) float64
	base   float64
}

// step is a distinct column on a path with its o and z.
type step struct {
	column int
	o, z   float64
}

// newExplainer is for trees that are no deeper than the deepest of these. What it finds is added to
// phi.
func newExplainer(x, phi []float64, trees []*Tree) *explainer {
	depth := 0
	for _, t := range trees {
		depth = max(depth, t.Depth())
	}
	depth = min(depth, len(x))
	n := max(1, (depth+1)/2)
	e := &explainer{
		x: x, phi: phi, t: make([]float64, n), weight: make([]float64, n),
		factor: make([]float64, depth*n), before: make([]float64, depth*n), after: make([]float64, n),
	}
	quad.Legendre{}.FixedLocations(e.t, e.weight, 0, 1)
	return e
}

// Explain adds to phi the Shapley value of every column for the tree's output at x, with value as
// the output of a leaf, and returns the base value (path-dependent: a split on a column that is not
// known weighs both children by cover). base plus the sum of what was added is value(t.Leaf(x)) to
// 1e-10.
func (t *Tree) Explain(x []float64, value func(leaf int) float64, phi []float64) (base float64) {
	return newExplainer(x, phi, []*Tree{t}).add(t, value)
}

// share of a class in a node.
func (t *Tree) share(node, class int) float64 { return t.Counts[node][class] / t.Cover[node] }

// add explains a tree and returns its base value.
func (e *explainer) add(t *Tree, value func(leaf int) float64) (base float64) {
	e.tree, e.value, e.base = t, value, 0
	e.path = e.path[:0]
	e.node(0, 1)
	return e.base
}

// node explains the leaves below a node, which a share of all cover reaches.
func (e *explainer) node(node int, share float64) {
	t := e.tree
	left, right := t.Left[node], t.Right[node]
	if left < 0 {
		value := e.value(node)
		e.base += share * value
		e.leaf(value)
		return
	}
	column := t.Feature[node]
	goesLeft := e.x[column] <= t.Threshold[node]
	z := t.leftShare(node)
	e.below(left, column, goesLeft, z, share)
	e.below(right, column, !goesLeft, 1-z, share)
}

// below explains a child: its parent splits on a column and sends a share z of its cover there, and
// x where taken is true.
func (e *explainer) below(child, column int, taken bool, z, share float64) {
	k := 0
	for k < len(e.path) && e.path[k].column != column {
		k++
	}
	known := k < len(e.path)
	if !known {
		e.path = append(e.path, step{column, 1, 1})
	}
	old := e.path[k]
	e.path[k].z *= z
	if !taken {
		e.path[k].o = 0
	}
	e.node(child, share*z)
	e.path[k] = old
	if !known {
		e.path = e.path[:k]
	}
}

// leftShare is the share of a node's cover that goes left; a half where a tree from elsewhere has a
// node without cover.
func (t *Tree) leftShare(node int) float64 {
	left, right := t.Cover[t.Left[node]], t.Cover[t.Right[node]]
	if left+right <= 0 {
		return 0.5
	}
	return left / (left + right)
}

// leaf adds what the leaf at the end of the path gives to its columns.
func (e *explainer) leaf(value float64) {
	d, n := len(e.path), len(e.t)
	if d == 0 || value == 0 {
		return
	}
	for i, s := range e.path {
		for q, t := range e.t {
			e.factor[i*n+q] = t*s.o + (1-t)*s.z
		}
	}
	copy(e.after, e.weight)
	for q := range n {
		e.before[q] = 1
	}
	for i := 1; i < d; i++ {
		for q := range n {
			e.before[i*n+q] = e.before[(i-1)*n+q] * e.factor[(i-1)*n+q]
		}
	}
	for i := d - 1; i >= 0; i-- {
		integral := 0.0
		for q := range n {
			integral += e.before[i*n+q] * e.after[q]
			e.after[q] *= e.factor[i*n+q]
		}
		e.phi[e.path[i].column] += value * (e.path[i].o - e.path[i].z) * integral
	}
}
