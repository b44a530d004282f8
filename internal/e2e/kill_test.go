package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

const (
	kills      = 6
	killFamily = "rotation:-15:15:1"
	killSeed   = "VARISCOPE_KILL_SEED" // repeats the moments of an earlier run of the test
)

// ran is what the test reads of the report of `run --json`; counts are inferences.
type ran struct {
	Phase  string `json:"phase"`
	Models []struct {
		ID       string   `json:"id"`
		Computed int64    `json:"computed"`
		Reused   int64    `json:"reused"`
		Accuracy *float64 `json:"accuracy"`
		Robust   *float64 `json:"robust_accuracy"`
	} `json:"models"`
}

// work is the total over the models.
func (r ran) work() (computed, reused int64) {
	for _, m := range r.Models {
		computed, reused = computed+m.Computed, reused+m.Reused
	}
	return computed, reused
}

// calm is what came out of a run that nobody disturbed.
type calm struct {
	report   ran
	matrices string
	total    int64
	took     time.Duration
}

// victim is a workspace whose runs are killed, and what was found in it after the last kill.
type victim struct {
	*desk
	path, suite string
	units       int                  // recorded
	reused      int64                // by a repeat
	files       map[string]time.Time // signal files, and when they were written
}

// headless is a desk without a screen, for commands.
func headless(t *testing.T) *desk {
	t.Helper()
	return &desk{t: t, home: t.TempDir(), program: filepath.Join(testdata.Root(), "build", "variscope")}
}

// imported makes a workspace with three models and the scenes.
func (d *desk) imported(name string) victim {
	d.t.Helper()
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	v := victim{desk: d, path: filepath.Join(d.t.TempDir(), name+".variscope")}
	args := []string{"import", "--json", v.path, filepath.Join(scenes, "targets")}
	for _, id := range []string{"s01", "s11", "s27"} {
		args = append(args, filepath.Join(scenes, "models", id+".onnx"))
	}
	var report struct {
		Added  []string `json:"added"`
		Suites []struct {
			Hash string `json:"hash"`
		} `json:"suites"`
	}
	v.parse(v.run(args...), &report)
	if len(report.Added) != 3 || len(report.Suites) != 1 {
		v.t.Fatalf("imported %+v", report)
	}
	v.suite = report.Suites[0].Hash
	return v
}

func (d *desk) parse(text string, into any) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		d.t.Fatalf("%v in %s", err, text)
	}
}

func (v victim) command() []string {
	return []string{"run", v.path, "--json", "--suite", v.suite, "--family", killFamily}
}

// finish lets the run finish and reads its report.
func (v victim) finish() ran {
	v.t.Helper()
	var report ran
	v.parse(v.run(v.command()...), &report)
	if report.Phase != "done" || len(report.Models) != 3 {
		v.t.Fatalf("the run ended with %+v", report)
	}
	return report
}

func (v victim) matrices() string {
	v.t.Helper()
	text := v.run("matrix", v.path, "--json", "--suite", v.suite, "--family", killFamily)
	type row struct {
		Matrix [][]float64 `json:"matrix"`
	}
	var rows []row
	v.parse(text, &rows)
	if len(rows) != 3*5 || slices.ContainsFunc(rows, func(r row) bool { return len(r.Matrix) != 31 }) {
		v.t.Fatalf("%d matrices in place of 15 of 31 x 31", len(rows))
	}
	return text
}

// kill starts the run and kills it after that time; alive tells whether it was still running then.
func (v victim) kill(after time.Duration) (alive bool) {
	v.t.Helper()
	command := exec.Command(v.program, v.command()...)
	var output bytes.Buffer
	command.Env, command.Stdout, command.Stderr = v.environment(), &output, &output
	if err := command.Start(); err != nil {
		v.t.Fatal(err)
	}
	time.Sleep(after)
	if err := command.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		v.t.Fatal(err)
	}
	err := command.Wait()
	var exit *exec.ExitError
	if err == nil {
		return false
	}
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		v.t.Fatalf("the run failed before it was killed: %v\n%s", err, output.String())
	}
	return true
}

// recorded opens the workspace and counts the units that it knows.
func (v victim) recorded() (units int) {
	v.t.Helper()
	ws, err := store.Open(v.path)
	if err != nil {
		v.t.Fatalf("the workspace does not open: %v", err)
	}
	defer func() {
		if err := ws.Close(); err != nil {
			v.t.Error(err)
		}
	}()
	models, err := ws.Models()
	if err != nil {
		v.t.Fatal(err)
	}
	for _, m := range models {
		sets, err := ws.Sets(m.Hash, v.suite, "")
		if err != nil {
			v.t.Fatal(err)
		}
		for _, s := range sets {
			units += s.Recorded
		}
	}
	return units
}

// written lists the signal files with the times when they were written.
func (v victim) written() map[string]time.Time {
	v.t.Helper()
	files := map[string]time.Time{}
	err := filepath.WalkDir(filepath.Join(v.path, "signals"), func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && filepath.Ext(path) != ".npz" {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			files[path] = info.ModTime()
		}
		return err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return files
}

// copied is a copy of the workspace as it is.
func (v victim) copied() victim {
	v.t.Helper()
	path := filepath.Join(v.t.TempDir(), "copy.variscope")
	if err := os.CopyFS(path, os.DirFS(v.path)); err != nil {
		v.t.Fatal(err)
	}
	v.path = path
	return v
}

// moments are the random moments of the kills; their seed is in the log.
func moments(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(killSeed); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", killSeed, err)
		}
		seed = given
	}
	t.Logf("moments from %s=%d", killSeed, seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// TestKillWhileRunning kills a run with SIGKILL at random moments, as a power cut would, and looks at what each kill
// leaves: the workspace opens, what was recorded is never computed again, and the run can be repeated to the very
// matrices of a run that nobody disturbed.
func TestKillWhileRunning(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := headless(t)
	want := d.undisturbed()
	random := moments(t)
	v := d.imported("killed")
	for n := 0; n < kills; {
		// With 5 s for all, 0.2 to 3 s at first; less than what is left to do.
		left := float64(want.total-v.reused) / float64(want.total)
		after := time.Duration((0.04 + 0.56*random.Float64()) * left * float64(want.took))
		if !v.kill(after) {
			t.Logf("the run had ended before it was killed after %s; once more with a fresh workspace, and sooner", after)
			v, want.took = d.imported("killed"), want.took/2
			continue
		}
		n++
		t.Logf("kill %d after %s", n, after.Round(time.Millisecond))
		v.examine(want)
	}
	before := v.reused
	computed, reused := v.same(want)
	if reused != before || computed+reused != want.total {
		t.Errorf("at last %d were reused and %d computed; %d were recorded of %d", reused, computed, before, want.total)
	}
	v.untouched(v.written())
	if computed, reused = v.same(want); computed != 0 || reused != want.total {
		t.Errorf("a repeat of a finished run computed %d and reused %d", computed, reused)
	}
}

func (d *desk) undisturbed() calm {
	d.t.Helper()
	v := d.imported("calm")
	begin := time.Now()
	c := calm{report: v.finish()}
	c.took, c.matrices = time.Since(begin), v.matrices()
	computed, reused := c.report.work()
	if reused != 0 || computed != 3*360*31 {
		d.t.Fatalf("the undisturbed run computed %d and reused %d", computed, reused)
	}
	c.total = computed
	return c
}

// examine looks at what a kill has left, and lets a copy of it run to its end.
func (v *victim) examine(want calm) {
	v.t.Helper()
	units, files := v.recorded(), v.written()
	v.untouched(files)
	if units < v.units || units > len(files) {
		v.t.Errorf("%d units are recorded, before it were %d; %d files", units, v.units, len(files))
	}
	computed, reused := v.copied().same(want)
	v.t.Logf("%d units recorded, %d files; a repeat reuses %d and computes %d", units, len(files), reused, computed)
	if reused < v.reused || computed+reused != want.total || (reused > 0) != (units > 0) {
		v.t.Errorf("a repeat reused %d (before: %d) and computed %d of %d", reused, v.reused, computed, want.total)
	}
	v.units, v.reused, v.files = units, reused, files
}

// untouched checks that the files of recorded units were not written again. A kill between a file and its record leaves
// a file that is no unit yet: such a file may be written anew.
func (v victim) untouched(now map[string]time.Time) {
	v.t.Helper()
	same := 0
	for path, at := range v.files {
		if now[path].Equal(at) {
			same++
		}
	}
	if same < v.units {
		v.t.Errorf("%d units were recorded, but only %d of their files are as they were", v.units, same)
	}
}

// same lets the run finish and compares its results with those of the undisturbed run, bit by bit.
func (v victim) same(want calm) (computed, reused int64) {
	v.t.Helper()
	report := v.finish()
	for i, m := range report.Models {
		w := want.report.Models[i]
		if m.ID != w.ID || *m.Accuracy != *w.Accuracy || *m.Robust != *w.Robust || m.Computed+m.Reused != w.Computed {
			v.t.Errorf("model %+v, undisturbed %+v", m, w)
		}
	}
	if v.matrices() != want.matrices {
		v.t.Error("the matrices differ from those of the undisturbed run")
	}
	return report.work()
}
