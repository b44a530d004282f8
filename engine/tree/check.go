package tree

import (
	"errors"
	"fmt"
	"math"
)

// coverTolerance is how far, relatively, the covers in a file may be from the sums that they must
// be.
const coverTolerance = 1e-9

// Validate checks a tree that comes from a file: lengths, children after their parents and each
// with one parent, features below width, finite numbers, impurities in 0..1, positive covers that
// are the sums of the counts and of the children's covers.
func (t *Tree) Validate(width int) error {
	if err := t.check(width); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

func (t *Tree) check(width int) error {
	if t == nil {
		return errors.New("there is none")
	}
	if t.Classes < 2 {
		return fmt.Errorf("%d classes; it needs two or more", t.Classes)
	}
	n := len(t.Left)
	if n == 0 {
		return errors.New("no nodes")
	}
	for _, list := range []struct {
		name   string
		length int
	}{
		{"right", len(t.Right)},
		{"feature", len(t.Feature)},
		{"threshold", len(t.Threshold)},
		{"impurity", len(t.Impurity)},
		{"cover", len(t.Cover)},
		{"counts", len(t.Counts)},
	} {
		if list.length != n {
			return fmt.Errorf("%q has %d entries, %q has %d; all lists need one per node", list.name, list.length,
				"left", n)
		}
	}
	for node := range n {
		if err := t.checkWeights(node); err != nil {
			return fmt.Errorf("node %d: %w", node, err)
		}
	}
	return t.checkShape(width)
}

// checkWeights checks the numbers of a node by themselves.
func (t *Tree) checkWeights(node int) error {
	if len(t.Counts[node]) != t.Classes {
		return fmt.Errorf("%d counts for %d classes", len(t.Counts[node]), t.Classes)
	}
	sum := 0.0
	for _, v := range t.Counts[node] {
		if !(v >= 0) {
			return fmt.Errorf("count %v; counts are 0 or more", v)
		}
		sum += v
	}
	cover, impurity := t.Cover[node], t.Impurity[node]
	if !(cover > 0) || !finite(cover) || !near(sum, cover) {
		return fmt.Errorf("cover %v with counts that sum to %v; it must be that sum, positive and finite", cover, sum)
	}
	if !(impurity >= 0 && impurity <= 1) {
		return fmt.Errorf("impurity %v, outside 0..1", impurity)
	}
	return nil
}

// checkShape checks how nodes hang together.
func (t *Tree) checkShape(width int) error {
	parents := make([]int, len(t.Left))
	for node, left := range t.Left {
		right := t.Right[node]
		if left == -1 && right == -1 {
			if t.Feature[node] != -1 || t.Threshold[node] != 0 {
				return fmt.Errorf("node %d: a leaf with a split on feature %d at %v",
					node, t.Feature[node], t.Threshold[node])
			}
			continue
		}
		if err := t.checkSplit(node, width); err != nil {
			return fmt.Errorf("node %d: %w", node, err)
		}
		parents[left]++
		parents[right]++
	}
	for node, count := range parents {
		if want := min(node, 1); count != want {
			return fmt.Errorf("node %d is a child of %d nodes, not of %d", node, count, want)
		}
	}
	return nil
}

func (t *Tree) checkSplit(node, width int) error {
	left, right := t.Left[node], t.Right[node]
	switch {
	case left <= node || right <= node || left >= len(t.Left) || right >= len(t.Left):
		return fmt.Errorf("children %d and %d; both must come after it and before %d", left, right, len(t.Left))
	case t.Feature[node] < 0 || t.Feature[node] >= width:
		return fmt.Errorf("feature %d, outside the %d columns", t.Feature[node], width)
	case !finite(t.Threshold[node]):
		return fmt.Errorf("threshold %v is not finite", t.Threshold[node])
	case !near(t.Cover[left]+t.Cover[right], t.Cover[node]):
		return fmt.Errorf("cover %v, its children have %v and %v", t.Cover[node], t.Cover[left], t.Cover[right])
	}
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) <= coverTolerance*math.Abs(b) }

// Validate checks a forest that comes from a file: at least one tree, each valid, all with that
// many classes.
func (f *Forest) Validate(width, classes int) error {
	if f == nil || len(f.Trees) == 0 {
		return errors.New("forest: no trees")
	}
	return checkTrees("forest: tree", f.Trees, width, classes)
}

// Validate checks a boosting that comes from a file: its algorithm, at least one stump, each a
// valid tree with that many classes, one positive weight and one error in 0..1 for each.
func (b *Boost) Validate(width, classes int) error {
	if b == nil || len(b.Stumps) == 0 {
		return errors.New("boosting: no stumps")
	}
	if b.Algorithm != SAMMER && b.Algorithm != SAMME {
		return fmt.Errorf("boosting: no algorithm %q; there are %s and %s", b.Algorithm, SAMMER, SAMME)
	}
	if len(b.Weights) != len(b.Stumps) || len(b.Errors) != len(b.Stumps) {
		return fmt.Errorf("boosting: %d weights and %d errors for %d stumps; each needs one", len(b.Weights),
			len(b.Errors), len(b.Stumps))
	}
	for m, w := range b.Weights {
		if !(w > 0) || !finite(w) || b.Algorithm == SAMMER && w != 1 {
			return fmt.Errorf("boosting: stump %d has weight %v; weights are positive, and 1 for %s", m, w, SAMMER)
		}
		if !(b.Errors[m] >= 0 && b.Errors[m] <= 1) {
			return fmt.Errorf("boosting: stump %d has error %v, outside 0..1", m, b.Errors[m])
		}
	}
	return checkTrees("boosting: stump", b.Stumps, width, classes)
}

func checkTrees(what string, trees []*Tree, width, classes int) error {
	for k, t := range trees {
		if err := t.check(width); err != nil {
			return fmt.Errorf("%s %d: %w", what, k, err)
		}
		if t.Classes != classes {
			return fmt.Errorf("%s %d has %d classes, not %d", what, k, t.Classes, classes)
		}
	}
	return nil
}
