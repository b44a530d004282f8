package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Look is another look of the records in place of the table, such as a gallery, with the filter,
// the order, the selection, the marks and the menus of the table. It draws the records that are
// shown (At) when it is refreshed, and tells what people do on it: Press, Open, Move, Typed and
// the like.
type Look interface {
	fyne.CanvasObject
	fyne.Focusable
	// ScrollTo brings a row into sight.
	ScrollTo(row int)
}

// SetLook shows a look in place of the table, or the table again with nil. The selected record
// stays in sight.
func (r *Records[R]) SetLook(l Look) {
	r.build()
	if l == r.instead {
		return
	}
	if r.instead != nil {
		r.stack.Remove(r.instead)
	}
	if r.instead = l; l != nil {
		r.stack.Objects = append([]fyne.CanvasObject{l}, r.stack.Objects...)
	}
	r.stack.Layout.Layout(r.stack.Objects, r.stack.Size())
	r.arrange()
	r.show(r.place())
}

// Len is the number of records that are shown, At the one in a row of them.
func (r *Records[R]) Len() int { return len(r.shown) }

// At is the record that is shown in a row, counted from 0; false where there is none.
func (r *Records[R]) At(row int) (record R, ok bool) {
	if row < 0 || row >= len(r.shown) {
		return record, false
	}
	return r.rows[r.shown[row]], true
}

// IsSelected and IsMarked tell how the record in a row is drawn.
func (r *Records[R]) IsSelected(row int) bool { return r.id(row) == r.selected }

// IsMarked tells whether the record in a row is marked.
func (r *Records[R]) IsMarked(row int) bool { return r.marked[r.id(row)] }

// Press is a press of the mouse on a row of a look: it selects; on the check mark, or with Ctrl, it
// marks; with Shift it marks all from the last row on; the second button opens the menu.
func (r *Records[R]) Press(row int, ev *desktop.MouseEvent, onCheck bool, over fyne.CanvasObject) {
	if row < 0 || row >= len(r.shown) {
		return
	}
	r.Focus()
	switch {
	case ev.Button == desktop.MouseButtonSecondary:
		r.openMenu(row, ev.Position, over)
	case onCheck:
		r.tick(row)
	case !r.click(row, ev.Modifier):
		r.choose(row)
	}
	r.redraw()
}

// Open opens the record in a row, as a double click does.
func (r *Records[R]) Open(row int) {
	if one, ok := r.At(row); ok && r.OnOpen != nil {
		r.OnOpen(one)
	}
}

// Place is the row where the selected record stands, -1 where it is not shown.
func (r *Records[R]) Place() int { return r.place() }

// Move selects a row because of a key, and marks all on the way while Shift is held.
func (r *Records[R]) Move(row int, shift bool) {
	if from := r.place(); shift && from >= 0 {
		r.reach(from, row)
		return
	}
	r.choose(row)
	r.show(row)
}

// TypedKey, TypedRune and TypedShortcut take what is typed on a look and moves nothing.
func (r *Records[R]) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter {
		r.Open(r.place())
		return
	}
	r.typedKey(ev)
}

// TypedRune takes a letter, which goes into the filter.
func (r *Records[R]) TypedRune(c rune) { r.typed(c) }

// TypedShortcut takes shortcuts; those that are not the table's go to the window.
func (r *Records[R]) TypedShortcut(s fyne.Shortcut) { r.table.TypedShortcut(s) }

// show selects a row in the table and brings it into sight, -1 for none.
func (r *Records[R]) show(row int) {
	r.table.SelectRow(row)
	if r.instead != nil {
		r.instead.Refresh()
		if row >= 0 {
			r.instead.ScrollTo(row)
		}
	}
}

// redraw draws what is in sight anew.
func (r *Records[R]) redraw() {
	if r.instead != nil {
		r.instead.Refresh()
		return
	}
	r.table.Refresh()
}
