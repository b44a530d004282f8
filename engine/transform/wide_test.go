package transform

import (
	"math"
	"slices"
	"testing"
)

// Four planes side by side give the bits of one plane at a time, for every family that
// interpolates, all borders and sizes whose area is no multiple of four, with whatever lay in the
// result before.
func TestFourPlanesHaveTheBitsOfOne(t *testing.T) {
	for _, text := range []string{
		"rotation:-15:15:5", "rotation:-170:170:34;border=reflect", "scaling:0.3:1.7:0.1;border=edge",
		"shear:-30:30:10", "translation-x:-0.9:0.9:0.3", "rotation:-15:15:5;interpolation=nearest",
		"rotation:-15:15:5;interpolation=bicubic",
	} {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {1, 9}, {3, 3}, {5, 7}, {28, 28}, {32, 31}} {
			p := plan(t, text, size[0], size[1])
			area := size[0] * size[1]
			src := noise(3, 9*area)
			for i := range p.count {
				together, alone := noise(4, 9*area), make([]float32, 9*area)
				p.ApplyBatch(together, src, 1, 9, i)
				for k := range 9 {
					p.Apply(alone[k*area:(k+1)*area], src[k*area:(k+1)*area], 1, i)
				}
				for k := range alone {
					if math.Float32bits(together[k]) != math.Float32bits(alone[k]) {
						t.Fatalf("%s, %v, transformation %d, plane %d, pixel %d: %v in place of %v", text, size, i,
							k/area, k%area, together[k], alone[k])
					}
				}
			}
		}
	}
}

// Eight pixels at a time have the bits of one at a time, whatever the length, and nothing behind
// the last one is written.
func TestScaleHasTheBitsOfThePlainLoop(t *testing.T) {
	for n := range 50 {
		src := noise(uint64(n), n)
		if n > 3 {
			copy(src, []float32{
				float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32,
			})
		}
		const mul, off = 3.2412, -0.4242
		have := slices.Repeat([]float32{7}, n+9)
		Scale(have, src, mul, off)
		for i, v := range src {
			if want := float32(v*mul) + off; math.Float32bits(have[i]) != math.Float32bits(want) && v == v {
				t.Fatalf("%d pixels, pixel %d: %v in place of %v", n, i, have[i], want)
			}
		}
		if behind := have[n:]; !slices.Equal(behind, slices.Repeat([]float32{7}, 9)) {
			t.Fatalf("%d pixels: behind them stands %v", n, behind)
		}
	}
}
