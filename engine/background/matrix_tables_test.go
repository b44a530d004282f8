package background_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
)

// TestTablesOfScenes holds the declarations: each table is one, and its rows have IDs of their own.
func TestTablesOfScenes(t *testing.T) {
	for name, err := range map[string]error{
		"outcome": background.Outcomes.Check(), "matrices": background.Matrices.Check(),
		"elements": background.Elements.Check(), "signals": background.Signals("m", []string{"max@CONF"}).Check(),
		"runs": background.Runs.Check(), "left out": background.LeftOuts.Check(),
		"selections": background.Selections.Check(), "targets": background.TargetTable.Check(),
		"scenes": background.ScenesTable.Check(), "diversity": background.DiversityTable.Check(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, o := range []any{
		&background.MatrixOptions{}, &background.MatrixChoice{}, &background.FreeMatrix{},
		&background.MatrixLook{},
	} {
		testdata.OK(t, option.Verify(o))
	}
}

// TestWhatDidNotRunHasNoNumbers, but the reason.
func TestWhatDidNotRunHasNoNumbers(t *testing.T) {
	rows := []background.InScenes{
		{
			Model: model.Model{ID: "m0", Hash: "a"}, Key: "k",
			Outcome: background.Outcome{Accuracy: 0.9, MeanComposite: 0.75, WorstCase: 0.25, ChangedShare: 0.25},
		},
		{Model: model.Model{ID: "m1", Hash: "b"}, Reason: result.Because("no_run", "no signals")},
	}
	sheet := background.Outcomes.Sheet(rows)
	worst := sheet.Fields[sheet.Field("worst_case_accuracy")]
	testdata.Is(t, "Say", worst.Say(0)+"; "+worst.Tell(1), "25.0 %; worst is missing: no signals")
	testdata.Is(t, "rows", rows[0].Detail(), "m0: 90.0 % clean, 75.0 % in scenes, worst case 25.0 %; "+
		"the prediction changes in 25.0 % of the composites")
	testdata.Is(t, "rows", rows[1].Detail(), "m1: no signals")
	if sheet.Field("neuron_coverage") >= 0 {
		t.Error("there is a coverage that nobody asked for")
	}
	rows[0].Neurons, rows[0].Coverage = 8, 0.5
	if sheet = background.Outcomes.Sheet(rows); sheet.Fields[sheet.Field("neuron_coverage")].Say(0) != "50.0 %" {
		t.Error("there is no coverage")
	}
}

// TestElementsAreRowByRow from below, at the distances of their middles; a matrix with undefined
// elements has no features, and says why.
func TestElementsAreRowByRow(t *testing.T) {
	f := background.Interpolated{
		Matrix: scatter.Matrix{R: 2, Values: []float64{1, 2, 3, math.NaN()}}, Far: 4, Apart: math.NaN(), Name: "I1",
	}.Measured()
	sheet := background.Elements.Sheet(background.ElementsOf(&f))
	var lines []string
	for row := range sheet.Len() {
		var cells []string
		for _, key := range []string{"column", "row", "distance_i", "distance_j", "value"} {
			field := sheet.Fields[sheet.Field(key)]
			cells = append(cells, field.Write(row))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	testdata.Equal(t, "lines", lines, []string{"0 0 1 1 1", "1 0 3 1 2", "0 1 1 3 3", "1 1 3 3 "})
	matrices := background.Matrices.Sheet([]background.Interpolated{f})
	mean := matrices.Fields[matrices.Field("mean")]
	if f.Undefined != 1 || mean.Why(0).Text != "1 element without a value" || matrices.Field("from_all_targets") >= 0 {
		t.Errorf("%d undefined, %q", f.Undefined, mean.Why(0).Text)
	}
}

// TestCompareLeavesOutLoneSelections: of three selections two are repeated runs, the third is alone
// in its way, and a fourth has no matrices.
func TestCompareLeavesOutLoneSelections(t *testing.T) {
	m := func(v float64) []scatter.Matrix {
		return []scatter.Matrix{{R: 2, Values: []float64{v, v, v, v}}}
	}
	list := background.Compare(background.Repeats{Measure: "max@CONF"}, []string{"a", "b", "a", "b"},
		[]string{"r1", "near", "r2", "none"},
		scatter.Interpolants()[:1], [][]scatter.Matrix{m(0.1), m(0.5), m(0.4), nil})
	if len(list) != 1 || !slices.Equal(list[0].Selections, []string{"r1", "r2"}) ||
		math.Abs(list[0].Mean-0.3) > 1e-12 || list[0].Way != "a" {
		t.Errorf("%+v", list)
	}
}

func TestMatrixOptions(t *testing.T) {
	var o background.MatrixOptions
	option.SetDefaults(&o)
	all := []string{"max@CONF", "max@HEAD", "true@CONF", "mean@HEAD"}
	if got := o.Measures(); !slices.Equal(got, all[:2]) || !slices.Equal(o.Interpolants(), scatter.Interpolants()) {
		t.Errorf("the defaults are %v", got)
	}
	o.Selection, o.Measure, o.Interpolant = []string{"s"}, []string{"max@CONF", "all"}, []string{"8,2,4", "I2"}
	if got := o.Measures(); !slices.Equal(got, all) || len(o.Interpolants()) != 2 || option.Check(&o) != nil {
		t.Errorf("%v, %v", got, option.Check(&o))
	}
	o.Interpolant = []string{"1,2"}
	if err := option.Check(&o); err == nil || !strings.Contains(err.Error(), "--interpolant") {
		t.Error(err)
	}
}
