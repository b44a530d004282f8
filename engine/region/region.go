// Package region is the geometry of a D-Score: regions of feature maps and images, and padded
// translation (spec/dscore.md sections 1 and 2). It is pure.
//
// Regions are numbered 1..n*n row-major from the upper left, as in the paper. A region's number
// outside that, n below 1 and t below 1 are a caller's mistake and panic, except where an error is
// returned.
package region

import "fmt"

// MaxGrid is the largest n that is taken: 256 variants and as many shifted suites.
const MaxGrid = 16

// Edges are the n+1 edges of the rows (or columns) of regions of a side of size entries: region row
// r covers entries Edges[r]..Edges[r+1]-1. Sizes differ by at most 1; with size < n some are 0
// (section 1).
func Edges(size, n int) []int {
	edges := make([]int, n+1)
	for q := range edges {
		edges[q] = q * size / n
	}
	return edges
}

// Empty are the numbers of the regions of a height x width map that hold no entry, ascending:
// deleting them does nothing.
func Empty(height, width, n int) []int {
	rows, columns := Edges(height, n), Edges(width, n)
	var empty []int
	for i := 1; i <= n*n; i++ {
		if r, c := cell(n, i); rows[r] == rows[r+1] || columns[c] == columns[c+1] {
			empty = append(empty, i)
		}
	}
	return empty
}

// cell is the row and column of a region, both from 0.
func cell(n, region int) (row, column int) {
	if n < 1 || region < 1 || region > n*n {
		panic(fmt.Sprintf("region: number %d of %d x %d regions", region, n, n))
	}
	return (region - 1) / n, (region - 1) % n
}

// Padding is what is put around an image, in pixels.
type Padding struct{ Top, Bottom, Left, Right int }

// Pad is the padding of region 1..n*n for height x width images with hyper-parameter t (section 2).
// It is zero for n = 1 and for t above the side.
func Pad(height, width, n, t, region int) Padding {
	row, column := cell(n, region)
	high, wide := height/t, width/t
	return Padding{Top: row * high, Bottom: (n - 1 - row) * high, Left: column * wide, Right: (n - 1 - column) * wide}
}

// PaddedSize is the size of the padded image before it is resized back: height + (n-1)
// floor(height/t), width alike.
func PaddedSize(height, width, n, t int) (paddedHeight, paddedWidth int) {
	return height + (n-1)*(height/t), width + (n-1)*(width/t)
}
