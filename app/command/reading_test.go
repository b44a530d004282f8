package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/kill"
)

// TestReadWhileARunComputes with the program in another process: what reads answers as of now and
// says so, on stderr and among the notes of its JSON; what changes is refused; the run is not
// disturbed.
func TestReadWhileARunComputes(t *testing.T) {
	folder, _, ok := withModels(t, "reading while a run computes", "s01", "s05", "s08")
	if !ok {
		return // the tests of store read while another process has a workspace open
	}
	ws, out := filepath.Join(folder, "local.variscope"), filepath.Join(folder, "out")
	small := []string{"--suite", "few", "--family", "rotation:-15:15:15"}
	must(t, "import", ws, few(t), "--name", "few")
	must(t, append([]string{"run", ws}, small...)...)
	must(t, "run", ws, "--suite", "few", "--family", "rot90")
	must(t, append([]string{"label", ws, "round", "--name", "R1", "--annotators", "A,B"}, small...)...)
	for _, line := range []string{
		"A s01 invariant", "B s01 invariant", "A s05 variant", "B s05 variant",
		"A s08 variant", "B s08 invariant",
	} {
		word := strings.Fields(line)
		must(t, "label", ws, "set", "--annotator", word[0], "--model", word[1], "--value", word[2])
	}
	score := []string{"dscore", ws, "--suite", "few", "--models", "s01", "--n", "2", "--t", "4", "--samples", "0"}
	must(t, score...)

	run := kill.Start(t, "program", "run", ws, "--suite", "targets", // outlasts what reads
		"--family", "rotation:-60:60:0.5", "--family", "rotation:-59:59:0.5")
	defer run.Killed()
	before := len(tree(t, filepath.Join(ws, "signals")))
	waitFor(t, "the run records a unit", func() bool { return len(tree(t, filepath.Join(ws, "signals"))) > before })
	for _, line := range [][]string{
		append([]string{"matrix", ws}, small...),
		append([]string{"features", ws}, small...),
		{"ei", ws, "--suite", "few", "--family", "rot90"},
		{"calibration", ws, "--suite", "few", "--family", "rot90"},
		{"rank", ws, "--suite", "few"},
		{"agreement", ws},
		{"export", ws, "--out", out},
		append([]string{"report", ws, "--models", "s01", "--out", filepath.Join(out, "report.html")}, small...),
		{"report", ws, "--round", "R1", "--out", filepath.Join(out, "round.html")},
		{"label", ws, "list"},
		{"label", ws, "rounds"},
		{"label", ws, "send", "--annotator", "A", "--out", filepath.Join(out, "a.vlabels")},
		{"model", ws, "s01"},
		{
			"assess", "train", ws, "--suite", "few", "--family", "rotation:-15:15:15", "--labels", "R1", "--out",
			filepath.Join(out, "a.vassessor"), "--algorithm", "baseline", "--no-evaluate",
		},
		score,
	} {
		start := time.Now()
		var told, answer strings.Builder
		code := Run(append(line, "--json"), &answer, &told, nil)
		var doc struct{ Notes []string }
		err := json.Unmarshal([]byte(answer.String()), &doc)
		note := "workspace local is open in Variscope (process "
		if code != 0 || strings.Count(told.String(), note) != 1 || err != nil || len(doc.Notes) != 1 ||
			!strings.Contains(doc.Notes[0], note) {
			t.Errorf("%q exits %d, notes %q, %v: %s", line[:2], code, doc.Notes, err, told.String())
		}
		t.Logf("%s: %v", line[0], time.Since(start).Round(time.Millisecond))
	}
	for _, line := range [][]string{
		{"label", ws, "set", "--annotator", "A", "--model", "s01", "--value", "variant"},
		{"import", ws, few(t)},
		{"model", ws, "s01", "--drop"},
		append([]string{"run", ws}, small...),
		{"doctor", ws},
		{"doctor", ws, "--repair"},
		{"corrupt", ws, "--corruption", "fog:3"},
		{
			"assess", "train", ws, "--suite", "few", "--family", "rotation:-15:15:15", "--labels", "R1", "--save", "A",
			"--algorithm", "baseline",
		},
	} {
		code, text := command(line...)
		if code != 1 || !strings.Contains(text, "workspace local is open in Variscope (process ") ||
			!strings.Contains(text, "close it there or work on a copy") {
			t.Errorf("%q exits %d: %s", line, code, text)
		}
	}
	code, text := command("dscore", ws, "--suite", "few", "--models", "s05", "--n", "2", "--t", "4", "--samples", "0")
	if code != 1 || !strings.Contains(text, "cannot be computed now: workspace local is open") {
		t.Errorf("a score that is not there exits %d: %s", code, text)
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Errorf("the run had ended: %v", err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("the run exits %d: %s", run.ProcessState.ExitCode(), run.Errors())
	}
	if text := must(t, append([]string{"matrix", ws}, small...)...); strings.Contains(text, "as of") {
		t.Errorf("nobody has it open: %s", text)
	}
}
