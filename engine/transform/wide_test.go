package transform

import (
	"math"
	"testing"
)

// Four planes side by side give the bits of one plane at a time, for every family that interpolates, all borders and sizes whose area is
// no multiple of four, with whatever lay in the result before.
func TestFourPlanesHaveTheBitsOfOne(t *testing.T) {
	for _, text := range []string{
		"rotation:-15:15:5", "rotation:-170:170:34;border=reflect", "scaling:0.3:1.7:0.1;border=edge", "shear:-30:30:10",
		"translation-x:-0.9:0.9:0.3", "rotation:-15:15:5;interpolation=nearest", "rotation:-15:15:5;interpolation=bicubic",
	} {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {1, 9}, {3, 3}, {5, 7}, {28, 28}, {32, 31}} {
			p := plan(t, text, size[0], size[1])
			area := size[0] * size[1]
			src := noise(3, 9*area)
			for i := range p.N() {
				together, alone := noise(4, 9*area), make([]float32, 9*area)
				p.ApplyBatch(together, src, 1, 9, i)
				for k := range 9 {
					p.Apply(alone[k*area:(k+1)*area], src[k*area:(k+1)*area], 1, i)
				}
				for k := range alone {
					if math.Float32bits(together[k]) != math.Float32bits(alone[k]) {
						t.Fatalf("%s, %v, transformation %d, plane %d, pixel %d: %v in place of %v", text, size, i, k/area, k%area, together[k], alone[k])
					}
				}
			}
		}
	}
}
