package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// List is Fyne's list that hands on the characters and keys that it does not use; Fyne's own swallows them once it was
// clicked.
type List struct {
	widget.List
	Keys
	// OnOpen is called for the highlighted row on Return.
	OnOpen      func(row int)
	highlighted int
}

// NewList makes a list. create makes a row's objects, update fills them for a row.
func NewList(length func() int, create func() fyne.CanvasObject, update func(row int, object fyne.CanvasObject)) *List {
	l := &List{}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.OnHighlighted = func(row int) { l.highlighted = row }
	l.ExtendBaseWidget(l)
	return l
}

// TypedRune implements fyne.Focusable.
func (l *List) TypedRune(r rune) { l.passRune(r) }

// TypedKey implements fyne.Focusable: OnKey is asked first, then Return opens, then Fyne's list moves and selects.
func (l *List) TypedKey(ev *fyne.KeyEvent) {
	if l.passKey(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if l.OnOpen != nil && l.highlighted >= 0 && l.highlighted < l.Length() {
			l.OnOpen(l.highlighted)
		}
	default:
		l.List.TypedKey(ev)
	}
}

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

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape && e.OnEscape != nil {
		e.OnEscape()
		return
	}
	e.Entry.TypedKey(ev)
}
