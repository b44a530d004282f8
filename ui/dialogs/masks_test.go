package dialogs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFreeFolder: a name that is taken gets a number; a place that cannot be looked at is an error and not looked at for ever.
func TestFreeFolder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "w-masks")
	for _, want := range []string{name, name + "-2", name + "-3"} {
		got, err := freeFolder(name)
		if err != nil || got != want {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
		if err := os.Mkdir(got, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := freeFolder(filepath.Join(file, "w-masks")); err == nil {
		t.Errorf("%s lies in a file", got)
	}
}
