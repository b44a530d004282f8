package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// hearOrphans listens for keys that go down while nothing has the keyboard: Fyne leaves it so when
// a menu of the bar is closed.
func (w *Window) listenForUnfocusedKeys() {
	if c, ok := w.window.Canvas().(desktop.Canvas); ok {
		c.SetOnKeyDown(w.unfocusedKey)
	}
}

// unfocusedKey gives the keyboard to the screen, which then hears the key itself. Tab has a meaning
// without that.
func (w *Window) unfocusedKey(ev *fyne.KeyEvent) {
	c := w.window.Canvas()
	if w.closing || ev.Name == fyne.KeyTab || c.Focused() != nil || c.Overlays().Top() != nil {
		return
	}
	w.focusScreen()
	if k, ok := c.Focused().(desktop.Keyable); ok {
		k.KeyDown(ev)
	}
}
