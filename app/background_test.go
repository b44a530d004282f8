package app_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// maskCommand writes a mask of SIZE x SIZE pixels whose left half is foreground: mask SIZE FILE.
func maskCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mask SIZE FILE")
	}
	side, err := strconv.Atoi(args[0])
	ts.Check(err)
	img := image.NewGray(image.Rect(0, 0, side, side))
	for k := range img.Pix {
		if k%side < side/2 {
			img.SetGray(k%side, k/side, color.Gray{Y: 255})
		}
	}
	var out bytes.Buffer
	ts.Check(png.Encode(&out, img))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o644))
}
