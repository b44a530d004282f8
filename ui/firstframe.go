package ui

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// firstFrame is one transparent pixel that tells when it is drawn for the first time: OnStarted
// comes too early, and also where nothing can be drawn at all.
func firstFrame(drawn func()) fyne.CanvasObject {
	done := false
	pixel := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	raster := canvas.NewRaster(func(int, int) image.Image {
		if !done {
			done = true
			drawn()
		}
		return pixel
	})
	raster.SetMinSize(fyne.NewSquareSize(1))
	return raster
}

// corner is a layout that puts its objects into the top-left corner at their own size and takes no
// room.
type corner struct{}

// Layout implements fyne.Layout.
func (corner) Layout(objects []fyne.CanvasObject, _ fyne.Size) {
	for _, o := range objects {
		o.Resize(o.MinSize())
	}
}

// MinSize implements fyne.Layout.
func (corner) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
