package assess

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// ofScenes is madeUp with the columns of interpolated matrices.
func ofScenes(models int, seed uint64) Data {
	layout := feature.DefaultBackgroundLayout()
	d := madeUp(models, layout.Width(), 3, seed)
	d.Layout, d.Names = layout, layout.Names()
	return d
}

func TestUsualSettings(t *testing.T) {
	scenes, plain := feature.DefaultBackgroundLayout(), feature.DefaultLayout()
	for _, a := range Algorithms() {
		testdata.Is(t, "variance matrices", Usual(a, plain, 4), (Settings{Algorithm: a, Seed: 4}))
		want := Settings{Algorithm: a, Seed: 4}
		if a == AdaBoost {
			want.Boosting = tree.SAMME
		}
		testdata.Is(t, "interpolated matrices", Usual(a, scenes, 4), want)
	}
	testdata.Is(t, "variance matrices", UsualScheme(plain, 2), (Scheme{Kind: PaperScheme, Repetitions: 10, Seed: 2}))
	testdata.Is(t, "interpolated matrices",
		UsualScheme(scenes, 2), (Scheme{Kind: KFold, Folds: 3, Repetitions: 10, Seed: 2}))
}

// Explanations of interpolated matrices begin with invariant, by every algorithm, and their
// matrices are told apart by interpolant.
func TestExplainScenes(t *testing.T) {
	d := ofScenes(36, 8)
	for name, s := range explainables() {
		a := trained(t, d, s)
		testdata.Is(t, name+": class", a.Shown(), 0)
		var matrices []string
		for _, p := range testdata.Must(a.Explain(d.Rows[5].X, 0))(t).ByModality() {
			matrices = append(matrices, p.Name)
		}
		slices.Sort(matrices)
		testdata.Is(t, name+": matrices", strings.Join(matrices, " "),
			"max@CONF.I1 max@CONF.I2 max@CONF.I3 max@HEAD.I1 max@HEAD.I2 max@HEAD.I3")
	}
	for _, classes := range []int{2, 3} {
		a := trained(t, madeUp(20, 4, classes, 1), Settings{Algorithm: DecisionTree})
		testdata.Is(t, "variance matrices: class", a.Shown(), classes-1)
	}
}

func TestSelectColumns(t *testing.T) {
	d := ofScenes(6, 3)
	one := testdata.Must(d.Select(d.Layout.Only("I2")))(t)
	for c, name := range one.Names {
		at := slices.Index(d.Names, name)
		if at < 0 || !strings.Contains(name, ".I2.") {
			t.Fatalf("column %s", name)
		}
		for i := range d.Rows {
			testdata.Is(t, fmt.Sprintf("%s of model %d", name, i), one.Rows[i].X[c], d.Rows[i].X[at])
		}
	}
	testdata.OK(t, one.Validate())
	testdata.Is(t, "columns", len(one.Names), 14)
	testdata.Refused(t, "a column that is not there",
		testdata.Err(one.Select(d.Layout.Only("I3"))), "no column max@CONF.I3.mean")
}

func TestSelectMatrices(t *testing.T) {
	layout := feature.DefaultLayout()
	layout.Modalities = []string{"max@CONF", "mean@CONV-1"}
	d := Data{Layout: layout, Names: layout.Names(), Rows: []Row{{ID: "a"}}}
	for f := range d.Names {
		d.Rows[0].X = append(d.Rows[0].X, float64(f))
	}
	two, missing := d.Matrices(feature.Layout{Modalities: []string{"mean@CONV-1", "max@CONF"}})
	if x := two.Rows[0].X; missing != "" || two.Names[0] != "mean@CONV-1.svm" || x[0] != 16 || x[16] != 0 ||
		d.Rows[0].X[0] != 0 {
		t.Errorf("got %s: %v; the data's own row is %v", two.Names[0], x, d.Rows[0].X)
	}
	one, missing := two.Matrices(feature.Layout{Modalities: []string{"max@CONF"}})
	if missing != "" || len(one.Names) != 16 || one.Rows[0].X[15] != 15 {
		t.Errorf("got %d columns, without %s", len(one.Names), missing)
	}
	_, missing = one.Matrices(feature.Layout{Modalities: []string{"max@CONV-2"}})
	testdata.Is(t, "missing", missing, "max@CONV-2.svm")
}

// A fold may train without the rarest class: it is then never said, and its probability is 0.
func TestFoldsWithoutAClass(t *testing.T) {
	d := ofScenes(24, 5)
	for i := range d.Rows {
		if d.Rows[i].Label == label.Borderline && i > 3 {
			d.Rows[i].Label = label.Variant
		}
	}
	for _, a := range Algorithms() {
		s := Usual(a, d.Layout, 2)
		s.Trees = 10
		e := evaluated(t, d, s, UsualScheme(d.Layout, 3), false)
		rare := 0
		for _, p := range e.Predictions {
			if p.Truth != 1 {
				continue
			}
			rare++
			if p.Class == 1 && a != Regression {
				t.Errorf("%s says borderline without having seen it", a)
			}
			if p.Probability != nil && a != Regression && a != AdaBoost && p.Probability[1] != 0 {
				t.Errorf("%s: probability %v of a class that it has not seen", a, p.Probability[1])
			}
		}
		if rare != 10 || !(e.Accuracy > 0 && e.Accuracy < 1) {
			t.Errorf("%s: %d tests of the only borderline model, accuracy %v", a, rare, e.Accuracy)
		}
	}
}
