package dialogs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/internal/uitest/sample"
)

func TestRecognise(t *testing.T) {
	folder := t.TempDir()
	demo := filepath.Join(folder, "demo")
	if err := os.CopyFS(demo, assets.Demo()); err != nil {
		t.Fatal(err)
	}
	ws := sample.New(t, 1)
	few := filepath.Join(folder, "few")
	write(t, filepath.Join(few, "one.onnx"), "x")
	for _, c := range []struct {
		path string
		kind Kind
		what string
	}{
		{write(t, filepath.Join(folder, "a.ONNX"), "x"), Models, "model"},
		{demo, Models, "models.csv"},
		{filepath.Join(demo, "models.csv"), Models, "folder with"},
		{few, Models, "folder with 1 model"},
		{filepath.Join(demo, "targets"), Suite, "a folder per class"},
		{ws.Shapes.Root, Suite, "a folder per class"},
		{ws.Path(), Workspace, "opened, not imported"},
		{write(t, filepath.Join(folder, "labels_long.csv"), "event_id,desk,annotator,label\n"), Labels, "annotators"},
		{
			write(t, filepath.Join(folder, "saved again.csv"), "\ufeffevent_id,desk,annotator,label\r\n"), Labels,
			"annotators",
		},
		{write(t, filepath.Join(folder, "more.csv"), "id,owner\nm00,lab\n"), Records, "records of models"},
		{write(t, filepath.Join(folder, "trainer_state.json"), "{}"), Logs, "log of a training"},
		{filepath.Join(folder, "nowhere"), Unknown, ""},
		{write(t, filepath.Join(folder, "notes.txt"), "hello"), Unknown, ""},
	} {
		got := Recognise(c.path)
		if got.Kind != c.kind || !strings.Contains(got.What, c.what) || (got.Err != nil) != (c.kind == Unknown) {
			t.Errorf("%s: kind %d, %q, %v", c.path, got.Kind, got.What, got.Err)
		}
		if c.kind == Unknown && !strings.Contains(describe([]Item{got}), "✗") {
			t.Errorf("%s is not shown as unknown", c.path)
		}
	}
}
