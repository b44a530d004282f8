package corrupt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The slow versions say what spec/corruptions.md says, pixel by pixel, without anything prepared.

// noise is a random image in float64.
func noise(seed uint64, channels, height, width int) raster {
	random := rand.New(rand.NewPCG(seed, 1))
	r := raster{channels, height, width, make([]float64, channels*height*width)}
	for i := range r.pix {
		r.pix[i] = random.Float64()
	}
	return r
}

// sizes are those that the slow versions are compared on.
var sizes = [][3]int{{1, 28, 28}, {3, 32, 32}, {1, 5, 9}, {3, 7, 4}, {1, 2, 3}, {3, 1, 1}, {1, 40, 33}}

func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) < 1e-9) {
			t.Fatalf("%s: value %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// slowMirror reflects step by step, without repeating the edge.
func slowMirror(i, n int) int {
	if n == 1 {
		return 0
	}
	for i < 0 || i >= n {
		if i < 0 {
			i = -i
		} else {
			i = 2*(n-1) - i
		}
	}
	return i
}

// slowMirrorEdge reflects step by step, with the edge repeated.
func slowMirrorEdge(i, n int) int {
	for i < 0 || i >= n {
		if i < 0 {
			i = -1 - i
		} else {
			i = 2*n - 1 - i
		}
	}
	return i
}

// slowCorrelate is the plain sum over a kernel of side x side.
func slowCorrelate(plane []float64, height, width int, kernel []float64, side int, at border) []float64 {
	out := make([]float64, len(plane))
	for y := range height {
		for x := range width {
			for k, w := range kernel {
				sy, sx := at(y+k/side-side/2, height), at(x+k%side-side/2, width)
				out[y*width+x] += w * plane[sy*width+sx]
			}
		}
	}
	return out
}

func TestSmoothingIsTheDirectSum(t *testing.T) {
	for _, size := range sizes {
		for _, sigma := range []float64{0.05, 0.4, 1.5, 6.4} {
			for name, at := range map[string][2]border{
				"edge": {edge, edge}, "mirror": {mirror, slowMirror},
				"mirror edge": {mirrorEdge, slowMirrorEdge},
			} {
				r := noise(1, 1, size[1], size[2])
				one := gaussian(sigma, 4)
				square := make([]float64, len(one)*len(one))
				for i := range square {
					square[i] = one[i/len(one)] * one[i%len(one)]
				}
				want := slowCorrelate(r.pix, r.height, r.width, square, len(one), at[1])
				newSmoother(one, r.height, r.width, at[0]).apply(newCall(), r.pix)
				compare(t, fmt.Sprintf("G(%v) with %s on %v", sigma, name, size), r.pix, want)
			}
		}
	}
}

// A row of a kernel is the same whether its run is summed up or multiplied tap by tap.
func TestBands(t *testing.T) {
	for name, row := range map[string][]float64{
		"run":       {0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0},
		"only runs": {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
		"short run": {1, 2, 3, 3, 3, 2, 1},
		"zeros":     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"one":       {4},
		"lopsided":  {0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 0, 2, 0},
	} {
		r := noise(uint64(len(row)), 1, 1, len(row)+9)
		got, want := make([]float64, 10), make([]float64, 10)
		newBand(row).add(got, r.pix, make([]float64, len(r.pix)+1))
		for x := range want {
			for k, w := range row {
				want[x] += w * r.pix[x+k]
			}
		}
		compare(t, name, got, want)
	}
}

func TestDefocusIsTheDirectSum(t *testing.T) {
	for _, size := range append(sizes, [3]int{1, 60, 70}) { // of long runs
		for severity := 1; severity <= Severities; severity++ {
			s := Setting{Name: "defocus_blur", Severity: severity, Seed: 1}
			r := noise(26, size[0], size[1], size[2])
			p, scale := parameters(s.Name, severity, size)
			kernel, side := disk(p[0]*scale, p[1])
			got := corrupted(t, s, r)
			for c := range r.channels {
				want := slowCorrelate(r.plane(c), r.height, r.width, kernel, side, slowMirror)
				for i, v := range want {
					want[i] = clip(v)
				}
				compare(t, fmt.Sprintf("defocus blur %d of %v", severity, size), got.plane(c), want)
			}
		}
	}
}

// parameters are those of the table for a size, with the factor of lengths.
func parameters(name string, severity int, size [3]int) ([]float64, float64) {
	k, _ := kindOf(name)
	gray, scale := measured(size[0], size[1], size[2])
	if gray {
		return k.gray[severity-1], scale
	}
	return k.rgb[severity-1], scale
}

// slowZoom cuts, enlarges and cuts images one after the other.
func slowZoom(plane []float64, height, width int, z float64) []float64 {
	inner := func(n int) int { return int(math.Ceil(float64(n) / z)) }
	ih, iw := inner(height), inner(width)
	top, left := (height-ih)/2, (width-iw)/2
	eh, ew := int(math.RoundToEven(float64(ih)*z)), int(math.RoundToEven(float64(iw)*z))
	source := func(o, from, to int) float64 {
		if to == 1 {
			return 0
		}
		return float64(o) * float64(from-1) / float64(to-1)
	}
	at := func(y, x int) float64 { return plane[(top+min(y, ih-1))*width+left+min(x, iw-1)] }
	large := make([]float64, eh*ew)
	for i := range large {
		sy, sx := source(i/ew, ih, eh), source(i%ew, iw, ew)
		y, x := int(sy), int(sx)
		fy, fx := sy-float64(y), sx-float64(x)
		large[i] = (1-fy)*((1-fx)*at(y, x)+fx*at(y, x+1)) + fy*((1-fx)*at(y+1, x)+fx*at(y+1, x+1))
	}
	out := make([]float64, 0, len(plane))
	for y := range height {
		row := large[((eh-height)/2+y)*ew+(ew-width)/2:]
		out = append(out, row[:width]...)
	}
	return out
}

func TestZoomIsCutEnlargeCut(t *testing.T) {
	for _, size := range sizes {
		for _, z := range []float64{1, 1.01, 1.12, 1.25, 1.75, 2, 2.5, 3, 4.5} {
			r := noise(3, 1, size[1], size[2])
			got := make([]float64, len(r.pix))
			newZoom(r.height, r.width, z).apply(newCall(), got, r.pix)
			compare(t, fmt.Sprintf("zoom %v of %v", z, size), got, slowZoom(r.pix, r.height, r.width, z))
		}
	}
}

// slowPlasma keeps the map without wrapping tricks and takes the same draws in the same order.
func slowPlasma(c *call, side int, decay float64) []float64 {
	m := make([]float64, side*side)
	at := func(y, x int) float64 { return m[(y+2*side)%side*side+(x+2*side)%side] }
	wobble := 100.0
	set := func(y, x int, neighbours ...float64) {
		sum := 0.0
		for _, v := range neighbours {
			sum += v
		}
		m[y*side+x] = sum/4 + wobble*c.uniform(wobble)
	}
	for step := side; step >= 2; step /= 2 {
		h := step / 2
		for y := 0; y < side; y += step {
			for x := 0; x < side; x += step {
				set(y+h, x+h, at(y, x), at(y+step, x), at(y, x+step), at(y+step, x+step))
			}
		}
		for y := 0; y < side; y += h {
			for x := 0; x < side; x += h {
				if (y+x)/h%2 == 1 {
					set(y, x, at(y-h, x), at(y+h, x), at(y, x-h), at(y, x+h))
				}
			}
		}
		wobble /= decay
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range m {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	for i := range m {
		m[i] = (m[i] - low) / (high - low)
	}
	return m
}
