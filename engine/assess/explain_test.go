package assess

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// explainables are the settings whose assessors have columns.
func explainables() map[string]Settings {
	list := map[string]Settings{}
	for name, s := range every() {
		if s.Algorithm != Baseline {
			s.Trees, s.Rounds = 20, 12
			list[name] = s
		}
	}
	return list
}

func TestExplainSumsToTheOutput(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := madeUp(60, 9, classes, 3)
		for name, s := range explainables() {
			a := trained(t, d, s)
			for i, r := range d.Rows {
				for class := range classes {
					e := testdata.Must(a.Explain(r.X, class))(t)
					checkExplanation(t, fmt.Sprintf("%s, %d classes, row %d, class %d", name, classes, i, class), a, d,
						r, class, e)
				}
			}
		}
	}
}

func checkExplanation(t *testing.T, where string, a *Assessor, d Data, r Row, class int, e Explanation) {
	t.Helper()
	v := testdata.Must(a.Judge(r))(t)
	output, unit := 0.0, ""
	switch {
	case a.Tree != nil, a.Forest != nil:
		output, unit = v.Probability[class], "share of trees' leaves"
	case a.Boost != nil:
		output, unit = a.Boost.Decision(r.X)[class], "decision value"
	default:
		output, unit, class = v.Score, "regression value", len(d.Classes)-1
	}
	sum := e.Base
	for c, p := range e.Parts {
		sum += p.Phi
		if p.Name != d.Names[c] || p.Value != r.X[c] {
			t.Fatalf("%s: part %d is %+v", where, c, p)
		}
	}
	if math.Abs(sum-e.Output) > 1e-10 || e.Output != output {
		t.Fatalf("%s: base and parts sum to %v, output %v, judged %v", where, sum, e.Output, output)
	}
	if e.Unit != unit || e.Class != d.Classes[class] || len(e.Parts) != len(d.Names) {
		t.Fatalf("%s: %d parts of %s, %s", where, len(e.Parts), e.Unit, e.Class)
	}
}

// TestExplainIsShapley compares with the sum over all orders in which columns can become known, on
// four columns. A column of the regression that is not known stands at its centre; the trees'
// expectation is checked in engine/tree.
func TestExplainIsShapley(t *testing.T) {
	d := madeUp(30, 4, 2, 5)
	a := trained(t, d, Settings{Algorithm: Regression, ZScores: true})
	x := d.Rows[7].X
	e := testdata.Must(a.Explain(x, 1))(t)
	phi := make([]float64, 4)
	orders := 0.0
	var visit func(order []int)
	visit = func(order []int) {
		if len(order) < 4 {
			for c := range 4 {
				if !slices.Contains(order, c) {
					visit(append(slices.Clone(order), c))
				}
			}
			return
		}
		orders++
		at := slices.Clone(a.Linear.Mean) // where the z-scores are their centre, 0
		before := a.Linear.Value(at)
		for _, c := range order {
			at[c] = x[c]
			after := a.Linear.Value(at)
			phi[c] += after - before
			before = after
		}
	}
	visit(nil)
	for c, p := range e.Parts {
		testdata.Near(t, fmt.Sprintf("column %d", c), p.Phi, phi[c]/orders, 1e-10)
	}
	testdata.Near(t, "base", e.Base, a.Linear.Value(a.Linear.Mean), 1e-10)
}

// TestExplainByHand is a tree with one split: the base is the share of all, the column gets the
// rest.
func TestExplainByHand(t *testing.T) {
	stump := &tree.Tree{
		Classes: 2, Left: []int{1, -1, -1}, Right: []int{2, -1, -1}, Feature: []int{1, -1, -1},
		Threshold: []float64{0.5, 0, 0}, Impurity: []float64{0.5, 0.375, 0}, Cover: []float64{6, 4, 2},
		Counts: [][]float64{{3, 3}, {3, 1}, {0, 2}},
	}
	a := &Assessor{Names: []string{"max@CONF.svm", "max@CONF.asymm"}, Classes: label.Values(2), Tree: stump}
	e := testdata.Must(a.Explain([]float64{7, 1}, 1))(t)
	want := Explanation{
		Class: label.Variant, Unit: "share of trees' leaves", Base: 0.5, Output: 1,
		Parts: []Part{{"max@CONF.svm", 7, 0}, {"max@CONF.asymm", 1, 0.5}},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, e))
	testdata.NoDiff(t, "difference", cmp.Diff(want.Parts[1:], e.Strongest(3)))
}

func TestExplainRefusals(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	linear := trained(t, d, Settings{Algorithm: Regression, ZScores: true})
	huge := []float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}
	for _, c := range []struct {
		a     *Assessor
		x     []float64
		class int
		parts []string
	}{
		{trained(t, d, Settings{Algorithm: Baseline}), d.Rows[0].X, 1, []string{"baseline", "no columns"}},
		{a, d.Rows[0].X, 2, []string{"class 2", "0..1"}},
		{a, d.Rows[0].X, -1, []string{"class -1"}},
		{a, d.Rows[0].X[:2], 1, []string{"2 features, not 3"}},
		{a, []float64{0, math.NaN(), 0}, 1, []string{"max@CONF.f1", "NaN"}},
		{&Assessor{Names: d.Names, Classes: d.Classes}, d.Rows[0].X, 1, []string{"learned nothing"}},
		{linear, huge, 1, []string{"too large"}},
	} {
		_, err := c.a.Explain(c.x, c.class)
		says(t, err, c.parts...)
	}
}

func TestStrongest(t *testing.T) {
	e := Explanation{Parts: []Part{{"a", 0, 0.1}, {"b", 0, -0.3}, {"c", 0, 0}, {"d", 0, 0.3}, {"e", 0, -0.2}}}
	for k, want := range map[int]string{-1: "", 0: "", 1: "b", 2: "bd", 3: "bde", 4: "bdea", 9: "bdea"} {
		got := ""
		for _, p := range e.Strongest(k) {
			got += p.Name
		}
		testdata.Is(t, fmt.Sprintf("strongest %d", k), got, want)
	}
	testdata.Is(t, "the explanation was sorted itself", e.Parts[0].Name, "a")
}

func TestByModality(t *testing.T) {
	e := Explanation{Parts: []Part{
		{"max@CONF.svm", 3, 0.1},
		{"mean@CONV-1.asymm", 4, -0.3},
		{"accuracy", 5, 0.15},
		{"CONF.max.hg_mean", 1, 0.1},
		{"mean@CONV-1.dctny", 1, 0.2},
		{"max@CONF.unheard", 1, 0.05},
	}}
	want := []string{"max@CONF 0.20", "accuracy 0.15", "mean@CONV-1 -0.10", "max@CONF.unheard 0.05"}
	var got []string
	for _, p := range e.ByModality() {
		got = append(got, fmt.Sprintf("%s %.2f", p.Name, p.Phi))
		testdata.Is(t, fmt.Sprintf("%s has value", p.Name), p.Value, 0)
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, got))
}

func TestSummarise(t *testing.T) {
	d := madeUp(30, 5, 3, 2)
	d.Rows[4].Label = "" // explained all the same
	rows := []int{4, 0, 21, 13}
	for name, s := range explainables() {
		a := trained(t, d, s)
		var progress testdata.Progress
		got := testdata.Must(Summarise(context.Background(), a, d, rows, 1, &progress))(t)
		mean := make([]float64, 5)
		for k, i := range rows {
			e := testdata.Must(a.Explain(d.Rows[i].X, 1))(t)
			for c, p := range e.Parts {
				mean[c] += math.Abs(p.Phi) / 4
				if got.Phi[k][c] != p.Phi || got.X[k][c] != p.Value {
					t.Errorf("%s: row %d, column %d: %v of %v, want %+v", name, i, c, got.Phi[k][c], got.X[k][c], p)
				}
			}
			if e.Class != got.Class || e.Unit != got.Unit {
				t.Errorf("%s: summary of %s, %s", name, got.Class, got.Unit)
			}
		}
		if !reflect.DeepEqual(got.Mean, mean) || !slices.Equal(got.Rows, rows) || !slices.Equal(got.Names, d.Names) {
			t.Errorf("%s: means %v of rows %v, want %v", name, got.Mean, got.Rows, mean)
		}
		if total, done := progress.Total.Load(), progress.Done.Load(); total != 4 || done != 4 {
			t.Errorf("%s: progress %d of %d", name, done, total)
		}
	}
}

func TestSummariseRefusals(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	other := d
	other.Names = []string{"x", "y", "z"}
	for _, c := range []struct {
		d     Data
		rows  []int
		class int
		parts []string
	}{
		{d, nil, 1, []string{"no models"}},
		{d, []int{30}, 1, []string{"row 30", "30 models"}},
		{d, []int{-1}, 1, []string{"row -1"}},
		{d, []int{1}, 2, []string{"class 2"}},
		{other, []int{1}, 1, []string{"other features"}},
		{changed(d, 1, func(r *Row) { r.X[2] = math.Inf(1) }), []int{0, 1}, 1, []string{"m1", "max@CONF.f2"}},
		{changed(d, 1, func(r *Row) { r.X = r.X[:1] }), []int{0, 1}, 1, []string{"m1", "1 features, not 3"}},
	} {
		_, err := Summarise(context.Background(), a, c.d, c.rows, c.class, nil)
		says(t, err, c.parts...)
	}
	_, err := Summarise(context.Background(), trained(t, d, Settings{Algorithm: Baseline}), d, []int{1}, 1, nil)
	says(t, err, "baseline")
}

func TestExplanationsAreTheSameForAnyWorkers(t *testing.T) {
	d := madeUp(60, 6, 2, 4)
	a := trained(t, d, Settings{Algorithm: RandomForest, Trees: 15})
	measure := func(processors int) (Summary, []Permuted) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		s := testdata.Must(Summarise(context.Background(), a, d, d.Labelled(), 1, nil))(t)
		p := testdata.Must(Permute(context.Background(), a, d, d.Labelled(), 4, 7, nil))(t)
		return s, p
	}
	summary, permuted := measure(1)
	for _, processors := range []int{2, 5} {
		s, p := measure(processors)
		if !reflect.DeepEqual(s, summary) || !reflect.DeepEqual(p, permuted) {
			t.Errorf("%d processors explain otherwise than one", processors)
		}
	}
}

func TestExplanationsStop(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	testdata.ErrorIs(t, "summary after the end",
		testdata.Err(Summarise(ctx, a, d, d.Labelled(), 1, nil)), context.Canceled)
	testdata.ErrorIs(t, "shuffles after the end",
		testdata.Err(Permute(ctx, a, d, d.Labelled(), 3, 1, nil)), context.Canceled)
}

func BenchmarkSummariseForest(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	a := trained(b, d, Settings{Algorithm: RandomForest, Seed: 1})
	for b.Loop() {
		testdata.Must(Summarise(context.Background(), a, d, d.Labelled(), 1, nil))(b)
	}
}
