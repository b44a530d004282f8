package feature

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// TestIntervalsEqualSlowVersion: each resample measured as Measure does it, on the matrices of its
// images and of those that are in the sub-sample of the suite.
func TestIntervalsEqualSlowVersion(t *testing.T) {
	const total = 60
	set, l := randomSet(7, total), DefaultLayout()
	l.Modalities = []string{"max@CONF", "L2@CONV-1"}
	images := testdata.UpTo(total)[5:]
	b := variance.Bootstrap{Resamples: 100, Seed: 3}
	whole := testdata.Must(l.Vector(set, images))(t)
	slow := make([][]float64, l.Width())
	drawn := make([][]int, b.Resamples)
	testdata.OK(t, b.Each(t.Context(), images, nil, func(r int, of []int) error { drawn[r] = of; return nil }))
	for _, of := range drawn {
		var fewer []int
		for _, k := range of {
			if slices.Contains(l.Drawn(total), k) {
				fewer = append(fewer, k)
			}
		}
		for k, text := range l.Modalities {
			reduced := plainMatrix(t, set, text, fewer)
			m := testdata.Must(Measure(plainMatrix(t, set, text, of), &reduced, Options{}))(t)
			for f, v := range m.Values {
				slow[k*Count+f] = append(slow[k*Count+f], v)
			}
		}
	}
	list := testdata.Must(l.Intervals(t.Context(), set, images, whole.Values, whole.Flags, b, nil))(t)
	for c, iv := range list {
		mean, sd := stats.Moments(slow[c])
		low, high := variance.Percentiles(slow[c])
		name := iv.Matrix + "." + iv.Feature.String()
		testdata.Is(t, "name", name, l.Names()[c])
		testdata.NearAll(t, name, []float64{iv.Value, iv.Low, iv.High, iv.SD, iv.Bias},
			[]float64{whole.Values[c], low, high, sd, mean - whole.Values[c]}, 1e-12)
		if biased := math.Abs(iv.Bias) > sd/4 || iv.Feature == SSTY; biased == iv.Caveat.None() {
			t.Errorf("%s with bias %v and SD %v says %q", name, iv.Bias, sd, iv.Caveat)
		}
	}
	testdata.OK(t, Intervals.Check())
}

// TestIntervalsOfEdges: what is undefined or stands by convention has no interval.
func TestIntervalsOfEdges(t *testing.T) {
	set, l := randomSet(3, 20), DefaultLayout()
	l.Modalities = []string{"max@CONF"}
	clear(set.Reduced[0][signal.Max])
	images, b := testdata.UpTo(20), variance.Bootstrap{Resamples: 100}
	whole := testdata.Must(l.Vector(set, images))(t)
	shown := slices.Clone(whole.Values)
	shown[Mean] = math.NaN()
	list := testdata.Must(l.Intervals(t.Context(), set, images, shown, whole.Flags, b, nil))(t)
	for f, missing := range map[Feature]bool{SVM: false, Mean: true, Dctny: true, GOverall: true, Std: false} {
		if iv := list[f]; math.IsNaN(iv.Low) != missing || !missing && (iv.Low != 0 || iv.High != 0 || !iv.Caveat.None()) {
			t.Errorf("%s: %+v", f, iv)
		}
	}
	// One image moves the output: resamples without it have no asymm, and count for nothing.
	set.Reduced[0][signal.Max][5] = 1
	whole = testdata.Must(l.Vector(set, images))(t)
	list = testdata.Must(l.Intervals(t.Context(), set, images, whole.Values, whole.Flags, b, nil))(t)
	if iv := list[Asymm]; iv.Caveat.Code != "sometimes_undefined" || iv.Resamples >= 80 || iv.Resamples <= 50 || !(iv.Low > 0.9*iv.Value) {
		t.Errorf("asymm that rests on one image: %+v", iv)
	}
	_, err := l.Intervals(t.Context(), set, images[:7], shown, whole.Flags, b, nil)
	testdata.ErrorIs(t, "seven images", err, variance.ErrFewImages)
}
