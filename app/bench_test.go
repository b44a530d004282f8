package app_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
)

// Bench prints the form that others read, with figures that fit each other, and leaves nothing behind.
func TestBench(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("bench: not tested, ONNX Runtime is absent; make library brings it")
		return
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	quick := []string{"--batch", "16", "--rounds", "1", "--seconds", "0.01", "--family", "rotation:-15:15:15", "--out", t.TempDir()}
	model, suite := filepath.Join(scenes, "models", "s01.onnx"), filepath.Join(scenes, "targets")
	line := append([]string{"bench", model, "--suite", suite, "--json"}, quick...)
	code, text := command(line...)
	if code != 0 {
		t.Fatalf("exits %d: %s", code, text)
	}
	var report struct {
		Throughput []struct {
			Model   string             `json:"model"`
			Rate    float64            `json:"images_per_s"`
			Ceiling float64            `json:"ceiling_images_per_s"`
			Ratio   float64            `json:"ratio"`
			Share   map[string]float64 `json:"share"`
			Batch   int                `json:"batch"`
		} `json:"throughput"`
	}
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &report); err != nil || len(report.Throughput) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	row := report.Throughput[0]
	if row.Model != "s01" || row.Batch != 16 || !(row.Rate > 0 && row.Ceiling > 0) || math.Abs(row.Rate/row.Ceiling-row.Ratio) > 1e-9 {
		t.Errorf("%+v", row)
	}
	sum := 0.0
	for _, part := range []string{"transform", "infer", "reduce", "store"} {
		if !(row.Share[part] > 0) {
			t.Errorf("no share of %s in %v", part, row.Share)
		}
		sum += row.Share[part]
	}
	if math.Abs(sum-1) > 1e-9 || len(row.Share) != 4 {
		t.Errorf("shares %v", row.Share)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestBenchRefusesInOneSentence(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.onnx")
	if err := os.WriteFile(broken, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	for _, test := range []struct {
		code int
		line []string
		says string
	}{
		{2, []string{"--rounds", "0"}, "--rounds"},
		{2, []string{"--seconds", "-1"}, "--seconds"},
		{2, []string{"--suite", scenes}, "--suite needs a model"},
		{2, []string{filepath.Join(scenes, "models.csv")}, "no .onnx file"},
		{1, []string{filepath.Join(t.TempDir(), "gone.onnx")}, "gone.onnx"},
		{1, []string{broken, "--suite", filepath.Join(scenes, "targets")}, "broken.onnx"},
		{1, []string{broken, "--family", "rot90"}, "rot90"},
	} {
		code, text := command(append([]string{"bench"}, test.line...)...)
		if code != test.code || !strings.Contains(text, test.says) || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%v: exits %d: %s", test.line, code, text)
		}
	}
}
