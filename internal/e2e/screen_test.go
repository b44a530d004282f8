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

// patience is how long the tests wait for something to appear on a busy machine.
const patience = 40 * time.Second

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

// tap clicks on a text of the topmost layer once it is there and enabled.
func (w *window) tap(text string) {
	w.t.Helper()
	var found node
	w.until("something to click on: "+text, patience, func() (ok bool) {
		found, ok = pick(top(w.screen()), text)
		return ok && !found.Disabled
	})
	w.at(found.middle())
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
	w.at(22, 12) // Fyne draws the bar of menus in the corner and names it nowhere
	w.tap(entry)
}

// at clicks with the real mouse.
func (w *window) at(x, y int) {
	w.t.Helper()
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y), "click", "1")
	time.Sleep(150 * time.Millisecond)
}
