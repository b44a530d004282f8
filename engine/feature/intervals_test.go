package feature

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// TestGoldenIntervals: what scripts/golden/resampled.py has computed from the formulas as printed:
// scalar and vector modalities, chosen images, and features that stand by convention.
func TestGoldenIntervals(t *testing.T) {
	var tolerance struct{ Abs, Rel float64 }
	testdata.Cases(t, testdata.Further(t, "features"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct {
			Kind                              string
			Transformations, Total, Resamples int
			Seed                              uint64
			Images                            []int
			Signals, Distances                [][]float32
		}
		var want map[string]struct {
			Value, Low, High, SD, Bias float64
			Caveat                     string
		}
		c.Read(t, &in, &want)
		set := &signal.Set{
			Transformations: in.Transformations, Images: in.Total,
			Spec: signal.Spec{
				Positions: []signal.Position{{Name: model.CONF}}, Vectors: []string{"L2@CONV-1"},
			},
			Reduced:       [][signal.Reducers][]float32{{signal.Max: slices.Concat(in.Signals...)}},
			PairDistances: [][]float32{slices.Concat(in.Distances...)},
		}
		l := DefaultLayout()
		if l.Modalities = []string{"max@CONF"}; in.Distances != nil {
			l.Modalities = []string{"L2@CONV-1"}
		}
		whole := testdata.Must(l.Vector(set, in.Images))(t)
		b := variance.Bootstrap{Resamples: in.Resamples, Seed: in.Seed}
		list := testdata.Must(l.Intervals(t.Context(), set, in.Images, whole, b, nil))(t)
		testdata.Is(t, "features", len(list), len(want))
		for _, iv := range list {
			w, name := want[iv.Feature.String()], iv.Feature.String()
			testdata.Is(t, name, iv.Caveat.Code, w.Caveat)
			got, wanted := []float64{iv.Value}, []float64{w.Value}
			if w.Caveat == "" || w.Caveat == "biased" || iv.Feature == SSTY {
				got, wanted = append(got, iv.Low, iv.High, iv.SD, iv.Bias), append(wanted, w.Low, w.High, w.SD, w.Bias)
			} else if !math.IsNaN(iv.Low) {
				t.Errorf("%s stands by convention and has an interval", name)
			}
			testdata.NearAll(t, name, got, wanted, tolerance.Abs+tolerance.Rel*math.Abs(w.Value))
		}
	})
	testdata.OK(t, Intervals.Check())
}

// TestIntervalsOfEdges: what is undefined or stands by convention has no interval.
func TestIntervalsOfEdges(t *testing.T) {
	for _, profile := range []Profile{Paper, Refcode} {
		set, l := randomSet(7, 20), DefaultLayout()
		l.Modalities, l.Profile, l.Share = []string{"mean@CONF", "max@CONF"}, profile, 0.1
		clear(set.Reduced[0][signal.Max])
		images, b := testdata.UpTo(20), variance.Bootstrap{Resamples: 100}
		whole := testdata.Must(l.Vector(set, images))(t)
		whole.Undefined = append(whole.Undefined, Count+int(Mean))
		list := testdata.Must(l.Intervals(t.Context(), set, images, whole, b, nil))(t)[Count:]
		for f, missing := range map[Feature]bool{SVM: false, Mean: true, Dctny: true, GOverall: true, Std: false} {
			if iv := list[f]; math.IsNaN(iv.Low) != missing || iv.Caveat.None() == missing || !missing &&
				(iv.Low != 0 || iv.High != 0) {
				t.Errorf("%s, %s: %+v", profile, f, iv)
			}
		}
		// One image moves the output: resamples without it have no asymm, and count for nothing.
		set.Reduced[0][signal.Max][5] = 1
		whole = testdata.Must(l.Vector(set, images))(t)
		list = testdata.Must(l.Intervals(t.Context(), set, images, whole, b, nil))(t)[Count:]
		if iv := list[Asymm]; iv.Caveat.Code != "sometimes_undefined" || iv.Resamples >= 80 || iv.Resamples <= 50 ||
			!(iv.Low > 0.9*iv.Value) {
			t.Errorf("%s, asymm that rests on one image: %+v", profile, iv)
		}
		// Some resamples have none of the two images of the reduced matrix.
		if text := list[SSTY].Caveat.Text; !strings.Contains(text, "more images give; undefined in") {
			t.Errorf("%s, ssty: %q", profile, text)
		}
		_, err := l.Intervals(t.Context(), set, images[:7], whole, b, nil)
		testdata.ErrorIs(t, "seven images", err, variance.ErrFewImages)
	}
}
