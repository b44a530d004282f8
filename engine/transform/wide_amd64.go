package transform

import "golang.org/x/sys/cpu"

// wideLanes tells whether the processor handles eight numbers at a time.
var wideLanes = cpu.X86.HasAVX

// interleave lays four planes of n pixels side by side: dst[8i+k] = pk[i]. n is a multiple of 4.
//
//go:noescape
func interleave(dst, p0, p1, p2, p3 *float32, n int)

// separate undoes interleave: pk[i] = src[8i+k]. n is a multiple of 4.
//
//go:noescape
func separate(p0, p1, p2, p3, src *float32, n int)

// squareLanes computes squares of eight planes that lie side by side. Nothing is checked: every
// square reads and writes inside the planes.
//
//go:noescape
func squareLanes(dst, src *float32, squares *square, count, width int)

// rimLanes is the same for the pixels of a rim, without clipping: to and first are its dst and
// first.
//
//go:noescape
func rimLanes(dst, src *float32, to, first *int32, taps *tap, count int)

// scaleLanes writes src[i]*mul + off to dst[i], rounded after each of the two. n is a multiple of
// 8.
//
//go:noescape
func scaleLanes(dst, src *float32, n int, mul, off float32)
