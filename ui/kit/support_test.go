package kit

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

func textOf(o fyne.CanvasObject) string {
	if t, ok := o.(*canvas.Text); ok {
		return t.Text
	}
	return ""
}

func imageOf(o fyne.CanvasObject) image.Image {
	if i, ok := o.(*canvas.Image); ok {
		return i.Image
	}
	return nil
}

func checkOf(o fyne.CanvasObject) string {
	if c, ok := o.(*widget.Check); ok {
		return c.Text
	}
	return ""
}
