package assess

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// TestGoldenVerdicts: what given trees, regressions and a baseline say of resamples of the images,
// as scripts/golden/resampled.py has computed it.
func TestGoldenVerdicts(t *testing.T) {
	var tolerance struct{ Abs float64 }
	testdata.Cases(t, testdata.Further(t, "verdicts"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct {
			Kind        string
			Assessor    Assessor
			Signals     [][]float32
			Images      []int
			Resamples   int
			Seed        uint64
			Labels      []int
			Predictions [][]int32
		}
		want := struct {
			Shares          []float64
			Mean, Low, High float64
		}{nil, nan, nan, nan} // the baseline has no probability
		c.Read(t, &in, &want)
		testdata.OK(t, in.Assessor.Validate())
		n, m := len(in.Signals), len(in.Signals[0])
		set := &signal.Set{
			Transformations: n, Images: m,
			Spec:       signal.Spec{Family: "rotation;alpha=15;N=7", Positions: []signal.Position{{Name: model.CONF}}},
			Reduced:    [][signal.Reducers][]float32{{signal.Max: slices.Concat(in.Signals...)}},
			Prediction: make([]int32, n*m),
		}
		copy(set.Prediction, slices.Concat(in.Predictions...))
		layout := feature.DefaultLayout()
		layout.Modalities = []string{"max@CONF"}
		on := Basis{Set: set, Labels: in.Labels, Layout: layout, Images: in.Images}
		got := testdata.Must(in.Assessor.Resample(t.Context(), on, variance.Bootstrap{Resamples: in.Resamples, Seed: in.Seed}, nil))(t)
		testdata.NearAll(t, "shares", got.Shares, want.Shares, tolerance.Abs)
		testdata.NearAll(t, "probability", []float64{got.Mean, got.Low, got.High},
			[]float64{want.Mean, want.Low, want.High}, tolerance.Abs)
	})
}
