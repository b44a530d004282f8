package tree

// split is a way to part a node.
type split struct {
	column    int
	threshold float64
	// merit is sum_k L_k^2 / L + sum_k R_k^2 / R for weights L_k and R_k per class: the decrease in
	// impurity plus what is the same for all splits of the node.
	merit float64
}

// try lets the candidates of a column compete with the best split, thresholds ascending.
func (g *grower) try(c int, rows []int32, best *split) {
	rank := g.rank[c]
	order := g.inOrder(c, rows)
	if rank[order[0]] == rank[order[len(order)-1]] {
		return
	}
	scan := g.scan
	if g.classes == 2 {
		scan = g.scanTwo
	}
	merit, after := scan(order, g.value[c], best.merit)
	if after < 0 {
		return
	}
	*best = split{c, between(g.value[c][order[after]], g.value[c][order[after+1]]), merit}
}

// between is the threshold of two neighbouring values a < b: their midpoint, or a where that is
// rounded up to b.
func between(a, b float64) float64 {
	if mid := float64(a/2) + float64(b/2); mid < b {
		return mid
	}
	return a
}

// scan finds the candidate of a column that beats the best one: its merit, and the place in order
// after which it cuts, -1 for none.
func (g *grower) scan(order []int32, value []float64, best float64) (merit float64, after int) {
	clear(g.left)
	after = -1
	last := len(order) - g.opts.MinLeaf
	for k, r := range order[:last] {
		g.left[g.class[r]] += g.weight[r]
		if k+1 < g.opts.MinLeaf || value[r] == value[order[k+1]] {
			continue
		}
		if m := g.merit(); m > best+g.margin {
			best, after = m, k
		}
	}
	return best, after
}

// merit of the split that sends g.left to the left.
func (g *grower) merit() float64 {
	var leftSquares, leftSum, rightSquares, rightSum float64
	for c, l := range g.left {
		r := g.counts[c] - l
		leftSum += l
		rightSum += r
		leftSquares += float64(l * l)
		rightSquares += float64(r * r)
	}
	return ratio(leftSquares, leftSum) + ratio(rightSquares, rightSum)
}

// ratio is a / b, and 0 where rounding left nothing of b.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// scanTwo is scan for two classes.
func (g *grower) scanTwo(order []int32, value []float64, best float64) (merit float64, after int) {
	var left [2]float64
	after = -1
	last := len(order) - g.opts.MinLeaf
	all0, all1 := g.counts[0], g.counts[1]
	for k, r := range order[:last] {
		left[g.class[r]&1] += g.weight[r]
		if k+1 < g.opts.MinLeaf || value[r] == value[order[k+1]] {
			continue
		}
		l0, l1 := left[0], left[1]
		r0, r1 := all0-l0, all1-l1
		m := ratio(float64(l0*l0)+float64(l1*l1), l0+l1) + ratio(float64(r0*r0)+float64(r1*r1), r0+r1)
		if m > best+g.margin {
			best, after = m, k
		}
	}
	return best, after
}
