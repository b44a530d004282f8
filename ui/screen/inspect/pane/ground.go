package pane

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/widget"
)

// Ground lays a pane's content on a surface that has the keyboard after clicks, menus and dialogs of the pane, and hands
// all keys to the screen. take gives it the keyboard, unless a dialog lies over the window.
func Ground(content fyne.CanvasObject, keys widget.Keys) (surface *widget.Surface, take func()) {
	surface = widget.NewSurface(content)
	surface.Keys = keys
	return surface, func() {
		over := fyne.CurrentApp().Driver().CanvasForObject(surface)
		if over != nil && over.Overlays().Top() == nil {
			surface.TakeIn(over)
		}
	}
}
