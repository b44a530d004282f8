package e2e

import (
	"encoding/json"
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
	Checked, Typing   bool
	Look              int
}

func (n node) middle() (x, y int) { return int(n.X + n.W/2), int(n.Y + n.H/2) }

// lies tells whether a node is at the very place of another one.
func (n node) lies(o node) bool { return n.X == o.X && n.Y == o.Y && n.W == o.W && n.H == o.H }

// changed tells whether the window shows anything else than before, or is gone.
func (w *window) changed(before []node) bool {
	now, err := w.ask()
	return err != nil || !slices.Equal(now, before)
}

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

// calm is what the window shows once that stands still.
func (w *window) calm() []node {
	w.t.Helper()
	before := w.screen()
	w.until("a window that stands still", patience, func() bool {
		time.Sleep(300 * time.Millisecond)
		now := w.screen()
		same := slices.Equal(now, before)
		before = now
		return same
	})
	return before
}

// top keeps the nodes of the layer that takes clicks.
func top(all []node) []node {
	layer := 0
	for _, n := range all {
		layer = max(layer, n.Layer)
	}
	return slices.DeleteFunc(all, func(n node) bool { return n.Layer != layer })
}

// pick finds a text among nodes: one to click on before others, as it is before one that only
// starts with it.
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

// seen tells whether a text is anywhere in the window.
func (w *window) seen(text string) bool {
	w.t.Helper()
	_, ok := pick(w.screen(), text)
	return ok
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

// widgets are the visible widgets of a type, such as "*widget.Heatmap", in the topmost layer, in
// drawing order.
func (w *window) widgets(kind string) []node {
	w.t.Helper()
	return slices.DeleteFunc(top(w.screen()), func(n node) bool { return n.Type != kind })
}
