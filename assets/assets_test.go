package assets

import (
	"encoding/csv"
	"image/color"
	"image/png"
	"io/fs"
	"strings"
	"testing"
)

// mostSignals bounds what signals add to the program, and to the repository whenever they are
// written anew.
const mostSignals = 14 << 20

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
	vits, size := 0, int64(0)
	for _, row := range rows[1:] {
		if _, err := fs.Stat(demo, "models/"+row[0]+".onnx"); err != nil {
			t.Errorf("model %s has no file: %v", row[0], err)
		}
		if info, err := fs.Stat(demo, "signals/"+row[0]); err != nil {
			t.Errorf("model %s has no signals: %v", row[0], err)
		} else {
			size += info.Size()
		}
		if row[2] == "vit" {
			vits++
		}
	}
	if size > mostSignals {
		t.Errorf("the signals have %d bytes; "+
			"at most %d belong into the repository, whose history keeps every version of them", size, mostSignals)
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

// Every target has a mask, and the keyword table lists every target and background, and nothing
// else.
func TestTheScenesAreWhole(t *testing.T) {
	demo := Demo()
	data, err := fs.ReadFile(demo, "keywords.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, row := range rows[1:] {
		if _, err := fs.Stat(demo, row[0]); err != nil {
			t.Errorf("keywords.csv lists %s: %v", row[0], err)
		}
		listed[row[1]]++
		if rest, found := strings.CutPrefix(row[0], "targets/"); found {
			checkMask(t, demo, "masks/"+rest)
		}
	}
	if listed["target"] != 360 || listed["background"] != 600 || len(listed) != 2 {
		t.Errorf("keywords.csv lists %v", listed)
	}
	for pattern, want := range map[string]int{
		"targets/*/*.png": 360, "masks/*/*.png": 360, "backgrounds/*.png": 600,
		"context/*.onnx": 2,
	} {
		if names, err := fs.Glob(demo, pattern); err != nil || len(names) != want {
			t.Errorf("%d files %s, want %d (%v)", len(names), pattern, want, err)
		}
	}
	for name, want := range map[string]int{"elements": 24, "scenes": 10, "objects": 9} {
		text, err := fs.ReadFile(demo, "labels/"+name+".txt")
		if got := len(strings.Fields(string(text))); err != nil || got != want {
			t.Errorf("labels/%s.txt has %d names, want %d (%v)", name, got, want, err)
		}
	}
}

func checkMask(t *testing.T, demo fs.FS, name string) {
	t.Helper()
	file, err := demo.Open(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	mask, err := png.DecodeConfig(file)
	if err != nil || mask.Width != 64 || mask.Height != 64 || mask.ColorModel != color.GrayModel {
		t.Errorf("%s is no gray mask of 64 x 64 pixels: %v", name, err)
	}
}

func TestIconAndGuidelines(t *testing.T) {
	icon, err := png.Decode(strings.NewReader(string(Icon)))
	if err != nil || icon.Bounds().Dx() != 512 {
		t.Errorf("the icon is not a PNG of 512 pixels: %v", err)
	}
	for _, background := range []bool{false, true} {
		for _, classes := range []int{2, 3} {
			text := strings.ToLower(Guideline(background, classes))
			if strings.Contains(text, "borderline") != (classes == 3) || strings.Contains(text, "three classes") &&
				classes == 2 {
				t.Errorf("background %v with %d classes: %s", background, classes, text)
			}
		}
	}
	for _, text := range []string{VarianceGuideline, BackgroundGuideline} {
		for _, word := range []string{"invariant", "variant"} {
			if !strings.Contains(strings.ToLower(text), word) {
				t.Errorf("a guideline does not explain %q", word)
			}
		}
	}
}
