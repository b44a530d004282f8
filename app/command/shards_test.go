package command

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestPlannedRunsGiveTheBitsOfLocalOnes plans runs of all kinds with real models, computes their
// shards, and compares signal files and matrices with those of local runs.
func TestPlannedRunsGiveTheBitsOfLocalOnes(t *testing.T) {
	folder, scenes, ok := withModels(t, "shards", "s01", "s11")
	if !ok {
		return // the tests of store/shards go through the same with a runtime of their own
	}
	local, planned := filepath.Join(folder, "local.variscope"), filepath.Join(folder, "planned.variscope")
	must(t, "import", local, filepath.Join(scenes, "backgrounds"))
	must(t, "background", "keywords", local, "--targets", "targets", "--masks", filepath.Join(scenes, "masks"),
		"--table", filepath.Join(scenes, "keywords.csv"))
	must(t, "background", "scenes", local, "--targets", "targets", "--backgrounds", "backgrounds", "--method", "random",
		"--n", "2", "--seed", "1", "--name", "r1")
	must(t, "corrupt", local, "--suite", "targets", "--corruption", "fog:3")
	must(t, "doctor", local)
	testdata.OK(t, os.CopyFS(planned, os.DirFS(local)))
	for i, run := range [][]string{
		{"run", "--suite", "targets", "--family", "rotation:-10:10:10", "--modalities", "L2@CONV-1"},
		{"run", "--suite", "targets, fog 3", "--family", "brightness:-0.2:0.2:0.2", "--batch", "16"},
		{"run", "--suite", "targets", "--family", "rot90", "--mixed"},
		{"run", "--suite", "targets", "--family", "mask:2"},
		{"background", "run", "--selection", "r1"},
		{"background", "run", "--selection", "r1", "--mixed"},
	} {
		plan := filepath.Join(folder, fmt.Sprint("plan", i))
		must(t, append(run, local)...)
		must(t, append(run, planned, "--plan", plan, "--shards", "2")...)
		must(t, "worker", "--plan", plan, "--shard", "1")
		if code, text := command("run", planned, "--collect", plan); code != 1 ||
			!strings.Contains(text, "run shard 2 and collect again") {
			t.Errorf("half of %q: exit code %d, %s", run, code, text)
		}
		testdata.OK(t, os.RemoveAll(filepath.Join(plan, "models")))
		if text := must(t, append(run, planned, "--plan", plan, "--shards", "2")...); !strings.Contains(text,
			"of its files 2 were brought back") {
			t.Errorf("planned again: %s", text)
		}
		must(t, "worker", "--plan", plan, "--shard", "2", "--cores", "1")
		must(t, "run", planned, "--collect", plan)
		if want, got := tree(t, filepath.Join(local, "signals")),
			tree(t, filepath.Join(planned, "signals")); !maps.Equal(want, got) {
			t.Errorf("%q: %d signal files in place of %d, or other ones", run, len(got), len(want))
		}
	}
	for _, ws := range []string{local, planned} {
		must(t, "matrix", ws, "--suite", "targets", "--family", "rotation:-10:10:10", "--format", "npz", "--out",
			ws+".matrices")
	}
	if !maps.Equal(tree(t, local+".matrices"), tree(t, planned+".matrices")) {
		t.Error("other matrices")
	}
	must(t, "doctor", planned)
}

// withModels makes the workspace local.variscope in a new folder, with models of the demo and its
// targets. scenes is the demo's folder. ok is false where real models are not run: in short tests,
// and without the library.
func withModels(t *testing.T, what string, ids ...string) (folder, scenes string, ok bool) {
	t.Helper()
	if testing.Short() || libraryFor(t, what) == "" {
		return "", "", false
	}
	folder, scenes = t.TempDir(), filepath.Join(testdata.Root(), "assets", "scenes")
	local := filepath.Join(folder, "local.variscope")
	for _, id := range ids {
		must(t, "import", local, filepath.Join(scenes, "models", id+".onnx"))
	}
	must(t, "import", local, filepath.Join(scenes, "targets"), "--name", "targets")
	return folder, scenes, true
}

// must runs a command line that has to succeed, and gives what it printed.
func must(t *testing.T, line ...string) string {
	t.Helper()
	code, text := command(line...)
	if code != 0 {
		t.Fatalf("%q exits %d: %s", line, code, text)
	}
	return text
}

// tree are the contents of the files below a folder, without those that go meanwhile.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	list := map[string]string{}
	testdata.OK(t, filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		name, _ := filepath.Rel(root, path)
		list[name] = string(data)
		return err
	}))
	return list
}
