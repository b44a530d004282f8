package background

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

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
	var out bytes.Buffer
	if err := render.Draw(&out, f, render.Part{}, "svg"); err != nil || !strings.Contains(out.String(), "max@HEAD.I1") {
		t.Errorf("%v", err)
	}
}
