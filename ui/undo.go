package ui

// takeBack takes back what was done last: what was typed while an entry has the keyboard, the
// newest label while somebody labels, and else the newest change of data.
func (w *Window) takeBack() {
	switch {
	case w.typed(typing.Undo):
	case w.place == Label && w.label.Working():
		w.label.Undo()
	default:
		w.history.Undo()
	}
}

// makeAgain makes again what takeBack took back.
func (w *Window) makeAgain() {
	switch {
	case w.typed(typing.Redo):
	case w.place == Label && w.label.Working():
		w.label.Redo()
	default:
		w.history.Redo()
	}
}

// typed lets an entry that has the keyboard undo or redo what was typed into it; the menu hears
// the keys before it.
func (w *Window) typed(do func(entry typing)) bool {
	entry, ok := w.window.Canvas().Focused().(typing)
	if ok {
		do(entry)
	}
	return ok
}

// typing is what keeps a history of its own text.
type typing interface {
	Undo()
	Redo()
}
