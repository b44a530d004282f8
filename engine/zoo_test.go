//go:build cgo

package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/testdata"
)

// The runs below probe each model in a child process, which is this test program again.
func init() { onnx.ServeWorker() }

// TestZooMatrixScenes, TestZooMatrixMnist and TestZooMatrixCifar run every model of a zoo that has
// reference results through the whole engine.
func TestZooMatrixScenes(t *testing.T) {
	zooMatrices(t, "scenes", func(folder string) (string, suite.Options) {
		names := testdata.Must(os.ReadFile(filepath.Join(folder, "labels", "objects.txt")))(t)
		return filepath.Join(folder, "targets"), suite.Options{Classes: strings.Fields(string(names))}
	})
}

func TestZooMatrixMnist(t *testing.T) {
	zooMatrices(t, "mnist", func(folder string) (string, suite.Options) {
		return filepath.Join(folder, "test-images-idx3-ubyte.gz"),
			suite.Options{Labels: filepath.Join(folder, "test-labels-idx1-ubyte.gz")}
	})
}

func TestZooMatrixCifar(t *testing.T) {
	zooMatrices(t, "cifar", func(folder string) (string, suite.Options) {
		return filepath.Join(folder, "test"), suite.Options{}
	})
}

// zooExpected is expected/<id>/expected.json.
type zooExpected struct {
	Family        string
	Values        []float64
	Images        int
	Correct       []int                    `json:"correct_per_transformation"`
	RobustCorrect int                      `json:"robust_correct"`
	CloseCalls    struct{ Pairs [][2]int } `json:"close_calls"`
}

// family is the text of the family whose values the file lists.
func (e zooExpected) family() string {
	lo, hi := e.Values[0], e.Values[len(e.Values)-1]
	decimal := func(v float64) string { return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64) }
	return fmt.Sprintf("%s:%s:%s:%s", e.Family, decimal(lo), decimal(hi), decimal((hi-lo)/float64(len(e.Values)-1)))
}

func zooMatrices(t *testing.T, name string, images func(folder string) (path string, opts suite.Options)) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Printf("zoo %s: not run, ONNX Runtime is absent; make library brings it\n", name)
		return
	}
	folder, ok := testdata.Zoo(name)
	if !ok {
		fmt.Printf("zoo %s: absent\n", name)
		return
	}
	rt := testdata.Must(onnx.Workers("", nil, worker.Bounds{}))(t)
	defer func() { _ = rt.Close() }()
	path, opts := images(folder)
	manifest := testdata.Must(suite.Scan(t.Context(), path, opts, nil))(t)
	source := testdata.Must(suite.Open(manifest, manifest.Root))(t)
	z := zoo{
		T: t, folder: folder, manifest: manifest, rec: &units{byKey: map[string]*signal.Unit{}},
		expected: map[string]zooExpected{},
	}
	tasks := z.shortened(name, z.plan(rt))
	e := engine.New(rt, z.rec, engine.Limits{Workers: 2})
	defer func() { _ = e.Close() }()
	testdata.OK(t, e.Submit(engine.Run{ID: name, Source: source, Tasks: tasks, Close: source.Close}))
	status := testdata.Must(e.Wait(t.Context(), name))(t)
	for _, task := range status.Tasks {
		if task.Err != nil || task.Phase != engine.Done {
			t.Fatalf("model %s: %s, %v", task.ID, task.Phase, task.Err)
		}
	}
	for _, task := range tasks {
		z.compare(task)
	}
	t.Logf("%.0f inferences a second", status.PerSecond)
	fmt.Printf("zoo %s: %d models, largest difference %.2g\n", name, len(tasks), z.largest)
}

// units is a recorder in memory.
type units struct {
	mu    sync.Mutex
	byKey map[string]*signal.Unit
}

func (u *units) Has(string) (bool, error) { return false, nil }

func (u *units) Record(_ context.Context, spec signal.Spec, unit *signal.Unit) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.byKey[spec.UnitKey(unit.Chunk)] = unit
	return nil
}

func (u *units) Finish(context.Context, engine.Task) error { return nil }

func (u *units) Ended(engine.Status) error { return nil }

// zoo is one zoo on test.
type zoo struct {
	*testing.T
	folder   string
	manifest suite.Manifest
	rec      *units
	expected map[string]zooExpected // by model id
	largest  float64                // difference of matrix elements, as a part of max(1, the matrix's maximum)
}

// plan resolves every model that has a folder under expected.
func (z *zoo) plan(rt engine.Runtime) (tasks []engine.Task) {
	records := z.records()
	entries := testdata.Must(os.ReadDir(filepath.Join(z.folder, "expected")))(z)
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		id := entry.Name()
		var e zooExpected
		data := testdata.Must(os.ReadFile(filepath.Join(z.folder, "expected", id, "expected.json")))(z)
		testdata.OK(z, json.Unmarshal(data, &e))
		z.expected[id] = e
		family := testdata.Must(transform.Parse(e.family()))(z)
		for i, v := range family.Values() {
			if math.Abs(v-e.Values[i]) > 1e-12 {
				z.Fatalf("model %s: value %d of %s is %v, want %v", id, i, e.family(), v, e.Values[i])
			}
		}
		path := filepath.Join(z.folder, "models", id+".onnx")
		graph := testdata.Must(onnx.Inspect(path))(z)
		content := testdata.Must(os.ReadFile(path))(z)
		hash := fmt.Sprintf("%x", sha256.Sum256(content))
		task := testdata.Must(engine.Plan(engine.PlanInput{
			Model: model.Model{Hash: hash, ID: id, Graph: graph, Record: records[id]}, Path: path,
			Suite: z.manifest, Family: family, Positions: z.positions(id), Runtime: rt.Version(),
		}))(z)
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		z.Fatalf("%s has no model with expected results", z.folder)
	}
	return tasks
}

// shortened leaves one model where tests are to be short, as under the race detector, which takes
// minutes for all, and says so.
func (z *zoo) shortened(name string, tasks []engine.Task) []engine.Task {
	if !testing.Short() || len(tasks) == 1 {
		return tasks
	}
	fmt.Printf("zoo %s: -short, only model %s of %d\n", name, tasks[0].ID, len(tasks))
	return tasks[:1]
}

// matrices maps the files of expected matrices to their modalities: max_CONV-1.npy to max@CONV-1.
func (z *zoo) matrices(id string) map[string]signal.Modality {
	files, err := filepath.Glob(filepath.Join(z.folder, "expected", id, "*_*.npy"))
	if err != nil || len(files) == 0 {
		z.Fatalf("model %s: no expected matrices, %v", id, err)
	}
	out := map[string]signal.Modality{}
	for _, file := range files {
		text := strings.TrimSuffix(filepath.Base(file), ".npy")
		cut := strings.LastIndex(text, "_")
		m := testdata.Must(signal.ParseModality(text[:cut] + "@" + text[cut+1:]))(z)
		out[file] = m
	}
	return out
}

func (z *zoo) positions(id string) []string {
	names := map[string]bool{}
	for _, m := range z.matrices(id) {
		names[m.Position] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// records reads models.csv.
func (z *zoo) records() map[string][]model.Field {
	f := testdata.Must(os.Open(filepath.Join(z.folder, "models.csv")))(z)
	defer func() { _ = f.Close() }() // read only
	rows := testdata.Must(csv.NewReader(f).ReadAll())(z)
	out := map[string][]model.Field{}
	for _, row := range rows[1:] {
		for c, value := range row {
			out[row[0]] = append(out[row[0]], model.Field{Name: rows[0][c], Value: value})
		}
	}
	return out
}

// compare holds one model's results against the reference: predictions, matrices, accuracies.
func (z *zoo) compare(task engine.Task) {
	var list []*signal.Unit
	for chunk := range task.Spec.Chunks() {
		list = append(list, z.rec.byKey[task.Spec.UnitKey(chunk)])
	}
	set := testdata.Must(assembly.Set(task.Spec, list))(z)
	e := z.expected[task.ID]
	if set.Images != e.Images || set.Transformations != len(e.Values) {
		z.Fatalf("model %s: %d images under %d transformations, want %d under %d", task.ID, set.Images,
			set.Transformations, e.Images, len(e.Values))
	}
	z.comparePredictions(task, set, e)
	all := testdata.Must(variance.AllImages().Choose(z.manifest.Labels, nil, nil))(z)
	for file, modality := range z.matrices(task.ID) {
		got := testdata.Must(variance.Scalar(testdata.Must(set.Signals(modality))(z), all))(z)
		z.compareMatrix(task.ID+" "+modality.String(), got, readNpy[float64](z.T, file))
	}
}

func (z *zoo) compareMatrix(name string, got variance.Matrix, want []float64) {
	if len(want) != len(got.Data) {
		z.Errorf("%s: %d elements, want %d", name, len(got.Data), len(want))
		return
	}
	scale := max(1, slices.Max(want))
	for c, v := range want {
		d := math.Abs(got.Data[c]-v) / scale
		z.largest = max(z.largest, d)
		if !(d <= 1e-5) {
			z.Errorf("%s: element %d, %d is %v, want %v", name, c/got.N, c%got.N, got.Data[c], v)
		}
	}
}

func (z *zoo) comparePredictions(task engine.Task, set *signal.Set, e zooExpected) {
	want := readNpy[int16](z.T, filepath.Join(z.folder, "expected", task.ID, "predictions.npy"))
	if len(want) != len(set.Prediction) {
		z.Fatalf("model %s: %d predictions, want %d", task.ID, len(set.Prediction), len(want))
	}
	closeCalls := map[int]bool{}
	for _, pair := range e.CloseCalls.Pairs {
		closeCalls[pair[0]*set.Images+pair[1]] = true
	}
	for c, v := range want {
		if set.Prediction[c] != int32(v) && !closeCalls[c] {
			z.Errorf("model %s: image %d under transformation %d is %d, want %d", task.ID, c%set.Images, c/set.Images,
				set.Prediction[c], v)
		}
	}
	all, _ := variance.AllImages().Choose(z.manifest.Labels, nil, nil)
	per, robust := variance.Accuracy(set.Predictions(), z.manifest.Labels, task.Classes, all)
	slack := float64(len(closeCalls)) + 1e-6
	m := float64(set.Images)
	for i, right := range e.Correct {
		if math.Abs(per[i]*m-float64(right)) > slack {
			z.Errorf("model %s: %v right under transformation %d, want %d", task.ID, per[i]*m, i, right)
		}
	}
	if math.Abs(robust*m-float64(e.RobustCorrect)) > slack {
		z.Errorf("model %s: %v right under all transformations, want %d", task.ID, robust*m, e.RobustCorrect)
	}
}

func readNpy[T any](t *testing.T, path string) []T {
	t.Helper()
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }() // read only
	var out []T
	testdata.OK(t, npyio.Read(f, &out))
	return out
}
