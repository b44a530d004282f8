//go:build cgo

package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// exportCase is a line of cases/models.json.
type exportCase struct {
	File, Suite, Reference, Outcome string
	Tolerance                       float64
	Arguments                       []string
	Accuracy                        float64
}

// TestZooExportsRecipes runs the models of zoo/exports whose metadata or --recipe says how they are fed, and compares softmax or
// accuracy with PyTorch's.
func TestZooExportsRecipes(t *testing.T) {
	folder, ok := testdata.Zoo("exports")
	if !ok {
		fmt.Println("zoo exports: absent")
		return
	}
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo exports: not run, ONNX Runtime is absent; make library brings it")
		return
	}
	rt, err := onnx.Load("")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rt.Close() }()
	folder = filepath.Join(folder, "cases")
	read := func(name string, into any) {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var cases []exportCase
	read("models.json", &cases)
	var references map[string]struct{ P [][]float64 }
	read("_ref/ref.json", &references)
	right, tried, largest := 0, 0, 0.
	for _, c := range cases {
		kind, _, _ := strings.Cut(c.File, "/")
		if !slices.Contains([]string{"metadata_mean_std", "metadata_names", "range_0_255"}, kind) {
			continue
		}
		tried++
		unit, task, source := runExport(t, rt, folder, c)
		good := true
		if c.Accuracy > 0 {
			hits := 0.
			for i := range unit.Images {
				if int(unit.Prediction[i]) == task.Classes[source.Label(i)] {
					hits++
				}
			}
			good = math.Abs(hits/float64(unit.Images)-c.Accuracy) < 1e-4
		}
		for i, row := range references[c.Reference].P {
			for k, want := range row {
				d := math.Abs(float64(unit.Softmax[i*unit.Classes+k]) - want)
				largest = max(largest, d)
				good = good && d <= c.Tolerance
			}
		}
		if good {
			right++
		} else {
			t.Errorf("%s is not as expected", c.File)
		}
	}
	fmt.Printf("zoo exports recipes: %d models, %d as expected, largest difference of softmax %.2g\n", tried, right, largest)
}

func runExport(t *testing.T, rt engine.Runtime, folder string, c exportCase) (*signal.Unit, engine.Task, *suite.Suite) {
	t.Helper()
	manifest, err := suite.Scan(t.Context(), filepath.Join(folder, c.Suite), suite.Options{}, engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := suite.Open(manifest, manifest.Root)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, filepath.FromSlash(c.File))
	m := model.Model{Hash: strings.Repeat("a", 64), ID: c.File}
	if m.Graph, err = onnx.Inspect(path); err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(c.Arguments, "--recipe"); i >= 0 {
		m.Correction.Recipe = c.Arguments[i+1]
	}
	family, err := transform.ParseAny(transform.Plain)
	if err != nil {
		t.Fatal(err)
	}
	task, err := engine.Plan(engine.PlanInput{Model: m, Path: path, Suite: manifest, Family: family, Runtime: rt.Version()})
	if err != nil {
		t.Fatal(err)
	}
	rec := &units{byKey: map[string]*signal.Unit{}}
	e := engine.New(rt, rec, engine.Limits{Workers: 1})
	defer func() { _ = e.Close() }()
	if err := e.Submit(engine.Run{ID: "export", Source: source, Tasks: []engine.Task{task}, Close: source.Close}); err != nil {
		t.Fatal(err)
	}
	status, err := e.Wait(t.Context(), "export")
	if err != nil || status.Tasks[0].Err != nil {
		t.Fatal(c.File, err, status.Tasks)
	}
	return rec.byKey[task.Spec.UnitKey(0)], task, source
}
