package assess

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// TestImportanceIsOfUnseenModels: an assessor that learned from all models is measured through
// others that did not, fold by fold; one that did not learn from some is measured on these.
func TestImportanceIsOfUnseenModels(t *testing.T) {
	ctx := context.Background()
	d := madeUp(60, 4, 2, 7)
	settings := Settings{Algorithm: RandomForest, Trees: 20, Seed: 3}
	a := testdata.Must(Train(ctx, d, d.Labelled(), settings))(t)
	all, err := MeasureImportance(ctx, a, d, func(int) bool { return true }, shuffles(4, 9), nil)
	if err != nil || all.Problem != nil || !all.Refitted || all.Models != len(d.Labelled()) {
		t.Fatalf("%+v, %v", all, err)
	}
	repetitions, _, err := d.Folds(Scheme{Kind: KFold, Folds: 3, Repetitions: 1, Seed: settings.Seed})
	if err != nil {
		t.Fatal(err)
	}
	means, squares := make([]float64, 4), make([]float64, 4)
	for k, fold := range repetitions[0] {
		other := testdata.Must(Train(ctx, d, fold.Train, settings))(t)
		for c, p := range slowPermute(t, other, d, fold.Test, 4, derived(9, k)) {
			share := float64(len(fold.Test)) / float64(len(d.Labelled()))
			means[c] += share * p.Mean
			squares[c] += share * share * p.SD * p.SD
		}
	}
	for c, p := range all.Features {
		if math.Abs(p.Mean-means[c]) > 1e-12 || math.Abs(p.SD-math.Sqrt(squares[c])) > 1e-12 || p.Name != d.Names[c] {
			t.Errorf("%+v, want %g and %g", p, means[c], math.Sqrt(squares[c]))
		}
	}
	if slices.Max(means) < 0.05 {
		t.Errorf("no feature matters: %v", means)
	}

	some, err := MeasureImportance(ctx, a, d, func(row int) bool { return row < 40 }, shuffles(4, 9), nil)
	if err != nil || some.Refitted || some.Problem != nil {
		t.Fatalf("%+v, %v", some, err)
	}
	rows := slices.DeleteFunc(d.Labelled(), func(row int) bool { return row < 40 })
	if want := slowPermute(t, a, d, rows, 4, 9); some.Models != len(rows) || !slices.Equal(some.Features, want) {
		t.Errorf("%+v, want %+v", some, want)
	}
}

func TestImportanceSaysWhyThereIsNone(t *testing.T) {
	ctx := context.Background()
	d := madeUp(30, 2, 2, 7)
	a := testdata.Must(Train(ctx, d, d.Labelled(), Settings{Algorithm: DecisionTree}))(t)
	relabelled := func(label label.Value) Data {
		other := d
		other.Rows = slices.Clone(d.Rows)
		for k := range other.Rows {
			other.Rows[k].Label = label
		}
		return other
	}
	for want, other := range map[string]Data{
		"no model has a label":     relabelled(""),
		"cannot be cut into folds": relabelled(label.Variant),
	} {
		none, err := MeasureImportance(ctx, a, other, func(int) bool { return true }, shuffles(2, 1), nil)
		if err != nil || none.Features != nil || none.Problem == nil || !strings.Contains(none.Problem.Error(), want) {
			t.Errorf("%+v, %v; want %q", none, err, want)
		}
	}
}

func shuffles(repeats int, seed uint64) ShuffleOptions {
	return ShuffleOptions{Repeats: repeats, Seed: &seed}
}
