// Icons draws the application's icon in the sizes that desktops look for, below a folder of icons
// as the icon theme specification has it: go run ./internal/icons share/icons
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"

	"github.com/variscope/variscope/assets"
)

// sizes are the widths and heights in pixels; the icon itself has the largest.
var sizes = []int{16, 24, 32, 48, 64, 128, 256, 512}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: icons DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "icons:", err)
		os.Exit(1)
	}
}

// write puts hicolor/SIZExSIZE/apps/variscope.png below a folder for every size.
func write(folder string) error {
	icon, err := png.Decode(bytes.NewReader(assets.Icon))
	if err != nil {
		return fmt.Errorf("read the icon: %w", err)
	}
	for _, size := range sizes {
		var data bytes.Buffer
		if err := png.Encode(&data, scaled(icon, size)); err != nil {
			return fmt.Errorf("draw the icon at %d pixels: %w", size, err)
		}
		path := filepath.Join(folder, "hicolor", fmt.Sprintf("%dx%d", size, size), "apps", "variscope.png")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// scaled is a picture as a square of that many pixels.
func scaled(icon image.Image, size int) image.Image {
	if icon.Bounds().Dx() == size {
		return icon
	}
	small := image.NewNRGBA(image.Rect(0, 0, size, size))
	draw.CatmullRom.Scale(small, small.Bounds(), icon, icon.Bounds(), draw.Src, nil)
	return small
}
