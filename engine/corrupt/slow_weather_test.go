package corrupt

import (
	"fmt"
	"math"
	"testing"
)

// The slow versions here take the draws in the order of the fast ones, and restate everything
// behind them.

// begun is a call at the start of an image's draws.
func begun(s Setting) *call {
	c := newCall()
	c.begin(s, 0)
	return c
}

func slowBytes(v float64) float64 { return math.Floor(math.Max(0, math.Min(1, v))*255) / 255 }

func slowGray(r raster, i int) float64 {
	if r.channels == 1 {
		return r.plane(0)[i]
	}
	return .299*r.plane(0)[i] + .587*r.plane(1)[i] + .114*r.plane(2)[i]
}

// slowMotion blurs one plane pixel by pixel.
func slowMotion(plane []float64, height, width int, radius, sigma, angleDeg float64) []float64 {
	taps := 2*int(math.Ceil(radius)) + 1
	px, py := float64(taps)*math.Sin(angleDeg*math.Pi/180), float64(taps)*math.Cos(angleDeg*math.Pi/180)
	hyp, total := math.Sqrt(px*px+py*py), 0.0
	out := make([]float64, len(plane))
	for q := range taps {
		weight := math.Exp(-float64(q*q) / (2 * sigma * sigma))
		total += weight
		dx, dy := int(math.Ceil(float64(q)*py/hyp-0.5)), int(math.Ceil(float64(q)*px/hyp-0.5))
		for i := range out {
			y, x := max(0, min(height-1, i/width+dy)), max(0, min(width-1, i%width+dx))
			out[i] += weight * plane[y*width+x]
		}
	}
	for i := range out {
		out[i] /= total
	}
	return out
}

func TestMotionBlurTurnsByItsAngle(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			s := Setting{Name: "motion_blur", Severity: severity, Seed: 21}
			r := noise(21, size[0], size[1], size[2])
			p, scale := parameters(s.Name, severity, size)
			angle := 90*begun(s).random.Float64() - 45
			got := corrupted(t, s, r)
			for c := range r.channels {
				want := slowMotion(r.plane(c), r.height, r.width, p[0]*scale, p[1]*scale, angle)
				compare(t, fmt.Sprintf("motion blur %d of %v", severity, size), got.plane(c), want)
			}
		}
	}
}

// slowSnow is spec/corruptions.md word by word.
func slowSnow(c *call, r raster, p []float64, scale float64) raster {
	layer := make([]float64, r.area())
	for i := range layer {
		layer[i] = p[0] + p[1]*c.random.NormFloat64()
	}
	layer = slowZoom(layer, r.height, r.width, p[2])
	for i, v := range layer {
		if v < p[3] {
			v = 0
		}
		layer[i] = slowBytes(v)
	}
	angle := -135 + 90*c.random.Float64()
	layer = slowMotion(layer, r.height, r.width, p[4]*scale, p[5]*scale, angle)
	out := noise(0, r.channels, r.height, r.width)
	for y := range r.height {
		for x := range r.width {
			i, rotated := y*r.width+x, (r.height-1-y)*r.width+r.width-1-x
			for channel := range r.channels {
				v := r.plane(channel)[i]
				whitened := p[6]*v + (1-p[6])*math.Max(v, 1.5*slowGray(r, i)+0.5)
				out.plane(channel)[i] = clip(whitened + layer[i] + layer[rotated])
			}
		}
	}
	return out
}

func TestSnow(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			s := Setting{Name: "snow", Severity: severity, Seed: 22}
			r := noise(22, size[0], size[1], size[2])
			p, scale := parameters(s.Name, severity, size)
			want := slowSnow(begun(s), r, p, scale)
			compare(t, fmt.Sprintf("snow %d of %v", severity, size), corrupted(t, s, r).pix, want.pix)
		}
	}
}

func TestFog(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			s := Setting{Name: "fog", Severity: severity, Seed: 23}
			r := noise(23, size[0], size[1], size[2])
			p, _ := parameters(s.Name, severity, size)
			side, largest := 32, 0.0
			if max(size[1], size[2]) > 32 {
				side = 64
			}
			for _, v := range r.pix {
				largest = math.Max(largest, v)
			}
			fog := slowPlasma(begun(s), side, p[1])
			want := make([]float64, len(r.pix))
			for i, v := range r.pix {
				y, x := i%r.area()/r.width, i%r.width
				want[i] = clip((v + p[0]*fog[y*side+x]) * largest / (largest + p[0]))
			}
			compare(t, fmt.Sprintf("fog %d of %v", severity, size), corrupted(t, s, r).pix, want)
		}
	}
}

// slowFrost draws the substitute for photographs, cuts it and turns it with a picture of its own
// for every quarter.
func slowFrost(c *call, height, width int) []float64 {
	const side = 64
	first, second := slowPlasma(c, side, 1.7), slowPlasma(c, side, 1.7)
	quarters := c.random.IntN(4)
	h, w := height, width
	if quarters == 1 || quarters == 3 {
		h, w = width, height
	}
	top, left := c.random.IntN(side-h+1), c.random.IntN(side-w+1)
	crop := make([]float64, 0, h*w)
	for y := range h {
		for x := range w {
			i := (top+y)*side + left + x
			crystal := 0.0
			if away := math.Abs(2*second[i] - 1); away < 0.12 {
				crystal = 1 - away/0.12
			}
			crop = append(crop, clip(0.55+0.35*first[i]+0.35*crystal))
		}
	}
	for range quarters {
		turned := make([]float64, len(crop)) // counter-clockwise: the last column becomes the first row
		for y := range h {
			for x := range w {
				turned[(w-1-x)*h+y] = crop[y*w+x]
			}
		}
		crop, h, w = turned, w, h
	}
	return crop
}

func TestFrost(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			for seed := uint64(1); seed <= 6; seed++ { // until every turn has come up
				s := Setting{Name: "frost", Severity: severity, Seed: seed}
				r := noise(24, size[0], size[1], size[2])
				p, _ := parameters(s.Name, severity, size)
				frost := slowFrost(begun(s), r.height, r.width)
				want := make([]float64, len(r.pix))
				for i, v := range r.pix {
					tint := 1.0
					if r.channels == 3 {
						tint = []float64{.88, .95, 1}[i/r.area()]
					}
					want[i] = clip(p[0]*v + p[1]*tint*frost[i%r.area()])
				}
				compare(t, fmt.Sprintf("frost %d of %v, seed %d", severity, size, seed), corrupted(t, s, r).pix, want)
			}
		}
	}
}

// slowGlass keeps whole pixels in a list and exchanges them there.
func slowGlass(c *call, r raster, p []float64, scale float64, copies bool) raster {
	smooth := func(r raster) {
		one := gaussian(p[0]*scale, 4)
		for channel := range r.channels {
			kernel, side := make([]float64, len(one)*len(one)), len(one)
			for i := range kernel {
				kernel[i] = one[i/side] * one[i%side]
				if r.channels == 1 { // down the columns alone
					kernel[i] = 0
					if i%side == side/2 {
						kernel[i] = one[i/side]
					}
				}
			}
			copy(r.plane(channel), slowCorrelate(r.plane(channel), r.height, r.width, kernel, side, edge))
		}
	}
	out := raster{r.channels, r.height, r.width, append([]float64(nil), r.pix...)}
	smooth(out)
	pixels := make([][3]float64, r.area())
	for i := range pixels {
		for channel := range r.channels {
			pixels[i][channel] = slowBytes(out.plane(channel)[i])
		}
	}
	reach := max(1, int(math.Round(p[1]*scale)))
	for range int(p[2]) {
		for h := r.height - reach; h > reach; h-- {
			for w := r.width - reach; w > reach; w-- {
				if r.channels == 1 && c.random.Uint64()%2 == 0 {
					continue
				}
				dx, dy := c.random.IntN(2*reach)-reach, c.random.IntN(2*reach)-reach
				a, b := h*r.width+w, (h+dy)*r.width+w+dx
				before := pixels[a]
				pixels[a] = pixels[b]
				if !copies {
					pixels[b] = before
				}
			}
		}
	}
	for i, pixel := range pixels {
		for channel := range r.channels {
			out.plane(channel)[i] = pixel[channel]
		}
	}
	smooth(out)
	return out
}

func TestGlass(t *testing.T) {
	for _, size := range sizes {
		for severity := 1; severity <= Severities; severity++ {
			for _, copies := range []bool{false, size[0] == 3} {
				s := Setting{Name: glassBlur, Severity: severity, Seed: 25, Compat: copies}
				r := noise(25, size[0], size[1], size[2])
				p, scale := parameters(s.Name, severity, size)
				want := slowGlass(begun(s), r, p, scale, copies)
				compare(t, fmt.Sprintf("glass blur %d of %v, copies %v", severity, size, copies),
					corrupted(t, s, r).pix, want.pix)
			}
		}
	}
}
