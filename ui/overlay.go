package ui

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// TakeKey does what Tab, KeyBackTab and the key for menus do, and what Escape, Return and the keys
// that scroll by a page do while a dialog or a menu lies over the window, wherever in it the
// keyboard is, and returns whether that used the press up. Else Escape gives the keyboard back to
// the screen. Fyne's widgets keep these keys to themselves, so the press must come here before
// they hear of it. Return does what a click does, also on buttons.
func (w *Window) TakeKey(key fyne.KeyName) bool {
	c := w.window.Canvas()
	over := c.Overlays().Top()
	if w.closing || keepsKeys(c.Focused()) {
		return false
	}
	switch key {
	case fyne.KeyTab:
		return w.tab(false)
	case KeyBackTab:
		return w.tab(true)
	case desktop.KeyMenu:
		return menuOf(c.Focused())
	}
	if over == nil && key == fyne.KeyEscape && forClicks(c.Focused()) {
		w.focusScreen()
		return true
	}
	if over == nil {
		return (key == fyne.KeyReturn || key == fyne.KeyEnter) && click(c.Focused())
	}
	switch key {
	case fyne.KeyPageDown:
		return isDialog(over) && leavesPaging(c.Focused()) && turnPage(over, 1)
	case fyne.KeyPageUp:
		return isDialog(over) && leavesPaging(c.Focused()) && turnPage(over, -1)
	case fyne.KeyEscape:
		leave(c, over)
		w.giveBack(c)
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if !isDialog(over) {
			return false
		}
		used := confirm(c.Focused(), over)
		w.giveBack(c)
		return used
	}
	return false
}

// keepsKeys tells whether what has the keyboard knows these keys itself: an open menu, a button
// that waits for any key.
func keepsKeys(focused fyne.Focusable) bool {
	if _, menu := focused.(*widget.PopUpMenu); menu {
		return true
	}
	waiting, ok := focused.(interface{ Waiting() bool })
	return ok && waiting.Waiting()
}

// forClicks tells whether what has the keyboard is there to be clicked and has no use for Escape.
func forClicks(focused fyne.Focusable) bool {
	switch focused.(type) {
	case *widget.Button, *parts.HintButton, *widget.Select, *parts.Choice, *parts.Picker, *widget.Check:
		return true
	}
	return false
}

// leave closes what lies over the window as a click beside it does, or as its button for leaving
// does.
func leave(c fyne.Canvas, over fyne.CanvasObject) {
	if own, ok := over.(leaver); ok {
		own.Leave()
		return
	}
	if beside, ok := over.(fyne.Tappable); ok {
		beside.Tapped(&fyne.PointEvent{})
	}
	if c.Overlays().Top() != over {
		return
	}
	content := contentOf(over)
	if sheet := leaverIn(content); sheet != nil {
		sheet.Leave()
		return
	}
	press(first(lastRow(content)))
}

// leaver is a dialog that knows how it is left, being the layout of what the dialog shows, or
// something else that lies over the window.
type leaver interface{ Leave() }

func leaverIn(o fyne.CanvasObject) leaver {
	if inner := parts.Fitted(o); inner != nil {
		o = inner
	}
	box, ok := o.(*fyne.Container)
	if !ok {
		return nil
	}
	if l, ok := box.Layout.(leaver); ok {
		return l
	}
	for _, child := range box.Objects {
		if l := leaverIn(child); l != nil {
			return l
		}
	}
	return nil
}

// confirm does what a click does on the button, menu or check that has the keyboard, or presses
// the main button while nothing else could mean Return.
func confirm(focused fyne.Focusable, over fyne.CanvasObject) bool {
	switch f := focused.(type) {
	case *widget.Button:
		return press(f)
	case nil:
		return press(mainOf(lastRow(contentOf(over))))
	}
	entry := entryOf(focused)
	if entry == nil {
		return click(focused)
	}
	if entry.MultiLine || entry.OnSubmitted != nil {
		return false
	}
	return press(mainOf(lastRow(contentOf(over))))
}

func entryOf(focused fyne.Focusable) *widget.Entry {
	switch e := focused.(type) {
	case *widget.Entry:
		return e
	case *parts.Entry:
		return &e.Entry
	case interface{ Inner() *widget.Entry }: // of a form
		if e.Inner().MultiLine {
			return e.Inner()
		}
	}
	return nil
}

func press(b *widget.Button) bool {
	if b == nil || b.Disabled() || b.OnTapped == nil {
		return false
	}
	b.OnTapped()
	return true
}

// isDialog tells a dialog, which has a background over the whole window, from a popup.
func isDialog(over fyne.CanvasObject) bool {
	background, ok := part(over, "Background")
	return ok && !background.IsNil()
}

// contentOf is what a dialog or popup shows, nil for anything else.
func contentOf(over fyne.CanvasObject) fyne.CanvasObject {
	content, ok := part(over, "Content")
	if !ok {
		return nil
	}
	if popup, ok := content.Interface().(*widget.PopUp); ok {
		return popup.Content
	}
	return nil
}

// part is an exported field of what Fyne wraps dialogs and popups in, whose type cannot be named
// here.
func part(over fyne.CanvasObject, name string) (reflect.Value, bool) {
	wrapped := reflect.Indirect(reflect.ValueOf(over))
	if wrapped.Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	field := wrapped.FieldByName(name)
	return field, field.IsValid() && field.Kind() == reflect.Interface
}

// lastRow is the last row of nothing but buttons, which is where a dialog has what ends it.
func lastRow(o fyne.CanvasObject) []*widget.Button {
	box, ok := o.(*fyne.Container)
	if !ok || !box.Visible() {
		return nil
	}
	var buttons []*widget.Button
	for _, child := range box.Objects {
		switch child := child.(type) {
		case *widget.Button:
			buttons = append(buttons, child)
		case *layout.Spacer:
		default:
			return lastRowOf(box.Objects)
		}
	}
	return buttons
}

func lastRowOf(objects []fyne.CanvasObject) []*widget.Button {
	for i := len(objects) - 1; i >= 0; i-- {
		if row := lastRow(objects[i]); len(row) > 0 {
			return row
		}
	}
	return nil
}

// first is the first button of a row, with which Fyne's own dialogs are left.
func first(row []*widget.Button) *widget.Button {
	for _, b := range row {
		if b.Visible() {
			return b
		}
	}
	return nil
}

// mainOf is the highlighted button of a row, or its only one. What cannot be undone is highlighted
// as dangerous and needs more than Return.
func mainOf(row []*widget.Button) *widget.Button {
	if len(row) == 1 {
		return first(row)
	}
	for _, b := range row {
		if b.Visible() && b.Importance == widget.HighImportance {
			return b
		}
	}
	return nil
}

// giveBack gives the keyboard to the screen when nothing lies over the window any more and nothing
// that is written into had it.
func (w *Window) giveBack(c fyne.Canvas) {
	if c.Overlays().Top() != nil || w.closing {
		return
	}
	switch c.Focused().(type) {
	case nil, *widget.Button, *widget.Select, *widget.Check:
		w.focusScreen()
	}
}
