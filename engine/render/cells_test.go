package render

import (
	"image/color"
	"math"
	"testing"
)

// Cells lie row by row from the upper left, as opaque as they are wanted, and NaN is left open.
func TestRegionCells(t *testing.T) {
	s := Scale{High: 1}
	img := RegionCells(2, []float64{0, math.NaN(), 2}, s, 0.6)
	if img.Rect.Dx() != 2 || img.Rect.Dy() != 2 {
		t.Fatalf("%v", img.Rect)
	}
	for k, want := range []color.NRGBA{nrgba(Viridis[0], 153), {}, nrgba(OverColour, 153), {}} {
		if got := img.NRGBAAt(k%2, k/2); got != want {
			t.Errorf("region %d is %v, want %v", k+1, got, want)
		}
	}
	if got := RegionCells(1, []float64{0.5, 1, 1}, s, 7).NRGBAAt(0, 0); got.A != 255 {
		t.Errorf("opaque is %v", got)
	}
	if got := RegionCells(0, nil, s, 1); !got.Rect.Empty() {
		t.Errorf("nothing is %v", got.Rect)
	}
}

func nrgba(c color.RGBA, alpha uint8) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, alpha} }

func TestDifferencesDiverge(t *testing.T) {
	if s := (Scale{Low: -1, High: 1}).Signed(); s.Map != &Diverging {
		t.Error("a difference has another map")
	}
	if s := (Scale{Low: -1, High: 1, Map: &Gray}).Signed(); s.Map != &Gray {
		t.Error("the chosen map is changed")
	}
	if s := (Scale{High: 1}).Signed(); s.Map != nil {
		t.Error("shares are no differences")
	}
}

// Numbers can be read on every colour of every map, in the better one of black and white.
func TestNumbersAreLegible(t *testing.T) {
	black := color.RGBA{A: 0xff}
	grounds := []color.RGBA{UnderColour, OverColour, nanDark, nanLight}
	for _, m := range mapsByName {
		grounds = append(grounds, m[:]...)
	}
	for _, ground := range grounds {
		got := contrast(ground, Legible(ground))
		if got < 4.5 || got < 0.999*max(contrast(ground, black), contrast(ground, white)) {
			t.Errorf("text on %v has a contrast of %.2f", ground, got)
		}
	}
}

// contrast is that of WCAG 2, from the tables of its formula.
func contrast(a, b color.RGBA) float64 {
	bright := func(c color.RGBA) float64 {
		sum := 0.0
		for k, part := range []uint8{c.R, c.G, c.B} {
			v := float64(part) / 255
			if v > 0.04045 {
				v = math.Pow((v+0.055)/1.055, 2.4)
			} else {
				v /= 12.92
			}
			sum += v * []float64{0.2126, 0.7152, 0.0722}[k]
		}
		return sum + 0.05
	}
	return math.Max(bright(a)/bright(b), bright(b)/bright(a))
}
