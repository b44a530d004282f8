package transform

import (
	"math"
	"testing"
)

func TestAxisOfFamiliesAndSets(t *testing.T) {
	for text, want := range map[string][2]string{
		Rot90: {"turned by", "°"}, "shift:3:5": {"shifted to region", ""}, Grayscale: {"transformation", ""},
		"rotation:-15:15:1": {"V: rotation", "°"}, "from a newer program": {"transformation", ""},
	} {
		if name, unit := Axis(text); name != want[0] || unit != want[1] {
			t.Errorf("%s: %q in %q, want %q", text, name, unit, want)
		}
	}
}

func TestPlacesOnTheAxis(t *testing.T) {
	for _, c := range []struct {
		text    string
		v, want float64
	}{{"rotation:-15:15:1", -7, -7}, {Rot90, math.NaN(), 270}, {"shift:3:5", math.NaN(), 3}} {
		if at := AxisAt(c.text, c.v, 3); at != c.want {
			t.Errorf("%s: %g, want %g", c.text, at, c.want)
		}
	}
}
