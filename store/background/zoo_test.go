//go:build cgo

package background_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/job"
)

// The run below probes each model in a child process, which is this test program again.
func init() { onnx.ServeWorker() }

// measureNames are the zoo's names of measures.
var measureNames = map[string]scenes.Measure{
	"conf_max": scenes.ConfMax, "conf_true": scenes.ConfTrue, "act_max": scenes.HeadMax, "act_mean": scenes.HeadMean,
}

// backgroundZoo holds what was computed to the zoo's expected results.
type backgroundZoo struct {
	*world
	summary                      summary
	record                       store.SelectionRecord
	signals, constants, matrices float64 // largest differences
}

// TestZooBackgroundSignals runs the models that have expected signals on the 40 targets and their
// scenes, through the job runner and the workspace: distances, predictions, signals, constants,
// accuracies, and the interpolated matrices of these signals.
func TestZooBackgroundSignals(t *testing.T) {
	rt := zooRuntime(t)
	if rt == nil {
		return
	}
	s := readSummary(t, scenesFolder(t))
	z := &backgroundZoo{world: newWorld(t, s.Targets), summary: s}
	z.record = z.selection(z.ask(len(chosenInFile(t, z.folder)[s.Targets[0]])))
	models := z.addModels()
	z.run(rt)
	for _, m := range models {
		z.compare(m)
	}
	fmt.Printf("zoo scenes: %d models, largest difference of signals %.2g, of constants %.2g, of matrices %.2g\n",
		len(models), z.signals, z.constants, z.matrices)
}

// zooRuntime is ONNX Runtime until the test ends; without the library it is nil where that is
// allowed, and says so.
func zooRuntime(t *testing.T) *engine.InProcess {
	t.Helper()
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo scenes: not run, ONNX Runtime is absent; make library brings it")
		return nil
	}
	rt := testdata.Must(onnx.Load("", ""))(t)
	t.Cleanup(func() { _ = rt.Close() })
	return &engine.InProcess{Library: rt}
}

// addModels adds the models that have a file of expected signals.
func (z *backgroundZoo) addModels() (models []model.Model) {
	z.Helper()
	files, err := filepath.Glob(filepath.Join(z.folder, "expected", "signals_*.csv"))
	if err != nil || len(files) == 0 {
		z.Fatalf("no expected signals: %v", err)
	}
	for _, file := range files {
		id := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "signals_"), ".csv")
		path := filepath.Join(z.folder, "models", id+".onnx")
		graph := testdata.Must(onnx.Inspect(path))(z)
		content := testdata.Must(os.Open(path))(z)
		m, _, err := z.ws.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: graph}, content)
		must(z, err)
		must(z, content.Close())
		models = append(models, m)
	}
	return models
}

// run runs all models under the selection's scenes, with the positions that nobody has to ask for.
func (z *backgroundZoo) run(rt engine.Runtime) {
	z.Helper()
	eng := engine.New(rt, z.ws, engine.Limits{Workers: 2})
	defer func() { must(z, eng.Close()) }()
	family := testdata.Must(z.record.Family())(z)
	id, refused, err := job.Start(z.Context(), z.ws, eng, rt, job.Request{Suite: z.targets.Hash, Family: family},
		engine.NoProgress{})
	if err != nil || len(refused) > 0 {
		z.Fatal(err, refused)
	}
	status, err := eng.Wait(z.Context(), id)
	if err != nil || status.Phase != engine.Done || status.Failed > 0 {
		z.Fatalf("%+v, %v", status, err)
	}
}

func (z *backgroundZoo) compare(m model.Model) {
	z.Helper()
	m = testdata.Must(z.ws.Model(m.Hash))(z)
	e, reason, err := scenes.Read(z.Context(), z.ws, m, z.record.Hash)
	if err != nil || reason != "" || len(e.Absent) > 0 || len(e.Flags) > 0 {
		z.Fatalf("model %s: %v, %s, absent %v, flags %v", m.ID, err, reason, e.Absent, e.Flags)
	}
	accuracy, worst := z.expected(m.ID, fmt.Sprintf("accuracy_%d", len(z.files))),
		z.expected(m.ID, fmt.Sprintf("worst_case_%d", len(z.files)))
	if e.Outcome.Targets != len(z.files) || near(e.Outcome.Accuracy, accuracy) > 1e-9 ||
		near(e.Outcome.WorstCase, worst) > 1e-9 {
		z.Errorf("model %s: %+v, want accuracy %v and worst case %v", m.ID, e.Outcome, accuracy, worst)
	}
	var scale map[string]float64
	must(z, json.Unmarshal(z.summary.Models[m.ID]["scale"], &scale))
	for name, measure := range measureNames {
		cloud := e.Clouds[measure]
		if near(cloud.D, z.summary.D) > 1e-4 {
			z.Errorf("axes end at %v, want %v", cloud.D, z.summary.D)
		}
		d := near(e.Constants[measure], scale[name]) / scale[name]
		if z.constants = max(z.constants, d); d > 1e-4 {
			z.Errorf("model %s: %s is divided by %v, want %v", m.ID, measure, e.Constants[measure], scale[name])
		}
	}
	z.compareSignals(m, e)
	z.compareMatrices(m, e)
}

// expected is a number of summary.json about a model.
func (z *backgroundZoo) expected(id, name string) float64 {
	z.Helper()
	var v float64
	must(z, json.Unmarshal(z.summary.Models[id][name], &v))
	return v
}

func near(a, b float64) float64 { return math.Abs(a - b) }

// compareSignals reads signals_<id>.csv line by line; predictions are in the model's numbering.
// Differences of act_* are taken relative to numbers above 1.
func (z *backgroundZoo) compareSignals(m model.Model, e scenes.Evidence) {
	z.Helper()
	lines := records(z, z.folder, "expected", "signals_"+m.ID+".csv")
	images := z.record.N + 1
	if len(lines) != len(z.files)*images {
		z.Fatalf("model %s: %d lines", m.ID, len(lines))
	}
	for k, line := range lines {
		t, j := k/images, k%images
		if line[0] != z.files[t] || line[1] != strconv.Itoa(j) || line[3] != fmt.Sprint(e.Predictions[j][t]) {
			z.Errorf("model %s: prediction %d of %s, image %d; want %v", m.ID, e.Predictions[j][t], z.files[t], j, line)
		}
		if d := near(e.Clouds[scenes.ConfMax].Distances[t][j], z.number(line[2])); d > 1e-5 {
			z.Errorf("%s, image %d: the distance differs by %v", z.files[t], j, d)
		}
		for c, name := range []string{"conf_max", "conf_true", "act_max", "act_mean"} {
			measure := measureNames[name]
			want := z.number(line[4+c])
			d := near(e.Clouds[measure].Signals[t][j]*e.Constants[measure], want) / max(1, math.Abs(want))
			if z.signals = max(z.signals, d); d > 1e-4 {
				z.Errorf("model %s: %s of %s, image %d differs from %v by %v", m.ID, name, z.files[t], j, want, d)
			}
		}
	}
}

func (z *backgroundZoo) number(text string) float64 {
	z.Helper()
	return testdata.Must(strconv.ParseFloat(text, 64))(z)
}

// compareMatrices computes the matrices of the run's own signals, and reads the kept ones, which
// have the same bits.
func (z *backgroundZoo) compareMatrices(m model.Model, e scenes.Evidence) {
	z.Helper()
	file := testdata.Must(os.Open(filepath.Join(z.folder, "expected", "matrices_"+m.ID+".npy")))(z)
	defer func() { _ = file.Close() }()
	var want []float32
	must(z, npyio.Read(file, &want))
	var list []scatter.Interpolant
	for _, p := range z.summary.Interpolants {
		list = append(list, scatter.Interpolant{Size: p[0], Sigma: p[1], K: int(p[2])})
	}
	size := z.summary.Raster * z.summary.Raster
	for c, name := range z.summary.Measures {
		got := testdata.Must(scenes.Matrices(z.Context(), z.ws, e, measureNames[name], z.summary.Raster, list))(z)
		again := testdata.Must(scenes.Matrices(z.Context(), z.ws, e, measureNames[name], z.summary.Raster, list))(z)
		for p := range list {
			for i, v := range got[p].Values {
				d := near(v, float64(want[(c*len(list)+p)*size+i]))
				if z.matrices = max(z.matrices, d); !(d <= 1e-3) {
					z.Errorf("model %s, %s, %s: element %d is %v, %v away", m.ID, name, list[p], i, v, d)
				}
				if again[p].Values[i] != v {
					z.Errorf("model %s, %s, %s: element %d is %v, kept as %v",
						m.ID, name, list[p], i, v, again[p].Values[i])
				}
			}
		}
	}
}
