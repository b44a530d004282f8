package corrupt

import (
	"fmt"
	"math"
	"testing"
)

// slowHSV goes to HSV and back by the textbook, adding to the value between.
func slowHSV(red, green, blue, added float64) [3]float64 {
	high, low := math.Max(red, math.Max(green, blue)), math.Min(red, math.Min(green, blue))
	spread, hue, saturation := high-low, 0.0, 0.0
	if high > 0 {
		saturation = spread / high
	}
	switch {
	case spread == 0:
	case high == red:
		hue = math.Mod((green-blue)/spread+6, 6)
	case high == green:
		hue = (blue-red)/spread + 2
	default:
		hue = (red-green)/spread + 4
	}
	v := math.Max(0, math.Min(1, high+added))
	part := hue - math.Floor(hue)
	p, q, s := v*(1-saturation), v*(1-saturation*part), v*(1-saturation*(1-part))
	return [][3]float64{{v, s, p}, {q, v, p}, {p, v, s}, {p, q, v}, {s, p, v}, {v, p, q}}[int(hue)%6]
}

func TestBrightnessGoesThroughHSV(t *testing.T) {
	for severity := 1; severity <= Severities; severity++ {
		r := noise(6, 3, 32, 32)
		copy(r.pix, []float64{0, 1, 0.5}) // and some ties
		for i := range 64 {
			r.pix[1024+i], r.pix[2048+i] = r.pix[i], r.pix[i]
		}
		for i := 64; i < 128; i++ {
			r.pix[1024+i] = r.pix[i]
		}
		got := corrupted(t, Setting{Name: "brightness", Severity: severity}, r)
		p, _ := parameters("brightness", severity, [3]int{3, 32, 32})
		for i := range 1024 {
			want := slowHSV(r.pix[i], r.pix[1024+i], r.pix[2048+i], p[0])
			compare(t, fmt.Sprintf("brightness %d of pixel %d", severity, i), []float64{got.pix[i], got.pix[1024+i], got.pix[2048+i]}, want[:])
		}
	}
}

// slowBox is the mean over the entries whose centres lie in the box, in float64; Pillow's whole numbers may be 1 away.
func slowBox(src []float64, to int) []float64 {
	scale := float64(len(src)) / float64(to)
	out := make([]float64, to)
	for o := range out {
		centre, half, n := (float64(o)+0.5)*scale, math.Max(1, scale)/2, 0.0
		for i, v := range src {
			if at := float64(i) + 0.5 - centre; at > -half && at <= half {
				out[o] += v
				n++
			}
		}
		out[o] = math.Floor(out[o]/n + 0.5)
	}
	return out
}

func slowResize(plane []float64, width, toHeight, toWidth int) []float64 {
	var rows [][]float64
	for y := range len(plane) / width {
		rows = append(rows, slowBox(plane[y*width:][:width], toWidth))
	}
	out := make([]float64, toHeight*toWidth)
	for x := range toWidth {
		column := make([]float64, len(rows))
		for y := range rows {
			column[y] = rows[y][x]
		}
		for y, v := range slowBox(column, toHeight) {
			out[y*toWidth+x] = v
		}
	}
	return out
}

func TestPixelateIsTwoBoxFilters(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			r := noise(7, 1, size[1], size[2])
			for i, v := range r.pix {
				r.pix[i] = math.Floor(v*255) / 255
			}
			gray, _ := measured(1, size[1], size[2])
			k, _ := kindOf("pixelate")
			share := k.rgb[severity-1][0]
			if gray {
				share = k.gray[severity-1][0]
			}
			bytes := make([]float64, len(r.pix))
			for i, v := range r.pix {
				bytes[i] = math.Round(v * 255)
			}
			h, w := max(1, int(float64(r.height)*share)), max(1, int(float64(r.width)*share))
			want := slowResize(slowResize(bytes, r.width, h, w), w, r.height, r.width)
			got := corrupted(t, Setting{Name: "pixelate", Severity: severity}, r)
			for i := range want {
				if math.Abs(got.pix[i]*255-want[i]) > 1.001 {
					t.Fatalf("pixelate %d of %v: pixel %d is %v, want %v", severity, size, i, got.pix[i]*255, want[i])
				}
			}
		}
	}
}

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

// slowElastic takes the draws in the order of the fast version, and finds the affine map by Cramer's rule on all six numbers.
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

// slowCarry writes the point in barycentric coordinates of the first three points and reads them among the others.
func slowCarry(from, to [3][2]float64, x, y float64) (float64, float64) {
	area := func(a, b, c [2]float64) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1]) }
	at, whole := [2]float64{x, y}, area(from[0], from[1], from[2])
	share := [3]float64{area(at, from[1], from[2]) / whole, area(from[0], at, from[2]) / whole, area(from[0], from[1], at) / whole}
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
