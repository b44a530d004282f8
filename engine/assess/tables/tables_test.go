package tables

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// madeUp is a repository whose columns of interpolant I2 tell the classes apart, while those of I1
// are noise.
func madeUp(models int, seed uint64) assess.Data {
	layout := feature.DefaultBackgroundLayout()
	layout.Modalities, layout.Background.Interpolants = []string{"max@CONF"}, []string{"I1", "I2"}
	d := assess.Data{Layout: layout, Names: layout.Names(), Classes: label.Values(3)}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range models {
		class := i % 3
		r := assess.Row{ID: fmt.Sprint("m", i), Label: d.Classes[class], Accuracy: 0.9 + 0.05*random.Float64()}
		for _, name := range d.Names {
			v := random.NormFloat64()
			if strings.Contains(name, ".I2.") {
				v += 4 * float64(class)
			}
			r.X = append(r.X, v)
		}
		r.Scores.CorrectProduct = min(1, max(0, 0.7-0.3*float64(class)+0.12*random.NormFloat64()))
		d.Rows = append(d.Rows, r)
	}
	return d
}

func algorithms(workers int) []assess.Settings {
	layout := feature.DefaultBackgroundLayout()
	list := []assess.Settings{
		assess.Usual(assess.Baseline, layout, 3), assess.Usual(assess.RandomForest, layout, 3),
		assess.Usual(assess.AdaBoost, layout, 3), assess.Usual(assess.Regression, layout, 3),
	}
	for k := range list {
		list[k].Workers = workers
		list[k].Trees = 15
	}
	return list
}

func table(t *testing.T, d assess.Data, list []assess.Settings, scheme assess.Scheme) []Automation {
	t.Helper()
	return testdata.Must(Table3(context.Background(), d, list, scheme, nil))(t)
}

func scheme(repetitions int) assess.Scheme {
	s := assess.UsualScheme(feature.DefaultBackgroundLayout(), 5)
	s.Repetitions = repetitions
	return s
}

// TestTable3 computes every line again: train on two folds of the line's own columns, judge the
// third, count.
func TestTable3(t *testing.T) {
	d := madeUp(31, 2)
	lines := table(t, d, algorithms(0), scheme(4))
	var order []string
	for _, l := range lines {
		order = append(order, l.Interpolant+" "+string(l.Settings.Algorithm))
		if l.Problem != nil {
			t.Fatalf("%s: %v", l.Settings.Algorithm, l.Problem)
		}
		part := d
		if l.Interpolant != "" {
			part = columnsWith(d, "."+l.Interpolant+".")
		}
		e := testdata.Must(assess.Evaluate(context.Background(), part, l.Settings, scheme(4), false, nil))(t)
		mean := 0.0
		for r := range 4 {
			var verdicts, truths []int
			for _, p := range e.Predictions {
				if p.Repetition == r {
					verdicts, truths = append(verdicts, p.Class), append(truths, p.Truth)
				}
			}
			if len(verdicts) != len(d.Rows) {
				t.Fatalf("%d verdicts of %d models in a repetition", len(verdicts), len(d.Rows))
			}
			both := agreement.Measure([][]int{verdicts, truths}, 3, []string{"a", "b"}, agreement.Options{})
			what := l.Interpolant + " " + string(l.Settings.Algorithm)
			testdata.Is(t, what, l.Kappa.Repetitions[r], both.Cohen[0].Kappa.Value)
			mean += l.Kappa.Repetitions[r].Value / 4
		}
		if math.Abs(l.Kappa.Mean-mean) > 1e-12 || l.Accuracy.Mean != e.Accuracy ||
			l.Accuracy.Largest != e.LargestDeviation ||
			math.Abs(l.Accuracy.SD-e.SD) > 1e-15 || l.Kappa.N != 4 {
			t.Errorf("%s %s: %+v, %+v, want %v ± %v (%v)", l.Interpolant, l.Settings.Algorithm, l.Accuracy, l.Kappa,
				e.Accuracy, e.LargestDeviation, e.SD)
		}
	}
	want := "I1 forest, I1 adaboost, I1 linear, I2 forest, I2 adaboost, I2 linear,  baseline"
	testdata.Is(t, "lines", strings.Join(order, ", "), want)
	if lines[0].Accuracy.Mean > 0.7 || lines[3].Accuracy.Mean < 0.9 || lines[3].Kappa.Mean < 0.85 {
		t.Errorf("noise is judged with %v, what tells the classes apart with %v",
			lines[0].Accuracy.Mean, lines[3].Accuracy.Mean)
	}
	testdata.Is(t, "AdaBoost is by", lines[1].Settings.Boosting, tree.SAMME)
}

// columnsWith keeps the columns whose names have a text.
func columnsWith(d assess.Data, text string) assess.Data {
	part := d
	part.Names, part.Rows = nil, slices.Clone(d.Rows)
	for i := range part.Rows {
		part.Rows[i].X = nil
	}
	for c, name := range d.Names {
		if strings.Contains(name, text) {
			part.Names = append(part.Names, name)
			for i := range part.Rows {
				part.Rows[i].X = append(part.Rows[i].X, d.Rows[i].X[c])
			}
		}
	}
	return part
}

// The baseline fitted on all models: every pair of midpoints, the first of the best.
func TestTheBaselinesFit(t *testing.T) {
	d := madeUp(25, 9)
	lines := table(t, d, algorithms(0)[:1], scheme(2))
	values := []float64{math.Inf(-1), math.Inf(1)}
	for i, a := range d.Rows {
		for _, b := range d.Rows[:i] {
			values = append(values, a.Scores.CorrectProduct/2+b.Scores.CorrectProduct/2)
		}
	}
	slices.Sort(values)
	most := 0
	judge := func(low, high float64) (right int) {
		for i, r := range d.Rows {
			class := 0
			if r.Scores.CorrectProduct < high {
				class = 1
			}
			if r.Scores.CorrectProduct < low {
				class = 2
			}
			if class == i%3 {
				right++
			}
		}
		return right
	}
	for k, low := range values {
		for _, high := range values[k:] {
			most = max(most, judge(low, high))
		}
	}
	fit := lines[0].Fit
	if fit == nil || fit.Accuracy != float64(most)/25 || len(fit.Thresholds) != 2 ||
		judge(fit.Thresholds[0], fit.Thresholds[1]) != most {
		t.Errorf("%+v, want %d of 25 right", fit, most)
	}
	if !fit.Kappa.Defined() || fit.Kappa.Value <= 0 || fit.Kappa.Value > 1 {
		t.Errorf("kappa %+v", fit.Kappa)
	}
}

func TestTable3IsTheSameForAnyWorkers(t *testing.T) {
	d := madeUp(24, 4)
	show := func(workers int) string {
		lines := table(t, d, algorithms(workers), scheme(2))
		for k := range lines {
			lines[k].Settings.Workers, lines[k].Evaluation.Settings.Workers = 0, 0
			for _, folds := range lines[k].Evaluation.Folds {
				for f := range folds {
					folds[f].Chosen.Workers = 0
				}
			}
			if lines[k].Fit != nil {
				lines[k].Evaluation.Note += fmt.Sprintf("%+v", *lines[k].Fit)
				lines[k].Fit = nil
			}
		}
		return fmt.Sprintf("%+v", lines)
	}
	one := show(1)
	for _, workers := range []int{2, 7} {
		testdata.Is(t, fmt.Sprintf("%d workers give another table", workers), show(workers), one)
	}
}

// A class that is so rare that a fold trains without it is no obstacle; one class only is, with its
// reason.
func TestTable3WithRareClasses(t *testing.T) {
	d := madeUp(21, 6)
	for i := range d.Rows {
		d.Rows[i].Label = label.Variant
		if i%2 == 0 {
			d.Rows[i].Label = label.Invariant
		}
	}
	d.Rows[4].Label = label.Borderline
	for _, l := range table(t, d, algorithms(0), scheme(3)) {
		if l.Problem != nil || l.Accuracy.N != 3 || !(l.Accuracy.Mean > 0) {
			t.Errorf("%s %s: %v, %+v", l.Interpolant, l.Settings.Algorithm, l.Problem, l.Accuracy)
		}
	}
	for i := range d.Rows {
		d.Rows[i].Label = label.Variant
	}
	for _, l := range table(t, d, algorithms(0), scheme(3)) {
		if l.Problem == nil || !strings.Contains(l.Problem.Error(), "all labels are variant") || l.Kappa.N != 0 {
			t.Errorf("%s: %v", l.Settings.Algorithm, l.Problem)
		}
	}
}

func TestTable3Refuses(t *testing.T) {
	d := madeUp(12, 1)
	d.Layout = feature.DefaultLayout()
	testdata.Refused(t, "variance matrices",
		testdata.Err(Table3(context.Background(), d, algorithms(0), scheme(2), nil)),
		"these are the variance matrices [max@CONF")
	d = madeUp(12, 1)
	d.Layout.Background.Interpolants = append(d.Layout.Background.Interpolants, "I3")
	testdata.Refused(t, "a missing interpolant",
		testdata.Err(Table3(context.Background(), d, algorithms(0), scheme(2), nil)), "no column max@CONF.I3.mean")
	d = madeUp(12, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	testdata.ErrorIs(t, "a cancelled context",
		testdata.Err(Table3(ctx, d, algorithms(0), scheme(2), nil)), context.Canceled)
	d.Rows[3].X[0] = math.NaN()
	for _, l := range table(t, d, algorithms(0), scheme(2)) {
		if l.Interpolant == "I1" && (l.Problem == nil ||
			!strings.Contains(l.Problem.Error(), "model m3: feature max@CONF.I1.mean is NaN")) {
			t.Errorf("NaN: %v", l.Problem)
		}
		if l.Interpolant == "I2" && l.Problem != nil {
			t.Errorf("the other interpolant: %v", l.Problem)
		}
	}
}
