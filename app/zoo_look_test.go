package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
)

// A model that runs without the recipe that it needs, and is good enough for that to matter, looks
// as if it wants that one on a suite with enough images, also the second time, until it is taken.
func TestZooExportsLooks(t *testing.T) {
	folder, ok := testdata.Zoo("exports")
	if _, _, err := onnx.FindLibrary(""); !ok || err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo exports: absent")
		return
	}
	folder = filepath.Join(folder, "cases")
	var models []exportedModel
	readJSON(t, filepath.Join(folder, "models.json"), &models)
	without, found := 0, 0
	for _, m := range models {
		if m.Without == "" {
			continue
		}
		suite := manifold(t, filepath.Join(folder, m.Suite), 4)
		id := strings.TrimSuffix(filepath.Base(m.File), ".onnx")
		ws := filepath.Join(t.TempDir(), "w.variscope")
		run := []string{"run", ws, "--family", "plain"}
		if code, text := command("import", ws, filepath.Join(folder, m.File), suite); code != 0 {
			t.Fatalf("%s: import exits %d: %s", m.File, code, text)
		}
		code, text := command(run...)
		if code != 0 {
			t.Fatalf("%s: run exits %d: %s", m.File, code, text)
		}
		without++
		if !strings.Contains(text, id+": looks as if it wants 0..255: ") {
			fmt.Printf("  %s does not look as if it wants another recipe\n", m.File)
			continue
		}
		_, text = command(append(run, "--json")...)
		var doc struct {
			Sheets []struct{ Rows []map[string]any }
		}
		if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &doc); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if got := doc.Sheets[0].Rows[0]; got["looks_recipe"] != "scale=255" || got["looks_images"] != 64. {
			t.Errorf("%s: %v", m.File, got)
		}
		if code, text := command("model", ws, id, "--recipe", "scale=255"); code != 0 {
			t.Fatal(text)
		}
		if code, text := command(run...); code != 0 || strings.Contains(text, "looks as if") {
			t.Errorf("%s: with its recipe, exit code %d: %s", m.File, code, text)
		}
		found++
	}
	if found == 0 && without > 0 {
		t.Error("none looks as if it wants another recipe")
	}
	fmt.Printf("zoo exports: %d models without their recipe, %d look as if they want it\n", without, found)
}

// manifold is a copy of a folder of class folders that has every image n times.
func manifold(t *testing.T, folder string, n int) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.png"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d images in %s, %v", len(files), folder, err)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(folder))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		class := filepath.Join(copied, filepath.Base(filepath.Dir(file)))
		if err := os.MkdirAll(class, 0o755); err != nil {
			t.Fatal(err)
		}
		for k := range n {
			if err := os.WriteFile(filepath.Join(class, fmt.Sprintf("%d_%s", k, filepath.Base(file))), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return copied
}
