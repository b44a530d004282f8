package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// stored is how often the window has said that this kind of thing is on disk.
func (w *window) stored(kind string) int {
	return strings.Count(w.log.String(), "msg=stored kind="+kind+" ")
}

// TestMainPath goes from model files to an agreed label as three people do who share a computer,
// closes the window, and finds everything in the workspace and in the window again.
func TestMainPath(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	models, suite := inputs(t)
	workspace := filepath.Join(t.TempDir(), "first.variscope")
	w := d.start(workspace)
	w.shot("1-fresh")

	w.bring(models, suite)
	w.compute()
	w.round()
	// A labels with the keys, B with the mouse, C with both; two of three models are unanimous.
	for who, labels := range []string{"iiv", "iiv", "ivv"} {
		w.label(who, labels)
	}
	w.goes("ctrl+4", "Fleiss")
	w.shot("4-agreement")
	w.close()

	before := d.run("agreement", workspace, "--json")
	checkAgreement(t, before)
	w = d.start(workspace)
	w.key("ctrl+1")
	w.calm()
	w.shot("5-reopened")
	w.close()
	if after := d.run("agreement", workspace, "--json"); after != before {
		t.Error("closing and reopening the window changed the agreement")
	}
	if n := strings.Count(d.run("label", workspace, "list", "--json"), `"label":`); n != 9 {
		t.Errorf("%d labels after reopening, want 9", n)
	}
}

// inputs are three models and a suite: MNIST's where that zoo is there, else the repository's
// scenes.
func inputs(t *testing.T) (models, suite string) {
	t.Helper()
	models = t.TempDir()
	zoo, ok := testdata.Zoo("mnist")
	ids := []string{"301", "302", "303"}
	suite = filepath.Join(zoo, "test-images-idx3-ubyte.gz")
	if !ok {
		zoo = filepath.Join(testdata.Root(), "assets", "scenes")
		ids = []string{"s11", "s13", "s23"}
		suite = filepath.Join(zoo, "targets")
	}
	for _, id := range ids {
		data, err := os.ReadFile(filepath.Join(zoo, "models", id+".onnx"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(models, id+".onnx"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return models, suite
}

// bring imports models and suite by typed paths.
func (w *window) bring(models, suite string) {
	w.t.Helper()
	w.asks("ctrl+i")
	w.text(models)
	w.key("Return")
	w.text(suite)
	w.calm() // what lies at the paths is recognised in the background
	w.shot("2-import")
	w.hits("the start of the import", exactly("Import"), node.middle,
		func() bool { return w.stored("model")+w.stored("suite") > 0 })
	w.until("three models and a suite", toil, func() bool { return w.stored("model") >= 3 && w.stored("suite") >= 1 })
	w.closes("Close")
}

// compute runs the rotation family over all models.
func (w *window) compute() {
	w.t.Helper()
	w.asks("ctrl+r")
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	// The run is stored when it starts and when it has ended.
	w.until("the end of the run", toil, func() bool { return w.stored("run") >= 2 })
	w.shot("3-runs")
}

// round makes a round of three annotators.
func (w *window) round() {
	w.t.Helper()
	w.goes("ctrl+3", "New round…")
	w.tapUntil("New round…", "the dialog of a round", func() bool { return w.layers() == 1 })
	w.text("Round 1")
	w.key("Tab")
	w.text("A, B, C")
	w.tapUntil("Create", "the round", func() bool { return w.stored("round") > 0 })
	w.until("the end of the dialog", patience, func() bool { return w.layers() == 0 })
}

// label signs in as one of the annotators and gives the round's models these labels in the order in
// which they come. Blind rounds show each annotator an order of his own, so which model gets which
// label is read from the store later.
func (w *window) label(who int, labels string) {
	w.t.Helper()
	w.signsIn(string(rune('A' + who)))
	for i, l := range labels {
		switch mouse := who == 1 || who == 2 && i == 1; {
		case !mouse:
			w.labelKey(string(l))
		case l == 'i':
			w.gives("a label by the mouse", func() { w.tap("Invariant") })
		default:
			w.gives("a label by the mouse", func() { w.tap("Variant") })
		}
	}
	w.shot(fmt.Sprintf("label-%d", who))
	w.opens("Another annotator", "Who labels?")
}

// checkAgreement expects three raters with three labels each and defined kappas.
func checkAgreement(t *testing.T, text string) {
	t.Helper()
	var all struct {
		Sheets []struct {
			Rows []struct {
				Measure string   `json:"measure"`
				A       string   `json:"rater_a"`
				N       int      `json:"n"`
				Value   *float64 `json:"value"`
			} `json:"rows"`
		} `json:"sheets"`
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all.Sheets) == 0 {
		t.Fatalf("agreement holds no sheets: %v\n%s", err, text)
	}
	var fleiss *float64
	pairs := 0
	for _, row := range all.Sheets[0].Rows {
		switch row.Measure {
		case "fleiss":
			fleiss = row.Value
		case "cohen":
			if pairs++; row.N != 3 || row.Value == nil {
				t.Errorf("a pair with %s has %d common models and kappa %v, want 3 and a number",
					row.A, row.N, row.Value)
			}
		}
	}
	if pairs != 3 || fleiss == nil {
		t.Fatalf("three raters with defined kappas expected:\n%s", text)
	}
	fmt.Printf("window tests: Fleiss' kappa of the labelled round is %.3f\n", *fleiss)
}
