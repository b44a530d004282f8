package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/variance"
)

// lightness is CIE L* (0..100) of an sRGB colour.
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if y <= 0.008856 {
		return 903.3 * y
	}
	return 116*math.Cbrt(y) - 16
}

// TestPublishedEntries checks entries whose values are widely printed: both ends, quarters and
// neighbours of the middle.
func TestPublishedEntries(t *testing.T) {
	for _, c := range []struct {
		name  string
		table *Map
		at    int
		want  string
	}{
		{"viridis", &Viridis, 0, "440154"},
		{"viridis", &Viridis, 128, "21918c"},
		{"viridis", &Viridis, 255, "fde725"},
		{"cividis", &Cividis, 0, "00224e"},
		{"cividis", &Cividis, 128, "7d7c78"},
		{"cividis", &Cividis, 255, "fee838"},
		{"gray", &Gray, 0, "000000"},
		{"gray", &Gray, 255, "ffffff"},
		{"green", &Green, 0, "006633"},
		{"green", &Green, 128, "67a633"},
		{"green", &Green, 255, "ffff4d"},
		{"diverging", &Diverging, 0, "214a9c"},
		{"diverging", &Diverging, 255, "a01b2c"},
	} {
		e := c.table[c.at]
		if got := fmt.Sprintf("%02x%02x%02x", e.R, e.G, e.B); got != c.want || e.A != 0xff {
			t.Errorf("%s[%d] = %s, want %s, opaque", c.name, c.at, got, c.want)
		}
	}
}

// TestLuminanceIsMonotone: the sequential maps get lighter all the way, in steps that no eye sees
// as edges; the diverging one up to its middle and darker again after it.
func TestLuminanceIsMonotone(t *testing.T) {
	for _, name := range []string{"viridis", "cividis", "gray", "green"} {
		m, _ := MapByName(name)
		for i := 1; i < len(m); i++ {
			step := lightness(m[i]) - lightness(m[i-1])
			if step < -0.05 || step > 1.5 { // 8-bit rounding takes back up to 0.05
				t.Errorf("%s: lightness changes by %.3f from entry %d to %d", name, step, i-1, i)
			}
		}
	}
	for i := 1; i < 128; i++ {
		if lightness(Diverging[i]) < lightness(Diverging[i-1]) ||
			lightness(Diverging[255-i]) < lightness(Diverging[256-i]) {
			t.Errorf("diverging: entries %d or %d get darker towards the middle", i, 255-i)
		}
	}
}

func TestMarkersAreInNoMap(t *testing.T) {
	for _, name := range MapNames() {
		m, _ := MapByName(name)
		for _, marker := range []color.RGBA{UnderColour, OverColour} {
			for i, c := range m {
				far := max(diff(c.R, marker.R), diff(c.G, marker.G), diff(c.B, marker.B))
				if far < 40 {
					t.Errorf("%s[%d] %v looks like the marker %v", name, i, c, marker)
				}
			}
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func TestMapByName(t *testing.T) {
	for name, want := range map[string]*Map{"": &Viridis, "viridis": &Viridis, "gray": &Gray, "jet": nil} {
		if m, ok := MapByName(name); ok != (want != nil) || ok && m != want {
			t.Errorf("%q is %p, %v", name, m, ok)
		}
	}
}

func TestParseMapRefusesDamage(t *testing.T) {
	for _, table := range []string{"", viridisTable[:len(viridisTable)-6], viridisTable[:len(viridisTable)-1] + "x"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a table of %d characters was taken", len(table))
				}
			}()
			parseMap(table)
		}()
	}
}

func TestScaleColor(t *testing.T) {
	own := color.RGBA{1, 2, 3, 255}
	for _, c := range []struct {
		name  string
		scale Scale
		v     float64
		want  color.RGBA
	}{
		{"low end", Scale{Low: 0, High: 0.3}, 0, Viridis[0]},
		{"high end", Scale{Low: 0, High: 0.3}, 0.3, Viridis[255]},
		{"middle rounds up", Scale{Low: 0, High: 255}, 127.5, Viridis[128]},
		{"below", Scale{Low: 0.1, High: 0.3}, 0.09, UnderColour},
		{"above", Scale{Low: 0, High: 0.3}, 0.31, OverColour},
		{"above to infinity", Scale{Low: 0, High: 0.3}, math.Inf(1), OverColour},
		{"below to infinity", Scale{Low: 0, High: 0.3}, math.Inf(-1), UnderColour},
		{"nan", Scale{Low: 0, High: 0.3}, math.NaN(), nanDark},
		{"own under", Scale{Low: 0, High: 1, Under: own}, -1, own},
		{"own over", Scale{Low: 0, High: 1, Over: own}, 2, own},
		{"own nan", Scale{Low: 0, High: 1, NaN: own}, math.NaN(), own},
		{"other map", Scale{Low: 0, High: 1, Map: &Gray}, 0.2, Gray[51]},
		{"no width at low", Scale{Low: 2, High: 2}, 2, Viridis[0]},
		{"no width above", Scale{Low: 2, High: 2}, 3, OverColour},
		{"zero scale", Scale{}, 0, Viridis[0]},
	} {
		if got := c.scale.Color(c.v); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// TestColourIsNearestEntry compares with the slow way: try all entries and take the nearest value.
func TestColourIsNearestEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-10, 10).Draw(t, "low")
		s := Scale{Low: low, High: low + rapid.Float64Range(1e-6, 100).Draw(t, "width"), Map: &Gray}
		v := low + rapid.Float64Range(0, 1).Draw(t, "share")*(s.High-low)
		if v > s.High {
			v = s.High
		}
		best, distance := 0, math.Inf(1)
		for i := range 256 {
			if d := math.Abs(low + float64(i)/255*(s.High-low) - v); d < distance {
				best, distance = i, d
			}
		}
		if got := int(s.Color(v).R); got != best && math.Abs(float64(got-best)) > 1 {
			t.Errorf("%v in %v..%v is entry %d, want %d", v, s.Low, s.High, got, best)
		}
	})
}

func TestOutside(t *testing.T) {
	m := variance.Matrix{N: 2, Data: []float64{-1, 0, 2, math.NaN()}}
	under, over := Scale{Low: 0, High: 1}.Outside(m)
	if under != 1 || over != 1 {
		t.Errorf("got %d under, %d over, want 1 and 1", under, over)
	}
	if !slices.Equal(m.Data[:3], []float64{-1, 0, 2}) {
		t.Error("the matrix was changed")
	}
}
