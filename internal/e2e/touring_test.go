package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestTourAtTheFirstStart: who starts the program for the first time is led through the window, by
// the keyboard alone, and is left in peace from then on.
func TestTourAtTheFirstStart(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	if err := os.Remove(filepath.Join(d.home, "config", "variscope", "preferences.json")); err != nil {
		t.Fatal(err)
	}
	w := d.start()
	for i, title := range []string{
		"Welcome to Variscope", "Your models", "Run", "Inspect a model", "Label with the keyboard",
		"See how far you agree", "Help is in the menu",
	} {
		w.until("the card "+title, patience, func() bool {
			_, ok := exactly(title)(w.screen())
			return ok && w.layers() == 1
		})
		if i < 2 || i == 6 {
			w.shot("tour-" + title)
		}
		w.key([]string{"Return", "Right"}[i%2])
	}
	w.until("what there is to see, after the tour", patience,
		func() bool { return w.layers() == 1 && w.seen("What you can see here") })
	w.shot("sights")
	w.key("Escape")
	w.until("the models", patience, func() bool { return w.layers() == 0 })
	w.leave()

	w = d.start()
	w.shows("s01") // the demo's models are there
	if w.layers() != 0 || w.seen("Welcome to Variscope") {
		t.Error("the tour comes at the second start")
	}
	w.leave()
}

// leave ends the program while the demo may be at work still.
func (w *window) leave() {
	w.t.Helper()
	if err := w.command.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	w.ends()
}
