package assets

import (
	"encoding/csv"
	"image/png"
	"io/fs"
	"strings"
	"testing"
)

func TestDemoIsWhole(t *testing.T) {
	demo := Demo()
	file, err := demo.Open("models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 15 {
		t.Errorf("models.csv has %d models, want 14", len(rows)-1)
	}
	vits := 0
	for _, row := range rows[1:] {
		if _, err := fs.Stat(demo, "models/"+row[0]+".onnx"); err != nil {
			t.Errorf("model %s has no file: %v", row[0], err)
		}
		if row[2] == "vit" {
			vits++
		}
	}
	if vits == 0 {
		t.Error("the demo needs a vision transformer: it has one convolution only")
	}
	names, err := fs.ReadFile(demo, "targets/classes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(names)) {
		images, err := fs.Glob(demo, "targets/"+name+"/*.png")
		if err != nil || len(images) != 40 {
			t.Errorf("class %s has %d images, want 40 (%v)", name, len(images), err)
		}
	}
}

func TestIconAndGuidelines(t *testing.T) {
	icon, err := png.Decode(strings.NewReader(string(Icon)))
	if err != nil || icon.Bounds().Dx() != 512 {
		t.Errorf("the icon is not a PNG of 512 pixels: %v", err)
	}
	for _, text := range []string{VarianceGuideline, BackgroundGuideline} {
		for _, word := range []string{"invariant", "variant"} {
			if !strings.Contains(strings.ToLower(text), word) {
				t.Errorf("a guideline does not explain %q", word)
			}
		}
	}
}
