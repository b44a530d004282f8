package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

// TestPlannedRunsGiveTheBitsOfLocalOnes plans runs of all kinds with real models, computes their
// shards, one of them by a process that is killed in the middle, and compares signal files and
// matrices with those of local runs.
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
	if err := os.CopyFS(planned, os.DirFS(local)); err != nil {
		t.Fatal(err)
	}
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
		worker := []string{"worker", "--plan", plan, "--shard", "1"}
		if i == 0 {
			interrupted(t, plan, append(worker, "--cores", "1")) // one result after the other
		}
		must(t, worker...)
		if code, text := command("run", planned, "--collect", plan); code != 1 ||
			!strings.Contains(text, "run shard 2 and collect again") {
			t.Errorf("half of %q: exit code %d, %s", run, code, text)
		}
		if err := os.RemoveAll(filepath.Join(plan, "models")); err != nil {
			t.Fatal(err)
		}
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
	if testing.Short() {
		return "", "", false
	}
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println(what + ": not tested, ONNX Runtime is absent; make library brings it")
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

// interrupted kills the process of a shard between its first result and its last, and looks whether
// what it had written stays.
func interrupted(t *testing.T, plan string, worker []string) {
	t.Helper()
	calm := kill.Undisturbed(t, "program", worker...)
	want := tree(t, filepath.Join(plan, "results"))
	if len(want) < 2 {
		t.Fatalf("%d results", len(want))
	}
	got := maps.Clone(want)
	for step := calm.Steps/2 + 1; len(got) == len(want); step-- { // how many steps follow a result may vary
		for name := range got {
			if err := os.Remove(filepath.Join(plan, "results", name)); err != nil {
				t.Fatal(err)
			}
		}
		o := kill.At(t, kill.Moment{Step: step}, "program", worker...)
		got = tree(t, filepath.Join(plan, "results"))
		maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, ".part") })
		if !o.Alive || len(got) == 0 || !within(got, want) {
			t.Fatalf("killed at step %d (%v): %d of %d results are left, or other ones", step, o.Alive, len(got),
				len(want))
		}
	}
	var doc struct {
		Sheets []struct {
			Rows []struct{ Reused, Computed int }
		}
	}
	text := must(t, append(worker, "--json")...)
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.Sheets[0].Rows[0].Reused != len(got) ||
		doc.Sheets[0].Rows[0].Computed != len(want)-len(got) {
		t.Errorf("%s %v", text, err)
	}
	if !maps.Equal(tree(t, filepath.Join(plan, "results")), want) {
		t.Error("the repetition has other results")
	}
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
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
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
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// within tells whether all files are there with the same content.
func within(some, all map[string]string) bool {
	for name, data := range some {
		if all[name] != data {
			return false
		}
	}
	return true
}
