package corrupt

import (
	"fmt"
	"math"
)

// elastic warps by a random affine map, then displaces every pixel by smoothed noise.
type elastic struct {
	amplitude, affine float64
	smooth            smoother
	// beyondWarp and beyondField are what the two steps read outside: gray black, RGB mirrored.
	// Pixels outside are black one by one, so a place between the last pixel and the first outside
	// is a mixture.
	beyondWarp, beyondField border
}

// smallestElastic is the side from which the three points of the affine map are apart.
const smallestElastic = 3

func prepareElastic(s setup) (filter, error) {
	if min(s.height, s.width) < smallestElastic {
		return nil, fmt.Errorf("the image has %d x %d pixels; elastic needs at least %d a side",
			s.width, s.height, smallestElastic)
	}
	e := elastic{
		amplitude: s.p[0] * s.scale, affine: s.p[2] * s.scale,
		smooth:     newSmoother(gaussian(s.p[1]*s.scale, 3), s.height, s.width, mirrorEdge),
		beyondWarp: mirror, beyondField: mirrorEdge,
	}
	if s.channels == 1 {
		e.beyondWarp, e.beyondField = black, black
	}
	return e.apply, nil
}

func (e elastic) apply(c *call, r raster) error {
	back := e.drawAffine(c, r)
	warped := raster{r.channels, r.height, r.width, c.copied(r.pix)}
	for y := range r.height {
		for x := range r.width {
			sy, sx := back.at(float64(y), float64(x))
			warped.sample(r, y*r.width+x, sy, sx, e.beyondWarp)
		}
	}
	if e.amplitude == 0 {
		copy(r.pix, warped.pix)
		return nil
	}
	dx, dy := e.field(c, r), e.field(c, r)
	for y := range r.height {
		for x := range r.width {
			i := y*r.width + x
			r.sample(warped, i, float64(y)+dy[i], float64(x)+dx[i], e.beyondField)
		}
	}
	return nil
}

// field is amplitude * G(sigma) of U(-1, 1) noise.
func (e elastic) field(c *call, r raster) []float64 {
	field := c.take(r.area())
	for i := range field {
		field[i] = c.uniform(1)
	}
	e.smooth.apply(c, field)
	for i := range field {
		field[i] *= e.amplitude
	}
	return field
}

// sample sets pixel i of every channel to what another image shows bilinearly at (y, x).
func (r raster) sample(from raster, i int, y, x float64, outside border) {
	y, x = tame(y, from.height), tame(x, from.width)
	top, left := math.Floor(y), math.Floor(x)
	fy, fx := y-top, x-left
	weights := [4]float64{(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx}
	var places [4]int
	for k := range places {
		py, px := outside(int(top)+k/2, from.height), outside(int(left)+k%2, from.width)
		places[k] = py*from.width + px
		if py < 0 || px < 0 {
			places[k], weights[k] = 0, 0
		}
	}
	area := r.area()
	for channel := range r.channels {
		plane := from.plane(channel)
		sum := 0.0
		for k, at := range places {
			sum += float64(weights[k] * plane[at])
		}
		r.pix[channel*area+i] = sum
	}
}

// tame keeps a coordinate that a nearly flat triangle throws far away within reach of an int. Both
// mirrors are whole there.
func tame(v float64, n int) float64 {
	const far = 1000
	return max(-far*float64(n), min(far*float64(n), v))
}

// affine maps (y, x) to (yy y + yx x + y0, xy y + xx x + x0).
type affine struct{ yy, yx, y0, xy, xx, x0 float64 }

func (a affine) at(y, x float64) (float64, float64) {
	return float64(a.yy*y) + float64(a.yx*x) + a.y0, float64(a.xy*y) + float64(a.xx*x) + a.x0
}

// drawAffine moves three points of the image and returns the map from the new places back to the
// old. Points that fall onto one line, which have no such map, are drawn again.
func (e elastic) drawAffine(c *call, r raster) affine {
	cy, cx, s := float64(r.height/2), float64(r.width/2), float64(min(r.height, r.width)/3)
	old := [3][2]float64{{cy + s, cx + s}, {cy - s, cx + s}, {cy - s, cx - s}} // y, x
	for {
		moved := old
		for k := range moved {
			moved[k][1] += c.uniform(e.affine)
			moved[k][0] += c.uniform(e.affine)
		}
		if back, ok := carrying(moved, old); ok {
			return back
		}
	}
}

// carrying is the affine map that carries three points, each (y, x), to three others; ok is false
// where the first lie on a line.
func carrying(from, to [3][2]float64) (a affine, ok bool) {
	y1, x1 := from[1][0]-from[0][0], from[1][1]-from[0][1]
	y2, x2 := from[2][0]-from[0][0], from[2][1]-from[0][1]
	det := float64(y1*x2) - float64(y2*x1)
	if math.Abs(det) < 1e-9 {
		return affine{}, false
	}
	row := func(k int) (perY, perX, at0 float64) {
		t1, t2 := to[1][k]-to[0][k], to[2][k]-to[0][k]
		perY = (float64(t1*x2) - float64(t2*x1)) / det
		perX = (float64(t2*y1) - float64(t1*y2)) / det
		return perY, perX, to[0][k] - float64(perY*from[0][0]) - float64(perX*from[0][1])
	}
	a.yy, a.yx, a.y0 = row(0)
	a.xy, a.xx, a.x0 = row(1)
	return a, true
}
