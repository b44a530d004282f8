package ui

import (
	"fyne.io/fyne/v2"
)

// addUndoKeys makes Ctrl+Z and Ctrl+Y reach the history of changes. Fyne turns these two into shortcuts of its own, which
// an entry takes for its text, and which no shortcut of the menu with the same keys ever gets.
func (w *Window) addUndoKeys() {
	in := func(do func()) func(fyne.Shortcut) {
		return func(fyne.Shortcut) {
			if w.window.Canvas().Overlays().Top() == nil && !w.closing { // not behind a dialog
				do()
			}
		}
	}
	w.window.Canvas().AddShortcut(&fyne.ShortcutUndo{}, in(w.history.Undo))
	w.window.Canvas().AddShortcut(&fyne.ShortcutRedo{}, in(w.history.Redo))
}
