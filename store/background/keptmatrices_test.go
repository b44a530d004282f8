package background_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
)

// TestMatricesAreKept: the same bits from the workspace, also without the symmetry that nearly all
// have and with NaN; what is spoiled is computed again.
func TestMatricesAreKept(t *testing.T) {
	w := newMade(t, 0, 1, 2)
	m := w.model("a", 3)
	w.run(m, []string{model.Head}, 0, mapping)
	e := w.read(m)
	list := []scatter.Interpolant{{Size: 3, Sigma: 1, K: 4}, {Size: 1, Sigma: 0.5}}
	direct := testdata.Must(scatter.Interpolate(t.Context(), e.Clouds[scenes.HeadMax], 40, list))(w)
	holes := 0
	for _, v := range direct[1].Values {
		if math.IsNaN(v) {
			holes++
		}
	}
	if holes == 0 {
		t.Fatal("the first formula leaves no hole, so that none can be kept")
	}
	for round := range 3 {
		got := testdata.Must(scenes.Matrices(t.Context(), w.ws, e, scenes.HeadMax, 40, list[:1+min(round, 1)]))(w)
		for k := range got {
			if got[k].R != 40 || !sameBits(got[k].Values, direct[k].Values) {
				t.Errorf("round %d: matrix %s differs", round, list[k])
			}
		}
	}
	few := e
	few.Clouds = map[scenes.Measure]scatter.Cloud{scenes.HeadMax: e.Clouds[scenes.HeadMax].Of([]int{1, 5, 200})}
	got := testdata.Must(scenes.Matrices(t.Context(), w.ws, few, scenes.HeadMax, 40, list[:1]))(w)
	if sameBits(got[0].Values, direct[0].Values) {
		t.Error("three targets have the matrix of all")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "error",
		testdata.Err(scenes.Matrices(ended, w.ws, e, scenes.HeadMax, 41, list)), context.Canceled)
	if _, err := scenes.Matrices(t.Context(), w.ws, e, scenes.HeadMax, 2, list); err == nil {
		t.Error("a raster of 2 elements")
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
