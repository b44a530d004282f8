package shards

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
)

// TestNotesNamePlacesOfNoMachine: paths are cut to what lies below the folders of this one.
func TestNotesNamePlacesOfNoMachine(t *testing.T) {
	f := &Folder{dir: filepath.Join(t.TempDir(), "a plan of jane doe")}
	home, err := os.UserHomeDir()
	if err != nil {
		home = os.TempDir()
	}
	for text, want := range map[string]string{
		"open " + f.path("models/aa.onnx") + ": permission denied": "open " +
			filepath.FromSlash("models/aa.onnx") + ": permission denied",
		"read:" + filepath.Join(home, "jane", "x") + " {" + os.TempDir() + "/x}": "read:" + filepath.Join("jane", "x") +
			" {x}",
		"models/aa.onnx cannot be used; send it again": "models/aa.onnx cannot be used; send it again",
		"node Conv_3 has shape [1, 3, 4] of 5 / 6 images/s; see https://x.y/z": "node Conv_3 has shape [1, 3, 4] " +
			"of 5 / 6 images/s; see https://x.y/z",
		"/": "/", "": "", "tensor /conv1/Conv_output_0 is not there": "tensor /conv1/Conv_output_0 is not there",
	} {
		if got := f.nameless(text); got != want {
			t.Errorf("%q becomes %q in place of %q", text, got, want)
		}
	}
	b, f, _ := whole(t)
	b.empty(f)
	b.rt.OnRun = func(_ context.Context, feed engine.Feed, _ int64) error {
		return fmt.Errorf("read %s: it fails beside %s", feed.Path, b.TempDir())
	}
	report := b.work(f, 1)
	for name, text := range b.results(f) {
		if strings.HasSuffix(name, ".failed") && (strings.Contains(text, filepath.Dir(f.dir)) ||
			strings.Contains(text, os.TempDir()) || !strings.Contains(text, ".onnx"+": it fails")) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if report.Failed == 0 {
		t.Errorf("%+v", report)
	}
}
