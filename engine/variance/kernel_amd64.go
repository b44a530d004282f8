package variance

import "golang.org/x/sys/cpu"

// wideLanes tells whether the processor handles four numbers at a time.
var wideLanes = cpu.X86.HasAVX

// squareLanes sets sums[4x+l] to the sum of (a_k - b_xk)^2 over k = l mod 4 below n, for the four
// rows b_x that begin at b + x*stride. n is a multiple of 4. Differences, squares and sums are
// rounded one by one, as in squares.
//
//go:noescape
func squareLanes(sums *[4 * lanes]float64, a, b *float64, stride, n int)
