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

// Bench prints the form that others read, with figures that fit each other, and leaves nothing
// behind.
func TestBench(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("bench: not tested, ONNX Runtime is absent; make library brings it")
		return
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	quick := []string{"--batch", "16", "--rounds", "1", "--seconds", "0.01", "--images", "400", "--family", "rotation:-15:15:15", "--recipe", "raw-255", "--out", t.TempDir()}
	model, suite := filepath.Join(scenes, "models", "s01.onnx"), filepath.Join(scenes, "targets")
	line := append([]string{"bench", model, "--suite", suite, "--json"}, quick...)
	code, text := command(line...)
	if code != 0 {
		t.Fatalf("exits %d: %s", code, text)
	}
	var doc struct {
		Sheets []struct{ Rows []map[string]any }
	}
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &doc); err != nil || len(doc.Sheets) != 2 || len(doc.Sheets[0].Rows) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	row := doc.Sheets[0].Rows[0]
	number := func(key string) float64 { return row[key].(float64) }
	rate, ceiling := number("images_per_s"), number("ceiling_images_per_s")
	if row["model_id"] != "s01" || number("batch") != 16 || !(rate > 0 && ceiling > 0) || math.Abs(rate/ceiling-number("ratio")) > 1e-9 {
		t.Errorf("%+v", row)
	}
	sum := 0.0
	for _, part := range []string{"transform", "infer", "reduce", "store"} {
		if !(number(part) > 0) {
			t.Errorf("no share of %s in %v", part, row)
		}
		sum += number(part)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares sum up to %v", sum)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
