package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files writes files into a new folder.
func files(tb testing.TB, contents map[string]string) string {
	tb.Helper()
	folder := tb.TempDir()
	for name, content := range contents {
		images.Put(tb, filepath.Join(folder, name), []byte(content))
	}
	return folder
}

// read stands in for engine/onnx.Read.
func read(path string) (model.Graph, func() (io.ReadCloser, error), error) {
	g, err := inspect(path)
	return g, func() (io.ReadCloser, error) { return os.Open(path) }, err
}

// inspect is what read says of a graph: a file is a model when its text begins with "model"; "open"
// in it means that it takes images of any size.
func inspect(path string) (model.Graph, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return model.Graph{}, err
	}
	if !strings.HasPrefix(string(text), "model") {
		return model.Graph{}, fmt.Errorf("%s is no ONNX model", filepath.Base(path))
	}
	g := model.Graph{
		Input:   model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
		Outputs: []model.Output{{Name: "y"}}, Convs: []string{"c"}, Tensors: []string{"c", "y"},
	}
	if strings.Contains(string(text), "open") {
		g.Input.Height, g.Input.Width = 0, 0
	}
	return g, nil
}

// prober stands in for the inference library: a probe fails for files with "crash" in their text.
type prober struct {
	mu     sync.Mutex
	probed []string
	hang   bool
}

func (*prober) Version() string { return "1" }

func (*prober) Open(context.Context, engine.Feed) (engine.Session, error) {
	return nil, errors.New("not needed")
}

func (r *prober) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	r.mu.Lock()
	r.probed = append(r.probed, feed.ProbeName())
	r.mu.Unlock()
	if r.hang {
		<-ctx.Done()
		return engine.Probe{}, ctx.Err()
	}
	text, err := os.ReadFile(feed.Path)
	if err != nil || strings.Contains(string(text), "crash") {
		return engine.Probe{}, errors.New("the probe ended with a crash")
	}
	if strings.Contains(string(text), "single") && feed.Input.Batch > 1 {
		return engine.Probe{}, &engine.BatchError{Text: "the batch failed"}
	}
	if strings.Contains(string(text), "unsteady") {
		return engine.Probe{Classes: 10, Unsteady: "its Dropout is in training mode"}, nil
	}
	return engine.Probe{Classes: 10, Sums: strings.Contains(string(text), "softmax")}, nil
}

func imported(tb testing.TB, w *store.Workspace, rt engine.Runtime, paths ...string) Report {
	tb.Helper()
	var p testdata.Progress
	r := testdata.Must(Models(tb.Context(), w, rt, read, paths, ModelOptions{}, &p))(tb)
	if p.Total.Load() != p.Done.Load() {
		tb.Errorf("progress ended at %d of %d", p.Done.Load(), p.Total.Load())
	}
	return r
}

// failures are a report's failures as text, with the folder left out.
func failures(r Report, folder string) []string {
	var list []string
	for _, f := range r.Failed {
		list = append(list, strings.ReplaceAll(f.Error(), folder+string(filepath.Separator), ""))
	}
	return list
}

func TestImportOfAFolderWithTables(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{
		"models.csv": "id,fold,file,output_kind\na,regular,,logits\nb,holdout,,\nc,x,deep/other.onnx,\n" +
			"d,x,,\n../e,x,,\nf,x,,\ng,x,,softmax\n",
		"curves.csv": "id,epoch,loss\na,1,0.5\nq,1,2\n", "models/a.onnx": "model a", "b.onnx": "model b",
		"deep/other.onnx": "model c", "models/f.onnx": "junk", "models/g.onnx": "model g",
		"models/unlisted.onnx": "model u",
	})
	r := imported(t, w, nil, folder)
	testdata.NoDiff(t, "-want +got", cmp.Diff([]string{"a", "b", "c"}, r.Added))
	want := []string{
		"models.csv, line 5: model d: its file is not there (looked for models/d.onnx and d.onnx)",
		`models.csv, line 6: model ../e: its id leads out of the folder; name its file in a column "file"`,
		"curves.csv, line 3: no model q to take the curve",
		"models.csv, line 7: f.onnx is no ONNX model",
		"models.csv, line 8: model g: output_kind \"softmax\" in models.csv is none of logits, probabilities, " +
			"log-probabilities, sigmoid, binary-logit, binary-probability",
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, failures(r, folder)))
	m := testdata.Must(w.FindModel("a"))(t)
	if m.Value("fold") != "regular" || m.File != "a.onnx" || len(m.Curves) != 1 || m.ProbedKind != "" ||
		m.Probes != nil {
		t.Errorf("%+v", m)
	}
	if diff := cmp.Diff([]model.Field{{Name: "fold", Value: "regular"}, {Name: "output_kind", Value: "logits"}},
		m.Record); diff != "" {
		t.Error(diff)
	}
}

func TestImportAgainMergesAndRenames(t *testing.T) {
	w := sums.Empty(t)
	first := files(t, map[string]string{"m.onnx": "model 1", "n.onnx": "model 2"})
	if r := imported(t, w, nil, filepath.Join(first, "m.onnx"), filepath.Join(first, "n.onnx")); !slices.Equal(r.Added,
		[]string{"m", "n"}) {
		t.Error(r)
	}
	second := files(t, map[string]string{
		"models.csv": "id,note\nm,hello\nx,same bytes\n", "models/m.onnx": "model 3",
		"x.onnx": "model 2",
	})
	r := imported(t, w, nil, second)
	if !slices.Equal(r.Added, []string{"m-2"}) || !slices.Equal(r.Merged, []string{"n"}) || r.Failed != nil {
		t.Error(r)
	}
	if m, err := w.FindModel("n"); err != nil || m.Value("note") != "same bytes" {
		t.Error(m, err)
	}
	// the table itself stands for its folder
	r = imported(t, w, nil, filepath.Join(second, "models.csv"))
	if len(r.Added) != 0 || !slices.Equal(r.Merged, []string{"m-2", "n"}) {
		t.Error(r)
	}
}

func TestImportOfAFolderWithoutTable(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{
		"m10.onnx": "model 10", "m2.onnx": "model 2", "models/a.ONNX": "model a", "notes.txt": "x",
		"curves.csv": "id,epoch,loss\nm2,1,1\n",
	})
	r := imported(t, w, nil, folder)
	if !slices.Equal(r.Added, []string{"m2", "m10", "a"}) || r.Failed != nil {
		t.Error(r)
	}
	if m, err := w.FindModel("m2"); err != nil || len(m.Curves) != 1 {
		t.Error(err)
	}
}

func TestImportReportsEveryFailure(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{
		"text.txt": "model", "junk.onnx": "junk", "good.onnx": "model", "empty/x.txt": "",
		"broken/models.csv": "id\na\na\n", "none/models.csv": "id\n", "curve/models.csv": "id\nok\n",
		"curve/ok.onnx": "model ok", "curve/curves.csv": "id,epoch\nok,x\n",
	})
	var paths []string
	for _, name := range []string{
		"absent.onnx", "text.txt", "junk.onnx", "good.onnx", "empty", "broken", "none",
		"curve",
	} {
		paths = append(paths, filepath.Join(folder, name))
	}
	r := imported(t, w, nil, paths...)
	if !slices.Equal(r.Added, []string{"good", "ok"}) {
		t.Error(r.Added)
	}
	want := []string{
		"absent.onnx: stat absent.onnx: no such file or directory",
		"empty: no .onnx file and no models.csv in it, nor in the folders in it",
		"broken/models.csv, line 3: id a is in line 2 already",
		"none/models.csv: it lists no model",
		`curve/curves.csv, line 2: epoch "x" is not a whole number`,
		"text.txt: it is no .onnx file",
		"junk.onnx is no ONNX model",
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, failures(r, folder)))
	if !errors.Is(r.Failed[0], fs.ErrNotExist) {
		t.Error("the reason is not wrapped")
	}
}

func TestImportProbes(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{
		"a.onnx": "model", "b.onnx": "model softmax", "c.onnx": "model crash", "d.onnx": "model open crash",
		"e.onnx": "model open",
	})
	rt := &prober{}
	r := imported(t, w, engine.InProcess{Library: rt}, folder)
	if !slices.Equal(r.Added, []string{"a", "b", "d", "e"}) {
		t.Error(r.Added)
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff([]string{"c.onnx: the probe ended with a crash"}, failures(r, folder)))
	for id, want := range map[string]struct {
		kind  model.OutputKind
		probe string
	}{
		"a": {model.Logits, "y|c|32x1x8x8"}, "b": {model.Probabilities, "y|c|32x1x8x8"}, "d": {},
		"e": {model.Logits, "y|c|32x1x64x64"},
	} {
		m := testdata.Must(w.FindModel(id))(t)
		if m.ProbedKind != want.kind || strings.Join(slices.Sorted(maps.Keys(m.Probes)), " ") != want.probe {
			t.Errorf("%s: %s %v", id, m.ProbedKind, m.Probes)
		}
		if want.probe != "" && m.Graph.Outputs[0].Classes != 10 {
			t.Errorf("%s: %d classes", id, m.Graph.Outputs[0].Classes)
		}
	}
	rt.probed = nil
	if r := imported(t, w, engine.InProcess{Library: rt}, filepath.Join(folder, "a.onnx")); !slices.Equal(r.Merged,
		[]string{"a"}) || rt.probed != nil {
		t.Error("what passed before was probed again", rt.probed)
	}
	if m, err := w.FindModel("a"); err != nil || m.ProbedKind != model.Logits || m.Graph.Outputs[0].Classes != 10 {
		t.Error("the second import lost what the probe found", err)
	}
}

func TestImportEndsWithItsContext(t *testing.T) {
	w := sums.Empty(t)
	contents := map[string]string{}
	for i := range 20 {
		contents[fmt.Sprintf("%d.onnx", i)] = fmt.Sprintf("model %d", i)
	}
	folder := files(t, contents)
	ctx, cancel := context.WithCancel(t.Context())
	rt := &prober{hang: true}
	done := make(chan error, 1)
	go func() {
		_, err := Models(ctx, w, engine.InProcess{Library: rt}, read, []string{folder}, ModelOptions{},
			engine.NoProgress{})
		done <- err
	}()
	cancel()
	testdata.ErrorIs(t, "error", <-done, context.Canceled)
	if list, err := w.Models(); len(list) != 0 || err != nil {
		t.Error(len(list), err)
	}
}

func TestImportStopsWhenTheWorkspaceIsClosed(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{"a.onnx": "model a", "b.onnx": "model b"})
	must(t, w.Close())
	testdata.ErrorIs(t, "error", testdata.Err(Models(t.Context(), w, nil, read, []string{folder}, ModelOptions{},
		engine.NoProgress{})), store.ErrClosed)
}

func TestHoldsModels(t *testing.T) {
	folder := files(t, map[string]string{
		"a.onnx": "", "table/models.csv": "", "loose/x.onnx": "", "deep/models/x.onnx": "", "images/cat/1.png": "",
		"labels.csv": "",
	})
	for name, want := range map[string]bool{
		"a.onnx": true, "table": true, "loose": true, "deep": true, "images": false, "labels.csv": false,
	} {
		path := filepath.Join(folder, name)
		info := testdata.Must(os.Stat(path))(t)
		if got := holdsModels(path, info); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestImportFileColumn: relative to the folder, also out of it, or absolute; a folder is no file.
func TestImportFileColumn(t *testing.T) {
	w := sums.Empty(t)
	elsewhere := files(t, map[string]string{"abs.onnx": "model abs"})
	folder := files(t, map[string]string{
		"tables/models.csv": "id,file\nup,../up.onnx\nabs," + filepath.Join(elsewhere, "abs.onnx") +
			"\nfolder,deep\nbin,weights.bin\n", "up.onnx": "model up", "tables/deep/x.onnx": "model x",
		"tables/weights.bin": "model bin",
	})
	r := imported(t, w, nil, filepath.Join(folder, "tables"))
	if !slices.Equal(r.Added, []string{"up", "abs"}) {
		t.Error(r.Added)
	}
	want := []string{
		"tables/models.csv, line 4: model folder: its file is not there (looked for deep)",
		"tables/models.csv, line 5: it is no .onnx file",
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, failures(r, folder)))
}

// A folder of folders gives a model each, under the folder's name; a folder of images with none of
// them is no folder of models.
func TestFoldersOfModels(t *testing.T) {
	folder := files(t, map[string]string{
		"a/model.onnx": "model a", "b10/model.onnx": "model b", "b9/x.onnx": "model x", "b9/y.onnx": "model y",
		"c/models/m.onnx": "model c", "c/readme.txt": "", ".git/model.onnx": "model hidden",
	})
	w := sums.Empty(t)
	r := imported(t, w, engine.InProcess{Library: &prober{}}, folder)
	if want := []string{"a", "b9-x", "b9-y", "b10", "c"}; !slices.Equal(r.Added, want) || len(r.Failed) > 0 {
		t.Errorf("%q, %v", r.Added, r.Failed)
	}
	for name, want := range map[string]bool{"a": true, ".": true, "suite": false, "weights": true, "saved": true} {
		path := filepath.Join(files(t, map[string]string{
			"a/model.onnx": "model", "suite/cat/1.png": "", "suite/notes.pt": "", "weights/model.safetensors": "",
			"saved/saved_model.pb": "", "saved/variables/v": "",
		}), name)
		if info, err := os.Stat(path); err != nil || holdsModels(path, info) != want {
			t.Errorf("%s: %v, %v", name, !want, err)
		}
	}
}

// Models of other programs are refused with how to make an ONNX file of them.
func TestModelsOfOtherKindsAreRefused(t *testing.T) {
	folder := files(t, map[string]string{
		"m.pt": "", "m.keras": "", "m.tflite": "", "g.pb": "",
		"hub/model.safetensors": "", "hub/config.json": "",
	})
	for name, want := range map[string]string{
		"m.pt": "torch.onnx.export(model.eval()", "m.keras": "a Keras model", "m.tflite": "tf2onnx.convert --tflite",
		"g.pb": "--saved-model", "hub": "optimum-cli",
	} {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err != nil || !holdsModels(path, info) {
			t.Errorf("%s is taken for a suite", name)
		}
		if r := imported(t, sums.Empty(t), nil, path); len(r.Failed) != 1 ||
			!strings.Contains(r.Failed[0].Error(), want) {
			t.Errorf("%s: %v", name, r.Failed)
		}
	}
}

// A model that fails in batches is taken for batches of one image; one that is not deterministic
// only where that is allowed. Both have a badge.
func TestModelsWithBadges(t *testing.T) {
	folder := files(t, map[string]string{"one.onnx": "model single", "chance.onnx": "model unsteady"})
	w := sums.Empty(t)
	r := imported(t, w, engine.InProcess{Library: &prober{}}, folder)
	if !slices.Equal(r.Added, []string{"one"}) || len(r.Failed) != 1 ||
		!strings.Contains(r.Failed[0].Error(),
			"its Dropout is in training mode; import it with --allow-nondeterministic") {
		t.Errorf("%q, %v", r.Added, r.Failed)
	}
	m, err := w.FindModel("one")
	if err != nil || m.Graph.Input.Batch != 1 || !strings.Contains(strings.Join(r.of("one"), ""),
		"one image at a time: its file leaves the batch open, but a batch of 32 fails") {
		t.Errorf("%+v, %q, %v", m.Graph.Input, r.of("one"), err)
	}
	r, err = Models(t.Context(), w, engine.InProcess{Library: &prober{}}, read, []string{folder},
		ModelOptions{AllowNondeterministic: true}, engine.NoProgress{})
	if err != nil || !slices.Equal(r.Added, []string{"chance"}) ||
		!strings.Contains(strings.Join(r.of("chance"), ""), "not deterministic: its Dropout is in training mode") {
		t.Errorf("%+v, %v", r, err)
	}
}
