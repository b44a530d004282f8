package command

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
	"github.com/variscope/variscope/internal/images"
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

// exportedModels are the cases and their folder, none where the zoo is absent.
func exportedModels(t *testing.T) (folder string, models []exportedModel) {
	t.Helper()
	folder, ok := testdata.Zoo("exports")
	if _, _, err := onnx.FindLibrary(""); !ok || err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo exports: absent")
		return folder, nil
	}
	folder = filepath.Join(folder, "cases")
	readJSON(t, filepath.Join(folder, "models.json"), &models)
	return folder, models
}

// Models as people export them run and give what PyTorch gives, or are refused by a sentence that
// says what to do. What is not as expected is named.
func TestZooExportsModels(t *testing.T) {
	folder, models := exportedModels(t)
	if len(models) == 0 {
		return
	}
	var results map[string]exportedResult
	readJSON(t, filepath.Join(folder, "_ref", "ref.json"), &results)
	expected, largest := 0, 0.0
	for _, m := range models {
		difference, err := m.run(t, folder, results)
		if err == nil {
			expected++
			largest = max(largest, difference)
			continue
		}
		t.Errorf("%s: %v", m.File, err)
	}
	fmt.Printf("zoo exports: %d models, %d as expected, largest difference of softmax %.2g\n",
		len(models), expected, largest)
}

// run imports the model with its suite into a workspace and compares what it gives.
func (m exportedModel) run(
	t *testing.T, folder string, results map[string]exportedResult,
) (difference float64, err error) {
	path := filepath.Join(t.TempDir(), "w.variscope")
	if m.Without != "" {
		if _, text := command("import", filepath.Join(t.TempDir(), "w.variscope"),
			filepath.Join(folder, m.File)); !strings.Contains(text, "0..255") {
			return 0, fmt.Errorf("without %s: %s", m.Arguments, text)
		}
	}
	line := append([]string{"import", path, filepath.Join(folder, m.File), filepath.Join(folder, m.Suite)},
		m.Arguments...)
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
	set, accuracy := plainSet(t, path)
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
func plainSet(t *testing.T, path string) (set *signal.Set, accuracy float64) {
	t.Helper()
	ws := testdata.Must(store.Open(path))(t)
	defer func() { testdata.OK(t, ws.Close()) }()
	models := testdata.Must(ws.Models())(t)
	testdata.Is(t, "models", len(models), 1)
	sets := testdata.Must(ws.Sets(models[0].Hash, "", ""))(t)
	testdata.Is(t, "sets", len(sets), 1)
	set = testdata.Must(ws.LoadSet(t.Context(), sets[0].Key, store.Want{Softmax: true, Predictions: true}))(t)
	right, image := 0, 0
	for label, count := range testdata.Must(ws.Suite(sets[0].Spec.Source))(t).Counts {
		for range count {
			if int(set.Prediction[image]) == sets[0].ClassMap[label] {
				right++
			}
			image++
		}
	}
	return set, float64(right) / float64(image)
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	testdata.OK(t, json.Unmarshal(testdata.Must(os.ReadFile(path))(t), into))
}

// A model that runs without the recipe that it needs, and is good enough for that to matter, looks
// as if it wants that one on a suite with enough images, also the second time, until it is taken.
func TestZooExportsLooks(t *testing.T) {
	folder, models := exportedModels(t)
	if len(models) == 0 {
		return
	}
	without, found := 0, 0
	for _, m := range models {
		if m.Without == "" {
			continue
		}
		suite := manifold(t, filepath.Join(folder, m.Suite), 4)
		id := strings.TrimSuffix(filepath.Base(m.File), ".onnx")
		ws := filepath.Join(t.TempDir(), "w.variscope")
		run := []string{"run", ws, "--family", "plain"}
		must(t, "import", ws, filepath.Join(folder, m.File), suite)
		text := must(t, run...)
		without++
		if !strings.Contains(text, id+": looks as if it wants 0..255: ") {
			fmt.Printf("  %s does not look as if it wants another recipe\n", m.File)
			continue
		}
		_, text = command(append(run, "--json")...)
		var doc struct {
			Sheets []struct{ Rows []map[string]any }
		}
		if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &doc); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if got := doc.Sheets[0].Rows[0]; got["looks_recipe"] != "scale=255" || got["looks_images"] != 64. {
			t.Errorf("%s: %v", m.File, got)
		}
		must(t, "model", ws, id, "--recipe", "scale=255")
		if text := must(t, run...); strings.Contains(text, "looks as if") {
			t.Errorf("%s: with its recipe: %s", m.File, text)
		}
		found++
	}
	if found == 0 && without > 0 {
		t.Error("none looks as if it wants another recipe")
	}
	fmt.Printf("zoo exports: %d models without their recipe, %d look as if they want it\n", without, found)
}

// manifold is a copy of a folder of class folders that has every image n times.
func manifold(t *testing.T, folder string, n int) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.png"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d images in %s, %v", len(files), folder, err)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(folder))
	for _, file := range files {
		class, name := filepath.Join(copied, filepath.Base(filepath.Dir(file))), filepath.Base(file)
		for k := range n {
			images.Put(t, filepath.Join(class, fmt.Sprintf("%d_%s", k, name)), testdata.Must(os.ReadFile(file))(t))
		}
	}
	return copied
}
