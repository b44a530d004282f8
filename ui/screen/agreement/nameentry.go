package agreement

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"
)

// nameEntry is an entry with a menu of names, which is left with Return or Escape, so that the
// page's keys work again.
type nameEntry struct {
	fynewidget.SelectEntry
	leave func()
}

// TypedKey implements fyne.Focusable.
func (e *nameEntry) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeyEscape:
		e.leave()
	default:
		e.SelectEntry.TypedKey(ev)
	}
}
