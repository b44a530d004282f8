package tree

import "math"

// Places lays the tree out: each node in the middle above its children, subtrees as close to each
// other as nodes of width 1 allow, row by row (Reingold and Tilford, "Tidier Drawings of Trees",
// 1981). x is the middle of a node from the left edge, row its line from the top; width and rows
// are those of the whole.
func (t *Tree) Places() (x []float64, row []int, width float64, rows int) {
	n := t.Nodes()
	x, row = make([]float64, n), make([]int, n)
	apart := make([]float64, n) // of each node's children
	outlines := make([]outline, n)
	for k := n - 1; k >= 0; k-- { // children come after their parents
		outlines[k] = outline{{}}
		if left, right := t.Left[k], t.Right[k]; left >= 0 {
			apart[k] = 1
			for row := range min(len(outlines[left]), len(outlines[right])) {
				apart[k] = max(apart[k], outlines[left][row][1]-outlines[right][row][0]+1)
			}
			outlines[k] = append(outlines[k], outlines[left].join(outlines[right], apart[k])...)
			outlines[left], outlines[right] = nil, nil
		}
	}
	low, high := 0.0, 0.0
	for _, ends := range outlines[0] {
		low, high = min(low, ends[0]), max(high, ends[1])
	}
	x[0] = 0.5 - low
	for k := range n {
		if left, right := t.Left[k], t.Right[k]; left >= 0 {
			x[left], x[right] = x[k]-apart[k]/2, x[k]+apart[k]/2
			row[left], row[right] = row[k]+1, row[k]+1
		}
	}
	return x, row, high - low + 1, len(outlines[0])
}

// outline is how far a subtree reaches to the left and to the right of its root, row by row.
type outline [][2]float64

// join is the outline of two subtrees below a parent whose children stand so far apart.
func (o outline) join(right outline, apart float64) (joined outline) {
	for row := range max(len(o), len(right)) {
		reach := [2]float64{math.Inf(1), math.Inf(-1)}
		if row < len(o) {
			reach = [2]float64{o[row][0] - apart/2, o[row][1] - apart/2}
		}
		if row < len(right) {
			reach[0], reach[1] = min(reach[0], right[row][0]+apart/2), max(reach[1], right[row][1]+apart/2)
		}
		joined = append(joined, reach)
	}
	return joined
}
