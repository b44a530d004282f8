package invariance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

// cloud are n points around the line y = intercept + slope x on the logit scale.
func cloud(random *rand.Rand, n int, intercept, slope, noise float64) []Point {
	points := make([]Point, n)
	for k := range points {
		x := 0.2 + 0.7*random.Float64()
		points[k] = Point{
			ID: fmt.Sprint("model ", k), Score: x, Accuracy: Expit(intercept + slope*x + noise*random.NormFloat64()),
		}
	}
	return points
}

func examined(t testing.TB, points []Point, o StudyOptions) Study {
	t.Helper()
	return testdata.Must(Examine(t.Context(), points, o))(t)
}

func TestExamineFindsTheLine(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(1, 1)), 150, -3, 7, 0.3)
	nan := math.NaN()
	mixed := append([]Point{{Score: nan, Accuracy: 0.5}}, append(points, Point{Score: 0.5, Accuracy: nan})...)
	s := examined(t, mixed, StudyOptions{Images: 10000, Resamples: 300, Seed: 1})
	testdata.Near(t, "intercept", s.Line.Intercept, -3, 0.3)
	testdata.Near(t, "slope", s.Line.Slope, 7, 0.5)
	if len(s.Grid) != 101 || s.Defined != 300 || s.Dropped != 2 || s.Eps != 1.0/20000 || len(s.Points) != len(mixed) {
		t.Errorf("%d scores in the grid, %d resamples, %d dropped, eps %v", len(s.Grid), s.Defined, s.Dropped, s.Eps)
	}
	for k, x := range s.Grid {
		if k > 0 && x <= s.Grid[k-1] || !(s.Low[k] < s.Fitted[k] && s.Fitted[k] < s.High[k]) ||
			s.Fitted[k] != s.Line.At(x) {
			t.Errorf("at %v: %v..%v around %v", x, s.Low[k], s.High[k], s.Fitted[k])
		}
	}
	low := nan
	for k, p := range mixed {
		want := math.Log(p.Accuracy / (1 - p.Accuracy))
		if math.IsNaN(p.Score) {
			want = nan
		}
		testdata.Near(t, "y of "+p.ID, s.Y[k], want, 1e-12)
		if !math.IsNaN(want) && !(low < p.Score) {
			low = p.Score
		}
	}
	testdata.Is(t, "the grid starts at", s.Grid[0], low)
}

// One failed model turns a correlation round; without it the study says what it says of the others.
func TestExamineWithoutPointsAtChance(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(4, 4)), 12, -3, 7, 0.3)
	o := StudyOptions{Images: 400, Resamples: 10, Seed: 3}
	above := examined(t, points, o)
	if above.AtChance != 0 || above.Above != nil {
		t.Errorf("%d points at chance, %+v", above.AtChance, above.Above)
	}
	failed := Point{
		ID: "failed", Score: 0.99, Accuracy: 0.1,
		Chance: chance.Counts{Labelled: 400, Correct: 40, Classes: 10, Largest: 44, Top: 400, TopLabels: 40}.Level(),
	}
	unknown := Point{ID: "without accuracy", Score: 0.5, Accuracy: math.NaN(), Chance: failed.Chance}
	s := examined(t, append(slices.Clone(points), failed, unknown), o)
	if s.AtChance != 1 || s.Above == nil || *s.Above != above.Correlations || s.Dropped != 1 {
		t.Errorf("%d points at chance, %+v, want %+v", s.AtChance, s.Above, above.Correlations)
	}
	if s.Pearson.Value >= above.Pearson.Value || s.Spearman.N != 13 || !s.Spearman.HasInterval() ||
		!s.Pearson.HasInterval() {
		t.Errorf("with it %+v, without %+v", s.Pearson, above.Pearson)
	}
}

// The scale of the axis changes what correlates, not the correlations with the accuracy itself.
func TestExamineUnscaled(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(2, 2)), 60, -2, 5, 0.5)
	points[3].Accuracy, points[4].Accuracy = 0, 1
	scaled, raw := examined(t, points, StudyOptions{Eps: 0.01}), examined(t, points, StudyOptions{Unscaled: true})
	if raw.Pearson != raw.RawPearson || raw.Spearman != raw.RawSpearman || raw.Pearson != scaled.RawPearson ||
		!raw.Unscaled {
		t.Errorf("unscaled %+v %+v, raw %+v", raw.Pearson, raw.RawPearson, scaled.RawPearson)
	}
	if scaled.Pearson == scaled.RawPearson || scaled.Y[3] != Logit(0, 0.01) ||
		!near(scaled.Y[3], -scaled.Y[4], 1e-12) || raw.Y[4] != 1 || raw.Eps != 0 {
		t.Errorf("scaled %+v, y %v and %v", scaled.Pearson, scaled.Y[3], scaled.Y[4])
	}
	if scaled.Shown(0) != 0.5 || raw.Shown(0.3) != 0.3 || raw.Shown(1.2) != 1 || raw.Shown(-1) != 0 {
		t.Errorf("shown: %v, %v, %v, %v", scaled.Shown(0), raw.Shown(0.3), raw.Shown(1.2), raw.Shown(-1))
	}
	if scaled.Low != nil || scaled.High != nil || scaled.Defined != 0 {
		t.Error("a band without resamples")
	}
}

// The band has the same bits whenever it is made, and others with another seed.
func TestBandHasTheSameBits(t *testing.T) {
	points := cloud(rand.New(rand.NewPCG(3, 3)), 30, -2, 5, 0.5)
	o := StudyOptions{Images: 1000, Resamples: 200, Seed: 9, Grid: []float64{0.1, 0.5, 0.9}}
	s := examined(t, points, o)
	if again := examined(t, points, o); !slices.Equal(again.Low, s.Low) || !slices.Equal(again.High, s.High) {
		t.Error("the same options gave another band")
	}
	o.Seed = 10
	if other := examined(t, points, o); slices.Equal(other.Low, s.Low) {
		t.Error("another seed gave the same band")
	}
}

func TestExamineWithoutALine(t *testing.T) {
	nan := math.NaN()
	at := func(score, accuracy float64) Point { return Point{ID: "m", Score: score, Accuracy: accuracy} }
	for _, c := range []struct {
		name        string
		points      []Point
		correlation string
		line        string
	}{
		{"nothing", nil, stats.FewPairs, stats.FewPairs},
		{"one model", []Point{at(.5, .5)}, stats.FewPairs, stats.FewPairs},
		{"two are left", []Point{at(.5, .5), at(.6, .7), at(nan, .5), at(.5, nan)}, stats.FewPairs, stats.FewPairs},
		{"constant score", []Point{at(.5, .5), at(.5, .6), at(.5, .7)}, stats.FirstFixed, stats.XFixed},
		{"constant accuracy", []Point{at(.5, .5), at(.6, .5), at(.7, .5)}, stats.SecondFixed, ""},
	} {
		s := examined(t, c.points, StudyOptions{Images: 100, Resamples: 50})
		if s.Pearson.Reason != c.correlation || s.RawSpearman.Reason != c.correlation || s.Line.Reason != c.line {
			t.Errorf("%s: %+v, %+v", c.name, s.Pearson, s.Line)
		}
		if (c.line == "") != (s.Low != nil) || (c.line == "") != (s.Grid != nil) {
			t.Errorf("%s: grid %v, band %v", c.name, s.Grid, s.Low)
		}
	}
}

func TestExamineRefuses(t *testing.T) {
	good := cloud(rand.New(rand.NewPCG(5, 5)), 5, 0, 1, 0.1)
	with := func(p Point) []Point { return append(slices.Clone(good), p) }
	fine := StudyOptions{Images: 100}
	for _, c := range []struct {
		name   string
		points []Point
		o      StudyOptions
		want   string
	}{
		{"accuracy above 1", with(Point{ID: "m", Accuracy: 1.1}), fine, "m has accuracy 1.1"},
		{"accuracy below 0", with(Point{ID: "m", Accuracy: -0.1}), fine, "m has accuracy -0.1"},
		{"in percent", with(Point{ID: "m", Accuracy: 93}), StudyOptions{Unscaled: true}, "between 0 and 1"},
		{"infinite score", with(Point{ID: "m", Score: math.Inf(-1)}), fine, "m has an infinite score"},
		{"no images", good, StudyOptions{}, "needs the number of images"},
		{"eps", good, StudyOptions{Eps: 0.7}, "cannot be clipped at 0.7"},
		{"eps is no number", good, StudyOptions{Eps: math.NaN()}, "cannot be clipped at NaN"},
		{"negative eps", good, StudyOptions{Eps: -0.1}, "cannot be clipped at -0.1"},
		{"resample", good, StudyOptions{Images: 100, Given: [][]int{{0, 1}, {0, 5}}}, "resample 1 names point 5 of 5"},
		{"grid", good, StudyOptions{Images: 100, Grid: []float64{0, math.Inf(1)}}, "not a finite number"},
	} {
		testdata.Refused(t, c.name, testdata.Err(Examine(t.Context(), c.points, c.o)), c.want)
		testdata.Refused(t, fmt.Sprintf("prediction, %s", c.name),
			testdata.Err(Predict(t.Context(), c.points, c.o, progress.None{})), c.want)
	}
}

func TestLogitAndExpit(t *testing.T) {
	for accuracy, want := range map[float64]float64{
		0.5: 0, 0.9: math.Log(9), 0: math.Log(0.01 / 0.99), 1: math.Log(99), 0.25: -math.Log(3),
	} {
		testdata.Near(t, fmt.Sprintf("logit of %v", accuracy), Logit(accuracy, 0.01), want, 1e-12)
	}
	for _, y := range []float64{-30, -1, 0, 0.3, 7} {
		testdata.Near(t, "there and back", Logit(Expit(y), 1e-15), y, 1e-5)
	}
	if Expit(math.Inf(-1)) != 0 || Expit(math.Inf(1)) != 1 || Expit(-1000) != 0 {
		t.Error("far ends")
	}
}

func BenchmarkStudy150(b *testing.B) {
	points := cloud(rand.New(rand.NewPCG(1, 1)), 150, -3, 7, 0.5)
	for b.Loop() {
		examined(b, points, StudyOptions{Images: 10000, Resamples: 1000, Seed: 1})
	}
}
