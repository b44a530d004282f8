package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// every is a setting for each algorithm and option that changes what is learned.
func every() map[string]Settings {
	return map[string]Settings{
		"tree":     {Algorithm: DecisionTree},
		"shallow":  {Algorithm: DecisionTree, MaxDepth: 2, MinLeaf: 3},
		"forest":   {Algorithm: RandomForest, Trees: 15, Seed: 7},
		"SAMME.R":  {Algorithm: AdaBoost, Rounds: 10},
		"SAMME":    {Algorithm: AdaBoost, Boosting: tree.SAMME, Rounds: 10, LearningRate: 0.5},
		"linear":   {Algorithm: Regression},
		"z-scores": {Algorithm: Regression, ZScores: true},
		"baseline": {Algorithm: Baseline},
		"mean":     {Algorithm: Baseline, Score: ConsistencyMean},
	}
}

func trained(t testing.TB, d Data, s Settings) *Assessor {
	t.Helper()
	a := testdata.Must(Train(context.Background(), d, d.Labelled(), s))(t)
	return a
}

func judged(t *testing.T, a *Assessor, rows []Row) []Verdict {
	t.Helper()
	list := make([]Verdict, len(rows))
	for k, r := range rows {
		v := testdata.Must(a.Judge(r))(t)
		list[k] = v
	}
	return list
}

func text(t testing.TB, v any) string {
	t.Helper()
	data := testdata.Must(json.Marshal(v))(t)
	return string(data)
}

func TestAssessorsLearnWhatTheyAreShown(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := madeUp(90, 6, classes, 3)
		for name, s := range every() {
			a := trained(t, d, s)
			testdata.OK(t, a.Validate())
			right := 0
			for _, r := range d.Rows {
				v := judged(t, a, []Row{r})[0]
				if v.Label == r.Label {
					right++
				}
				checkVerdict(t, name, a, v)
			}
			if share := float64(right) / float64(len(d.Rows)); share < 0.75 {
				t.Errorf("%s, %d classes: %v of its own training rows are right", name, classes, share)
			}
		}
	}
}

func checkVerdict(t *testing.T, name string, a *Assessor, v Verdict) {
	t.Helper()
	testdata.Is(t, fmt.Sprintf("%s: class %d is called", name, v.Class), v.Label, a.Classes[v.Class])
	sum, last := 0.0, math.NaN() // the baseline has no probabilities
	for _, p := range v.Probability {
		sum, last = sum+p, p
	}
	testdata.Near(t, name+": probability of variant", v.Variant(), last, 0)
	if a.Threshold == nil && (len(v.Probability) != len(a.Classes) || math.Abs(sum-1) > 1e-12 ||
		v.Probability[v.Class] < slices.Max(v.Probability)-1e-12) {
		t.Errorf("%s: says %s with probabilities %v", name, v.Label, v.Probability)
	}
}

func TestSavedAssessorsJudgeTheSame(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := madeUp(40, 5, classes, 9)
		for name, s := range every() {
			a := trained(t, d, s)
			var back Assessor
			testdata.OK(t, json.Unmarshal([]byte(text(t, a)), &back))
			testdata.OK(t, back.Validate())
			if got, want := text(t, judged(t, &back, d.Rows)), text(t, judged(t, a, d.Rows)); got != want {
				t.Errorf("%s: other verdicts after saving", name)
			}
		}
	}
}

func TestWorkersDoNotChangeAnAssessor(t *testing.T) {
	d := madeUp(60, 6, 2, 4)
	for name, s := range every() {
		s.Workers = 1
		one := trained(t, d, s)
		s.Workers = 8
		testdata.Is(t, fmt.Sprintf("%s: 1 and 8 workers learn different assessors", name),
			text(t, one), text(t, trained(t, d, s)))
		testdata.Is(t, fmt.Sprintf("%s: the assessor keeps the number of workers", name), one.Settings.Workers, 0)
	}
}

func TestOneAssessorServesManyGoroutines(t *testing.T) {
	d := madeUp(30, 4, 3, 2)
	for name, s := range every() {
		a := trained(t, d, s)
		want := text(t, judged(t, a, d.Rows))
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				list := make([]Verdict, len(d.Rows))
				for k, r := range d.Rows {
					list[k], _ = a.Judge(r)
				}
				if text(t, list) != want {
					t.Errorf("%s: other verdicts in a goroutine", name)
				}
			})
		}
		group.Wait()
	}
}

func TestTrainingRefuses(t *testing.T) {
	d := madeUp(12, 3, 2, 1)
	narrow := d
	narrow.Names = nil
	var invariant []int
	for i, r := range d.Rows {
		if r.Label == label.Invariant {
			invariant = append(invariant, i)
		}
	}
	scoreless := changed(d, 3, func(r *Row) {
		r.Scores = Scores{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	})
	hole := changed(d, 2, func(r *Row) { r.X[1] = math.NaN() })
	cut := changed(d, 2, func(r *Row) { r.X = r.X[:1] })
	noMean := changed(d, 3, func(r *Row) { r.Scores.CorrectMean = math.NaN() })
	all := d.Labelled()
	for _, c := range []struct {
		data     Data
		rows     []int
		settings Settings
		want     string
	}{
		{d, invariant, Settings{Algorithm: DecisionTree}, "all labels are invariant"},
		{d, nil, Settings{Algorithm: Baseline}, "no labelled models"},
		{d, []int{0, 12}, Settings{Algorithm: DecisionTree}, "row 12"},
		{d, []int{-1}, Settings{Algorithm: DecisionTree}, "row -1"},
		{hole, all, Settings{Algorithm: RandomForest}, "m2: feature max@CONF.f1 is NaN"},
		{cut, all, Settings{Algorithm: Regression}, "m2 has 1 features, not 3"},
		{changed(d, 2, func(r *Row) { r.Label = "" }), all, Settings{Algorithm: AdaBoost}, "m2 has no label"},
		{narrow, all, Settings{Algorithm: DecisionTree}, "m0 has 3 features, not 0"},
		{madeUp(12, 0, 2, 1), all, Settings{Algorithm: DecisionTree}, "no features"},
		{scoreless, all, Settings{Algorithm: Baseline}, "m3 has no consistency_product"},
		{noMean, all, Settings{Algorithm: Baseline, Score: CorrectMean}, "m3 has no correct_mean"},
		{d, all, Settings{Algorithm: RandomForest, Columns: 4}, "4 columns"},
		{d, all, Settings{Algorithm: "svm"}, `"svm"`},
		{d, all, Settings{Algorithm: DecisionTree, MaxDepth: -1}, "depth is -1"},
		{d, all, Settings{Algorithm: AdaBoost, LearningRate: math.NaN()}, "learning rate is NaN"},
		{d, all, Settings{Algorithm: AdaBoost, Boosting: "gentle"}, `"gentle"`},
		{d, all, Settings{Algorithm: Baseline, Score: "accuracy"}, `"accuracy"`},
	} {
		testdata.Refused(t, c.want, testdata.Err(Train(t.Context(), c.data, c.rows, c.settings)), c.want)
	}
	// Rows that are not trained on may be bad, and the baseline needs no features.
	testdata.OK(t, testdata.Err(Train(t.Context(), hole, []int{0, 1, 4, 5}, Settings{Algorithm: DecisionTree})))
	trained(t, madeUp(12, 0, 2, 1), Settings{Algorithm: Baseline})
}

func TestTrainingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := madeUp(12, 3, 2, 1)
	for name, s := range every() {
		testdata.ErrorIs(t, name, testdata.Err(Train(ctx, d, d.Labelled(), s)), context.Canceled)
	}
}

func TestTheBaselineReadsWhatAllRowsHave(t *testing.T) {
	d := madeUp(12, 3, 2, 1)
	testdata.Is(t, "with labels the baseline reads",
		trained(t, d, Settings{Algorithm: Baseline}).Threshold.Score, CorrectProduct)
	d = changed(d, 5, func(r *Row) { r.Scores.CorrectProduct = math.NaN() })
	testdata.Is(t, "with a row without labels the baseline reads",
		trained(t, d, Settings{Algorithm: Baseline}).Threshold.Score, ConsistencyProduct)
}

func TestJudgingRefuses(t *testing.T) {
	d := madeUp(12, 3, 2, 1)
	for _, s := range every() {
		a := trained(t, d, s)
		bare := Row{ID: "bare", Scores: Scores{math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
		wide := changed(d, 0, func(r *Row) { r.X = append(r.X, 1) }).Rows[0]
		hole := changed(d, 0, func(r *Row) { r.X[2] = math.NaN() }).Rows[0]
		if s.Algorithm == Baseline {
			_, err := a.Judge(bare)
			says(t, err, "bare", string(a.Threshold.Score))
			judged(t, a, []Row{hole}) // the baseline looks at no features
			continue
		}
		_, err := a.Judge(wide)
		says(t, err, "m0", "4 features, not 3")
		_, err = a.Judge(hole)
		says(t, err, "m0", "max@CONF.f2", "NaN")
	}
	_, err := (&Assessor{}).Judge(Row{ID: "x"})
	says(t, err, "learned nothing")
}

func TestRegressionRefusesToJudgeWhatCannotBeSummed(t *testing.T) {
	a := &Assessor{
		Settings: Settings{Algorithm: Regression}, Names: []string{"a", "b"}, Classes: label.Values(2),
		Linear: &Linear{
			ZScores: true, Coefficients: []float64{1, 1}, Mean: []float64{0, 0}, Std: []float64{1e-9, 1e-9},
			Centre: []float64{0, 0},
		},
	}
	for _, x := range [][]float64{{math.MaxFloat64, -math.MaxFloat64}, {math.MaxFloat64, 0}, {-math.MaxFloat64, 0}} {
		_, err := a.Judge(Row{ID: "huge", X: x})
		says(t, err, "huge", "too large")
	}
}

func TestTiesGoToTheLowerClass(t *testing.T) {
	for _, c := range []struct {
		output []float64
		bound  float64
		class  int
	}{
		{[]float64{0.5, 0.5}, 0.5, 0},
		{[]float64{0.49999999999999994, 0.5}, 0.5, 0},
		{[]float64{0.25, 0.75}, 0.5, 1},
		{[]float64{0, 0}, 0, 0},
		{[]float64{-0.25, 0.25}, 0, 1},
		{[]float64{0.25, 0.375, 0.375}, 0.5, 1},
		{[]float64{0.375, 0.25, 0.375}, 0.5, 0},
		{[]float64{-1, -2, -0.5}, 0, 2},
	} {
		testdata.Is(t, fmt.Sprintf("output %v is class", c.output), likeliest(c.output, c.bound), c.class)
	}
}

func TestErrorsNameTheAlgorithm(t *testing.T) {
	d := madeUp(8, 2, 2, 1)
	for k := range d.Rows {
		d = changed(d, k, func(r *Row) { r.X = []float64{1, 1} })
	}
	_, err := Train(context.Background(), d, d.Labelled(), Settings{Algorithm: AdaBoost, Boosting: tree.SAMME})
	if err == nil || !strings.HasPrefix(err.Error(), "train adaboost: ") {
		t.Errorf("boosting on equal rows: %v", err)
	}
}
