package assess

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func evaluated(t testing.TB, d Data, s Settings, scheme Scheme, tune bool) Evaluation {
	t.Helper()
	e := testdata.Must(Evaluate(context.Background(), d, s, scheme, tune, nil))(t)
	return e
}

// printed shows every bit of an evaluation but the number of workers.
func printed(e Evaluation) string {
	e.Settings.Workers = 0
	for _, folds := range e.Folds {
		for k := range folds {
			folds[k].Chosen.Workers = 0
		}
	}
	return fmt.Sprintf("%+v", e)
}

func TestEvaluationFollowsTheProtocol(t *testing.T) {
	d := madeUp(45, 4, 3, 2)
	for name, s := range every() {
		scheme := Scheme{Kind: PaperScheme, Seed: 5, Repetitions: 4}
		e := evaluated(t, d, s, scheme, false)
		cut, _, err := d.Folds(scheme)
		if err != nil {
			t.Fatal(err)
		}
		var means []float64
		var list []Prediction
		for r, folds := range cut {
			sum := 0.0
			for f, fold := range folds {
				tests, accuracy := slowFold(t, d, s, fold, r, f)
				list = append(list, tests...)
				sum += accuracy
				if got := e.Folds[r][f]; got.Name != fold.Name || got.Tests != len(fold.Test) ||
					got.Accuracy != accuracy {
					t.Errorf("%s: fold %+v, want %s with accuracy %v", name, got, fold.Name, accuracy)
				}
			}
			means = append(means, sum/3)
		}
		if !reflect.DeepEqual(e.Predictions, list) || e.Metrics.N != len(list) {
			t.Errorf("%s: predictions differ from those of the folds one by one", name)
		}
		testdata.Equal(t, fmt.Sprintf("%s: repetitions", name), e.Repetitions, means)
	}
}

// slowFold trains and tests one fold by itself.
func slowFold(t *testing.T, d Data, s Settings, fold Fold, r, f int) (list []Prediction, accuracy float64) {
	t.Helper()
	s.Seed = derived(s.Seed, r, f)
	a := testdata.Must(Train(context.Background(), d, fold.Train, s))(t)
	right := 0
	for _, i := range fold.Test {
		truth, _ := d.Rows[i].Label.Index(len(d.Classes))
		v := judged(t, a, d.Rows[i:i+1])[0]
		if v.Label == d.Rows[i].Label {
			right++
		}
		list = append(list, Prediction{Repetition: r, Fold: f, Row: i, Truth: truth, Verdict: v})
	}
	return list, float64(right) / float64(len(fold.Test))
}

func TestWorkersDoNotChangeAnEvaluation(t *testing.T) {
	d := madeUp(36, 4, 2, 6)
	for name, s := range every() {
		for _, tune := range []bool{false, true} {
			scheme := Scheme{Kind: KFold, Repetitions: 2}
			var p testdata.Progress
			s.Workers = 1
			one := testdata.Must(Evaluate(t.Context(), d, s, scheme, tune, &p))(t)
			trainings := 1 // of each fold; tuning adds three for each of its settings
			if tune {
				trainings += 3 * len(grid(one.Settings, d))
			}
			p.Whole(t, int64(6*trainings))
			s.Workers = 8
			if got := evaluated(t, d, s, scheme, tune); printed(got) != printed(one) {
				t.Errorf("%s, tuned %v: 1 and 8 workers differ", name, tune)
			}
		}
	}
}

func TestEvaluationSaysWhatItDid(t *testing.T) {
	d := madeUp(30, 3, 2, 6)
	for i := range d.Rows {
		d.Rows[i].Holdout = false
	}
	d = changed(d, 4, func(r *Row) { r.Scores.CorrectProduct = math.NaN() })
	e := evaluated(t, d, Settings{Algorithm: Baseline}, Scheme{Kind: PaperScheme}, false)
	if e.Scheme.Folds != 3 || e.Scheme.Repetitions != 10 || e.Note == "" || e.Tuned ||
		e.Settings.Score != ConsistencyProduct || e.Metrics.Calibration != nil || math.IsNaN(e.Metrics.AUC) {
		t.Errorf("scheme %+v, note %q, settings %+v, %+v", e.Scheme, e.Note, e.Settings, e.Metrics)
	}
	grouped := evaluated(t, d, Settings{Algorithm: DecisionTree}, Scheme{Kind: LeaveGroupOut}, false)
	if len(grouped.Folds) != 1 || len(grouped.Folds[0]) != 4 || grouped.SD != 0 || grouped.LargestDeviation != 0 {
		t.Errorf("by group: %d repetitions, deviations %v and %v",
			len(grouped.Folds), grouped.SD, grouped.LargestDeviation)
	}
}

func TestEvaluationLeavesUnlabelledModelsOut(t *testing.T) {
	d := changed(madeUp(30, 3, 2, 6), 7, func(r *Row) { r.Label, r.X = "", []float64{math.NaN()} })
	e := evaluated(t, d, Settings{Algorithm: DecisionTree}, Scheme{Kind: PaperScheme}, false)
	if slices.ContainsFunc(e.Predictions, func(p Prediction) bool { return p.Row == 7 }) {
		t.Error("a model without label was tested")
	}
}

func TestTuningChoosesWhatJudgesBestInside(t *testing.T) {
	d := madeUp(60, 5, 2, 3)
	for i := range d.Rows { // the four scores say nothing but one
		class, _ := d.Rows[i].Label.Index(2)
		noise := float64(i*37%60) / 60
		d.Rows[i].Scores = Scores{
			CorrectProduct: noise, CorrectMean: noise, ConsistencyProduct: noise, ConsistencyMean: 1 - float64(class),
		}
	}
	e := evaluated(t, d, Settings{Algorithm: Baseline}, Scheme{Kind: PaperScheme, Repetitions: 2}, true)
	for _, folds := range e.Folds {
		for _, f := range folds {
			if f.Chosen.Score != ConsistencyMean || f.Accuracy != 1 {
				t.Errorf("%s chose %s and is right in %v", f.Name, f.Chosen.Score, f.Accuracy)
			}
		}
	}
	plain := evaluated(t, d, Settings{Algorithm: Baseline}, Scheme{Kind: PaperScheme, Repetitions: 2}, false)
	if plain.Folds[0][0].Chosen.Score != CorrectProduct || plain.Accuracy >= e.Accuracy {
		t.Errorf("without tuning: %s, accuracy %v", plain.Folds[0][0].Chosen.Score, plain.Accuracy)
	}
}

func TestTuningKeepsTheGivenSettingsAmongEquals(t *testing.T) {
	d := madeUp(60, 2, 2, 3)
	for i := range d.Rows { // any tree and any regression parts these
		class, _ := d.Rows[i].Label.Index(2)
		d.Rows[i].X = []float64{float64(2*class-1) + float64(i%7)/100, 0}
	}
	for name, s := range every() {
		if s.Algorithm == Baseline || s.Algorithm == Regression && !s.ZScores {
			continue
		}
		e := evaluated(t, d, s, Scheme{Kind: PaperScheme, Repetitions: 1}, true)
		for _, f := range e.Folds[0] {
			testdata.Is(t, fmt.Sprintf("%s: chose", name), f.Chosen, s)
		}
	}
}

func TestGridsBeginWithTheGivenSettings(t *testing.T) {
	d := madeUp(30, 9, 2, 3)
	want := map[Algorithm]int{DecisionTree: 12, RandomForest: 4, AdaBoost: 6, Regression: 2, Baseline: 5}
	for _, a := range Algorithms() {
		list := grid(Settings{Algorithm: a}, d)
		if len(list) != want[a] || list[0] != (Settings{Algorithm: a}) {
			t.Errorf("%s: %d settings, the first %+v", a, len(list), list[0])
		}
		for k, s := range list {
			if err := s.Validate(); err != nil || slices.Contains(list[:k], s) {
				t.Errorf("%s: setting %+v: twice, or %v", a, s, err)
			}
		}
	}
	own := grid(Settings{Algorithm: DecisionTree, MaxDepth: 3, MinLeaf: 5}, d)
	testdata.Is(t, "settings that are in the grid already make", len(own), 6)
}

func TestEvaluationStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &testdata.Progress{Stop: cancel}
	d := madeUp(60, 4, 2, 3)
	_, err := Evaluate(ctx, d, Settings{Algorithm: RandomForest, Workers: 2}, Scheme{Kind: PaperScheme}, true, p)
	testdata.ErrorIs(t, "it", err, context.Canceled)
	if done := p.Done.Load(); done > 3 {
		t.Errorf("%d assessors were trained after the cancel", done)
	}
}

func TestEvaluationRefuses(t *testing.T) {
	d := madeUp(30, 3, 2, 3)
	ones, few := d, d
	ones.Rows = slices.Clone(d.Rows)
	for i := range ones.Rows {
		ones.Rows[i].Label = label.Variant
	}
	few.Rows = d.Rows[:2]
	tight := labelled(2, "invariant", "variant", "invariant", "variant")
	tight.Names = []string{"a"}
	for i := range tight.Rows {
		tight.Rows[i].X = []float64{float64(i)}
	}
	kfold, paper, tree := Scheme{Kind: KFold}, Scheme{Kind: PaperScheme}, Settings{Algorithm: DecisionTree}
	for _, c := range []struct {
		data     Data
		settings Settings
		scheme   Scheme
		want     string
	}{
		{ones, tree, paper, "all labels are variant"},
		{few, Settings{Algorithm: Baseline}, paper, "fewer than the 3 folds"},
		{changed(d, 9, func(r *Row) { r.X[2] = math.NaN() }), tree, kfold, "m9: feature max@CONF.f2"},
		{changed(d, 9, func(r *Row) { r.X = nil }), tree, kfold, "m9 has 0 features, not 3"},
		{
			changed(d, 9, func(r *Row) { r.Scores.CorrectMean = math.NaN() }),
			Settings{Algorithm: Baseline, Score: CorrectMean},
			kfold, "m9 has no correct_mean",
		},
		{d, Settings{}, kfold, "algorithm"},
		{d, tree, Scheme{}, "scheme"},
		{Data{Rows: d.Rows}, tree, kfold, "0 classes"},
	} {
		_, err := Evaluate(t.Context(), c.data, c.settings, c.scheme, false, nil)
		testdata.Refused(t, c.want, err, c.want)
	}
	_, err := Evaluate(t.Context(), tight, tree, Scheme{Kind: KFold, Folds: 2}, true, nil)
	says(t, err, "tune", "2 models")
}
