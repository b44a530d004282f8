package background

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestJudgeKnown(t *testing.T) {
	// targets: all right; one composite wrong; only the target wrong; never right, always the same;
	// no label
	predictions := [][]int32{{0, 1, 0, 3, 2}, {0, 1, 2, 3, 1}, {0, 0, 2, 3, 2}}
	got := Judge(predictions, []int{0, 1, 2, 0, -1})
	want := Outcome{
		Targets: 5, Labelled: 4, Accuracy: 0.5, WorstCase: 0.25, MeanComposite: 5.0 / 8, ChangedShare: 0.4,
		ChangedPerTarget: []float64{0, 0.5, 1, 0, 0.5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestJudgeEdges(t *testing.T) {
	nan := math.IsNaN
	o := Judge(nil, nil)
	if o.Targets != 0 || !nan(o.Accuracy) || !nan(o.WorstCase) || !nan(o.MeanComposite) || !nan(o.ChangedShare) {
		t.Errorf("nothing: %+v", o)
	}
	o = Judge(nil, []int{1})
	if o.Targets != 1 || !nan(o.Accuracy) || !nan(o.ChangedShare) || !nan(o.ChangedPerTarget[0]) {
		t.Errorf("no predictions: %+v", o)
	}
	o = Judge([][]int32{{1, 2}}, []int{1, 1})
	if o.Accuracy != 0.5 || o.WorstCase != 0.5 || !nan(o.MeanComposite) || !nan(o.ChangedShare) ||
		!nan(o.ChangedPerTarget[1]) {
		t.Errorf("no composites: %+v", o)
	}
	o = Judge([][]int32{{1, 2}, {1, 1}}, []int{-1, -1})
	if o.Labelled != 0 || !nan(o.Accuracy) || !nan(o.WorstCase) || !nan(o.MeanComposite) || o.ChangedShare != 0.5 {
		t.Errorf("no labels: %+v", o)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "1 predictions of image 1 for 2 targets") {
			t.Errorf("recovered %v", r)
		}
	}()
	Judge([][]int32{{1, 2}, {1}}, []int{1, 1})
}

// TestZooOutcome: accuracy and worst-case accuracy of the zoo's reference predictions.
func TestZooOutcome(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	var summary struct {
		Models map[string]struct {
			Accuracy  float64 `json:"accuracy_40"`
			WorstCase float64 `json:"worst_case_40"`
		}
	}
	data := testdata.Must(os.ReadFile(filepath.Join(folder, "expected", "summary.json")))(t)
	if err := json.Unmarshal(data, &summary); err != nil || len(summary.Models) < 2 {
		t.Fatalf("%d models, %v", len(summary.Models), err)
	}
	names := []string{"dog", "bird", "car", "turtle", "cat", "butterfly", "guitar", "monkey", "fish"}
	for _, id := range testdata.Having(folder, slices.Sorted(maps.Keys(summary.Models)), "expected/signals_*.csv") {
		want := summary.Models[id]
		predictions := make([][]int32, 33)
		var labels []int
		for _, r := range records(t, folder, "expected/signals_"+id+".csv") {
			image := testdata.Must(strconv.Atoi(r[1]))(t)
			if image == 0 {
				labels = append(labels, slices.Index(names, strings.Split(r[0], "/")[1]))
			}
			predictions[image] = append(predictions[image], int32(number(t, r[3])))
		}
		o := Judge(predictions, labels)
		if o.Targets != 40 || o.Accuracy != want.Accuracy || o.WorstCase != want.WorstCase ||
			o.WorstCase > o.MeanComposite {
			t.Errorf("%s: %+v, want %+v", id, o, want)
		}
	}
}

func TestCoverageKnown(t *testing.T) {
	var c Coverage
	if !math.IsNaN(c.Share()) {
		t.Errorf("before the first row %g", c.Share())
	}
	for _, step := range []struct {
		row  []float32
		want float64
	}{
		{[]float32{3, 3, 3, 3}, 0},        // constant
		{[]float32{0, 1, 2, 2.5}, 0.5},    // 0, 0.4, 0.8, 1
		{[]float32{-1, 0, -2, -1.5}, 0.5}, // 0.5 is not above
		{[]float32{float32(math.NaN()), float32(math.Inf(1)), 1, float32(-1e30)}, 0.5}, // only the third
		{[]float32{0, 0.51, 1, 0}, 0.75},
		{[]float32{9, 0, 0, 0}, 1},
	} {
		c.Add(step.row)
		if got := c.Share(); got != step.want && step.want != 0.5 || step.want == 0.5 && got < 0.5 {
			t.Errorf("after %v: %g, want %g", step.row, got, step.want)
		}
	}
	strict := Coverage{Threshold: 0.9}
	strict.Add([]float32{0, 0.9, 1, 0.95})
	testdata.Is(t, "above 0.9", strict.Share(), 0.5)
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "3 neurons after rows of 4") {
			t.Errorf("recovered %v", r)
		}
	}()
	c.Add([]float32{1, 2, 3})
}

// TestF1IsTable4: the specification's check of the paper's Table 4.
func TestF1IsTable4(t *testing.T) {
	for _, c := range [][3]float64{
		{0.652, 0.649, 0.650},
		{0.657, 0.645, 0.651},
		{0.660, 0.645, 0.652},
		{1, 1, 1},
		{0.5, 0, 0},
		{0.5, -0.3, 0},
		{0, 0, 0},
		{0, -1, 0},
	} {
		testdata.Near(t, fmt.Sprintf("F1 of %g and %g", c[0], c[1]), F1(c[0], c[1]), c[2], 5.0001e-4)
	}
	if !math.IsNaN(F1(math.NaN(), 0.5)) || !math.IsNaN(F1(0.5, math.NaN())) {
		t.Errorf("F1 of nothing is %g, %g", F1(math.NaN(), 0.5), F1(0.5, math.NaN()))
	}
}
