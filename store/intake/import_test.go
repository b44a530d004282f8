package intake

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// imports imports paths as the command and the window do, and returns what is said of each thing.
func imports(
	t *testing.T, ctx context.Context, w *store.Workspace, p engine.Progress, paths ...string,
) ([]string, error) {
	t.Helper()
	sources := make([]Source, len(paths))
	for i, path := range paths {
		sources[i] = Recognise(path)
	}
	list, err := Importer{
		Workspace: w, Read: read, Say: error.Error, Stage: func(string) engine.Progress { return p },
	}.Import(ctx, sources, ImportOptions{})
	said := make([]string, len(list))
	for i, o := range list {
		said[i] = strings.TrimSpace(o.What + " " + o.Name + ": " + o.Reason)
		if len(o.Details) > 0 {
			said[i] += " " + o.Details[0]
		}
		if len(o.Before) > 0 {
			said[i] += "; can be undone"
		}
	}
	return said, err
}

// TestImport: what a path speaks of may come in with it, and what fails keeps nothing else out.
func TestImport(t *testing.T) {
	w := sums.Empty(t)
	hash := testdata.Must(Hash(t.Context(), func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("model")), nil
	}))(t)
	folder := files(t, map[string]string{
		"m.onnx": "model", "bad.onnx": "x", "late.csv": "id,owner\nzz,lab\n",
		"more.csv": "model_hash,owner\n" + hash + ",lab\n",
		"m.csv":    "epoch,loss\n0,2\n", "notes.txt": "x",
	})
	var paths []string
	for _, name := range []string{"m.csv", "late.csv", "more.csv", "nowhere", "notes.txt", "bad.onnx", "m.onnx"} {
		paths = append(paths, filepath.Join(folder, name))
	}
	got, err := imports(t, t.Context(), w, engine.NoProgress{}, append(paths, pictures(t), w.Path())...)
	for i, want := range []string{
		"model m: added",
		"failed nowhere: import " + paths[3] + ": stat ",
		"failed notes.txt: ", "failed " + filepath.Base(w.Path()) + ": " + w.Path() + " is a workspace",
		"suite ",
		"failed late.csv: late.csv: none of its models (zz) is in this workspace",
		"records more.csv: records of 1 model, 1 of them change, new columns: owner; can be undone",
		"log m: log of Keras: train_loss over 1 epoch; can be undone",
		"failed bad.onnx: " + paths[5] + " is no ONNX model",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Fatalf("%d is not %q in\n%s\n%v", i, want, strings.Join(got, "\n"), err)
		}
	}
	if m := testdata.Must(w.FindModel("m"))(t); len(got) != 9 || err != nil || m.Value("owner") != "lab" ||
		len(m.Curves) != 1 {
		t.Errorf("%s\n%+v, %v", strings.Join(got, "\n"), m, err)
	}
}

// untilFirst is a progress that cancels after the first step.
type untilFirst struct{ cancel context.CancelFunc }

func (untilFirst) SetTotal(int64) {}
func (p untilFirst) Add(int64)    { p.cancel() }

// TestACancelledImportTellsWhatCameIn: the models that were added before the cancel.
func TestACancelledImportTellsWhatCameIn(t *testing.T) {
	w := sums.Empty(t)
	folder := files(t, map[string]string{"a.onnx": "model a", "b.onnx": "model b", "c.onnx": "model c"})
	ctx, cancel := context.WithCancel(t.Context())
	got, err := imports(t, ctx, w, untilFirst{cancel}, folder, filepath.Join(folder, "nowhere"))
	if !errors.Is(err, context.Canceled) || len(got) != 2 || got[0] != "model a: added" {
		t.Errorf("%q, %v", got, err)
	}
	if models := testdata.Must(w.Models())(t); len(models) != 1 {
		t.Errorf("%d models", len(models))
	}
}

func TestOptionsOfOneThing(t *testing.T) {
	one := []Source{{Path: "a", Kind: SuiteKind}, {Path: "b", Kind: LogKind}}
	two := append(one, Source{Path: "c", Kind: SuiteKind}, Source{Path: "c", Kind: LogKind}, one[0])
	for _, o := range []ImportOptions{
		{SuiteOptions: SuiteOptions{Name: "s"}},
		{SuiteOptions: SuiteOptions{Labels: "l"}},
		{LogOptions: LogOptions{Model: "m"}},
	} {
		if o.Fit(one) != nil || o.Fit(two) == nil || o.Fit(nil) == nil || o.Fit([]Source{{}}) != nil {
			t.Errorf("%+v: %v, %v, %v", o, o.Fit(one), o.Fit(two), o.Fit(nil))
		}
	}
	if got := Paths(two, LogKind); !slices.Equal(got, []string{"b", "c"}) || (ImportOptions{}).Fit(two) != nil {
		t.Error(got)
	}
}
