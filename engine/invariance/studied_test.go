package invariance

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

// studied are ten models on six suites: accuracy grows with EI, "wild" has no labels, the model m0
// is not above chance.
func studied() []Measured {
	random := rand.New(rand.NewPCG(1, 2))
	var rows []Measured
	for k := range 10 {
		m := model.Model{ID: "m" + string(rune('0'+k)), Hash: "hash m" + string(rune('0'+k))}
		if k > 1 {
			m.Record = []model.Field{{Name: "optimizer", Value: []string{"Adam", "SGD"}[k%2]}}
		}
		for j, suite := range []string{"pets", "fog 1", "fog 3", "fog 5", "noise 2", "wild"} {
			r := Measured{
				Model: m, Suite: "hash " + suite, SuiteName: suite, Family: "rot90", FamilyName: "rot90",
				Key: m.ID + suite,
			}
			if name, _, found := strings.Cut(suite, " "); found {
				r.Change = "corruption:" + map[string]string{"fog": "fog", "noise": "gaussian_noise"}[name] +
					":1;seed=1"
			}
			ei := 0.3 + 0.05*float64(k) - 0.04*float64(j) + 0.02*random.Float64()
			r.Result = Result{
				Images: 500, Labelled: 500, Accuracy: min(0.99, ei+0.3+0.1*random.Float64()),
				Mean: Values{ei, ei * ei, nan, nan, nan, nan, ei},
			}
			r.Chance = chance.Counts{Labelled: 500, Correct: 400, Classes: 10, Largest: 50, Top: 60, TopLabels: 50}
			if k == 0 {
				r.Chance.Correct = 30
			}
			if suite == "wild" {
				r.Labelled, r.Accuracy, r.Chance = 0, nan, chance.Counts{}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func studiesOf(t *testing.T, o Options) []*Studied {
	t.Helper()
	if o.Resamples == 0 {
		o.Resamples, o.Seed = 50, 1
	}
	testdata.OK(t, option.Check(&o))
	a, ok := o.Asked()
	if !ok {
		t.Fatalf("%+v asks for no study", o)
	}
	return testdata.Must(a.Studies(t.Context(), studied(), nil))(t)
}

func TestOptionsAreDeclaredWell(t *testing.T) {
	for _, o := range []any{&Options{}, &Choice{}} {
		testdata.OK(t, option.Verify(o))
	}
	for want, o := range map[string]Options{
		"--predict goes from suite to suite":                {Predict: true, Over: OverModels},
		"go with --study SCORE":                             {Column: "fold"},
		"--resamples takes a whole number from 1 to 100000": {Fit: Fit{Resamples: 100_001}},
	} {
		if o.Resamples == 0 {
			o.Resamples = 1
		}
		testdata.Refused(t, want, option.Check(&o), want)
	}
	var s Score
	if err := s.UnmarshalText([]byte("correct_product")); err != nil || s != ScoreRobustAccuracy {
		t.Errorf("%q, %v", s, err)
	}
}

func TestStudiesAreThoseOfExamine(t *testing.T) {
	list := studiesOf(t, Options{Study: []Score{ScoreEI}})
	if len(list) != 6 || list[0].Name() != "pets" || len(list[0].Points) != 10 {
		t.Fatalf("%d studies", len(list))
	}
	want, err := Examine(t.Context(), list[0].Points, StudyOptions{Images: 500, Resamples: 50, Seed: 1})
	if err != nil || want.Line != list[0].Line || !slices.Equal(want.Low, list[0].Low) ||
		want.Pearson != list[0].Pearson {
		t.Errorf("line %+v, want %+v, %v", list[0].Line, want.Line, err)
	}
	if list[5].Name() != "wild" || list[5].Why.Code != NoLabels {
		t.Errorf("%s has no line because %+v", list[5].Name(), list[5].Why)
	}
	choice := Choice{Scores: []Score{ScoreConsistent, ScoreEI}, Suite: "hash pets", Family: "rot90", Fit: list[0].Fit}
	window, err := choice.Studies(t.Context(), studied(), OverModels, false, nil)
	if err != nil || len(window) != 2 || window[1].Line != list[0].Line || len(window[1].Rows) != 10 {
		t.Errorf("in the window %d, %v", len(window), err)
	}
	if tests := TestsOf(list[:1]); tests[0].Value != list[0].Pearson.Value || tests[4].Points != "above_chance" ||
		!math.IsNaN(tests[4].Q) {
		t.Errorf("%+v", tests)
	}
}

// TestEachTestCountsOnce: ranks of accuracies are those of their logits, unless clipping makes
// ties.
func TestEachTestCountsOnce(t *testing.T) {
	var points []Point
	accuracies := []float64{0.9, 0.95, 0.992, 0.995, 0.999, 0.985, 0.97, 0.997}
	for k, score := range []float64{0.4, 0.5, 0.93, 0.9, 0.85, 0.8, 0.6, 0.88} {
		points = append(points, Point{Score: score, Accuracy: accuracies[k]})
	}
	list := []*Studied{{}, {}, {}} // with ties, without, and without logits
	for k, o := range []StudyOptions{{Images: 50}, {Images: 1000}, {Unscaled: true}} {
		list[k].Study = testdata.Must(Examine(t.Context(), points, o))(t)
	}
	tests := TestsOf(list)
	if tests[1].P == tests[3].P || tests[5].P != tests[7].P || tests[8].P != tests[10].P {
		t.Fatalf("%+v", tests)
	}
	var p []float64
	once := []int{0, 1, 2, 3, 4, 5, 6, 8, 9}
	for _, k := range once {
		p = append(p, tests[k].P)
	}
	for k, q := range stats.BenjaminiHochberg(p) {
		testdata.Is(t, "q", tests[once[k]].Q, q)
	}
	for k, first := range map[int]int{7: 5, 10: 8, 11: 9} {
		testdata.Is(t, "q of the same test", tests[k].Q, tests[first].Q)
	}
}

// A score after the other is studied on every suite, and a group is studied as its models alone
// are, with accuracies clipped as those of all.
func TestGroupsAndScoresAreStudiesOfTheirOwn(t *testing.T) {
	o := Options{Study: []Score{ScoreEI, ScoreConsistent, ScoreEI}, Column: "optimizer"}
	list := studiesOf(t, o)
	if len(list) != 12 || list[0].Score != ScoreEI || list[1].Score != ScoreConsistent || list[1].Name() != "pets" {
		t.Fatalf("%d studies, the second of %s on %s", len(list), list[1].Score, list[1].Name())
	}
	s := list[0]
	if len(s.Groups) != 2 || s.Groups[0].Group != "Adam" || s.Groups[1].Group != "SGD" {
		t.Fatalf("%d groups", len(s.Groups)) // two models have no optimizer, and no group
	}
	for k, g := range s.Groups {
		var points []Point
		for _, p := range s.Points {
			if p.Group == g.Group {
				points = append(points, p)
			}
		}
		want := examined(t, points, StudyOptions{Images: 500, Resamples: 50, Seed: 1})
		testdata.NoDiff(t, g.Group, cmp.Diff(want, g.Study))
		if k == 0 && (g.remark() != roughly || g.Eps != s.Eps || g.Pearson.N != 4) {
			t.Errorf("%q of %d models", g.remark(), g.Pearson.N)
		}
	}
	sheet := written(t, Studies, WithGroups(list[:2]))
	written(t, StudyPoints, PointsOf(list))
	written(t, StudyLines, LinesOf(list))
	written(t, Correlated, TestsOf(list))
	testdata.Is(t, "rows", sheet.Len(), 6)
	testdata.Is(t, "named", sheet.Fields[sheet.Field("of")].Say(2), "pets: SGD")
	testdata.Is(t, "correlations of a study with models at chance, and of two groups", len(TestsOf(list[:1])), 16)
	low, high := sheet.Fields[sheet.Field("slope")].Interval(0)
	if !(low < s.Line.Slope && s.Line.Slope < high) {
		t.Errorf("slope %v, interval %v..%v", s.Line.Slope, low, high)
	}
	o.Column = "fold"
	testdata.Is(t, "groups of a column that is not there", len(studiesOf(t, o)[0].Groups), 0)
	turned := Studied{
		Asked: Asked{Column: "c"}, Study: *withR(-0.5),
		Groups: []*Studied{{Group: "a", Study: *withR(0.5)}, {Group: "b"}},
	}
	turned.Groups[1].Pearson.Reason = stats.FewPairs
	testdata.Is(t, "signs", turned.byGroup(),
		"by c: a r 0.500 (n 9), b r - (n 0); with the other sign than over all: a")
}

func withR(r float64) *Study {
	return &Study{Correlations: Correlations{Pearson: stats.Correlation{Value: r, N: 9}}}
}

func TestForecastsListWhatIsPredictedFirst(t *testing.T) {
	forecast := func(heldBack ...string) *Studied {
		c := Choice{
			Scores: []Score{ScoreEI}, Model: "hash m4", Family: "rot90", Fit: Fit{Resamples: 50, Seed: 1},
			HeldBack: heldBack,
		}
		made := testdata.Must(c.Studies(t.Context(), studied(), OverSuites, true, nil))(t)
		testdata.Is(t, "predictions", len(made), 1)
		return made[0]
	}
	s := forecast("hash fog 3")
	var got []string
	for _, p := range PredictedOf([]*Studied{s}) {
		got = append(got, p.ID+" "+p.Role.Word())
	}
	testdata.Equal(t, "predicted", got, []string{
		"wild no labels", "fog 3 held back", "fog 1 in the fit", "fog 5 in the fit", "noise 2 in the fit",
		"pets in the fit",
	})
	sheet := written(t, Predictions, PredictedOf([]*Studied{s}))
	if f := sheet.Fields[sheet.Field("error")]; f.Say(0) != result.None || !strings.HasSuffix(f.Say(1), " pp") {
		t.Errorf("error %s and %s", f.Say(0), f.Say(1))
	}
	f := s.ForecastFigure()
	testdata.OK(t, f.Check())
	if len(f.Groups) != 3 || len(f.Points) != 7 || f.Points[6].Low >= f.Points[6].High {
		t.Errorf("%+v", f.Groups)
	}
	s = forecast("hash fog 3", "hash fog 1")
	p := PredictedOf([]*Studied{s})
	if s.Why.Code != FewLabelled || !strings.HasPrefix(s.Facts()[0], "no prediction: fewer than 4") || len(p) != 6 ||
		p[0].why().Code != FewLabelled {
		t.Errorf("%q, %+v", s.Facts(), p)
	}
}

func TestFigures(t *testing.T) {
	models, suites := studiesOf(t, Options{Study: []Score{ScoreEI}, Column: "optimizer"}),
		studiesOf(t, Options{Predict: true})
	for _, f := range []result.Figure{
		suites[0].Figure(), suites[3].ForecastFigure(), models[5].Figure(), models[0].Groups[0].Figure(),
	} {
		testdata.OK(t, f.Check())
	}
	written(t, Studies, WithGroups(suites))
	written(t, StudyLines, LinesOf(suites))
	f := models[0].Figure()
	testdata.OK(t, f.Check())
	if len(f.Points) != 10 || !f.Points[0].Crossed || f.Points[1].Crossed || !f.Y.Logit {
		t.Errorf("%+v", f)
	}
	var names []string
	for _, g := range f.Groups {
		names = append(names, g.Name)
	}
	testdata.Equal(t, "groups", names, []string{"no optimizer", "Adam", "SGD"})
	if len(f.Trends) != 3 || f.Trends[2].Group != "SGD" || f.Trends[2].Look != f.Groups[2].Look ||
		f.Groups[0].Look != result.LookNone {
		t.Errorf("%d lines", len(f.Trends))
	}
	testdata.Is(t, "without a label", models[5].Figure().Empty, "no model has both EI and accuracy")
	over := suites[3].Figure() // five suites and the predicted one
	if last := over.Points[len(over.Points)-1]; len(over.Points) != 6 || last.Name != "wild" ||
		!(last.Low < last.Y && last.Y < last.High) {
		t.Errorf("%+v", over.Points)
	}
	many := &Studied{Asked: Asked{Column: "fold"}}
	for k := range 20 {
		many.Points = append(many.Points, Point{Group: "g" + string(rune('a'+k))})
	}
	if groups, of := many.groups(); len(groups) != result.Categories || groups[15].Name != "others" || of[14] != 14 ||
		of[15] != 15 || of[19] != 15 {
		t.Errorf("%+v, %v", groups, of)
	}
}

func TestCoursesOverTransformations(t *testing.T) {
	m := example()[1] // without labels
	m.Rows[0].Accuracy, m.Rows[1].Accuracy = nan, nan
	f := Curves()[0].Figure(m)
	if err := f.Check(); err != nil || len(f.Lines) != 2 || f.Lines[1].Name != "consistent" ||
		!slices.Equal(f.X.Ticks, []float64{-1, 1}) || f.X.Name != "V: rotation" || f.X.Unit != "°" {
		t.Errorf("%+v, %v", f, err)
	}
	m.Rows[0].AccuracyDrop, m.Rows[1].AccuracyDrop = nan, nan
	if f := Curves()[4].Figure(m); f.Drawable() || f.Empty != "no values: accuracy drop" {
		t.Errorf("%+v", f)
	}
	turned := Step{&Measured{Family: "rot90"}, Row{Transformation: 2, V: nan}}
	testdata.Is(t, "half a turn stands at", turned.At(), 180)
}
