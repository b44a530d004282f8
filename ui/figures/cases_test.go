package figures

import (
	"bytes"
	"math"
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/render"
)

// TestCasesAreFour: predictions agree or not, with confidence or without, and the picture says what is measured on its vectors.
func TestCasesAreFour(t *testing.T) {
	f, err := Cases()
	if err != nil || len(f.Pairs) != 4 {
		t.Fatalf("%d cases, %v", len(f.Pairs), err)
	}
	var js [4]float64
	for k, want := range []struct{ same, sure bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		p := f.Pairs[k]
		a, b := render.Top(p.Before), render.Top(p.After)
		v, err := measure.Compare(p.Before, p.After)
		if err != nil {
			t.Fatal(err)
		}
		js[k] = v[measure.JS]
		if (a == b) != want.same || (math.Min(p.Before[a], p.After[b]) > 0.6) != want.sure || (v[measure.EI] > 0) != want.same {
			t.Errorf("case %s: classes %d and %d, EI %v", p.Title, a, b, v[measure.EI])
		}
		if want.same && math.Abs(v[measure.EI]-math.Sqrt(p.Before[a]*p.After[b])) > 1e-12 {
			t.Errorf("case %s: EI %v", p.Title, v[measure.EI])
		}
	}
	if js[1] >= js[0] || js[3] >= js[0] || js[2] <= js[0] {
		t.Errorf("JS %v does not prefer the cases that it is said to prefer", js)
	}
	if got := f.Pairs[0].Lines[0]; got != "EI 0.794   JS 0.033" {
		t.Errorf("the first case says %q", got)
	}
}

func TestCasesCanBeSaved(t *testing.T) {
	f, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	fig := CasesFigure(f)
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		var out bytes.Buffer
		if err := fig.Write(&out, format); err != nil || !strings.HasPrefix(out.String(), begins) {
			t.Errorf("%s: %v", format, err)
		}
	}
}
