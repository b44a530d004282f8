package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// FocusLost implements fyne.Focusable.
func (n *Network) FocusLost() {
	n.shift = false
	n.keyed.FocusLost()
}

// KeyDown implements desktop.Keyable.
func (n *Network) KeyDown(ev *fyne.KeyEvent) { n.hold(ev, true) }

// KeyUp implements desktop.Keyable.
func (n *Network) KeyUp(ev *fyne.KeyEvent) { n.hold(ev, false) }

func (n *Network) hold(ev *fyne.KeyEvent, down bool) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		n.shift = down
	}
}

// TypedRune implements fyne.Focusable.
func (n *Network) TypedRune(r rune) {
	switch r {
	case '+', '=':
		n.Zoom(keyStep)
	case '-':
		n.Zoom(1 / keyStep)
	case '0':
		n.ShowAll()
	default:
		n.passRune(r)
	}
}

// TypedKey implements fyne.Focusable: OnKey is asked first.
func (n *Network) TypedKey(ev *fyne.KeyEvent) {
	if n.passKey(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		n.open()
	case fyne.KeyEscape:
		if n.selected >= 0 {
			n.choose(-1)
		} else {
			n.ShowAll()
		}
	default:
		x, y := arrowOf(ev.Name)
		switch {
		case x == 0 && y == 0:
		case n.shift:
			n.Pan(float64(x)*panStep, float64(y)*panStep)
		default:
			n.step(x, y)
		}
	}
}

// step selects the next node in a direction, without a selection the most frequent one.
func (n *Network) step(dx, dy float32) {
	if !n.laidOut() {
		return
	}
	if n.selected < 0 {
		n.choose(n.order[0])
		return
	}
	next := onward(len(n.data.Spots), n.place(n.selected), dx, dy, func(k int) (fyne.Position, bool) { return n.place(k), k != n.selected })
	if next >= 0 {
		n.choose(next)
	}
}
