package e2e

import (
	"encoding/json"
	"testing"
	"time"
)

// TestUndoAcrossItems takes back labels of several models and gives others.
func TestUndoAcrossItems(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(4)
	w := d.start(workspace)
	w.goes("ctrl+3", "Who labels?")
	w.signsIn("A")
	for range 3 {
		w.labelKey("i")
	}
	for range 3 {
		w.stores("z")
	}
	for range 4 {
		w.labelKey("v")
	}
	w.stores("z")
	w.labelKey("i")
	w.shows("Done")
	w.close()
	if got := d.counts(workspace); got["variant"] != 3 || got["invariant"] != 1 {
		t.Errorf("labels after undo are %v, want three variant and one invariant", got)
	}
}

// TestKeysAfterClicksAndDialogs labels by keys after everything that could take the keyboard away.
func TestKeysAfterClicksAndDialogs(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(9)
	w := d.start(workspace)
	w.goes("ctrl+3", "Who labels?")
	w.signsIn("A")
	for what, before := range map[string]func(){
		"a click on a matrix":     func() { w.tapWidget("*widget.Heatmap", 0) },
		"the guideline":           func() { w.key("g"); w.key("g") },
		"the dialog of the range": func() { w.asks("o"); w.leaves() },
		"a note": func() {
			w.again("the line for the note", func() { w.key("n") }, w.typing)
			w.text("v i v")
			w.stores("Escape")
		},
		"another screen": func() {
			w.again("another screen", func() { w.key("ctrl+1") }, func() bool { return !w.seen("A: ") })
			w.goes("ctrl+3", "A: ")
		},
		"the run dialog": func() { w.asks("ctrl+r"); w.closes("Cancel") },
		"a menu": func() {
			w.again("the menu", func() { w.at(22, 12) }, func() bool { return w.seen("Quit") })
			w.again("the end of the menu", func() { w.key("Escape") }, func() bool { return !w.seen("Quit") })
		},
		"a dialog of a menu": func() {
			w.menu("Report")
			w.shows("Write report")
			w.closes("Cancel")
		},
		"full screen": func() {
			w.again("the full screen", func() { w.key("F11") }, func() bool { return !w.seen("Runs") })
			w.goes("F11", "Runs")
		},
	} {
		w.shows("Invariant")
		before()
		time.Sleep(300 * time.Millisecond)
		t.Log("label after", what)
		w.labelKey("i")
	}
	w.shows("Done")
	w.close()
	if got := d.counts(workspace); got["invariant"] != 9 || got["variant"] != 0 {
		t.Errorf("labels are %v, want nine invariant", got)
	}
}

// stores types a key and waits until something about labels is on disk.
func (w *window) stores(key string) {
	w.t.Helper()
	before := w.stored("labels")
	w.again("an event by the key "+key, func() { w.key(key) }, func() bool { return w.stored("labels") > before })
	time.Sleep(200 * time.Millisecond)
}

// counts are the current labels of the newest round by value.
func (d *desk) counts(workspace string) map[string]int {
	d.t.Helper()
	var labels struct {
		Sheets []struct {
			Rows []struct{ Label string }
		}
	}
	if err := json.Unmarshal([]byte(d.run("label", workspace, "list", "--json")), &labels); err != nil {
		d.t.Fatal(err)
	}
	n := map[string]int{}
	for _, l := range labels.Sheets[0].Rows {
		n[l.Label]++
	}
	return n
}
