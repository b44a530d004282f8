package e2e

import (
	"strings"
	"testing"
	"time"
)

// layers is how many things lie over the window.
func (w *window) layers() int {
	most := 0
	for _, n := range w.screen() {
		most = max(most, n.Layer)
	}
	return most
}

// leaves opens a dialog, goes on in it by Tab, and leaves it by Escape.
func (w *window) leaves(open string, tabs int) {
	w.t.Helper()
	w.key(open)
	w.until("a dialog by "+open, patience, func() bool { return w.layers() == 1 })
	for range tabs {
		w.key("Tab")
	}
	time.Sleep(200 * time.Millisecond)
	w.key("Escape")
	w.until("the end of the dialog of "+open, 10*time.Second, func() bool { return w.layers() == 0 })
}

// TestEscapeInTheRealWindow leaves dialogs, a file chooser and the question of closing by Escape, and labels by keys after
// each.
func TestEscapeInTheRealWindow(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(6)
	w := d.start(workspace)
	w.key("ctrl+3")
	w.tap("A")
	w.shows("Invariant")
	for _, open := range []string{"ctrl+e", "ctrl+i", "ctrl+r", "ctrl+comma", "ctrl+n", "o"} {
		for _, tabs := range []int{0, 1, 2, 4} {
			w.leaves(open, tabs)
		}
	}
	w.labelKey("i")
	w.key("ctrl+e")
	w.tap("Folder…")
	w.until("the chooser", patience, func() bool { return w.layers() == 2 })
	w.key("Escape")
	w.until("the end of the chooser", patience, func() bool { return w.layers() == 1 })
	w.key("Escape")
	w.until("the end of the dialog", patience, func() bool { return w.layers() == 0 })
	w.labelKey("v")
	w.key("ctrl+e")
	w.shows("Export")
	w.tool("keydown", "Escape")
	time.Sleep(1500 * time.Millisecond) // long enough for repeats
	w.tool("keyup", "Escape")
	w.labelKey("i")
	w.key("ctrl+n")
	w.until("the dialog of a new workspace", patience, func() bool { return w.layers() == 1 })
	w.key("ctrl+a")
	w.text(strings.Repeat("x", 3))
	w.key("Escape")
	w.labelKey("v")
	w.close()
	if got := d.counts(workspace); got["invariant"] != 2 || got["variant"] != 2 {
		t.Errorf("labels are %v, want two and two", got)
	}
}
