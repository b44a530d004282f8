package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// threeDesks are those of three people who share no computer, and that of whoever made the round
// and collects the labels.
type threeDesks struct {
	*desk
	origin     string // workspace in which the round was made
	folder     string // of the others
	invitation string
	sent       []string // file of each desk
}

// TestThreeDesks writes a round package, labels it at desks without models, merges what they send
// in the window, and finds the same labels whatever the order and however often. Annotator B has
// labelled one model at two desks.
func TestThreeDesks(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	x := &threeDesks{desk: d, origin: d.manyModels(3), folder: t.TempDir()}
	x.invite()
	x.labelByHand()
	said := x.voteOf(x.desk1(), "B", modelName(0))
	opposite := map[string]string{"invariant": "variant", "variant": "invariant"}[said]
	x.labelBy(2, map[string][]string{"C": {"invariant", "invariant", "variant"}, "B": {opposite}})
	x.labelBy(3, map[string][]string{"A": {"invariant", "invariant", "variant"}})
	other := filepath.Join(x.folder, "other.variscope")
	if err := os.CopyFS(other, os.DirFS(x.origin)); err != nil {
		t.Fatal(err)
	}

	x.merge()
	d.run("label", other, "merge", x.sent[2])
	d.run("label", other, "merge", x.sent[1], x.sent[2])
	d.run("label", other, "merge", x.sent[0])
	d.run("label", other, "merge", x.sent[1])
	if a, b := d.votes(x.origin), d.votes(other); !slices.Equal(a, b) || len(a) != 10 {
		t.Errorf("merging in another order, twice, gave\n%s\ninstead of these ten\n%s", strings.Join(b, "\n"),
			strings.Join(a, "\n"))
	}
	if a, b := d.run("label", x.origin, "list", "--json"), d.run("label", other, "list", "--json"); a != b {
		t.Errorf("the current labels depend on the order of merging:\n%s\n%s", a, b)
	}
	x.conflict()
}

// invite writes the round package.
func (x *threeDesks) invite() {
	w := x.start(x.origin)
	w.goes("ctrl+4", "Other desks")
	w.opens("Other desks", "Invite: write a round package")
	w.opens("Invite: write a round package", "Write package")
	w.tap("Write package")
	w.shows("Round 1.vround with 3 models")
	w.closes("Close")
	w.close()
	x.invitation = filepath.Join(filepath.Dir(x.origin), "Round 1.vround")
	if _, err := os.Stat(x.invitation); err != nil {
		x.t.Fatal(err)
	}
}

// desk1 is the workspace that is labelled in the window.
func (x *threeDesks) desk1() string { return filepath.Join(x.folder, "desk1.variscope") }

// labelByHand opens the package in a new workspace, labels as B by the keyboard, and writes the
// labels into a file.
func (x *threeDesks) labelByHand() {
	w := x.start(x.desk1())
	w.menu("Open round package")
	w.shows("A round package brings")
	w.text(x.invitation)
	w.tap("Open")
	w.shows("Round Round 1 was added")
	w.closes("Close")
	w.signsIn("B")
	for _, key := range []string{"i", "v", "v"} {
		w.labelKey(key)
	}
	w.shows("Done")
	w.shot("desk1")
	w.opens("Another annotator", "Send my labels")
	w.opens("Send my labels", "Write file")
	w.tap("Write file")
	w.shows("Round 1-desk1.vlabels with 3 events")
	w.closes("Close")
	w.close()
	if models, _ := filepath.Glob(filepath.Join(x.desk1(), "models", "*.onnx")); len(models) != 0 {
		x.t.Errorf("the package has brought the models %v", models)
	}
	x.sent = append(x.sent, filepath.Join(x.folder, "Round 1-desk1.vlabels"))
}

// labelBy opens the package at another desk, gives labels by annotator, and writes them into a
// file, all without the window.
func (x *threeDesks) labelBy(n int, given map[string][]string) {
	workspace := filepath.Join(x.folder, fmt.Sprintf("desk%d.variscope", n))
	x.run("label", workspace, "open", x.invitation)
	for annotator, values := range given {
		x.labels(workspace, annotator, values)
	}
	file := filepath.Join(x.folder, fmt.Sprintf("desk%d.vlabels", n))
	x.run("label", workspace, "send", "--out", file)
	x.sent = append(x.sent, file)
}

// merge takes the three files in the window, and then again in another order.
func (x *threeDesks) merge() {
	w := x.start(x.origin)
	w.goes("ctrl+4", "Other desks")
	w.mergeFiles(x.sent...)
	w.shows("1 conflict between desks")
	w.shows(modelName(0) + ", B: hidden while the round is blind")
	w.tap("Merge 10 events")
	w.shows("Merged 10 events from 3 files")
	w.closes("Close")
	w.shows("3 models, 3 annotators, 3 models with two or more labels")
	w.shot("merged")
	w.mergeFiles(x.sent[2], x.sent[0], x.sent[1])
	w.shows("All of this is here already")
	w.closes("Cancel")
	w.close()
}

// mergeFiles opens the dialog on the Agreement screen and names the files.
func (w *window) mergeFiles(paths ...string) {
	w.t.Helper()
	w.opens("Other desks", "Merge labels of other desks")
	w.opens("Merge labels of other desks", "Merging adds the labels")
	for k, path := range paths {
		if k > 0 {
			w.key("Return")
		}
		w.text(path)
	}
}

// conflict closes the round and finds the conflict at the head of the queue, with both labels.
func (x *threeDesks) conflict() {
	w := x.start(x.origin)
	w.goes("ctrl+4", "Close round")
	w.closesRound()
	w.opens("Adjudicate ", modelName(0)+": conflict")
	w.shows("At several desks:")
	w.judge()
	w.decide("v", "seen together", "1 of ")
	w.close()
	n := 0
	for _, vote := range x.votes(x.origin) {
		if strings.HasPrefix(vote, "B "+modelName(0)) {
			n++
		}
	}
	if n != 2 {
		x.t.Errorf("%d labels of B on %s after adjudication, want both", n, modelName(0))
	}
}

// votes are all labels in the export, current or not.
func (d *desk) votes(workspace string) []string {
	d.t.Helper()
	var list []string
	for _, row := range table(d.t, filepath.Join(d.export(workspace), "labels_long.csv")) {
		if row["kind"] == "label" {
			list = append(list, row["annotator"]+" "+row["model_id"]+" "+row["label"]+" "+row["desk"]+" "+
				row["event_id"])
		}
	}
	slices.Sort(list)
	return list
}

// voteOf is the label of an annotator on a model.
func (d *desk) voteOf(workspace, annotator, model string) string {
	d.t.Helper()
	for _, vote := range d.votes(workspace) {
		if words := strings.Fields(vote); words[0] == annotator && words[1] == model {
			return words[2]
		}
	}
	d.t.Fatalf("no label of %s on %s in %s", annotator, model, workspace)
	return ""
}
