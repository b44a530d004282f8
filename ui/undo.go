package ui

import "fyne.io/fyne/v2"

// takeBack takes back what was done last: what was typed while an entry has the keyboard, the newest label while somebody
// labels, and else the newest change of data.
func (w *Window) takeBack() {
	switch {
	case w.typed(&fyne.ShortcutUndo{}):
	case w.place == Label && w.label.Working():
		w.label.Undo()
	default:
		w.history.Undo()
	}
}

// makeAgain makes again what takeBack took back.
func (w *Window) makeAgain() {
	switch {
	case w.typed(&fyne.ShortcutRedo{}):
	case w.place == Label && w.label.Working():
		w.label.Redo()
	default:
		w.history.Redo()
	}
}

// typed hands a shortcut to what has the keyboard, if that takes shortcuts: the window's menu hears them first.
func (w *Window) typed(shortcut fyne.Shortcut) bool {
	focused, ok := w.window.Canvas().Focused().(fyne.Shortcutable)
	if ok {
		focused.TypedShortcut(shortcut)
	}
	return ok
}
