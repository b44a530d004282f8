package corrupt

import "math"

// motion is M(radius, sigma, ·): a blur to one side along a line.
type motion struct{ weights []float64 }

// newMotion has 2 ceil(radius) + 1 weights exp(-q^2/(2 sigma^2)), normalised.
func newMotion(radius, sigma float64) motion {
	weights := make([]float64, 2*int(math.Ceil(radius))+1)
	sum := 0.0
	for q := range weights {
		weights[q] = math.Exp(-float64(q*q) / (2 * sigma * sigma))
		sum += weights[q]
	}
	for q := range weights {
		weights[q] /= sum
	}
	return motion{weights}
}

// offset is where tap q of a direction reads.
func (m motion) offset(q int, angleDeg float64) (x, y int) {
	taps := float64(len(m.weights))
	sin, cos := math.Sincos(angleDeg * math.Pi / 180)
	px, py := taps*sin, taps*cos
	hyp := math.Sqrt(float64(px*px) + float64(py*py))
	x = int(math.Ceil(float64(q)*py/hyp - 0.5))
	y = int(math.Ceil(float64(q)*px/hyp - 0.5))
	return x, y
}

// apply blurs a plane in place; coordinates outside are those of the nearest pixel.
func (m motion) apply(c *call, plane []float64, width int, angleDeg float64) {
	taken := c.taken
	source := c.copied(plane)
	clear(plane)
	height := len(plane) / width
	for q, w := range m.weights {
		dx, dy := m.offset(q, angleDeg)
		for y := range height {
			addMoved(plane[y*width:][:width], w, source[edge(y+dy, height)*width:][:width], dx)
		}
	}
	c.taken = taken
}

// addMoved adds w times src[x+dx] to every dst[x], beyond the ends that of the outermost pixel.
func addMoved(dst []float64, w float64, src []float64, dx int) {
	n := len(dst)
	from, end := edge(-dx, n+1), edge(n-dx, n+1)
	left, right := float64(w*src[0]), float64(w*src[n-1])
	for x := range from {
		dst[x] += left
	}
	if from < end {
		addTimes(dst[from:end], w, src[from+dx:end+dx])
	}
	for x := end; x < n; x++ {
		dst[x] += right
	}
}

// motionBlur moves the camera in a direction U(-45, 45) degrees.
func motionBlur(s setup) (filter, error) {
	m := newMotion(s.p[0]*s.scale, s.p[1]*s.scale)
	return func(c *call, r raster) error {
		angle := c.uniform(45)
		for channel := range r.channels {
			m.apply(c, r.plane(channel), r.width, angle)
		}
		return nil
	}, nil
}
