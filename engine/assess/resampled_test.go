package assess

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
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
		got := testdata.Must(in.Assessor.Resample(t.Context(), on,
			variance.Bootstrap{Resamples: in.Resamples, Seed: in.Seed}, nil))(t)
		testdata.NearAll(t, "shares", got.Shares, want.Shares, tolerance.Abs)
		testdata.NearAll(t, "probability", []float64{got.Mean, got.Low, got.High},
			[]float64{want.Mean, want.Low, want.High}, tolerance.Abs)
	})
}

// TestUnsettledSaysHowManyResamples: models that were asked about with other numbers of resamples
// are named beside each other.
func TestUnsettledSaysHowManyResamples(t *testing.T) {
	one := Judgement{
		ID: "a", Verdict: Verdict{Label: label.Variant, Class: 1},
		Resampled: Resampled{Resamples: 1000, Shares: []float64{0.5, 0.5}},
	}
	other := one
	other.ID, other.Resampled.Resamples = "b", 100
	for text, list := range map[string][]Judgement{
		"of 1000 resamples": {one, {ID: "c"}},
		"2 of 2 models are judged otherwise in more than 5 % of 100 to 1000 resamples": {one, other},
	} {
		if said := Unsettled(list); len(said) != 1 || !strings.Contains(said[0], text) {
			t.Errorf("%q", said)
		}
	}
}
