package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Entry is Fyne's entry that reports Escape, so that a screen can take the focus back for its keys.
type Entry struct {
	widget.Entry
	OnEscape func()
}

// NewEntry makes a one-line entry; MultiLine and Wrapping may be set before it is shown.
func NewEntry() *Entry {
	e := &Entry{}
	e.ExtendBaseWidget(e)
	return e
}

// Inner is Fyne's entry, also of what embeds this one.
func (e *Entry) Inner() *widget.Entry { return &e.Entry }

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape && e.OnEscape != nil {
		e.OnEscape()
		return
	}
	e.Entry.TypedKey(ev)
}
