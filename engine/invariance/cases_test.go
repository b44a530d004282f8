package invariance

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestCasesAreFour: predictions agree or not, with confidence or without, and the pictures say what
// is measured on their vectors.
func TestCasesAreFour(t *testing.T) {
	list, err := Cases()
	if err != nil || len(list) != 4 {
		t.Fatalf("%d cases, %v", len(list), err)
	}
	var js [4]float64
	for k, want := range []struct{ same, sure bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		var p [2][]float64
		for _, b := range list[k].Boxes {
			p[b.Group] = append(p[b.Group], b.X1)
		}
		v, err := Compare(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		js[k] = v[JS]
		sure := math.Min(slices.Max(p[0]), slices.Max(p[1])) > 0.6
		if sure != want.sure || (v[EI] > 0) != want.same || want.same &&
			math.Abs(v[EI]-math.Sqrt(slices.Max(p[0])*slices.Max(p[1]))) > 1e-12 {
			t.Errorf("case %s: EI %v", list[k].Title, v[EI])
		}
		if err := list[k].Check(); err != nil {
			t.Error(err)
		}
	}
	if js[1] >= js[0] || js[3] >= js[0] || js[2] <= js[0] {
		t.Errorf("JS %v does not prefer the cases that it is said to prefer", js)
	}
	if got := list[0].Note; !strings.HasPrefix(got, "EI 0.794, JS 0.033\n") {
		t.Errorf("the first case says %q", got)
	}
}
