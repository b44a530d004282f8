package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/internal/testdata"
)

const items = 100

// TestHundredItems labels a hundred models as three annotators without touching the mouse.
func TestHundredItems(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(items)
	w := d.start(workspace)
	w.goes("ctrl+3", "Who labels?")
	started := time.Now()
	for who, annotator := range []string{"A", "B", "C"} {
		w.focusOn(annotator)
		w.key("space")
		w.shows(annotator + ": ")
		for i := range items {
			w.labelKey("iiv"[(i+who)%3 : (i+who)%3+1])
		}
		w.shot(fmt.Sprintf("hundred-%d", who))
		w.shows("Done")
		w.focusOn("Another annotator")
		w.key("space")
	}
	fmt.Printf("window tests: %d labels by keyboard in %s\n", 3*items, time.Since(started).Round(time.Second))
	w.close()
	if n := strings.Count(d.run("label", workspace, "list", "--json"), `"label":`); n != 3*items {
		t.Errorf("%d labels in the workspace, want %d", n, 3*items)
	}
}

// signsIn chooses who labels.
func (w *window) signsIn(annotator string) {
	w.t.Helper()
	w.hits("the labelling of "+annotator, exactly(annotator), node.middle,
		func() bool { return w.seen(annotator + ": ") })
}

// labelKey types a label once there is a matrix to judge, and waits until the label is on disk and
// the window shows it. Who has done nothing for long has paused, and the first key only ends that;
// a label key that is typed while another one is stored does nothing.
func (w *window) labelKey(key string) {
	w.t.Helper()
	w.gives("a label by the key "+key, func() { w.key(key) })
}

// gives is a label by something that may be repeated while none is stored.
func (w *window) gives(what string, give func()) {
	w.t.Helper()
	before, progress := w.stored("labels"), w.progress()
	w.until(what, patience, func() bool {
		if _, judges := nth("*widget.Heatmap", 0)(w.screen()); !judges && !w.seen("Paused") {
			return false
		}
		give()
		return w.soon(func() bool { return w.stored("labels") > before })
	})
	w.until("the window after "+what, patience, func() bool { return w.progress() != progress })
}

var progressText = regexp.MustCompile(`^\S+: \d+ of \d+`)

// progress is how far the annotator is, "" where nobody labels.
func (w *window) progress() string {
	w.t.Helper()
	for _, n := range w.screen() {
		if progressText.MatchString(n.Text) {
			return n.Text
		}
	}
	return ""
}

// focusOn moves the keyboard's focus with Tab until it is on a widget with that text.
func (w *window) focusOn(text string) {
	w.t.Helper()
	w.until("the text "+text, patience, func() bool { _, ok := exactly(text)(w.screen()); return ok })
	for range 60 {
		all := w.screen()
		for _, f := range all {
			if f.Focused && textOn(all, f) == text {
				return
			}
		}
		w.key("Tab")
	}
	w.t.Fatalf("the Tab key does not reach %q", text)
}

// textOn is the first text that lies on a widget.
func textOn(all []node, on node) string {
	for _, n := range all {
		x, y := n.middle()
		if n.Text != "" && n.Layer == on.Layer && inside(on, float64(x), float64(y)) {
			return n.Text
		}
	}
	return ""
}

func inside(n node, x, y float64) bool {
	return x >= n.X && x < n.X+n.W && y >= n.Y && y < n.Y+n.H
}

// manyModels makes a workspace with n models, signals for a short family, and a round of three
// annotators.
func (d *desk) manyModels(n int) string {
	d.t.Helper()
	workspace := d.ranModels(n)
	d.run("label", workspace, "round", "--name", "Round 1", "--annotators", "A,B,C")
	return workspace
}

// ranModels makes a workspace with n models, m000 to the last, that are copies of five and differ
// in nothing but a comment in their files, and with their signals for a short family.
func (d *desk) ranModels(n int) string {
	d.t.Helper()
	folder := d.t.TempDir()
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	ids := []string{"s11", "s13", "s20", "s22", "s27"}
	for i := range n {
		data, err := os.ReadFile(filepath.Join(scenes, "models", ids[i%len(ids)]+".onnx"))
		if err != nil {
			d.t.Fatal(err)
		}
		const docString = 6 // of ModelProto; a repeated field replaces the one before
		data = protowire.AppendTag(data, docString, protowire.BytesType)
		data = protowire.AppendString(data, fmt.Sprintf("copy %d", i))
		if err := os.WriteFile(filepath.Join(folder, modelName(i)+".onnx"), data, 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	workspace := filepath.Join(d.t.TempDir(), "many.variscope")
	d.run("import", workspace, folder, filepath.Join(scenes, "targets"))
	d.run("run", workspace, "--suite", "targets", "--family", "rotation:-20:20:10")
	return workspace
}

// modelName is the id of a model that ranModels made.
func modelName(i int) string { return fmt.Sprintf("m%03d", i) }
