package dialogs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

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
		{write(t, filepath.Join(folder, "saved again.csv"), "\ufeffevent_id,desk,annotator,label\r\n"), Labels, "annotators"},
		{write(t, filepath.Join(folder, "more.csv"), "id,owner\nm00,lab\n"), Records, "records of models"},
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

func TestPaths(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	got := kit.Paths("  /a/b.onnx \n\n\"/with space/c\"\nfile:///d/\n/a/b.onnx\n~/e\n")
	want := []string{"/a/b.onnx", "/with space/c", "/d", filepath.Join(home, "e")}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q", got)
	}
	got = kit.Paths("file:///with%20space/100%25.csv\nfile:///50%/x\n~backup.onnx\n~\n")
	want = []string{"/with space/100%.csv", "/50%/x", "~backup.onnx", home}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	if got := kit.Paths(" \n"); got != nil {
		t.Errorf("nothing typed gives %q", got)
	}
}

func FuzzPaths(f *testing.F) {
	f.Add("~\n/a")
	f.Add("'\"")
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, path := range kit.Paths(text) {
			if path == "" || seen[path] {
				t.Fatalf("%q gives an empty or repeated path %q", text, path)
			}
			seen[path] = true
		}
	})
}
