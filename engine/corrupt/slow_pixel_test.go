package corrupt

import (
	"math"
	"testing"
)

// slowSample reads bilinearly from an image whose outside is written out pixel by pixel.
func slowSample(plane []float64, height, width int, y, x float64, outside border) float64 {
	sum := 0.0
	for dy := range 2 {
		for dx := range 2 {
			py, px := int(math.Floor(y))+dy, int(math.Floor(x))+dx
			weight := (1 - math.Abs(y-float64(py))) * (1 - math.Abs(x-float64(px)))
			if qy, qx := outside(py, height), outside(px, width); qy >= 0 && qx >= 0 {
				sum += weight * plane[qy*width+qx]
			}
		}
	}
	return sum
}

// slowElastic takes the draws in the order of the fast version, and finds the affine map by
// Cramer's rule on all six numbers.
func slowElastic(c *call, r raster, p [3]float64) raster {
	warp, field := border(slowMirror), border(slowMirrorEdge)
	if r.channels == 1 {
		warp, field = black, black
	}
	cy, cx, s := float64(r.height/2), float64(r.width/2), float64(min(r.height, r.width)/3)
	old := [3][2]float64{{cx + s, cy + s}, {cx + s, cy - s}, {cx - s, cy - s}}
	moved := old
	for k := range moved {
		for axis := range 2 {
			moved[k][axis] += c.uniform(p[2])
		}
	}
	warped, out := noise(0, r.channels, r.height, r.width), noise(0, r.channels, r.height, r.width)
	for i := range r.area() {
		x, y := slowCarry(moved, old, float64(i%r.width), float64(i/r.width))
		for channel := range r.channels {
			warped.plane(channel)[i] = slowSample(r.plane(channel), r.height, r.width, y, x, warp)
		}
	}
	dx, dy := slowField(c, r, p), slowField(c, r, p)
	for i := range r.area() {
		for channel := range r.channels {
			y, x := float64(i/r.width)+dy[i], float64(i%r.width)+dx[i]
			out.plane(channel)[i] = clip(slowSample(warped.plane(channel), r.height, r.width, y, x, field))
		}
	}
	return out
}

// slowCarry writes the point in barycentric coordinates of the first three points and reads them
// among the others.
func slowCarry(from, to [3][2]float64, x, y float64) (float64, float64) {
	area := func(a, b, c [2]float64) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1]) }
	at, whole := [2]float64{x, y}, area(from[0], from[1], from[2])
	share := [3]float64{
		area(at, from[1], from[2]) / whole, area(from[0], at, from[2]) / whole, area(from[0], from[1], at) / whole,
	}
	var out [2]float64
	for k := range share {
		out[0] += share[k] * to[k][0]
		out[1] += share[k] * to[k][1]
	}
	return out[0], out[1]
}

func slowField(c *call, r raster, p [3]float64) []float64 {
	draws := make([]float64, r.area())
	for i := range draws {
		draws[i] = c.uniform(1)
	}
	one := gaussian(p[1], 3)
	square := make([]float64, len(one)*len(one))
	for i := range square {
		square[i] = p[0] * one[i/len(one)] * one[i%len(one)]
	}
	return slowCorrelate(draws, r.height, r.width, square, len(one), slowMirrorEdge)
}

func TestElasticIsWarpAndDisplacement(t *testing.T) {
	for _, size := range [][3]int{{1, 28, 28}, {3, 32, 32}, {3, 9, 5}, {1, 3, 4}} {
		for severity := 1; severity <= Severities; severity++ {
			r := noise(8, size[0], size[1], size[2])
			p, scale := parameters("elastic", severity, size)
			s := Setting{Name: "elastic", Severity: severity, Seed: 9}
			work := newCall()
			work.begin(s, 0)
			want := slowElastic(work, r, [3]float64{p[0] * scale, p[1] * scale, p[2] * scale})
			got := corrupted(t, s, r)
			for i := range want.pix {
				if !(math.Abs(got.pix[i]-want.pix[i]) < 1e-6) {
					t.Fatalf("elastic %d of %v: value %d is %v, want %v", severity, size, i, got.pix[i], want.pix[i])
				}
			}
		}
	}
}
