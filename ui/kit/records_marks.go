package kit

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// Action is something that can be done with records: the marked ones or, where none is marked, the
// selected one.
type Action[R any] struct {
	Name   string
	Icon   fyne.Resource // of the button
	Button bool          // it has a button above the table
	// All is for what can be done with a whole list: without marks it is about all that is shown.
	All bool
	// Can tells whether it can be done with these; nil: with any number but none.
	Can func([]R) bool
	// Runs, which may be nil, are what it would start: while any of them is queued or at work, the
	// button says so and cannot be pressed.
	Runs func([]R) []Run
	Do   func([]R)
}

// One is an action with a button that is done with one record, where it can be done with that.
func One[R any](name string, icon fyne.Resource, can func(R) bool, do func(R)) Action[R] {
	return Action[R]{
		Name: name, Icon: icon, Button: true, Do: func(records []R) { do(records[0]) },
		Can: func(records []R) bool { return len(records) == 1 && can(records[0]) },
	}
}

func (a Action[R]) can(records []R) bool {
	if a.Can != nil {
		return a.Can(records)
	}
	return len(records) > 0
}

// offered is what an action is called now, and whether it can be done.
func (r *Records[R]) offered(a Action[R], records []R) (name string, can bool) {
	can = a.can(records)
	if can && a.Runs != nil {
		if state := r.AtWork(a.Runs(records)...); state != "" {
			return state, false
		}
	}
	return a.Name, can
}

// Marked are the marked records, in the order of Set.
func (r *Records[R]) Marked() []R {
	var list []R
	for k, row := range r.rows {
		if r.marked[r.sheet.ID(k)] {
			list = append(list, row)
		}
	}
	return list
}

// Chosen are the records that actions are about: the marked ones or, without, the selected one.
func (r *Records[R]) Chosen() []R {
	if len(r.marked) > 0 {
		return r.Marked()
	}
	if one, ok := r.Selected(); ok {
		return []R{one}
	}
	return nil
}

// about are the records that an action is about.
func (r *Records[R]) about(a Action[R], chosen []R) []R {
	if a.All && len(r.marked) == 0 {
		return r.Shown()
	}
	return chosen
}

// click marks with Ctrl, and marks all from the last row to this one with Shift.
func (r *Records[R]) click(row int, held fyne.KeyModifier) bool {
	switch {
	case held&fyne.KeyModifierShift != 0:
		from := row
		if k, ok := r.places[r.anchor]; ok {
			from = max(slices.Index(r.shown, k), 0)
		}
		r.mark(true, from, row)
		return true
	case held&fyne.KeyModifierShortcutDefault != 0:
		r.anchor = r.id(row)
		r.mark(!r.marked[r.anchor], row, row)
		return true
	}
	return false
}

// mark sets or clears the marks of the rows from one to another, both included.
func (r *Records[R]) mark(on bool, from, to int) {
	for row := max(min(from, to), 0); row <= min(max(from, to), len(r.shown)-1); row++ {
		if on {
			r.marked[r.id(row)] = true
		} else {
			delete(r.marked, r.id(row))
		}
	}
	r.marksChanged()
}

// Unmark takes all marks away.
func (r *Records[R]) Unmark() {
	clear(r.marked)
	r.marksChanged()
}

func (r *Records[R]) marksChanged() {
	r.redraw()
	r.choiceChanged()
	if r.OnMarked != nil {
		r.OnMarked()
	}
}

// tick is a click on the check mark of a row, or on that of the headings.
func (r *Records[R]) tick(row int) {
	if row < 0 {
		r.markShown(!r.allMarked())
		return
	}
	r.anchor = r.id(row)
	r.mark(!r.marked[r.anchor], row, row)
}

func (r *Records[R]) allMarked() bool {
	return !slices.ContainsFunc(r.shown, func(row int) bool { return !r.marked[r.sheet.ID(row)] })
}

// choose selects a row on behalf of a person.
func (r *Records[R]) choose(row int) {
	r.selected, r.anchor = r.id(row), r.id(row)
	r.choiceChanged()
	r.tellSelected()
}

// reach selects a row while Shift is held: what lies between it and where Shift was pressed is
// marked.
func (r *Records[R]) reach(from, to int) {
	anchor := from
	if k, ok := r.places[r.anchor]; ok {
		anchor = max(slices.Index(r.shown, k), 0)
	}
	r.mark(false, anchor, from)
	r.mark(true, anchor, to)
	r.selected = r.id(to)
	r.show(to)
	r.choiceChanged()
	r.tellSelected()
}

func (r *Records[R]) markShown(on bool) { r.mark(on, 0, len(r.shown)-1) }

// choiceChanged says how many records are shown and marked, and lets the buttons be used or not.
func (r *Records[R]) choiceChanged() {
	text := result.Counted(len(r.rows), r.Table.Noun)
	if len(r.shown) != len(r.rows) {
		text = fmt.Sprintf("%s of %s", result.Whole(len(r.shown)), text)
	}
	if n := len(r.marked); n > 0 {
		text = fmt.Sprintf("%s, %s marked", text, result.Whole(n))
	}
	if !r.known {
		text = ""
	}
	if text != r.caption.Text {
		r.caption.SetText(text)
		r.layBar()
	}
	if len(r.buttons) == 0 {
		return
	}
	chosen, changed := r.Chosen(), false
	for k, a := range r.Actions {
		b := r.buttons[k]
		if b == nil {
			continue
		}
		name, can := r.offered(a, r.about(a, chosen))
		if b.Text != name {
			b.SetText(name)
			changed = true
		}
		widget.Enable(b, can)
	}
	if changed {
		r.layBar()
	}
}
