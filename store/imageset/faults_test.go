package imageset

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/images"
)

// TestEveryWriteFails lets each step of writing a set fail: the folder is not there, or it holds
// the whole set, and nothing is left beside it.
func TestEveryWriteFails(t *testing.T) {
	s := images.Gray(t, 4, 5)
	for _, format := range []Format{Folder, IDX} {
		out := t.TempDir()
		d := faults.Watch(t, out)
		set := halved(s, filepath.Join(out, "half"), format)
		d.Every(t, 1, func(start func()) error {
			if err := os.RemoveAll(set.Folder); err != nil {
				t.Fatal(err)
			}
			start()
			return set.Write(t.Context(), engine.NoProgress{})
		}, func(what string, err error) {
			faults.Told(t, what, err)
			there, thereErr := set.There()
			left, readErr := os.ReadDir(out)
			if thereErr != nil || readErr != nil || err == nil && !there || there != (len(left) == 1) {
				t.Errorf("%s: %v; there: %v, %v, %v", what, err, there, thereErr, left)
			}
		})
	}
}
