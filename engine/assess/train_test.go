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
	if a.Threshold != nil {
		if v.Probability != nil || !math.IsNaN(v.Variant()) {
			t.Errorf("%s: the baseline has probabilities %v", name, v.Probability)
		}
		return
	}
	sum := 0.0
	for _, p := range v.Probability {
		sum += p
	}
	if len(v.Probability) != len(a.Classes) || math.Abs(sum-1) > 1e-12 {
		t.Errorf("%s: probabilities %v", name, v.Probability)
	}
	if own := v.Probability[v.Class]; own < slices.Max(v.Probability)-1e-12 {
		t.Errorf("%s: says %s with probabilities %v", name, v.Label, v.Probability)
	}
	testdata.Is(t, fmt.Sprintf("%s: probability of variant", name), v.Variant(), v.Probability[len(a.Classes)-1])
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

func TestTheSeedMakesTheForest(t *testing.T) {
	d := madeUp(60, 6, 2, 4)
	one, other := Settings{Algorithm: RandomForest, Trees: 5, Seed: 1},
		Settings{Algorithm: RandomForest, Trees: 5, Seed: 2}
	if text(t, trained(t, d, one).Forest) == text(t, trained(t, d, other).Forest) {
		t.Error("two seeds grow the same forest")
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
				var list []Verdict
				for _, r := range d.Rows {
					v, err := a.Judge(r)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					list = append(list, v)
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
	for _, c := range []struct {
		name     string
		data     Data
		rows     []int
		settings Settings
		parts    []string
	}{
		{"one class", d, invariant, Settings{Algorithm: DecisionTree}, []string{"all labels are invariant"}},
		{"no rows", d, nil, Settings{Algorithm: Baseline}, []string{"no labelled models"}},
		{"row out of range", d, []int{0, 12}, Settings{Algorithm: DecisionTree}, []string{"row 12", "12 models"}},
		{"negative row", d, []int{-1}, Settings{Algorithm: DecisionTree}, []string{"row -1"}},
		{
			"NaN", changed(d, 2, func(r *Row) { r.X[1] = math.NaN() }), nil,
			Settings{Algorithm: RandomForest},
			[]string{"m2", "max@CONF.f1", "NaN"},
		},
		{
			"width", changed(d, 2, func(r *Row) { r.X = r.X[:1] }), nil,
			Settings{Algorithm: Regression},
			[]string{"m2", "1 features, not 3"},
		},
		{
			"unlabelled", changed(d, 2, func(r *Row) { r.Label = "" }),
			[]int{0, 1, 2},
			Settings{Algorithm: AdaBoost},
			[]string{"m2", "no label"},
		},
		{"no columns", narrow, nil, Settings{Algorithm: DecisionTree}, []string{"m0", "3 features, not 0"}},
		{"no score", scoreless, nil, Settings{Algorithm: Baseline}, []string{"m3", "consistency_product"}},
		{
			"not that score", changed(d, 3, func(r *Row) { r.Scores.CorrectMean = math.NaN() }), nil,
			Settings{Algorithm: Baseline, Score: CorrectMean},
			[]string{"m3", "correct_mean"},
		},
		{
			"too many columns", d, nil,
			Settings{Algorithm: RandomForest, Columns: 4},
			[]string{"4 columns", "3 features"},
		},
		{"algorithm", d, nil, Settings{Algorithm: "svm"}, []string{`"svm"`, "tree, forest"}},
		{"depth", d, nil, Settings{Algorithm: DecisionTree, MaxDepth: -1}, []string{"depth is -1"}},
		{"rate", d, nil, Settings{Algorithm: AdaBoost, LearningRate: math.NaN()}, []string{"learning rate is NaN"}},
		{"boosting", d, nil, Settings{Algorithm: AdaBoost, Boosting: "gentle"}, []string{`"gentle"`, "SAMME.R"}},
		{"score", d, nil, Settings{Algorithm: Baseline, Score: "accuracy"}, []string{`"accuracy"`, "correct_product"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := c.rows
			if rows == nil && c.name != "no rows" {
				rows = c.data.Labelled()
			}
			_, err := Train(context.Background(), c.data, rows, c.settings)
			says(t, err, c.parts...)
		})
	}
}

func TestTrainingNeedsFeaturesUnlessItIsTheBaseline(t *testing.T) {
	d := madeUp(12, 0, 2, 1)
	trained(t, d, Settings{Algorithm: Baseline})
	_, err := Train(context.Background(), d, d.Labelled(), Settings{Algorithm: DecisionTree})
	says(t, err, "no features", "tree")
}

func TestTrainingLooksAtItsRowsAlone(t *testing.T) {
	d := changed(madeUp(12, 3, 2, 1), 11, func(r *Row) { r.X[0] = math.NaN() })
	if _, err := Train(context.Background(), d, []int{0, 1, 2, 3}, Settings{Algorithm: DecisionTree}); err != nil {
		t.Errorf("a bad row that is not trained on stops the training: %v", err)
	}
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
	for name, s := range every() {
		a := trained(t, d, s)
		bare := Row{ID: "bare", Scores: Scores{math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
		wide := changed(d, 0, func(r *Row) { r.X = append(r.X, 1) }).Rows[0]
		hole := changed(d, 0, func(r *Row) { r.X[2] = math.NaN() }).Rows[0]
		if s.Algorithm == Baseline {
			_, err := a.Judge(bare)
			says(t, err, "bare", string(a.Threshold.Score))
			if _, err := a.Judge(hole); err != nil {
				t.Errorf("%s: the baseline looks at features: %v", name, err)
			}
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
