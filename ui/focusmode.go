package ui

import "fyne.io/fyne/v2"

// FocusMode hides everything but the screen shown (rail, toolbar, status line and menu) and fills
// the display with the window; with false everything comes back. Notices stay: nobody shall miss an
// error.
func (w *Window) FocusMode(on bool) {
	if w.focusMode == on {
		return
	}
	w.focusMode = on
	for _, bar := range []fyne.CanvasObject{w.rail.object, w.toolbar.object, w.status.object} {
		if on {
			bar.Hide()
		} else {
			bar.Show()
		}
	}
	if on {
		w.window.SetMainMenu(nil)
	} else {
		w.window.SetMainMenu(w.menu)
	}
	w.window.SetFullScreen(on)
	w.layOut()
}
