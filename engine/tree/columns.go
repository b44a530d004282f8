package tree

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// columns is a training set by columns, sorted once for all trees that are grown from it.
type columns struct {
	rows, classes int
	class         []int32     // by row
	value         [][]float64 // by column, by row
	order         [][]int32   // by column: the rows in ascending order of value, lower rows first among equals
	rank          [][]int32   // by column, by row: how many distinct values are below its own
}

// newColumns sorts a valid sample.
func newColumns(s Sample) *columns {
	n, width := len(s.X), len(s.X[0])
	d := &columns{
		rows: n, classes: s.Classes, class: make([]int32, n),
		value: grid[float64](width, n), order: grid[int32](width, n), rank: grid[int32](width, n),
	}
	for i, c := range s.Y {
		d.class[i] = int32(c)
	}
	keys := make([]uint64, n)
	for c := range width {
		d.sortColumn(c, s.X, keys)
	}
	return d
}

// sortColumn sorts by keys of 64 bits, which is several times as fast as by comparing rows: the
// leading bits of a value, made to order like the values, before the number of its row. Where
// values differ only in the bits that had to go, it compares.
func (d *columns) sortColumn(c int, x [][]float64, keys []uint64) {
	value, order, rank := d.value[c], d.order[c], d.rank[c]
	low := uint64(1)<<bits.Len(uint(d.rows)) - 1
	for i, row := range x {
		value[i] = row[c]
		keys[i] = ordered(row[c])&^low | uint64(i)
	}
	slices.Sort(keys)
	for k, key := range keys {
		order[k] = int32(key & low)
	}
	ascending := func(a, b int32) int {
		if value[a] != value[b] {
			return cmp.Compare(value[a], value[b])
		}
		return cmp.Compare(a, b)
	}
	if !slices.IsSortedFunc(order, ascending) {
		slices.SortFunc(order, ascending)
	}
	distinct := int32(0)
	for k, row := range order {
		if k > 0 && value[row] != value[order[k-1]] {
			distinct++
		}
		rank[row] = distinct
	}
}

// ordered is a finite number's bits, changed so that they ascend as unsigned integers with the
// numbers; 0 and -0 are the same.
func ordered(v float64) uint64 {
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// grid is rows x width numbers in one piece of memory.
func grid[T any](rows, width int) [][]T {
	all := make([]T, rows*width)
	parts := make([][]T, rows)
	for k := range parts {
		parts[k] = all[k*width : (k+1)*width : (k+1)*width]
	}
	return parts
}
