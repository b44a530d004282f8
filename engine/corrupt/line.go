package corrupt

import "math"

// border is the pixel that stands at place i of a side of n pixels, -1 for black.
type border func(i, n int) int

// edge repeats the outermost pixel.
func edge(i, n int) int { return max(0, min(n-1, i)) }

// mirror reflects without repeating the edge: d c b | a b c d | c b a.
func mirror(i, n int) int {
	if n == 1 {
		return 0
	}
	period := 2 * (n - 1)
	i = ((i % period) + period) % period
	return min(i, period-i)
}

// mirrorEdge reflects with the edge repeated: c b a | a b c d | d c b.
func mirrorEdge(i, n int) int {
	period := 2 * n
	i = ((i % period) + period) % period
	return min(i, period-1-i)
}

// black is nothing outside.
func black(i, n int) int {
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// line is a linear map of a side of pixels: output o is the sum of weights[o][k] times entry
// first[o]+k. What lies outside is folded into the weights beforehand.
type line struct {
	first   []int
	weights [][]float64
}

// folded makes the map that correlates n entries with a kernel of odd length.
func folded(kernel []float64, n int, outside border) line {
	l := line{first: make([]int, n), weights: make([][]float64, n)}
	reach := len(kernel) / 2
	row := make([]float64, n)
	for o := range n {
		clear(row)
		lo, hi := o, o
		for k, w := range kernel {
			i := outside(o+k-reach, n)
			row[i] += w
			lo, hi = min(lo, i), max(hi, i)
		}
		l.first[o] = lo
		l.weights[o] = append([]float64(nil), row[lo:hi+1]...)
	}
	return l
}

// across maps every row of length width; dst and src are different room.
func (l line) across(dst, src []float64, width int) {
	side := len(l.first)
	for y := range len(src) / width {
		from, to := src[y*width:][:width], dst[y*side:][:side]
		for o, first := range l.first {
			weights := l.weights[o]
			part := from[first:][:len(weights)]
			sum := 0.0
			for k, w := range weights {
				sum += float64(w * part[k])
			}
			to[o] = sum
		}
	}
}

// down maps every column of rows of length width; dst and src are different room.
func (l line) down(dst, src []float64, width int) {
	for o, first := range l.first {
		to := dst[o*width:][:width]
		clear(to)
		for k, w := range l.weights[o] {
			addTimes(to, w, src[(first+k)*width:][:width])
		}
	}
}

// addTimes adds w times src to dst; both have the same length.
func addTimes(dst []float64, w float64, src []float64) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] += float64(w * v)
	}
}

// gaussian is the weights of G(sigma): reach floor(cut sigma + 1/2) on both sides, normalised.
// sigma 0 is the identity.
func gaussian(sigma, cut float64) []float64 {
	if sigma == 0 {
		return []float64{1}
	}
	reach := int(math.Floor(cut*sigma + 0.5))
	return bell(sigma, reach)
}

// bell is 2 reach + 1 normalised weights exp(-d^2/(2 sigma^2)).
func bell(sigma float64, reach int) []float64 {
	weights := make([]float64, 2*reach+1)
	sum := 0.0
	for i := range weights {
		d := float64(i - reach)
		weights[i] = math.Exp(-d * d / (2 * sigma * sigma))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// smoother is G(sigma) on images of one size.
type smoother struct {
	rows, columns line
	vertical      bool // along the vertical axis only
}

func newSmoother(kernel []float64, height, width int, outside border) smoother {
	return smoother{rows: folded(kernel, width, outside), columns: folded(kernel, height, outside)}
}

// apply smooths one plane in place.
func (s smoother) apply(c *call, plane []float64) {
	width, taken := len(s.rows.first), c.taken
	room := c.take(len(plane))
	s.columns.down(room, plane, width)
	if s.vertical {
		copy(plane, room)
	} else {
		s.rows.across(plane, room, width)
	}
	c.taken = taken
}
