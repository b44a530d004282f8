package scatter

import (
	"math"
	"slices"
)

// cells are points at the crossings of n positions with themselves, in pixel units: those of one
// target (one point each, counts nil), or the cells of a binned cloud. Both tables are n x n, row
// by row: column position i, row position j at j*n + i.
type cells struct {
	at     []float64
	counts []float64
	values []float64 // sums of values
}

// kernel sums up points with one interpolant. phi(r) is the product of two exponentials, so that
// each position costs one exponential per row or column in its reach. For an element's column a,
// the points of one row of cells that lie in the circle are always those nearest to a, more of them
// the nearer the element is to the row: so sums over the nearest one, two, three ... serve all
// elements of the column, and no point is looked at once per element. Nothing is subtracted,
// nothing merged: the result is that of the direct formula but for the order of the additions.
type kernel struct {
	raster         int
	radius2, sigma float64

	low, high    []int     // per position: the first and last row in its reach
	exponentials []float64 // positions x raster
	sorted       []int     // positions, ascending

	order                 []int     // those in reach of a column, nearest first
	beside2, weight       []float64 // of them: squared distance from the column, exponential
	valueSums, weightSums []float64 // over the nearest 0, 1, 2 ... of one row of cells
}

func newKernel(p Interpolant, positions, raster int) *kernel {
	radius := p.Size / 2
	floats := func(n int) []float64 { return make([]float64, n) }
	return &kernel{
		raster: raster, radius2: float64(radius * radius), sigma: p.Sigma,
		low: make([]int, positions), high: make([]int, positions), sorted: make([]int, positions),
		order: make([]int, positions), exponentials: floats(positions * raster), beside2: floats(positions),
		weight: floats(positions), valueSums: floats(positions + 1), weightSums: floats(positions + 1),
	}
}

// add adds the points of c to the sums.
func (k *kernel) add(to sum, c cells) {
	n := len(c.at)
	k.set(c.at)
	for a := range k.raster {
		near := k.reach(c.at, a)
		if near == 0 {
			continue
		}
		if c.counts == nil {
			k.collect(k.weightSums, nil, near)
		}
		values, weights := to.values[a*k.raster:(a+1)*k.raster], to.weights[a*k.raster:(a+1)*k.raster]
		for j, y := range c.at {
			low, high := max(k.low[j], a), k.high[j]
			if low > high {
				continue
			}
			k.collect(k.valueSums, c.values[j*n:(j+1)*n], near)
			if c.counts != nil {
				k.collect(k.weightSums, c.counts[j*n:(j+1)*n], near)
			}
			k.spread(values[low:high+1], weights[low:high+1], span{y, low, near},
				k.exponentials[j*k.raster+low:j*k.raster+high+1])
		}
	}
}

// set takes the positions: what each reaches, and their order.
func (k *kernel) set(at []float64) {
	for i, x := range at {
		k.low[i], k.high[i] = k.raster, -1
		table := k.exponentials[i*k.raster : (i+1)*k.raster]
		for a := range k.raster {
			d := float64(a) - x
			if float64(d*d) > k.radius2 {
				continue
			}
			k.low[i], k.high[i] = min(k.low[i], a), a
			d /= k.sigma
			table[a] = math.Exp(-float64(d*d) / 2)
		}
		k.sorted[i] = i
	}
	slices.SortStableFunc(k.sorted, func(p, q int) int {
		switch {
		case at[p] < at[q]:
			return -1
		case at[p] > at[q]:
			return 1
		}
		return 0
	})
}

// reach lists the positions in reach of column a, nearest first, and returns their number.
func (k *kernel) reach(at []float64, a int) int {
	x := float64(a)
	right, _ := slices.BinarySearchFunc(k.sorted, x, func(i int, x float64) int {
		if at[i] < x {
			return -1
		}
		return 1
	})
	left, n := right-1, 0
	for left >= 0 || right < len(k.sorted) {
		next := 0
		if right == len(k.sorted) || left >= 0 && x-at[k.sorted[left]] <= at[k.sorted[right]]-x {
			next, left = k.sorted[left], left-1
		} else {
			next, right = k.sorted[right], right+1
		}
		d := x - at[next]
		if float64(d*d) > k.radius2 {
			break
		}
		k.order[n], k.beside2[n], k.weight[n] = next, float64(d*d), k.exponentials[next*k.raster+a]
		n++
	}
	return n
}

// collect sums up the exponentials times the entries of a row of cells (1 where it is nil) over the
// nearest 0, 1, ... near positions.
func (k *kernel) collect(sums, row []float64, near int) {
	order, weight, sums := k.order[:near], k.weight[:near], sums[:near+1]
	sum := 0.0
	sums[0] = 0
	for n, i := range order {
		w := weight[n]
		if row != nil {
			w = float64(w * row[i])
		}
		sum += w
		sums[n+1] = sum
	}
}

// span is a row of cells as a column sees it: at height y, its elements from low on, near positions
// in reach.
type span struct {
	y         float64
	low, near int
}

// spread adds the sums of a row of cells to the elements of a column, each with the nearest
// positions that lie in its circle.
func (k *kernel) spread(values, weights []float64, s span, exponentials []float64) {
	values, weights = values[:len(exponentials)], weights[:len(exponentials)]
	beside2, valueSums, weightSums := k.beside2[:s.near], k.valueSums, k.weightSums
	inside := 0
	for n, e := range exponentials {
		d := float64(s.low+n) - s.y
		above2 := float64(d * d)
		for inside < len(beside2) && beside2[inside]+above2 <= k.radius2 {
			inside++
		}
		for inside > 0 && beside2[inside-1]+above2 > k.radius2 {
			inside--
		}
		values[n] += float64(e * valueSums[inside])
		weights[n] += float64(e * weightSums[inside])
	}
}
