package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
)

// A CI job tells by the exit code alone what has happened.
func TestGateExitCodes(t *testing.T) {
	if testing.Short() {
		return // the script for short tests trains and gates, too
	}
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("gate: not tested, ONNX Runtime is absent; make library brings it")
		return
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	folder, scenes := t.TempDir(), filepath.Join(testdata.Root(), "assets", "scenes")
	ws, records := filepath.Join(folder, "w.variscope"), filepath.Join(folder, "records.csv")
	table := "id,rule\ns01,invariant\ns08,variant\ns11,invariant\ns22,variant\n"
	if err := os.WriteFile(records, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	model := func(id string) string { return filepath.Join(scenes, "models", id+".onnx") }
	assessor, suite := filepath.Join(folder, "a.vassessor"), filepath.Join(scenes, "targets")
	for _, line := range [][]string{
		{"import", ws, model("s01"), model("s08"), model("s11"), model("s22")},
		{"import", ws, suite, "--name", "scenes"},
		{"import", ws, records},
		{"run", ws, "--suite", "scenes", "--family", "rotation:-15:15:15"},
		{"assess", "train", ws, "--column", "rule", "--modalities", "max@CONF", "--algorithm", "tree", "--no-evaluate", "--out", assessor},
	} {
		if code, text := command(line...); code != 0 {
			t.Fatalf("%s exits %d: %s", line[0], code, text)
		}
	}
	for _, test := range []struct {
		name string
		code int
		line []string
	}{
		{"judged invariant", 0, []string{model("s11"), "--suite", suite, "--assessor", assessor}},
		{"judged variant", 3, []string{model("s22"), "--suite", suite, "--assessor", assessor}},
		{"above the bound", 3, []string{model("s22"), "--suite", suite, "--assessor", assessor, "--max-variance", "0.9"}},
		{"at the bound", 0, []string{model("s22"), "--suite", suite, "--assessor", assessor, "--max-variance", "1"}},
		{"no assessor", 1, []string{model("s22"), "--suite", suite, "--assessor", records}},
		{"no bound", 2, []string{model("s22"), "--suite", suite, "--assessor", assessor, "--max-variance", "-1"}},
		{"no suite", 2, []string{model("s22"), "--assessor", assessor}},
	} {
		if code, text := command(append([]string{"gate"}, test.line...)...); code != test.code {
			t.Errorf("%s: exit code %d, not %d: %s", test.name, code, test.code, text)
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// command runs a command line and returns its exit code and all that it printed.
func command(line ...string) (code int, text string) {
	var out bytes.Buffer
	code = app.Run(line, &out, &out)
	return code, out.String()
}
