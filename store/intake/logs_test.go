package intake

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

const (
	firstLog = "epoch,learning_rate,loss\n0,0.5,2\n1,0.25,1\n"
	laterLog = "epoch,learning_rate,loss\n0,0.5,2\n1,0.25,1\n2,0.125,0.5\n"
)

// TestALogComesIntoItsModelsRecord: what is new comes in, what differs stays and is told, or is
// replaced where that is asked; each import can be taken back, curves and all.
func TestALogComesIntoItsModelsRecord(t *testing.T) {
	w := recorded(t) // of a: fold regular, epochs 12
	was := testdata.Must(w.FindModel("a"))(t)
	path := csvFile(t, "a.csv", firstLog)
	came := testdata.Must(Log(t.Context(), w, path, LogOptions{}))(t)
	want := []string{
		"log of Keras: learning_rate, train_loss over 2 epochs", "new in its record: learning_rate 0.5",
		"kept as it was, unless what differs is to be replaced: epochs is 12, in the log 2",
	}
	testdata.Equal(t, "details", came.Details, want)
	m := testdata.Must(w.FindModel("a"))(t)
	if m.Value("epochs") != "12" || m.Value("learning_rate") != "0.5" || len(m.Curves) != 2 ||
		m.Curves[1].Values["train_loss"] != 1 {
		t.Errorf("%+v %+v", m.Record, m.Curves)
	}
	if again, err := Log(t.Context(), w, path, LogOptions{}); err != nil || len(again.After) != 0 {
		t.Errorf("the same log changes %+v, %v", again.After, err)
	}
	testdata.Must(w.PutRecords(came.Before))(t)
	testdata.NoDiff(t, "taken back", cmp.Diff(was, testdata.Must(w.FindModel("a"))(t)))

	testdata.Must(Log(t.Context(), w, path, LogOptions{}))(t)
	later := csvFile(t, "a.csv", laterLog)
	kept := testdata.Must(Log(t.Context(), w, later, LogOptions{}))(t)
	if text := strings.Join(kept.Details, "; "); len(kept.After) != 0 ||
		!strings.Contains(text, "curves: there are learning_rate, train_loss over 2 epochs") {
		t.Errorf("%+v: %s", kept.After, text)
	}
	testdata.Must(Log(t.Context(), w, later, LogOptions{Replace: true}))(t)
	if m := testdata.Must(w.FindModel("a"))(t); m.Value("epochs") != "3" || m.Value("fold") != "regular" ||
		len(m.Curves) != 3 {
		t.Errorf("%+v %+v", m.Record, m.Curves)
	}
}

// TestWhoseLogItIs: the model that is named, else the one with the name of the file or the folder,
// else the one whose file lies beside it; where that is none or several, a sentence.
func TestWhoseLogItIs(t *testing.T) {
	w := recorded(t)
	folder := files(t, map[string]string{
		"b.metrics.csv": firstLog, "a/lightning_logs/version_0/metrics.csv": "epoch,step,loss\n0,1,2\n",
		"run7/log.csv": firstLog, "run7/net.onnx": "model b", "both/log.csv": firstLog, "both/1.onnx": "model a",
		"both/2.onnx": "model b", "other/log.csv": firstLog, "other/c.onnx": "model c",
	})
	for path, want := range map[string]struct{ named, id string }{
		"b.metrics.csv":                          {"", "b"},
		"a/lightning_logs/version_0":             {"", "a"},
		"a/lightning_logs/version_0/metrics.csv": {"", "a"},
		"run7/log.csv":                           {"", "b"},
		"both/log.csv":                           {"a", "a"},
		"both/./log.csv":                         {"", ""},
		"other/log.csv":                          {"", ""},
		"other/./log.csv":                        {"nobody", ""},
	} {
		plan, err := PlanLog(t.Context(), w, folder+"/"+path, LogOptions{Model: want.named})
		switch {
		case want.id != "" && (err != nil || plan.Model.ID != want.id):
			t.Errorf("%s is of %q, %v", path, plan.Model.ID, err)
		case want.id == "" && (err == nil || want.named == "" &&
			!strings.HasPrefix(err.Error(), "log.csv: no model of this workspace has the name")):
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestAFolderIsALogWhereItIsNothingElse: event files beside the classes of a suite, or somewhere in
// a data set, make it no log; event files of several trainings do, and reading them says what to
// do.
func TestAFolderIsALogWhereItIsNothingElse(t *testing.T) {
	folder := files(t, map[string]string{
		"suite/cat/1.png": "x", "suite/dog/1.png": "x", "suite/runs/a/a.tfevents": "x", "parts/train/cat/1.png": "x",
		"parts/train/cat/a.tfevents": "x", "parts/test/cat/1.png": "x", "top/a.tfevents": "x", "top/plots/1.png": "x",
		"keras/validation/a.tfevents": "x", "keras/plots/1.png": "x", "deep/logs/1/a.tfevents": "x",
		"several/one/a.tfevents": "x", "several/two/a.tfevents": "x", "table/metrics.csv": firstLog,
		"table/1.png": "x",
	})
	for name, want := range map[string]bool{
		"suite": false, "parts": false, "top": true, "keras": true, "deep": true, "several": true, "table": true,
	} {
		testdata.Is(t, name, holdsLog(filepath.Join(folder, name)), want)
	}
}

// TestALogSaysNothingOfHowAModelIsRun: a log may be anybody's, and settings decide what a model
// sees.
func TestALogSaysNothingOfHowAModelIsRun(t *testing.T) {
	w := recorded(t)
	folder := files(t, map[string]string{
		"a/metrics.csv":  "epoch,step,loss\n0,1,2\n",
		"a/hparams.yaml": "mean: 9\nrecipe: raw-255\nid: b\n",
	})
	came := testdata.Must(Log(t.Context(), w, filepath.Join(folder, "a"), LogOptions{}))(t)
	want := []model.Field{{Name: "fold", Value: "regular"}, {Name: "epochs", Value: "12"}}
	m := testdata.Must(w.FindModel("a"))(t)
	testdata.NoDiff(t, "the record", cmp.Diff(want, store.RecordOf(m).Fields))
	testdata.Is(t, "left out", len(came.LeftOut), 3)
}
