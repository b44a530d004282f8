package intake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/internal/sums"
)

func TestRecognise(t *testing.T) {
	folder := files(t, map[string]string{
		"a.ONNX": "x", "few/one.onnx": "x", "few/curves.csv": "id,epoch,train_loss\none,0,1\n",
		"training/curves.csv": "epoch,loss\n0,1\n", "gone/models.csv": "id\na\nb\n", "notes.txt": "hello",
		"trainer_state.json": "{}",
		"labels_long.csv":    "event_id,desk,annotator,label\n",
		"saved again.csv":    "\ufeffevent_id,desk,annotator,label\r\n",
		"more.csv":           "id,owner\nm00,lab\n",
	})
	must(t, os.CopyFS(filepath.Join(folder, "demo"), assets.Demo()))
	w := sums.Empty(t)
	must(t, os.Symlink(w.Path(), filepath.Join(folder, "w")))
	for _, c := range []struct {
		path string
		kind Kind
		what string
	}{
		{"a.ONNX", ModelKind, "model"},
		{"demo", ModelKind, "models.csv"},
		{"demo/models.csv", ModelKind, "folder with"},
		{"gone", ModelKind, "model"},
		{"training/curves.csv", LogKind, "log of a training"},
		{"few/curves.csv", ModelKind, "folder with 1 model"},
		{"few", ModelKind, "folder with 1 model"},
		{"demo/targets", SuiteKind, "a folder per class"},
		{"w", WorkspaceKind, "opened, not imported"},
		{"labels_long.csv", LabelKind, "annotators"},
		{"saved again.csv", LabelKind, "annotators"},
		{"more.csv", RecordKind, "records of models"},
		{"trainer_state.json", LogKind, "log of a training"},
		{"nowhere", Unknown, ""},
		{"notes.txt", Unknown, ""},
	} {
		got := Recognise(filepath.Join(folder, c.path))
		wrong := c.kind == Unknown || c.path == "gone"
		if got.Kind != c.kind || !strings.Contains(got.What, c.what) || (got.Err != nil) != wrong {
			t.Errorf("%s: kind %d, %q, %v", c.path, got.Kind, got.What, got.Err)
		}
	}
}
