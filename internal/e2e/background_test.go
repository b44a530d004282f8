package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// TestBackground chooses testing scenes in the window, runs models in them, and finds accuracies
// and matrices as the command line has them.
func TestBackground(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, wideScreen)
	workspace := d.someScenes()
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	d.run("import", workspace, filepath.Join(scenes, "backgrounds"))
	d.run("background", "keywords", workspace, "--targets", "targets", "--masks", filepath.Join(scenes, "masks"),
		"--table", filepath.Join(scenes, "keywords.csv"))
	d.run("background", "rules", workspace, "--name", "all images")

	w := d.start(workspace)
	w.goes("ctrl+0", "360 targets and 600 backgrounds")
	w.shot("background-keywords")
	w.opens("Ontology", "34 keywords, 202 edges")
	w.shot("background-ontology")
	w.choosesScenes("4")
	w.shot("background-scenes")
	w.runsInScenes()
	w.goes("ctrl+0", "4 scenes for each of 360 targets")
	w.opens("Matrices", "All ran")
	shown := w.settled("model", func(rows map[string][]string) bool { return len(rows) == 1+len(fiveScenes) })
	w.shot("background-matrices")
	w.opens("Findings", "5 models; no round of labels yet")
	w.shot("background-findings")
	w.close()
	d.checkScenes(workspace, shown)
	fmt.Printf("window tests: background in %s\n", time.Since(begun).Round(time.Second))
}

// choosesScenes chooses n scenes per target for the ontology that is there.
func (w *window) choosesScenes(n string) {
	w.t.Helper()
	w.opens("Scenes", "No testing scenes were chosen yet")
	w.opens("Choose scenes…", "Scenes per target")
	w.typesInto("the number of scenes per target", beside("Scenes per target"), n)
	w.tapUntil("Create", "the selection", func() bool { return w.layers() == 0 })
	w.shows(n + " scenes for each of 360 targets")
}

// runsInScenes runs all models in the scenes.
func (w *window) runsInScenes() {
	w.t.Helper()
	w.opens("Run models…", "without signals in these scenes (5)")
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	w.until("the end of the run", toil, func() bool { return w.stored("run") >= 2 })
	w.shows("finished, 5 of 5 models, no images skipped") // a run leads to its screen
}

// selection is the name of the only selection of a workspace.
func (d *desk) selection(workspace string) (name string) {
	d.t.Helper()
	d.change(workspace, func(ws *store.Workspace) error {
		list, err := ws.Selections()
		if err == nil && len(list) == 1 {
			name = list[0].Name
		}
		return err
	})
	return name
}

// checkScenes compares the accuracies in the table with the command line.
func (d *desk) checkScenes(workspace string, shown map[string][]string) {
	d.t.Helper()
	var want []struct {
		Model    string   `json:"model_id"`
		Accuracy *float64 `json:"accuracy"`
		Mean     *float64 `json:"mean_composite_accuracy"`
		Worst    *float64 `json:"worst_case_accuracy"`
	}
	d.sheet(d.run("background", "matrix", workspace, "--selection", d.selection(workspace), "--json"), "outcome", &want)
	if len(want) != len(fiveScenes) {
		d.t.Fatalf("%d models on the command line", len(want))
	}
	for _, m := range want {
		var row []string
		for _, v := range []*float64{m.Accuracy, m.Mean, m.Worst} {
			row = append(row, result.Share.Say(*v, 0))
		}
		if !slices.Equal(shown[m.Model], row) {
			d.t.Errorf("%s has %q in the window, want %q", m.Model, shown[m.Model], row)
		}
	}
}
