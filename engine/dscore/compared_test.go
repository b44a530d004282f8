package dscore

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// someScores are k models on a grid; the larger k, the smaller all scores.
func someScores(t *testing.T, k int, n int) (list []Diagnosis) {
	t.Helper()
	g := testdata.Must(NewGrid(transform.Masks{N: n}, 5))(t)
	for m := range k {
		v := float64(m) / 10
		d := Diagnosis{Model: model.Model{ID: "m" + strconv.Itoa(m), Hash: "h" + strconv.Itoa(m)}, Grid: g}
		d.Score = Score{Robust: v, Fitness: 1 - v, DScore: 1 - 2*v, Features: make([]float64, n*n)}
		d.Accuracies = Accuracies{Original: 0.9 - v, Shifted: make([]float64, n*n)}
		list = append(list, d)
	}
	return list
}

func TestSeveralGridsSideBySide(t *testing.T) {
	two, three := someScores(t, 4, 2), someScores(t, 4, 3)
	grids := []Grid{two[0].Grid, three[0].Grid}
	var models []model.Model
	for _, d := range two {
		models = append(models, d.Model)
	}
	rows := SeveralOf(append(models, model.Model{Hash: "unscored"}), append(two, three[:3]...), grids)
	table := SeveralTable(grids)
	if err := table.Check(); err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	sheet := table.Sheet(rows)
	for key, want := range map[string][]string{
		"v_robust_n2_t5": {"★ 0.0000", "☆ 0.1000", "0.2000", "0.3000"},
		"d_score_n2_t5":  {"★ 1.0000", "☆ 0.8000", "0.6000", "0.4000"},
		"d_score_n3_t5":  {"★ 1.0000", "☆ 0.8000", "0.6000", "-"},
	} {
		f := sheet.Fields[sheet.Field(key)]
		for row := range want {
			testdata.Is(t, fmt.Sprintf("%s of %s", key, rows[row].Model.ID), f.Say(row), want[row])
		}
	}
	if one := table.Sheet(rows[:1]); strings.Contains(one.Fields[one.Field("v_robust_n2_t5")].Say(0), "★") {
		t.Error("one model alone is the best")
	}
}

func TestLossesOfLayers(t *testing.T) {
	layers := []Layer{
		{
			N: 2, Mask: "mask:2", Original: 0.9, Variants: []float64{0.9, 0.8, 0.5, 0.95},
			Intervals: []Interval{
				{Low: -0.01, High: 0.005}, {Low: 0.05, High: 0.15}, {Low: 0.3, High: 0.5}, {Low: -0.08, High: -0.02},
			},
		},
		{
			N: 2, Mask: "mask:2;layers=2;after=batchnorm", FeatureMap: model.FeatureMap{Number: 2, Tensor: "c2"},
			AfterBatchNorm: true, Reason: result.Because(signal.NoSignals, "no signals yet"),
		},
	}
	for tolerance, want := range map[float64][]int{0: {4}, 0.005: {1, 4}, 0.01: {1, 4}, 0.15: {1, 2, 4}} {
		testdata.Equal(t, fmt.Sprintf("free at %v", tolerance), layers[0].Free(tolerance), want)
	}
	sheet := written(t, Losses(2, 0), layers)
	region := sheet.Fields[sheet.Field("region_1")]
	testdata.Is(t, "why there is no loss", region.Why(1).Text, "no signals yet")
	for mask, want := range map[string]string{
		"mask:3;layers=auto": "layers with maps large enough", "mask:3;layers=1,3": "layers 1,3",
		"mask:3;after=batchnorm": "all layers, after batch-norm",
	} {
		testdata.Is(t, mask, (Layer{N: 3, Mask: mask}).Name(), want)
	}
}
