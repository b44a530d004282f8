// Package tree grows decision trees (CART), random forests and AdaBoost, and explains them by exact
// path-dependent TreeSHAP (spec/assessors.md). Rows are x[row][column]; classes are numbers 0..K-1
// in order (0 invariant, K-1 variant).
package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Sample is a training set. Rows and labels are not copied and must not change while something is
// grown from them.
type Sample struct {
	X       [][]float64 // S rows of F finite numbers
	Y       []int       // S classes
	Classes int         // K, 2 or more
}

// Validate checks a sample: same lengths, at least one row and column, finite numbers, classes in
// range. The error names row and column.
func (s Sample) Validate() error {
	switch {
	case s.Classes < 2:
		return fmt.Errorf("training set: %d classes; a tree needs two or more", s.Classes)
	case len(s.X) == 0 || len(s.X[0]) == 0:
		return errors.New("training set: no rows or no columns; a tree needs at least one of each")
	case len(s.X) > math.MaxInt32:
		return fmt.Errorf("training set: %d rows; a tree takes at most %d", len(s.X), math.MaxInt32)
	case len(s.Y) != len(s.X):
		return fmt.Errorf("training set: %d classes for %d rows; each row needs one", len(s.Y), len(s.X))
	}
	for i, row := range s.X {
		if err := s.checkRow(i, row); err != nil {
			return err
		}
	}
	return nil
}

func (s Sample) checkRow(i int, row []float64) error {
	if len(row) != len(s.X[0]) {
		return fmt.Errorf("training set: row %d has %d columns, row 0 has %d", i, len(row), len(s.X[0]))
	}
	if s.Y[i] < 0 || s.Y[i] >= s.Classes {
		return fmt.Errorf("training set: row %d is of class %d, outside 0..%d", i, s.Y[i], s.Classes-1)
	}
	for c, v := range row {
		if !finite(v) {
			return fmt.Errorf("training set: row %d, column %d is %v; leave the row out or give a finite number",
				i, c, v)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Tree is a binary tree in arrays; node 0 is the root and a parent comes before its children. It is
// immutable.
type Tree struct {
	Classes   int         `json:"classes"`
	Left      []int       `json:"left"`      // -1 for a leaf
	Right     []int       `json:"right"`     // -1 for a leaf
	Feature   []int       `json:"feature"`   // -1 for a leaf
	Threshold []float64   `json:"threshold"` // x[Feature] <= Threshold goes left; 0 for a leaf
	Impurity  []float64   `json:"impurity"`  // gini
	Cover     []float64   `json:"cover"`     // training weight that reached the node
	Counts    [][]float64 `json:"counts"`    // of it, per class
}

// Options bound a tree. The zero value grows until the leaves are pure.
type Options struct {
	MaxDepth int // 0 for no limit
	MinLeaf  int // least number of rows in a leaf, 0 for 1
}

func (o Options) validate() error {
	if o.MaxDepth < 0 || o.MinLeaf < 0 {
		return fmt.Errorf("tree of depth %d with %d rows in a leaf: neither may be negative; 0 is the default",
			o.MaxDepth, o.MinLeaf)
	}
	return nil
}

// Grow grows a CART with gini impurity as spec/assessors.md says. weights are per row, nil for 1
// each; a row of weight 0 is left out, as if it were not there. Among splits that are equally good,
// to 1e-12 of the total weight, the lowest column's lowest threshold is taken. The errors are those
// of Sample.Validate, negative options, and weights that are too few, negative, not finite or all
// 0.
func Grow(s Sample, weights []float64, opts Options) (*Tree, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(s.X))
	}
	if err := checkWeights(weights, len(s.X)); err != nil {
		return nil, err
	}
	return newGrower(newColumns(s), opts).grow(weights, nil), nil
}

func checkWeights(weights []float64, rows int) error {
	if len(weights) != rows {
		return fmt.Errorf("training set: %d weights for %d rows; each row needs one", len(weights), rows)
	}
	total := 0.0
	for i, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("training set: row %d has weight %v; weights are 0 or more", i, w)
		}
		total += w
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return fmt.Errorf("training set: the weights sum to %v; a tree needs a positive, finite sum", total)
	}
	return nil
}

// Leaf is the leaf that x falls into.
func (t *Tree) Leaf(x []float64) int {
	node := 0
	for t.Left[node] >= 0 {
		if x[t.Feature[node]] <= t.Threshold[node] {
			node = t.Left[node]
		} else {
			node = t.Right[node]
		}
	}
	return node
}

// Shares are the class shares of x's leaf.
func (t *Tree) Shares(x []float64) []float64 {
	shares := make([]float64, t.Classes)
	leaf := t.Leaf(x)
	for c, weight := range t.Counts[leaf] {
		shares[c] = weight / t.Cover[leaf]
	}
	return shares
}

// Nodes and Depth are the tree's size; a single leaf has depth 0.
func (t *Tree) Nodes() int { return len(t.Left) }

// Depth is the number of splits on the longest path.
func (t *Tree) Depth() int {
	depth := make([]int, len(t.Left))
	deepest := 0
	for node, left := range t.Left {
		deepest = max(deepest, depth[node])
		if left >= 0 {
			depth[left], depth[t.Right[node]] = depth[node]+1, depth[node]+1
		}
	}
	return deepest
}
