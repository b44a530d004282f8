package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Named puts a name before a menu, which may be narrower than what is chosen in it.
func Named(name, menu fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, name, nil, container.New(slim{}, menu))
}

// slim lets its object be narrower than it wants.
type slim struct{}

// slimWidth is the least width that is left to it.
const slimWidth = 76

// Layout implements fyne.Layout.
func (slim) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	objects[0].Move(fyne.NewPos(0, 0))
}

// MinSize implements fyne.Layout.
func (slim) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	return fyne.NewSize(min(least.Width, slimWidth), least.Height)
}
