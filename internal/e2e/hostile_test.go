package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// mostHostile is how much memory the program may have resident at the end: more than it needs for
// any single file of the corpus would be a leak, since it looks at one after the other.
const mostHostile = 1600 * megabyte

// TestHostileFilesInTheWindow imports the corpus of hostile model files by the window while
// somebody goes on using it.
func TestHostileFilesInTheWindow(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	folder := hostileFiles(t, "TestHostileFiles")
	files, err := filepath.Glob(filepath.Join(folder, "*.onnx"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	w := d.start(d.small())
	w.asks("ctrl+i")
	w.text(folder)
	w.key("Return")
	w.hits("the start of the import", exactly("Import"), node.middle,
		func() bool { return !w.seen("Files and folders") })
	// the window answers all the while
	w.until("the report of the import", toil, func() bool {
		return w.seen("Import finished") && w.seen("Not imported")
	})
	w.shot("hostile")
	if v := w.vitals(); v.resident > mostHostile {
		t.Errorf("the program has %.0f MB resident after the import", v.resident/megabyte)
	}
	w.closes("Close")
	w.goes("ctrl+1", "flip 0-10")
	w.close()
}

// TestHostileRunInTheWindow imports models that pass the trial run beside one that does no harm,
// and runs them on images on which they crash, hang, eat memory or change the number of their
// scores: each ends with a sentence, the run with what the other computed, and the window goes on.
func TestHostileRunInTheWindow(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := filepath.Join(t.TempDir(), "hostile.variscope")
	w := d.start("--batch-time", "3", "--worker-memory", "3000", workspace)
	folder := hostileFiles(t, "TestLayHostileRuns")
	w.asks("ctrl+i")
	w.text(folder)
	w.key("Return")
	w.text(filepath.Join(testdata.Root(), "assets", "scenes", "targets"))
	w.calm()
	w.hits("the start of the import", exactly("Import"), node.middle,
		func() bool { return w.stored("model")+w.stored("suite") > 0 })
	w.until("six models and a suite", toil, func() bool { return w.stored("model") >= 6 && w.stored("suite") >= 1 })
	w.closes("Close")
	w.goes("ctrl+r", "rotation:")
	w.types("rotation:", "brightness:-0.3:0.3:0.3")
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	w.until("the end of the run", toil, func() bool { w.screen(); return w.stored("run") >= 2 })
	w.shows("finished, 1 of 6 models, 5 failed, no images skipped")
	for _, reason := range []string{
		"Model 21dd_shape: inference on image", "Model dd_sigfpe ends the ONNX Runtime library on images",
		"Model loops was at work on images", "Model takes: inference on image", "Model vary_width: inference on image",
	} {
		w.shows(reason)
	}
	w.shot("hostile-run")
	w.goes("ctrl+1", "fixed_width")
	w.close()
}

// hostileFiles has a test of the parser lay its files, those aside that only a trial run's clock
// ends.
func hostileFiles(t *testing.T, test string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	lay := exec.Command("go", "test", "-count=1", "-run", "^"+test+"$", "./engine/onnx")
	lay.Dir = testdata.Root()
	lay.Env = append(os.Environ(), "VARISCOPE_HOSTILE="+folder)
	if said, err := lay.CombinedOutput(); err != nil {
		t.Fatalf("lay the corpus: %v\n%s", err, said)
	}
	return folder
}
