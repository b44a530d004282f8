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

// asks opens a dialog by a key. Who has done nothing for long has paused, and the first key only
// ends that.
func (w *window) asks(key string) {
	w.t.Helper()
	w.again("a dialog by "+key, func() { w.key(key) }, func() bool { return w.layers() == 1 })
}

// escapes opens a dialog, goes on in it by Tab, and leaves it by one Escape.
func (w *window) escapes(open string, tabs int) {
	w.t.Helper()
	w.asks(open)
	for range tabs {
		w.key("Tab")
	}
	time.Sleep(200 * time.Millisecond)
	w.key("Escape")
	w.until("the end of the dialog of "+open, patience, func() bool { return w.layers() == 0 })
}

// TestEscapeInTheRealWindow leaves dialogs, a file chooser and the question of closing by Escape,
// and labels by keys after each.
func TestEscapeInTheRealWindow(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(6)
	w := d.start(workspace)
	w.goes("ctrl+3", "Who labels?")
	w.signsIn("A")
	for _, open := range []string{"ctrl+e", "ctrl+i", "ctrl+r", "ctrl+comma", "ctrl+n", "o"} {
		for _, tabs := range []int{0, 1, 2, 4} {
			w.escapes(open, tabs)
		}
	}
	w.labelKey("i")
	w.asks("ctrl+e")
	w.tapUntil("Folder…", "the chooser", func() bool { return w.layers() == 2 })
	w.key("Escape")
	w.until("the end of the chooser", patience, func() bool { return w.layers() == 1 })
	w.key("Escape")
	w.until("the end of the dialog", patience, func() bool { return w.layers() == 0 })
	w.labelKey("v")
	w.asks("ctrl+e")
	w.tool("keydown", "Escape")
	time.Sleep(1500 * time.Millisecond) // long enough for repeats
	w.tool("keyup", "Escape")
	w.until("the end of the dialog", patience, func() bool { return w.layers() == 0 })
	w.labelKey("i")
	w.asks("ctrl+n")
	w.until("the line for the name", patience, w.typing)
	w.key("ctrl+a")
	w.text(strings.Repeat("x", 3))
	w.key("Escape")
	w.until("the end of the dialog of a new workspace", patience, func() bool { return w.layers() == 0 })
	w.labelKey("v")
	w.close()
	if got := d.counts(workspace); got["invariant"] != 2 || got["variant"] != 2 {
		t.Errorf("labels are %v, want two and two", got)
	}
}
