package onnx

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
)

const modelEnding = ".onnx"

// mostMemory is how much this process may grow: by the largest file of the corpus, read once
// although there are two of its size, and some room.
const mostMemory = 1<<30 + 600<<20

// onlyLay names the folder into which the corpus is laid for the test of the real window, which
// imports it there.
const onlyLay = "VARISCOPE_HOSTILE"

// TestHostileFiles imports the whole corpus the way the window and the command line do: every file
// is refused with a sentence that names it, or taken for a reason that the corpus gives; this
// process stays within its memory.
func TestHostileFiles(t *testing.T) {
	files := corpus(t)
	if folder := os.Getenv(onlyLay); folder != "" {
		lay(t, folder, t.TempDir(), files)
		return
	}
	if testing.Short() { // every fourth: the kinds stay
		short := files[:0:0]
		for i := 0; i < len(files); i += 4 {
			short = append(short, files[i])
		}
		files = short
	}
	folder, endless := t.TempDir(), t.TempDir()
	files = lay(t, folder, endless, files)
	ws := testdata.Must(store.Create(filepath.Join(t.TempDir(), "w")))(t)
	defer func() {
		testdata.OK(t, ws.Close())
	}()
	before := peak(t)
	report := importAll(t, ws, workers(t, worker.Bounds{Memory: 1 << 30}), folder)
	late := importAll(t, ws, workers(t, worker.Bounds{Trial: time.Second}), endless)
	report.Failed = append(report.Failed, late.Failed...)
	report.Added = append(report.Added, late.Added...)
	taken := holdAgainst(t, files, report)
	grown := peak(t) - before
	fmt.Printf("hostile files: %d, %d refused, %d taken, memory grew by at most %d MB\n", len(files),
		len(report.Failed), taken, grown>>20)
	if grown > mostMemory {
		t.Errorf("this process grew by %d MB", grown>>20)
	}
}

func importAll(t *testing.T, ws *store.Workspace, rt engine.Runtime, folder string) intake.Report {
	t.Helper()
	report, err := intake.Models(t.Context(), ws, rt, Read, []string{folder}, intake.ModelOptions{}, progress.None{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// holdAgainst holds the report against the corpus and counts what was taken.
func holdAgainst(t *testing.T, files []hostileFile, report intake.Report) (taken int) {
	t.Helper()
	refused := map[string]error{}
	for _, f := range report.Failed {
		refused[filepath.Base(f.Path)] = f.Err
	}
	testdata.Is(t, "files were answered for", len(report.Added)+len(report.Merged)+len(report.Failed), len(files))
	for _, f := range files {
		err := refused[f.name]
		switch {
		case err == nil && f.fine == "":
			t.Errorf("%s was taken", f.name)
		case err == nil:
			taken++
		default:
			checkSentence(t, f, err.Error())
		}
	}
	return taken
}

// checkSentence: one line that names the file and says what the corpus knows to be wrong.
func checkSentence(t *testing.T, f hostileFile, said string) {
	t.Helper()
	if os.Getenv("VARISCOPE_SHOW") != "" {
		fmt.Printf("  %.60q: %.260s\n", f.name, said)
	}
	if !strings.Contains(said, strings.TrimSuffix(f.name, modelEnding)) || !strings.Contains(said, f.want) {
		t.Errorf("%q: %q does not say %q", f.name, said, f.want)
	}
	plain := strings.ReplaceAll(said, strings.TrimSuffix(f.name, modelEnding), "")
	if strings.ContainsAny(plain, "\n\r\x00") || len(plain) > 600 || len(plain) < 10 {
		t.Errorf("%q: no sentence: %q", f.name, plain)
	}
	if slices.ContainsFunc([]string{"goroutine", "panic", ".go:", "/onnxruntime_src"},
		func(part string) bool { return strings.Contains(plain, part) }) {
		t.Errorf("%q: a sentence for programmers: %q", f.name, plain)
	}
}

// peak is the most memory that this process has had resident.
func peak(t *testing.T) int64 {
	t.Helper()
	text := testdata.Must(os.ReadFile("/proc/self/status"))(t)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	testdata.Must(fmt.Sscan(rest, &kilobytes))(t)
	return kilobytes << 10
}
