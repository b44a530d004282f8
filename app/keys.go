package app

import (
	"fyne.io/fyne/v2"
	fynedesktop "fyne.io/fyne/v2/driver/desktop"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/variscope/variscope/ui"
)

// early are the keys that a window hears before its widgets.
var early = map[glfw.Key]fyne.KeyName{
	glfw.KeyEscape: fyne.KeyEscape, glfw.KeyEnter: fyne.KeyReturn, glfw.KeyKPEnter: fyne.KeyEnter, glfw.KeyTab: fyne.KeyTab, glfw.KeyMenu: fynedesktop.KeyMenu,
	glfw.KeyPageUp: fyne.KeyPageUp, glfw.KeyPageDown: fyne.KeyPageDown,
}

// shifted are those that it hears with Shift.
var shifted = map[glfw.Key]fyne.KeyName{glfw.KeyTab: ui.KeyBackTab, glfw.KeyF10: fynedesktop.KeyMenu}

// earlyKey is the name of a key that a window hears before its widgets, "" for any other one.
func earlyKey(key glfw.Key, held glfw.ModifierKey) fyne.KeyName {
	switch {
	case plain(held):
		return early[key]
	case plain(held &^ glfw.ModShift):
		return shifted[key]
	}
	return ""
}

// hearKeys lets hear have Escape, Return, Tab, the keys that scroll by a page and the key for
// menus before the widget that has the keyboard: Fyne gives a key to that widget alone, and its
// entries, lists and buttons swallow Escape. It is called on the main goroutine, once the window
// is shown. A press that was used up is kept from Fyne until the key is let go, so that its
// repeats don't reach what lay behind a dialog.
func hearKeys(window fyne.Window, hear func(fyne.KeyName) bool) {
	native, ok := window.(interface{ RunWithContext(func()) })
	if !ok {
		return
	}
	native.RunWithContext(func() {
		view := glfw.GetCurrentContext()
		if view == nil {
			return
		}
		var next glfw.KeyCallback
		used := glfw.KeyUnknown
		next = view.SetKeyCallback(func(v *glfw.Window, key glfw.Key, code int, action glfw.Action, held glfw.ModifierKey) {
			repeated := action == glfw.Repeat && (key == glfw.KeyTab || key == glfw.KeyPageUp || key == glfw.KeyPageDown)
			if action == glfw.Press || repeated {
				used = glfw.KeyUnknown
				if name := earlyKey(key, held); name != "" && hear(name) {
					used = key
				}
			}
			if key != used && next != nil {
				next(v, key, code, action, held)
			}
		})
	})
}

// hearPointer has hear called when the pointer moves over a window or scrolls in it, before Fyne
// hears of it: Fyne tells the widget below the pointer alone. It is called as hearKeys is.
func hearPointer(window fyne.Window, hear func()) {
	native, ok := window.(interface{ RunWithContext(func()) })
	if !ok {
		return
	}
	native.RunWithContext(func() {
		view := glfw.GetCurrentContext()
		if view == nil {
			return
		}
		var moved glfw.CursorPosCallback
		moved = view.SetCursorPosCallback(func(v *glfw.Window, x, y float64) {
			if hear(); moved != nil {
				moved(v, x, y)
			}
		})
		var scrolled glfw.ScrollCallback
		scrolled = view.SetScrollCallback(func(v *glfw.Window, x, y float64) {
			if hear(); scrolled != nil {
				scrolled(v, x, y)
			}
		})
	})
}

// plain tells that none of the keys is held that make another key of one.
func plain(held glfw.ModifierKey) bool {
	return held&(glfw.ModShift|glfw.ModControl|glfw.ModAlt|glfw.ModSuper) == 0
}
