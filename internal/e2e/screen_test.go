package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"
)

// node is one visible text or widget of the window; see probe.Node.
type node struct {
	Type, Text        string
	X, Y, W, H        float64
	Layer             int
	Tappable          bool
	Disabled, Focused bool
}

func (n node) middle() (x, y int) { return int(n.X + n.W/2), int(n.Y + n.H/2) }

// start is a point at the left end: the cell of a check is wider than what takes the click, and so may a text be.
func (n node) start() (x, y int) { return int(n.X) + 12, int(n.Y + n.H/2) }

// lies tells whether a node is at the very place of another one.
func (n node) lies(o node) bool { return n.X == o.X && n.Y == o.Y && n.W == o.W && n.H == o.H }

// patience is how long the tests wait for something to appear: only a test that fails waits as long, so it is enough for the
// busiest machine. moment is how long a click or a key may stay without an effect before it is repeated where that is harmless.
const (
	patience = 2 * time.Minute
	moment   = 10 * time.Second
)

// screen is what the window shows now, from the window itself.
func (w *window) screen() []node {
	w.t.Helper()
	all, err := w.ask()
	if err != nil {
		_ = w.command.Process.Signal(syscall.SIGQUIT) // it says where it stands
		time.Sleep(time.Second)
		w.t.Fatalf("ask the window what it shows: %v\n%s", err, w.log.String())
	}
	return all
}

func (w *window) ask() (all []node, err error) {
	conn, err := net.DialTimeout("unix", w.socket, patience)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	err = json.NewDecoder(conn).Decode(&all)
	return all, err
}

// top keeps the nodes of the layer that takes clicks.
func top(all []node) []node {
	layer := 0
	for _, n := range all {
		layer = max(layer, n.Layer)
	}
	return slices.DeleteFunc(all, func(n node) bool { return n.Layer != layer })
}

// pick finds a text among nodes: one to click on before others, as it is before one that only starts with it.
func pick(all []node, text string) (node, bool) {
	best, rank := node{}, 0
	for _, n := range all {
		r := 0
		if n.Text == text {
			r = 3
		} else if strings.HasPrefix(n.Text, text) {
			r = 1
		}
		if r > 0 && n.Tappable {
			r++
		}
		if r > rank {
			best, rank = n, r
		}
	}
	return best, rank > 0
}

// shows waits until a text is anywhere in the window.
func (w *window) shows(text string) node {
	w.t.Helper()
	var found node
	w.until("the text "+text, patience, func() (ok bool) {
		found, ok = pick(w.screen(), text)
		return ok
	})
	return found
}

// finder finds what to click on among all that the window shows.
type finder func(all []node) (found node, ok bool)

// named finds a text of the topmost layer that is enabled.
func named(text string) finder {
	return func(all []node) (node, bool) {
		found, ok := pick(top(all), text)
		return found, ok && !found.Disabled
	}
}

// tap clicks on a text of the topmost layer once it is there and enabled.
func (w *window) tap(text string) {
	w.t.Helper()
	w.press("something to click on: "+text, named(text), node.middle)
}

// press clicks on a spot of what is found, once it lies where it lay the moment before and still does when the mouse is there: the
// window may be being laid out anew.
func (w *window) press(what string, find finder, spot func(node) (x, y int)) {
	w.t.Helper()
	w.until(what, patience, func() bool {
		n, ok := w.reach(find, spot)
		if ok {
			x, y := spot(n)
			w.at(x, y)
		}
		return ok
	})
}

// reach moves the mouse to a spot of what is found, and tells whether that lay still meanwhile.
func (w *window) reach(find finder, spot func(node) (x, y int)) (n node, ok bool) {
	w.t.Helper()
	before, ok := find(w.screen())
	if !ok {
		return node{}, false
	}
	time.Sleep(50 * time.Millisecond)
	if n, ok = find(w.screen()); !ok || !n.lies(before) {
		return n, false
	}
	x, y := spot(n)
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y))
	after, ok := find(w.screen())
	return n, ok && after.lies(n)
}

// soon tells whether something comes to hold within a moment.
func (w *window) soon(holds func() bool) bool {
	w.t.Helper()
	for end := time.Now().Add(moment); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// again does something that may be repeated until it has its effect.
func (w *window) again(what string, act func(), holds func() bool) {
	w.t.Helper()
	w.until(what, patience, func() bool {
		if !holds() {
			act()
		}
		return w.soon(holds)
	})
}

// widgets are the visible widgets of a type, such as "*widget.Heatmap", in the topmost layer, in drawing order.
func (w *window) widgets(kind string) []node {
	w.t.Helper()
	return slices.DeleteFunc(top(w.screen()), func(n node) bool { return n.Type != kind })
}

// tapWidget clicks in the middle of the n-th widget of a type.
func (w *window) tapWidget(kind string, n int) {
	w.t.Helper()
	var all []node
	w.until(fmt.Sprintf("%s number %d", kind, n), patience, func() bool {
		all = w.widgets(kind)
		return len(all) > n
	})
	w.at(all[n].middle())
}

// tapUntil taps a text until that has an effect.
func (w *window) tapUntil(text, what string, holds func() bool) {
	w.t.Helper()
	next := time.Now()
	w.until(what, time.Minute, func() bool {
		if holds() {
			return true
		}
		if n, ok := pick(top(w.screen()), text); ok && !n.Disabled && time.Now().After(next) {
			w.at(n.middle())
			next = time.Now().Add(3 * time.Second)
		}
		return false
	})
}

// menu opens the File menu with the mouse and chooses an entry.
func (w *window) menu(entry string) {
	w.t.Helper()
	open := func() bool { _, ok := pick(w.screen(), "Quit"); return ok }
	w.until("the entry "+entry+" of the menu", patience, func() bool {
		if !open() {
			w.at(22, 12) // Fyne draws the bar of menus in the corner and names it nowhere
		}
		if !w.soon(open) {
			return false
		}
		if _, ok := w.reach(named(entry), node.middle); !ok {
			return false
		}
		w.tool("click", "1")
		return w.soon(func() bool { return !open() })
	})
}

// choose takes another entry of a menu that shows one; what an entry lies under in the menu comes before it.
func (w *window) choose(shown string, path ...string) {
	w.t.Helper()
	w.take("the menu that shows "+shown, named(shown), path)
}

// take opens a menu and takes an entry of it. Nothing is chosen before the entry is clicked on, so where the menu does not open
// or is gone again, it is opened once more.
func (w *window) take(menu string, find finder, path []string) {
	w.t.Helper()
	below := w.layers()
	w.until(strings.Join(path, ", ")+" of "+menu, patience, func() bool {
		if w.layers() > below {
			w.key("Escape")
			return false
		}
		n, ok := w.reach(find, node.middle)
		if !ok {
			return false
		}
		w.at(n.middle())
		return w.soon(func() bool { return w.layers() > below }) && w.follow(path) && w.soon(func() bool { return w.layers() == below })
	})
}

// follow moves the mouse over the entries of an open menu, each of which opens what lies under it, and clicks on the last one.
func (w *window) follow(path []string) bool {
	w.t.Helper()
	for _, entry := range path {
		if !w.soon(func() bool { _, ok := w.reach(named(entry), node.middle); return ok }) {
			return false
		}
	}
	w.tool("click", "1")
	return true
}

// at clicks with the real mouse.
func (w *window) at(x, y int) {
	w.t.Helper()
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y), "click", "1")
	time.Sleep(150 * time.Millisecond)
}
