package desk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/sums"
)

// TestEveryWriteFails lets each step of writing a round package over another one fail: the file is
// one of the two, whole, and nothing else is left beside it.
func TestEveryWriteFails(t *testing.T) {
	ws, r := home(t, nil)
	out := t.TempDir()
	path := filepath.Join(out, "r"+RoundSuffix)
	d := faults.Watch(t, out)
	d.Every(t, 1, func(start func()) error {
		must(t, os.WriteFile(path, []byte("former"), 0o644))
		start()
		_, err := Invite(t.Context(), ws, r.ID, path, false, engine.NoProgress{})
		return err
	}, func(what string, err error) {
		faults.Told(t, what, err)
		data, readErr := os.ReadFile(path)
		if readErr != nil || string(data) == "former" && err == nil {
			t.Errorf("%s: %v, %v", what, err, readErr)
		}
		if string(data) != "former" {
			if _, err := Open(t.Context(), sums.Empty(t), path, engine.NoProgress{}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if left, err := os.ReadDir(out); err != nil || len(left) != 1 {
			t.Errorf("%s: %v, %v", what, left, err)
		}
	})
}
