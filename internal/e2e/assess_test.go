package e2e

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// rated are the labels of three annotators on the scenes' models; on the last two there is no
// majority, or no label.
var rated = map[string][3]label.Value{
	"s01": {"variant", "variant", "invariant"},
	"s05": {"variant", "variant", "variant"},
	"s08": {"invariant", "invariant", "variant"},
	"s09": {"invariant", "invariant", "invariant"},
	"s11": {"variant", "variant", "variant"},
	"s13": {"invariant", "invariant", "invariant"},
	"s15": {"invariant", "variant", "invariant"},
	"s16": {"invariant", "invariant", "invariant"},
	"s19": {"variant", "variant", "variant"},
	"s22": {"variant", "invariant", "variant"},
	"s20": {"invariant", "variant", ""},
	"s27": {},
}

// learned is what the command line says of the models and the assessors of a workspace, to compare
// the window with.
type learned struct {
	names    []string             // of the features
	features map[string][]float64 // by model
	results  []evalRow
	doubted  []struct {
		Algorithm string `json:"algorithm"`
	}
}

// of is a feature of a model.
func (l learned) of(model, name string) float64 {
	values, at := l.features[model], slices.Index(l.names, name)
	if at < 0 || at >= len(values) {
		return math.NaN()
	}
	return values[at]
}

// doubts is how many labels an assessor doubts that has not seen them.
func (l learned) doubts(algorithm string) int {
	n := 0
	for _, d := range l.doubted {
		if d.Algorithm == algorithm {
			n++
		}
	}
	return n
}

// evalRow is an assessor in the sheet of `assess eval --json`.
type evalRow struct {
	Algorithm string      `json:"algorithm"`
	Accuracy  float64     `json:"accuracy"`
	Deviation float64     `json:"largest_deviation"`
	SD        float64     `json:"sd"`
	Chance    chance.Code `json:"chance"`
	Balanced  float64     `json:"balanced_accuracy"`
	F1        float64     `json:"f1"`
	AUC       float64     `json:"auc"`
	Kappa     *float64    `json:"kappa"`
	Farthest  *float64    `json:"kappa_largest_deviation"`
}

// TestFeaturesAndAssessors goes from a labelled round over the table of features to assessors:
// compared, looked into, asked for verdicts, kept, and taken away to a gate.
func TestFeaturesAndAssessors(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.ratedScenes()
	want := d.learned(workspace, "--labels", "Round 1")
	w := d.start(workspace)
	w.refusesOpenRound()
	w.looksAtFeatures(want)
	w.trains(want)
	w.looksInside()
	w.startsRound()
	verdicts := w.verdicts()
	w.keeps("forest of scenes")
	w.close()
	checkFeatures(t, filepath.Join(d.home, "features.csv"), want)

	w = d.start(workspace)
	w.judgesWith("forest of scenes")
	if again := w.verdicts(); !slices.Equal(again, verdicts) {
		t.Errorf("the assessor that was kept says\n%s\nbefore it said\n%s", strings.Join(again, "\n"),
			strings.Join(verdicts, "\n"))
	}
	w.takesAway()
	w.close()
	d.gatesLike(verdicts, "s01", "s27")
	d.checkRound(workspace)
	fmt.Printf("window tests: features and assessors in %s\n", time.Since(begun).Round(time.Second))
}

// ratedScenes makes a workspace with the scenes' models, their signals, and a blind round of three
// annotators.
func (d *desk) ratedScenes() string {
	d.t.Helper()
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	workspace := filepath.Join(d.t.TempDir(), "scenes.variscope")
	d.run("import", workspace, filepath.Join(scenes, "models.csv"), filepath.Join(scenes, "targets"))
	d.run("run", workspace, "--suite", "targets", "--family", "rotation:-15:15:5")
	d.run("label", workspace, "round", "--name", "Round 1", "--annotators", "A,B,C")
	d.change(workspace, d.rate)
	return workspace
}

// change opens the workspace for a moment.
func (d *desk) change(workspace string, do func(*store.Workspace) error) {
	d.t.Helper()
	ws, err := store.Open(workspace)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := errors.Join(do(ws), ws.Close()); err != nil {
		d.t.Fatal(err)
	}
}

// rate stores the labels of the one round.
func (d *desk) rate(ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	models, err := ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		for k, value := range rated[m.ID] {
			if value == "" {
				continue
			}
			event := label.Event{
				Round: rounds[0].ID, Model: m.Hash, Annotator: rounds[0].Annotators[k], Kind: label.Label, Pass: 1,
				Value: value, Sure: true,
			}
			if _, err := ws.Append(event); err != nil {
				return err
			}
		}
	}
	return nil
}

// learned asks the command line for features and scores.
func (d *desk) learned(workspace string, labels ...string) learned {
	d.t.Helper()
	var models []map[string]any
	d.sheet(d.run("features", workspace, "--json"), "features", &models)
	eval := d.run(append([]string{"assess", "eval", workspace, "--json", "--holdout", "fold=holdout"}, labels...)...)
	l := learned{names: feature.DefaultLayout().Names(), features: map[string][]float64{}}
	d.sheet(eval, "eval", &l.results)
	d.sheet(eval, "doubts", &l.doubted)
	for _, m := range models {
		for _, name := range l.names {
			id, _ := m["model_id"].(string)
			v, _ := m[name].(float64)
			l.features[id] = append(l.features[id], v)
		}
	}
	if len(l.features) == 0 || len(l.results) != 5 {
		d.t.Fatalf("%d models with features and %d assessors on the command line", len(l.features), len(l.results))
	}
	return l
}

// refusesOpenRound expects no assessor of a blind round that is open, and closes it.
func (w *window) refusesOpenRound() {
	w.t.Helper()
	w.goes("ctrl+6", "Train and compare")
	w.tap("Train and compare") // a form says nothing before
	w.shows("Round Round 1 is blind and still open")
	w.goes("ctrl+4", "Close round")
	w.closesRound()
	w.shows("Open round again")
}

// trains has all five assessors compared, and reads the table as the command line has it.
func (w *window) trains(want learned) {
	w.t.Helper()
	w.goes("ctrl+6", "Train and compare")
	w.tap("Train and compare")
	w.shows("10 of 12 models labelled (5 invariant, 5 variant), 3 held out")
	w.compares(want)
	w.shot("assessors-scores")
}

// compares reads the table of assessors.
func (w *window) compares(want learned) {
	w.t.Helper()
	names := map[string]string{
		"tree": "decision tree", "forest": "random forest", "adaboost": "AdaBoost", "linear": "linear regression",
		"baseline": "robust accuracy",
	}
	for _, r := range want.results {
		cells := []string{
			percent(r.Accuracy), percent(r.Deviation), percent(r.SD), cmp.Or(r.Chance.Word(), "-"), percent(r.Balanced),
			percent(r.F1), decimals(r.AUC, 3), "-", "-",
		}
		if r.Kappa != nil {
			cells[7], cells[8] = decimals(*r.Kappa, 3), decimals(*r.Farthest, 3)
		}
		var got []string
		if !w.soon(func() bool { got = w.line(names[r.Algorithm]); return slices.Equal(got, cells) }) {
			w.t.Errorf("the window says %q of the %s, the command line %q", got, names[r.Algorithm], cells)
		}
	}
}

func percent(share float64) string { return decimals(100*share, 2) + " %" }

func decimals(v float64, n int) string { return strconv.FormatFloat(v, 'f', n, 64) }

// line are the texts at the right of a text, on the same line; of several such texts the one with
// the longest line counts.
func (w *window) line(text string) []string {
	w.t.Helper()
	var longest []node
	all := top(w.screen())
	for _, first := range all {
		if first.Text != text {
			continue
		}
		var cells []node
		for _, n := range all {
			if n.Text != "" && n.X > first.X && math.Abs(n.Y+n.H/2-first.Y-first.H/2) < 4 {
				cells = append(cells, n)
			}
		}
		if len(cells) > len(longest) {
			longest = cells
		}
	}
	slices.SortFunc(longest, func(a, b node) int { return int(a.X - b.X) })
	texts := make([]string, len(longest))
	for k, n := range longest {
		texts[k] = n.Text
	}
	return texts
}

// looksInside goes through the pages about the forest.
func (w *window) looksInside() {
	w.t.Helper()
	w.hits("the random forest", onLine("random forest", "accuracy"), node.middle, func() bool {
		return w.seen("random forest, trained on 10 models")
	})
	w.opens("Inside", "tree 1 of 100")
	w.shot("assessors-tree")
	w.choose("tree 1 of 100", "tree 2 of 100")
	w.shows("tree 2 of 100")
	for _, view := range []string{"Permutation importance", "Shapley values: bee-swarm", "Shapley values: means"} {
		w.choose("Structure", view)
		w.until(view, patience, func() bool {
			for _, n := range w.screen() {
				if strings.HasPrefix(n.Text, "max@C") || strings.HasPrefix(n.Text, "mean@C") {
					return true
				}
			}
			return false
		})
		w.choose(view, "Structure")
	}
	w.tap("Verdicts")
	w.hits("the reasons for s19", onLine("s19", "variant"), node.middle,
		func() bool { return w.seen("s19: judged variant") })
	w.shows("base")
	w.until("the matrices beside the reasons", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 1 })
	w.shot("assessors-verdict")
}

// onLine finds a text that has another one, or one that begins so, at its right on the same line
// or above it as a title.
func onLine(text, beside string) finder {
	return func(all []node) (node, bool) {
		all = top(all)
		for _, n := range all {
			if n.Text != text {
				continue
			}
			for _, other := range all {
				level := math.Abs(other.Y-n.Y) < 4 || other.Y < n.Y && other.Y > n.Y-120
				if strings.HasPrefix(other.Text, beside) && level && other.X > n.X {
					return n, true
				}
			}
		}
		return node{}, false
	}
}

// startsRound makes a round of the models that the forest is least sure of, and sees them in that
// order.
func (w *window) startsRound() {
	w.t.Helper()
	w.opens("Doubts", "Least sure")
	const from = "New round from these…"
	w.until("two lists of doubts", patience, func() bool {
		n := 0
		for _, button := range w.screen() {
			if button.Text == from {
				n++
			}
		}
		return n == 2
	})
	w.shot("assessors-doubts")
	w.hits("the dialog of a round", most(from, func(n node) float64 { return n.X }), node.middle,
		func() bool { return w.seen("as listed") })
	w.text("Second look")
	w.key("Tab")
	w.text("A, B, C")
	before := w.stored("round")
	w.tapUntil("Create", "the round", func() bool { return w.stored("round") > before })
	w.until("the end of the dialog", patience, func() bool { return w.layers() == 0 })
}

// checkRound expects the round of what the forest was least sure of, ordered by its margins.
func (d *desk) checkRound(workspace string) {
	d.t.Helper()
	var sure []struct {
		ID    string      `json:"model_id"`
		Label label.Value `json:"label"`
	}
	d.sheet(d.run("assess", "predict", workspace, "--json", "--unsure", "--labels", "Round 1", "--assessor",
		"forest of scenes"), "predict", &sure)
	var want []string
	for _, m := range sure {
		if m.Label == "" {
			want = append(want, m.ID)
		}
	}
	d.change(workspace, func(ws *store.Workspace) error {
		rounds, err := ws.Rounds()
		if err != nil {
			return err
		}
		for _, r := range rounds {
			if r.Name != "Second look" {
				continue
			}
			var got []string
			for _, hash := range r.Models {
				m, err := ws.Model(hash)
				if err != nil {
					return err
				}
				got = append(got, m.ID)
			}
			if !r.Ordered || len(got) != 2 || !slices.Equal(got, want) {
				d.t.Errorf("the round has %v, as listed: %v; the assessor is least sure of %v", got, r.Ordered, want)
			}
			return nil
		}
		return errors.New("there is no round of what the forest was least sure of")
	})
}
