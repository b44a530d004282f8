package memory

import (
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/store"
)

// TestAbove: a file in a workspace's folder, at any depth, is known there.
func TestAbove(t *testing.T) {
	folder := t.TempDir()
	at := filepath.Join(folder, "w.variscope")
	ws, err := store.Create(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(at, "models", "0.onnx"): at, filepath.Join(at, "suites", "a", "b"): at,
		filepath.Join(folder, "m.onnx"): "", at: "", "": "",
	} {
		if got := above(path); got != want {
			t.Errorf("%s lies in %q, not %q", path, got, want)
		}
	}
}
