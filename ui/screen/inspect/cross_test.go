package inspect

import (
	"testing"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// TestACrossIsSaidWhereResamplingCanMakeIt: only a family that resamples otherwise than by the
// nearest pixel can have one.
func TestACrossIsSaidWhereResamplingCanMakeIt(t *testing.T) {
	const n = 31
	plain, cross := variance.Matrix{N: n, Data: make([]float64, n*n)}, variance.Matrix{N: n, Data: make([]float64, n*n)}
	for k := range n {
		if k != n/2 {
			cross.Data[k*n+n/2], cross.Data[n/2*n+k] = 0.2, 0.2
		}
	}
	tiles := []evidence.Tile{
		{Modality: "max@HEAD", Reason: "absent"},
		{Modality: "max@CONF", Matrix: plain},
		{Modality: "max@CONV-1", Matrix: cross},
	}
	for family, want := range map[string]string{
		"rotation:-15:15:1":                       "rotation:-15:15:1;interpolation=nearest;border=zero",
		"rotation:-15:15:1;interpolation=bicubic": "rotation:-15:15:1;interpolation=nearest;border=zero",
		"rotation:-15:15:1;interpolation=nearest": "",
		"brightness:-0.3:0.3:0.02":                "",
		"":                                        "",
	} {
		modality, nearest, ok := crossed(family, tiles)
		if nearest != want || ok != (want != "") || ok && modality != "max@CONV-1" {
			t.Errorf("%q: %q, %q, %t", family, modality, nearest, ok)
		}
		if _, _, ok := crossed(family, tiles[:2]); ok {
			t.Errorf("%q: a cross where there is none", family)
		}
	}
}
