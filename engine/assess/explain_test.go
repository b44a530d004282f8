package assess

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestExplainIsShapley: a regression on z-scores is a sum of its columns, so that a column's part
// is what changes where it alone is not known and stands at its mean. Trees are checked in
// engine/tree.
func TestExplainIsShapley(t *testing.T) {
	d := madeUp(30, 4, 2, 5)
	a := trained(t, d, Settings{Algorithm: Regression, ZScores: true})
	x := d.Rows[7].X
	e := testdata.Must(a.Explain(x, 1))(t)
	for c, p := range e.Parts {
		without := slices.Clone(x)
		without[c] = a.Linear.Mean[c]
		testdata.Near(t, p.Name, p.Phi, a.Linear.Value(x)-a.Linear.Value(without), 1e-10)
	}
	testdata.Near(t, "base", e.Base, a.Linear.Value(a.Linear.Mean), 1e-10)
}

func TestExplainRefusals(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	linear := trained(t, d, Settings{Algorithm: Regression, ZScores: true})
	baseline := trained(t, d, Settings{Algorithm: Baseline})
	huge := []float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}
	for _, c := range []struct {
		a     *Assessor
		x     []float64
		class int
		want  string
	}{
		{baseline, d.Rows[0].X, 1, "baseline"},
		{a, d.Rows[0].X, 2, "class 2"},
		{a, d.Rows[0].X, -1, "class -1"},
		{a, d.Rows[0].X[:2], 1, "2 features, not 3"},
		{a, []float64{0, math.NaN(), 0}, 1, "max@CONF.f1 is NaN"},
		{&Assessor{Names: d.Names, Classes: d.Classes}, d.Rows[0].X, 1, "learned nothing"},
		{linear, huge, 1, "too large"},
	} {
		testdata.Refused(t, c.want, testdata.Err(c.a.Explain(c.x, c.class)), c.want)
	}
	other := d
	other.Names = []string{"x", "y", "z"}
	for _, c := range []struct {
		a    *Assessor
		d    Data
		rows []int
		want string
	}{
		{baseline, d, []int{1}, "baseline"},
		{a, d, nil, "no models"},
		{a, d, []int{30}, "row 30"},
		{a, d, []int{-1}, "row -1"},
		{a, other, []int{1}, "other features"},
		{a, changed(d, 1, func(r *Row) { r.X[2] = math.Inf(1) }), []int{0, 1}, "m1: feature max@CONF.f2"},
		{a, changed(d, 1, func(r *Row) { r.X = r.X[:1] }), []int{0, 1}, "1 features, not 3"},
	} {
		_, err := Summarise(t.Context(), c.a, c.d, c.rows, 1, nil)
		testdata.Refused(t, "summary", err, c.want)
		_, err = Permute(t.Context(), c.a, c.d, c.rows, 2, 1, nil)
		testdata.Refused(t, "shuffles", err, c.want)
	}
	testdata.Refused(t, "summary", testdata.Err(Summarise(t.Context(), a, d, []int{1}, 2, nil)), "class 2")
	testdata.Refused(t, "shuffles", testdata.Err(Permute(t.Context(), a, d, []int{1}, 0, 1, nil)), "0 repeats")
	unlabelled := changed(d, 1, func(r *Row) { r.Label = "" })
	_, err := Permute(t.Context(), a, unlabelled, []int{0, 1}, 2, 1, nil)
	testdata.Refused(t, "shuffles", err, "m1 has no label")
	ended, end := context.WithCancel(t.Context())
	end()
	testdata.ErrorIs(t, "summary", testdata.Err(Summarise(ended, a, d, d.Labelled(), 1, nil)), context.Canceled)
	testdata.ErrorIs(t, "shuffles", testdata.Err(Permute(ended, a, d, d.Labelled(), 3, 1, nil)), context.Canceled)
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
		{"max@CONF.svm", 3, 0.125},
		{"mean@CONV-1.asymm", 4, -0.375},
		{"accuracy", 5, 0.1875},
		{"CONF.max.hg_mean", 1, 0.125},
		{"mean@CONV-1.dctny", 1, 0.25},
		{"max@CONF.unheard", 1, 0.0625},
	}}
	testdata.Equal(t, "parts", e.ByModality(), []Part{
		{"max@CONF", 0, 0.25}, {"accuracy", 0, 0.1875}, {"mean@CONV-1", 0, -0.125}, {"max@CONF.unheard", 0, 0.0625},
	})
}

func TestSummarise(t *testing.T) {
	d := madeUp(30, 5, 3, 2)
	d.Rows[4].Label = "" // explained all the same
	rows := []int{4, 0, 21, 13}
	for name, s := range explainables() {
		a := trained(t, d, s)
		var progress testdata.Progress
		got := testdata.Must(Summarise(context.Background(), a, d, rows, 1, &progress))(t)
		progress.Whole(t, 4)
		want := Summary{Rows: rows, Names: d.Names, Mean: make([]float64, 5)}
		for _, i := range rows {
			e := testdata.Must(a.Explain(d.Rows[i].X, 1))(t)
			want.Class, want.Unit = e.Class, e.Unit
			var x, phi []float64
			for c, p := range e.Parts {
				want.Mean[c] += math.Abs(p.Phi) / 4
				x, phi = append(x, p.Value), append(phi, p.Phi)
			}
			want.X, want.Phi = append(want.X, x), append(want.Phi, phi)
		}
		testdata.NoDiff(t, name, cmp.Diff(want, got))
	}
}

func TestExplanationsAreTheSameForAnyWorkers(t *testing.T) {
	d := madeUp(60, 6, 2, 4)
	a := trained(t, d, Settings{Algorithm: RandomForest, Trees: 15})
	measure := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		s := testdata.Must(Summarise(t.Context(), a, d, d.Labelled(), 1, nil))(t)
		return text(t, s) + text(t, testdata.Must(Permute(t.Context(), a, d, d.Labelled(), 4, 7, nil))(t))
	}
	one := measure(1)
	for _, processors := range []int{2, 5} {
		testdata.Is(t, fmt.Sprintf("explanations by %d processors", processors), measure(processors), one)
	}
}

func BenchmarkSummariseForest(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	a := trained(b, d, Settings{Algorithm: RandomForest, Seed: 1})
	for b.Loop() {
		testdata.Must(Summarise(context.Background(), a, d, d.Labelled(), 1, nil))(b)
	}
}
