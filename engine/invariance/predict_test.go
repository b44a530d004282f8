package invariance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/internal/testdata"
)

func predictedFrom(t testing.TB, points []Point, o StudyOptions) Prediction {
	t.Helper()
	return testdata.Must(Predict(t.Context(), points, o, progress.None{}))(t)
}

// A suite without labels is predicted from the line; its interval holds the truth, and one outside
// the fit says so.
func TestPredictKnownLine(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(1, 2)), 40, -3, 7, 0.05)
	points = append(points, Point{ID: "inside", Hash: "h", Score: 0.5, Accuracy: math.NaN()},
		Point{ID: "outside", Score: 0.99, Accuracy: math.NaN()},
		Point{ID: "unmeasured", Score: math.NaN(), Accuracy: math.NaN()})
	p := predictedFrom(t, points, StudyOptions{Images: 10000, Resamples: 400, Seed: 3})
	if !p.Reason.None() || len(p.Estimates) != 2 || len(p.LeaveOneOut) != 40 || p.Fit.Dropped != 3 {
		t.Fatalf("%q: %d estimates, %d left out", p.Reason, len(p.Estimates), len(p.LeaveOneOut))
	}
	inside, outside := p.Estimates[0], p.Estimates[1]
	if inside.ID != "inside" || inside.Hash != "h" || inside.Extrapolated || !outside.Extrapolated ||
		!math.IsNaN(inside.True) {
		t.Errorf("%+v, %+v", inside, outside)
	}
	for _, e := range p.Estimates {
		truth := Expit(-3 + 7*e.Score)
		if math.Abs(e.Accuracy-truth) > 0.02 || !(e.Low < truth && truth < e.High) ||
			e.Accuracy != Expit(p.Fit.Line.At(e.Score)) {
			t.Errorf("%+v, truth %v", e, truth)
		}
	}
	sum, worst := 0.0, 0.0
	for _, e := range p.LeaveOneOut {
		sum, worst = sum+math.Abs(e.Accuracy-e.True), math.Max(worst, math.Abs(e.Accuracy-e.True))
	}
	if !near(p.MeanAbsoluteError, sum/40, 1e-12) || p.WorstError != worst || p.MeanAbsoluteError > 0.02 ||
		p.Covered < 0.8 {
		t.Errorf("error %v, worst %v, covered %v", p.MeanAbsoluteError, p.WorstError, p.Covered)
	}
}

// Leaving a suite out is a fit that never saw it: its own accuracy changes nothing in its estimate.
func TestLeaveOneOutDoesNotSeeTheSuite(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(2, 3)), 12, -1, 4, 0.4)
	o := StudyOptions{Images: 1000, Resamples: 100, Seed: 5}
	p := predictedFrom(t, points, o)
	for k := range points {
		rest := append(append([]Point{}, points[:k]...), points[k+1:]...)
		s := examined(t, rest, StudyOptions{Images: 1000})
		if want := Expit(s.Line.At(points[k].Score)); p.LeaveOneOut[k].Accuracy != want ||
			p.LeaveOneOut[k].True != points[k].Accuracy {
			t.Errorf("%s: %+v, want %v", points[k].ID, p.LeaveOneOut[k], want)
		}
	}
	points[4].Accuracy = 0.01
	other := predictedFrom(t, points, o)
	if a, b := p.LeaveOneOut[4], other.LeaveOneOut[4]; a.Accuracy != b.Accuracy || a.Low != b.Low || a.High != b.High {
		t.Errorf("%+v, with another accuracy %+v", a, b)
	}
}

// Of many drawn collections of suites, the intervals hold close to 95 % of the truths.
func TestIntervalsHoldWhatTheySay(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	covered, rounds := 0.0, 20
	for range rounds {
		p := predictedFrom(t, cloud(random, 30, -2, 5, 0.5), StudyOptions{Images: 10000, Resamples: 200, Seed: 1})
		covered += p.Covered / float64(rounds)
	}
	if covered < 0.90 || covered > 0.985 {
		t.Errorf("95 %% intervals hold %.3f", covered)
	}
}

func TestPredictHasTheSameBits(t *testing.T) {
	points := append(cloud(rand.New(rand.NewPCG(5, 6)), 15, -1, 4, 0.4),
		Point{ID: "new", Score: 0.6, Accuracy: math.NaN()})
	o := StudyOptions{Images: 1000, Resamples: 60, Seed: 2}
	a, b := predictedFrom(t, points, o), predictedFrom(t, points, o)
	testdata.Is(t, "equal inputs gave other bits", fmt.Sprint(a), fmt.Sprint(b))
	o.Seed = 3
	if c := predictedFrom(t, points, o); c.Estimates[0].Low == a.Estimates[0].Low ||
		c.Estimates[0].Accuracy != a.Estimates[0].Accuracy {
		t.Errorf("%+v with another seed, %+v before", c.Estimates[0], a.Estimates[0])
	}
}

// Accuracies on their own scale stay within 0..1.
func TestPredictUnscaled(t *testing.T) {
	points := []Point{
		{Score: .1, Accuracy: .2},
		{Score: .3, Accuracy: .5},
		{Score: .4, Accuracy: .65},
		{Score: .6, Accuracy: .97},
		{Score: 3, Accuracy: math.NaN()},
	}
	p := predictedFrom(t, points, StudyOptions{Unscaled: true})
	if e := p.Estimates[0]; e.Accuracy != 1 || e.High != 1 || e.Low > 1 || !e.Extrapolated || p.Fit.Defined == 0 {
		t.Errorf("%+v of %d resamples", e, p.Fit.Defined)
	}
}

func TestPredictWithoutAPrediction(t *testing.T) {
	at := func(score, accuracy float64) Point { return Point{Score: score, Accuracy: accuracy} }
	fresh := at(.6, math.NaN())
	for _, c := range []struct {
		name   string
		points []Point
		reason string
	}{
		{"nothing", nil, FewLabelled},
		{"three", []Point{at(.1, .2), at(.2, .3), at(.3, .4), fresh}, FewLabelled},
		{"constant score", []Point{at(.5, .2), at(.5, .3), at(.5, .4), at(.5, .5), fresh}, ScoreFixed},
	} {
		p := predictedFrom(t, c.points, StudyOptions{Images: 100})
		if p.Reason.Code != c.reason || p.Estimates != nil || p.LeaveOneOut != nil ||
			!math.IsNaN(p.MeanAbsoluteError) || !math.IsNaN(p.Covered) {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
	// Without the last suite all scores are equal: it has no estimate, the others have.
	p := predictedFrom(t, []Point{at(.5, .2), at(.5, .3), at(.5, .4), at(.9, .5)},
		StudyOptions{Images: 100, Resamples: 50})
	if !p.Reason.None() || len(p.LeaveOneOut) != 3 || math.IsNaN(p.MeanAbsoluteError) {
		t.Errorf("%q with %d left out", p.Reason, len(p.LeaveOneOut))
	}
}

// Given resamples are for the fit; what is left out is drawn.
func TestPredictWithGivenResamples(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(6, 7)), 5, -1, 4, 0.4)
	given := [][]int{{0, 1, 2, 3, 4}, {0, 0, 1, 2, 3}}
	p := predictedFrom(t, points, StudyOptions{Images: 1000, Given: given})
	if p.Fit.Defined != 2 || len(p.LeaveOneOut) != 5 {
		t.Errorf("%d resamples, %d left out", p.Fit.Defined, len(p.LeaveOneOut))
	}
	drawn := predictedFrom(t, points, StudyOptions{Images: 1000})
	if !reflect.DeepEqual(p.LeaveOneOut, drawn.LeaveOneOut) {
		t.Errorf("%+v, drawn %+v", p.LeaveOneOut, drawn.LeaveOneOut)
	}
}

func BenchmarkPredict75(b *testing.B) { // 15 corruptions x 5 severities of one model
	points := cloud(rand.New(rand.NewPCG(1, 1)), 75, -3, 7, 0.5)
	for b.Loop() {
		predictedFrom(b, points, StudyOptions{Images: 10000, Resamples: 1000, Seed: 1})
	}
}

// What has been called off ends with the reason, and progress counts every suite that is left out.
func TestPredictAndExamineEndWithTheirContext(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(6, 7)), 4, -1, 4, 0.4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := StudyOptions{Images: 100, Resamples: 100}
	testdata.ErrorIs(t, "a study", testdata.Err(Examine(ctx, points, o)), context.Canceled)
	testdata.ErrorIs(t, "a prediction", testdata.Err(Predict(ctx, points, o, progress.None{})), context.Canceled)
	var p testdata.Progress
	testdata.Must(Predict(t.Context(), points, o, &p))(t)
	p.Whole(t, 4)
}
