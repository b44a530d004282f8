package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Wide gives an object, such as a menu whose text changes, a fixed width and its own height.
func Wide(width float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(wide{width}, o)
}

type wide struct{ width float32 }

// Layout implements fyne.Layout.
func (wide) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
}

// MinSize implements fyne.Layout.
func (l wide) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width, objects[0].MinSize().Height)
}

// Split gives its first child a share of the width and the second the rest.
type Split struct{ First float32 }

// Layout implements fyne.Layout.
func (l Split) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 8
	width := (size.Width - gap) * l.First
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-gap-width, size.Height))
}

// MinSize implements fyne.Layout.
func (l Split) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(a.Width/l.First, b.Width/(1-l.First)), max(a.Height, b.Height))
}
