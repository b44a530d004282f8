package e2e

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said are the labels of three annotators on four models: one they agree on, one with a majority,
// two without.
var said = map[string][]string{
	"A": {"invariant", "variant", "invariant", "borderline"},
	"B": {"invariant", "variant", "borderline", "invariant"},
	"C": {"invariant", "invariant", "variant", "variant"},
}

// TestAdjudicate closes a blind round, gives final labels with reasons to what the annotators
// disagree on, takes one back and gives another, and finds all of it in the export beside every
// vote.
func TestAdjudicate(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(4)
	d.run("label", workspace, "round", "--name", "Round 1", "--annotators", "A,B,C", "--classes", "3")
	for annotator, values := range said {
		d.labels(workspace, annotator, values)
	}
	w := d.start(workspace)
	w.goes("ctrl+4", "Adjudicate")
	w.opens("Adjudicate", "This round is blind.")
	w.closesRound()
	w.opens("Adjudicate 3", "0 of 3 cases decided")
	w.judge()
	w.decide("b", "as the guideline has it", "1 of 3 cases decided")
	w.shot("adjudicate")
	w.decide("v", "a cross in CONV-1", "2 of 3 cases decided")
	w.key("ctrl+z")
	w.shows("1 of 3 cases decided")
	w.key("ctrl+y")
	w.shows("2 of 3 cases decided")
	w.decide("i", "hardly any change", "3 of 3 cases decided")
	w.close()

	d.checkFinal(workspace)
	w = d.start(workspace)
	w.goes("ctrl+4", "Adjudicate")
	w.opens("Adjudicate", "3 of 3 cases decided")
	w.shows("Final label: ")
	w.close()
}

// closesRound ends the labelling of the round on the Agreement screen.
func (w *window) closesRound() {
	w.t.Helper()
	w.opens("Close round", "No label can be set or changed")
	w.closes("Close round")
}

// labels gives one annotator's labels to the models in the order of their ids.
func (d *desk) labels(workspace, annotator string, values []string) {
	d.t.Helper()
	for k, value := range values {
		d.run("label", workspace, "set", "--annotator", annotator, "--model", modelName(k), "--value", value)
	}
}

// judge writes who decides, somebody who is no annotator of the round.
func (w *window) judge() {
	w.t.Helper()
	w.types("name of who decides", "chair")
	w.again("the keyboard for keys again", func() { w.key("Escape") }, func() bool { return !w.typing() })
}

// decide gives the case shown its final label by the keyboard alone.
func (w *window) decide(key, reason, then string) {
	w.t.Helper()
	w.until("a matrix of the case", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 0 })
	w.again("the line for the reason", func() { w.key(key) }, w.typing)
	w.text(reason)
	w.key("Return")
	w.shows(then)
}

// checkFinal expects three final labels with reasons, one of them made again after undo, and all
// twelve votes.
func (d *desk) checkFinal(workspace string) {
	d.t.Helper()
	out := d.export(workspace)
	wide := table(d.t, filepath.Join(out, "labels_wide.csv"))
	finals := map[string]int{}
	for k, row := range wide {
		for annotator, values := range said {
			if row[annotator] != values[k] {
				d.t.Errorf("the vote of %s on %s is %q in the export, want %q", annotator, row["model_id"],
					row[annotator], values[k])
			}
		}
		finals[row["final"]]++
	}
	if len(wide) != 4 || finals["invariant"] != 2 || finals["borderline"] != 1 || finals["variant"] != 1 {
		d.t.Errorf("%d models with the final labels %v, want 4 with two invariant, one borderline, one variant",
			len(wide), finals)
	}
	var reasons []string
	votes := 0
	for _, row := range table(d.t, filepath.Join(out, "labels_long.csv")) {
		switch row["kind"] {
		case "label":
			votes++
		case "adjudicate":
			reasons = append(reasons, row["annotator"]+": "+row["note"])
		}
	}
	slices.Sort(reasons)
	want := []string{"chair: a cross in CONV-1", "chair: as the guideline has it", "chair: hardly any change"}
	if votes != 12 || !slices.Equal(slices.Compact(reasons), want) {
		d.t.Errorf("%d votes and the reasons %q in the export, want 12 and %q", votes, reasons, want)
	}
	if text := d.run("agreement", workspace, "--json"); !strings.Contains(text, `"fleiss`) {
		d.t.Errorf("no agreement after adjudication:\n%s", text)
	}
}

// export writes the labelled set into a folder.
func (d *desk) export(workspace string) string {
	d.t.Helper()
	out := filepath.Join(d.t.TempDir(), "set")
	d.run("export", workspace, "--out", out)
	return out
}

// table reads a CSV file as rows by column.
func table(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, name := range lines[0] {
			row[name] = line[k]
		}
		rows = append(rows, row)
	}
	return rows
}
