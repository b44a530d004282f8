package main

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	folder := t.TempDir()
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		file, err := os.Open(filepath.Join(folder, "hicolor", fmt.Sprintf("%dx%d", size, size), "apps",
			"variscope.png"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != size || b.Dy() != size {
			t.Errorf("the icon of %d pixels has %v", size, b)
		}
		if _, _, _, alpha := picture.At(size/2, size/2).RGBA(); alpha == 0 {
			t.Errorf("the icon of %d pixels is empty in its middle", size)
		}
	}
	if err := write(filepath.Join(folder, "hicolor", "16x16", "apps", "variscope.png")); err == nil {
		t.Error("a file counts as a folder")
	}
}
