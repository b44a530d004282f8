package export

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/sbinet/npyio/npz"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// manyImages is a workspace with a suite of two units, and what a model's signals are in them.
func manyImages(t *testing.T) (*desk, *signal.Set) {
	d := newDesk(t)
	one, many := d.models[0], sums.MadeUpSuite(t, d.Workspace, "many", 1, true, "cat", "dog")
	spec := sums.MadeUpSpec(t, one, many, canonical(t, "rotation:-15:15:15"))
	spec.Positions = []signal.Position{{Name: model.CONF, Tensor: "y"}, {Name: model.Conv1, Tensor: "c2"}}
	task := engine.Task{ID: one.ID, Spec: spec, Classes: []int{1, 0}, MappedBy: "by table"}
	return d, sums.Record(t, d.Workspace, task, func(chunk int) *signal.Unit {
		first, n := spec.ChunkImages(chunk)
		u := &signal.Unit{Chunk: chunk, Transformations: 3, Images: n, Classes: 2, Reduced: make([][]float32, 2)}
		for v := range 3 {
			for i := range n {
				p := float32(v+1) / float32(first+i+5)
				u.Softmax = append(u.Softmax, p, 1-p)
				u.Prediction, u.Confidence = append(u.Prediction, int32((v+first+i)%2)),
					append(u.Confidence, max(p, 1-p))
			}
		}
		for p := range 2 {
			for r := range signal.Reducers {
				for v := range 3 {
					for i := range n {
						u.Reduced[p] = append(u.Reduced[p], float32(1000*p+100*r+10*v)+float32(first+i)/1000)
					}
				}
			}
		}
		return u
	})
}

// TestSignalFilesEqualTheSet: both files hold what the workspace does, over several units.
func TestSignalFilesEqualTheSet(t *testing.T) {
	d, set := manyImages(t)
	out := filepath.Join(t.TempDir(), "set")
	files := testdata.Must(Export(t.Context(), d.Workspace,
		Options{Out: out, Signals: true, Without: []Part{Pictures, Features}}, nil))(t)
	found := slices.DeleteFunc(files, func(file string) bool { return !strings.Contains(file, "signals") })
	if len(found) != 6 { // two models under one family, one of them on two suites
		t.Fatalf("%q", files)
	}
	path := ""
	for _, file := range found {
		if strings.HasSuffix(file, ".npz") && len(arrayOf[float64](t, file, "V")) == 3 &&
			len(arrayOf[int32](t, file, "truth")) == 300 {
			path = file
		}
	}
	prediction, softmax, most := arrayOf[int32](t, path, "prediction"), arrayOf[float32](t, path, "softmax"),
		arrayOf[float32](t, path, "max_std@CONV-1")
	truth := arrayOf[int32](t, path, "truth")
	if !cmp.Equal(arrayOf[float64](t, path, "V"), []float64{-15, 0, 15}) ||
		!cmp.Equal(truth[:6], []int32{1, 0, 1, 0, 1, -1}) || len(softmax) != 300*3*2 {
		t.Errorf("V %v, truth %v, %d", arrayOf[float64](t, path, "V"), truth[:6], len(softmax))
	}
	type row struct {
		Model          string  `parquet:"model_id,optional"`
		Image          int32   `parquet:"image,optional"`
		Name           string  `parquet:"image_id,optional"`
		Transformation int32   `parquet:"transformation,optional"`
		V              float64 `parquet:"V,optional"`
		Truth          int32   `parquet:"truth,optional"`
		Prediction     int32   `parquet:"prediction,optional"`
		Cat            float32 `parquet:"softmax.cat,optional"`
		Confidence     float32 `parquet:"confidence,optional"`
		MaxStd         float32 `parquet:"max_std@CONV-1,optional"`
	}
	rows, err := parquet.ReadFile[row](strings.TrimSuffix(path, ".npz") + ".parquet")
	if err != nil || len(rows) != 900 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	std := testdata.Must(set.Signals(signal.Modality{Position: model.Conv1, Reducer: signal.MaxStd}))(t)
	for i := range 300 {
		for v := range 3 {
			at, k := v*300+i, i*3+v
			want := row{
				"s1", int32(i), rows[k].Name, int32(v), float64(15*v - 15), truth[i], set.Prediction[at],
				set.Softmax[2*at+1], set.Confidence[at], std[v][i],
			}
			if rows[k] != want || prediction[k] != want.Prediction || softmax[2*k+1] != want.Cat ||
				most[k] != want.MaxStd {
				t.Fatalf("image %d, transformation %d: %+v, want %+v", i, v, rows[k], want)
			}
		}
	}
	checkWithPython(t, path)
}

// arrayOf reads an array of a .npz file.
func arrayOf[T any](t *testing.T, path, name string) (values []T) {
	t.Helper()
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }()
	if err := npz.Read(f, name+".npy", &values); err != nil {
		t.Fatalf("%s of %s: %v", name, path, err)
	}
	return values
}

// checkWithPython reads the file in one line of numpy, where numpy is there.
func checkWithPython(t *testing.T, path string) {
	if exec.Command("python3", "-c", "import numpy").Run() != nil {
		t.Log("numpy is not there")
		return
	}
	text, err := exec.Command("python3", "-c", `
import json, sys, numpy
z = numpy.load(sys.argv[1])
meta = json.loads(str(z["meta"]))
print(json.dumps([str(z["model_id"]), meta["family"], z["image_ids"].tolist()[:2], z["class_names"].tolist(), list(z["softmax"].shape),
	z["V"].tolist(), float(abs(z["softmax"].sum(axis=2) - 1).max()), sorted(z.files)[-1], z["max@CONF"].dtype.name]))`, path).CombinedOutput()
	var got []any
	if err != nil || json.Unmarshal(text, &got) != nil {
		t.Fatalf("%v: %s", err, text)
	}
	want := []any{
		"s1", canonical(t, "rotation:-15:15:15"),
		[]any{"0", "1"},
		[]any{"dog", "cat"},
		[]any{300., 3., 2.},
		[]any{-15., 0., 15.},
		got[6],
		"truth", "float32",
	}
	if diff := cmp.Diff(want, got); diff != "" || got[6].(float64) > 1e-6 {
		t.Errorf("numpy reads %s", diff)
	}
}

// TestSignalsOfTransformationSets: they are in no view, and an export without any signals says so.
func TestSignalsOfTransformationSets(t *testing.T) {
	d := newDesk(t)
	m, opts := d.models[0], Options{Signals: true, Without: []Part{Pictures, Features}}
	d.run(m, "rot90")
	opts.Out = filepath.Join(t.TempDir(), "all")
	testdata.Must(Export(t.Context(), d.Workspace, opts, nil))(t)
	path := filepath.Join(opts.Out, "rot90", "signals", m.ID+".npz")
	if !cmp.Equal(arrayOf[float64](t, path, "V"), []float64{0, 1, 2, 3}) ||
		len(arrayOf[int32](t, path, "prediction")) != 4*d.suite.Images {
		t.Errorf("V %v", arrayOf[float64](t, path, "V"))
	}
	opts.Out = filepath.Join(t.TempDir(), "none")
	_, err := Export(t.Context(), sums.Empty(t), opts, nil)
	testdata.Refused(t, "of nothing", err, "no signals to write")
}
