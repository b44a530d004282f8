package background

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
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
	want := []render.Bar{
		{Name: "max@CONF.I1, keywords, n = 4", To: 0.02, Spread: 0.01, Text: "0.0200"},
		{Name: "max@CONF.I1, random, n = 4", To: 0.04, Spread: 0.02, Text: "0.0400", Tone: render.Raises},
		{Name: "max@HEAD.I1, keywords, n = 4", To: 0.02, Spread: 0.01, Text: "0.0200"},
		{Name: "max@HEAD.I1, random, n = 4", To: 0.04, Spread: 0.02, Text: "0.0400", Tone: render.Raises},
	}
	if len(f.Bars) != len(want) {
		t.Fatalf("%+v", f.Bars)
	}
	for k, b := range f.Bars {
		if w := want[k]; b.Name != w.Name || b.Text != w.Text || b.Tone != w.Tone || math.Abs(b.To-w.To) > 1e-12 || math.Abs(b.Spread-w.Spread) > 1e-12 {
			t.Errorf("%+v, want %+v", b, w)
		}
	}
	var out bytes.Buffer
	if err := f.Write(&out, "svg"); err != nil || !strings.Contains(out.String(), "svg") {
		t.Errorf("%v", err)
	}
}
