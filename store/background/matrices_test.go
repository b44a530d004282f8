package background

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

func TestPackedMatrices(t *testing.T) {
	symmetric := scatter.Matrix{R: 3, Values: []float64{1, 2, math.NaN(), 2, 4, 0.1, math.NaN(), 0.1, 6}}
	other := scatter.Matrix{R: 2, Values: []float64{1, 2, math.Nextafter(2, 3), 4}}
	for _, tt := range []struct {
		m       scatter.Matrix
		numbers int
	}{{symmetric, 6}, {other, 4}} {
		k := packMatrix(tt.m)
		back, ok := k.unpack()
		same := slices.EqualFunc(back.Values, tt.m.Values,
			func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if !ok || back.R != tt.m.R || !same || len(k.Numbers) != 8*tt.numbers {
			t.Errorf("%v is %v, %v with %d numbers", tt.m, back, ok, len(k.Numbers)/8)
		}
		for _, spoiled := range []keptMatrix{
			{R: k.R, Numbers: k.Numbers[1:]},
			{R: k.R, Numbers: k.Numbers[16:]},
			{R: 0},
			{R: -1, Numbers: k.Numbers},
			{R: k.R + 7, Numbers: k.Numbers},
		} {
			if m, ok := spoiled.unpack(); ok {
				t.Errorf("%d numbers of side %d are %v", len(spoiled.Numbers)/8, spoiled.R, m)
			}
		}
	}
}

// TestCloudName: every number of a cloud and where it stands is in its name.
func TestCloudName(t *testing.T) {
	cloud := func() scatter.Cloud {
		return scatter.Cloud{Distances: [][]float64{{0, 1}, {0, 2}}, Signals: [][]float64{{0.1, 0.2}, {0.3, 0.4}}, D: 2}
	}
	seen := map[string]bool{cloudName(cloud()): true}
	for _, change := range []func(*scatter.Cloud){
		func(c *scatter.Cloud) { c.D = 3 },
		func(c *scatter.Cloud) { c.Distances[1][1] = math.Nextafter(2, 1) },
		func(c *scatter.Cloud) { c.Signals[0][0] = 0.2 },
		func(c *scatter.Cloud) { c.Distances, c.Signals = c.Distances[:1], c.Signals[:1] },
		func(c *scatter.Cloud) { c.Signals[0], c.Signals[1] = c.Signals[1], c.Signals[0] },
	} {
		c := cloud()
		change(&c)
		if name := cloudName(c); seen[name] {
			t.Errorf("%v has the name of another cloud", c)
		} else {
			seen[name] = true
		}
	}
	if !seen[cloudName(cloud())] {
		t.Error("a cloud has two names")
	}
}

// TestRunBars: a bar per measure, interpolant and way, the ways beside each other; means and
// deviations are those over the models.
func TestRunBars(t *testing.T) {
	var runs []background.Repeats
	for _, model := range []string{"a", "b"} {
		for _, measure := range []string{"max@CONF", "max@HEAD"} {
			for k, way := range []string{"keywords, n = 4", "random, n = 4"} {
				mean := 0.01 * float64(k+1)
				if model == "b" {
					mean *= 3
				}
				runs = append(runs, background.Repeats{
					Model: model, Measure: measure, Interpolant: scatter.Interpolants()[0], Way: way, Mean: mean,
				})
			}
		}
	}
	f := runBars(runs)
	want := []result.Box{
		{Name: "max@CONF.I1, keywords, n = 4", X1: 0.02, High: 0.03, Text: "0.0200"},
		{Name: "max@CONF.I1, random, n = 4", X1: 0.04, High: 0.06, Text: "0.0400", Group: 1},
		{Name: "max@HEAD.I1, keywords, n = 4", X1: 0.02, High: 0.03, Text: "0.0200"},
		{Name: "max@HEAD.I1, random, n = 4", X1: 0.04, High: 0.06, Text: "0.0400", Group: 1},
	}
	if len(f.Boxes) != len(want) {
		t.Fatalf("%+v", f.Boxes)
	}
	for k, b := range f.Boxes {
		if w := want[k]; f.Y.Names[k] != w.Name || b.Text != w.Text || b.Group != w.Group ||
			math.Abs(b.X1-w.X1) > 1e-12 || math.Abs(b.High-w.High) > 1e-12 {
			t.Errorf("%+v, want %+v", b, w)
		}
	}
}
