package app

import (
	"fyne.io/fyne/v2"
	fynedesktop "fyne.io/fyne/v2/driver/desktop"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/variscope/variscope/ui"
)

// early are the keys that a window hears before its widgets, alone and with Shift.
var early = map[glfw.ModifierKey]map[glfw.Key]fyne.KeyName{
	0: {
		glfw.KeyEscape: fyne.KeyEscape, glfw.KeyEnter: fyne.KeyReturn, glfw.KeyKPEnter: fyne.KeyEnter,
		glfw.KeyTab:  fyne.KeyTab,
		glfw.KeyMenu: fynedesktop.KeyMenu, glfw.KeyPageUp: fyne.KeyPageUp, glfw.KeyPageDown: fyne.KeyPageDown,
	},
	glfw.ModShift: {glfw.KeyTab: ui.KeyBackTab, glfw.KeyF10: fynedesktop.KeyMenu},
}

// earlyKey is the name of a key that a window hears before its widgets, "" for any other one.
func earlyKey(key glfw.Key, held glfw.ModifierKey) fyne.KeyName {
	return early[held&(glfw.ModShift|glfw.ModControl|glfw.ModAlt|glfw.ModSuper)][key]
}

// events are the functions of GLFW that say what a window hears and return what it heard before.
type events interface {
	SetKeyCallback(glfw.KeyCallback) glfw.KeyCallback
	SetCursorPosCallback(glfw.CursorPosCallback) glfw.CursorPosCallback
	SetScrollCallback(glfw.ScrollCallback) glfw.ScrollCallback
}

// native hands the window of the system, once it is shown, to a function on the main goroutine, and
// returns what that returns. Windows of tests have none.
func native(window fyne.Window, with func(events) (stop func())) (stop func()) {
	stop = func() {}
	if w, ok := window.(interface{ RunWithContext(func()) }); ok {
		w.RunWithContext(func() {
			if view := glfw.GetCurrentContext(); view != nil {
				stop = with(view)
			}
		})
	}
	return stop
}

// watchKeys lets take have Escape, Return, Tab, the keys that scroll by a page and the key for
// menus before the widget that has the keyboard: Fyne gives a key to that widget alone, and its
// entries, lists and buttons swallow Escape. A press that was used up is kept from Fyne until the
// key is let go, so that its repeats don't reach what lay behind a dialog. stop ends it.
func watchKeys(window events, take func(fyne.KeyName) bool) (stop func()) {
	used := glfw.KeyUnknown
	var next glfw.KeyCallback
	next = window.SetKeyCallback(func(
		v *glfw.Window, key glfw.Key, code int, action glfw.Action, held glfw.ModifierKey,
	) {
		repeated := action == glfw.Repeat && (key == glfw.KeyTab || key == glfw.KeyPageUp || key == glfw.KeyPageDown)
		if action == glfw.Press || repeated {
			used = glfw.KeyUnknown
			if name := earlyKey(key, held); name != "" && take(name) {
				used = key
			}
		}
		if key != used && next != nil {
			next(v, key, code, action, held)
		}
	})
	return func() { window.SetKeyCallback(next) }
}

// watchPointer has take called when the pointer moves over a window or scrolls in it, before Fyne
// hears of it: Fyne tells the widget below the pointer alone. stop ends it.
func watchPointer(window events, take func()) (stop func()) {
	var moved glfw.CursorPosCallback
	moved = window.SetCursorPosCallback(func(v *glfw.Window, x, y float64) {
		if take(); moved != nil {
			moved(v, x, y)
		}
	})
	var scrolled glfw.ScrollCallback
	scrolled = window.SetScrollCallback(func(v *glfw.Window, x, y float64) {
		if take(); scrolled != nil {
			scrolled(v, x, y)
		}
	})
	return func() {
		window.SetCursorPosCallback(moved)
		window.SetScrollCallback(scrolled)
	}
}
