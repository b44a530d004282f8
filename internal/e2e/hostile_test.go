package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// mostHostile is how much memory the program may have resident at the end: more than it needs for any single file of the corpus would be
// a leak, since it looks at one after the other.
const mostHostile = 1600 * megabyte

// TestHostileFilesInTheWindow imports the corpus of hostile model files by the window while somebody goes on using it.
func TestHostileFilesInTheWindow(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	folder := hostileFiles(t)
	files, err := filepath.Glob(filepath.Join(folder, "*.onnx"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	w := d.start(d.small())
	w.asks("ctrl+i")
	w.text(folder)
	w.key("Return")
	w.hits("the start of the import", exactly("Import"), node.middle, func() bool { return !w.seen("Or drop files") })
	w.until("the report of the import", toil, func() bool { return w.seen("Import finished") && w.seen("Not imported") }) // the window answers all the while
	w.shot("hostile")
	if v := w.vitals(); v.resident > mostHostile {
		t.Errorf("the program has %.0f MB resident after the import", v.resident/megabyte)
	}
	w.closes("Close")
	w.goes("ctrl+1", "flip 0-10")
	w.close()
}

// hostileFiles has the tests of the parser lay their corpus, those aside that only a trial run's clock ends.
func hostileFiles(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	lay := exec.Command("go", "test", "-count=1", "-run", "^TestHostileFiles$", "./engine/onnx")
	lay.Dir = testdata.Root()
	lay.Env = append(os.Environ(), "VARISCOPE_HOSTILE="+folder)
	if said, err := lay.CombinedOutput(); err != nil {
		t.Fatalf("lay the corpus: %v\n%s", err, said)
	}
	return folder
}
