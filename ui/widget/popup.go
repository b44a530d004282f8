package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// PopUpBelow opens a menu below a button; without entries nothing happens.
func PopUpBelow(button fyne.CanvasObject, on fyne.Canvas, items ...*fyne.MenuItem) {
	if len(items) > 0 {
		widget.ShowPopUpMenuAtRelativePosition(fyne.NewMenu("", items...), on,
			fyne.NewPos(0, button.Size().Height), button)
	}
}
