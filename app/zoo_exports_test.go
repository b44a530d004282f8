package app_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// exportedModel is a row of cases/models.json.
type exportedModel struct {
	File, Suite, Outcome, Says string
	Reference                  *string // key of _ref/ref.json, null for none
	Arguments                  []string
	Without                    string `json:"without_them"` // what is to be seen without Arguments
	Tolerance, Accuracy        float64
}

// exportedResult is the softmax per image in byte order of class and file; some have no agreed
// values.
type exportedResult struct {
	P     [][]float64
	NoRef bool
}

// Models as people export them run and give what PyTorch gives, or are refused by a sentence that
// says what to do. What is not as expected is named.
func TestZooExportsModels(t *testing.T) {
	folder, ok := testdata.Zoo("exports")
	if _, _, err := onnx.FindLibrary(""); !ok || err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo exports: absent")
		return
	}
	folder = filepath.Join(folder, "cases")
	var models []exportedModel
	var results map[string]exportedResult
	readJSON(t, filepath.Join(folder, "models.json"), &models)
	readJSON(t, filepath.Join(folder, "_ref", "ref.json"), &results)
	expected, largest := 0, 0.0
	var others []string
	for _, m := range models {
		difference, err := m.run(t, folder, results)
		if err == nil {
			expected++
			largest = max(largest, difference)
			continue
		}
		others = append(others, fmt.Sprintf("%s: %v", m.File, err))
		t.Errorf("%s: %v", m.File, err)
	}
	fmt.Printf("zoo exports: %d models, %d as expected, largest difference of softmax %.2g\n", len(models), expected, largest)
	for _, other := range others {
		fmt.Printf("  not as expected: %s\n", other)
	}
}

// run imports the model with its suite into a workspace and compares what it gives.
func (m exportedModel) run(t *testing.T, folder string, results map[string]exportedResult) (difference float64, err error) {
	path := filepath.Join(t.TempDir(), "w.variscope")
	if m.Without != "" {
		if _, text := command("import", filepath.Join(t.TempDir(), "w.variscope"), filepath.Join(folder, m.File)); !strings.Contains(text, "0..255") {
			return 0, fmt.Errorf("without %s: %s", m.Arguments, text)
		}
	}
	line := append([]string{"import", path, filepath.Join(folder, m.File), filepath.Join(folder, m.Suite)}, m.Arguments...)
	code, text := command(line...)
	if m.Outcome == "refused" {
		if code != 1 || !strings.Contains(text, m.Says) {
			return 0, fmt.Errorf("import exits %d without %q: %s", code, m.Says, text)
		}
		return 0, nil
	}
	if code != 0 {
		return 0, fmt.Errorf("import exits %d: %s", code, text)
	}
	if m.Reference == nil && m.Accuracy == 0 {
		return 0, nil // for another suite than this one
	}
	if code, text := command("run", path, "--family", "plain"); code != 0 {
		return 0, fmt.Errorf("run exits %d: %s", code, text)
	}
	set, accuracy, err := plainSet(t, path)
	if err != nil {
		return 0, err
	}
	if m.Accuracy != 0 && math.Abs(accuracy-m.Accuracy) > 1e-3 {
		return 0, fmt.Errorf("accuracy %.4f in place of %.4f", accuracy, m.Accuracy)
	}
	if m.Reference == nil || m.Outcome != "runs" || results[*m.Reference].NoRef {
		return 0, nil
	}
	want := results[*m.Reference].P
	if len(want) != set.Images || len(want[0]) != set.Classes {
		return 0, fmt.Errorf("%d x %d shares in place of %d x %d", set.Images, set.Classes, len(want), len(want[0]))
	}
	for i, row := range want {
		for c, v := range row {
			difference = max(difference, math.Abs(v-float64(set.Softmax[i*set.Classes+c])))
		}
	}
	if difference > m.Tolerance {
		err = fmt.Errorf("softmax differs by %.2g", difference)
	}
	return difference, err
}

// plainSet reads the one set of a workspace and its accuracy.
func plainSet(t *testing.T, path string) (set *signal.Set, accuracy float64, err error) {
	ws, err := store.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	}()
	models, err := ws.Models()
	if err != nil || len(models) != 1 {
		return nil, 0, fmt.Errorf("%d models, %v", len(models), err)
	}
	sets, err := ws.Sets(models[0].Hash, "", "")
	if err != nil || len(sets) != 1 {
		return nil, 0, fmt.Errorf("%d sets, %v", len(sets), err)
	}
	if set, err = ws.LoadSet(t.Context(), sets[0].Key, store.Want{Softmax: true, Predictions: true}); err != nil {
		return nil, 0, err
	}
	manifest, err := ws.Suite(sets[0].Spec.Source)
	if err != nil {
		return nil, 0, err
	}
	right, image := 0, 0
	for label, count := range manifest.Counts {
		for range count {
			if int(set.Prediction[image]) == sets[0].ClassMap[label] {
				right++
			}
			image++
		}
	}
	return set, float64(right) / float64(image), nil
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
