package findings

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	store "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

var usual = fyne.NewSize(1120, 640)

func TestEmptiness(t *testing.T) {
	bare := scenestest.Suites(t)
	r := newRig(t, bare, usual, nil)
	if !r.says("no selection of testing scenes") {
		t.Error("nobody says that there is no selection")
	}
	r.press("Choose scenes…")
	if !slices.Equal(r.calls.Opened, []page.Kind{page.Scenes}) {
		t.Error(r.calls.Opened)
	}
	ws := scenestest.New(t, 0)
	r = newRig(t, ws, usual, nil)
	if r.press("Import…"); r.calls.Imports != 1 {
		t.Error("nothing is imported")
	}
	m := ws.AddModel(t, 0) // the page hears of it
	r.stage.Until("the model is met", func() bool { return r.page.view.Models == 1 && r.page.Idle() })
	r.press("Run 1 model")
	if len(r.calls.Started) != 1 {
		t.Fatal(r.calls.Started)
	}
	family, _ := ws.Selection.Family()
	if run := r.calls.Started[0]; !slices.Equal(run.Models, []string{m.Hash}) || run.Suite != ws.Targets.Hash ||
		run.Family != family || !slices.Equal(run.Positions, []string{"CONF", "HEAD"}) {
		t.Errorf("%+v", run)
	}
	ws.Run(t, m, 0, ws.Selection)
	r.stage.Until("the run is seen", func() bool { return len(r.page.view.Rows) == 1 })
}

// TestRowsAreTheEngines: what the table says is what store/background reads.
func TestRowsAreTheEngines(t *testing.T) {
	ws := scenestest.New(t, 4)
	round(t, ws, nil)
	r := newRig(t, ws, usual, nil)
	v := r.page.view
	if len(v.Rows) != 3 || len(v.Left) != 1 || v.Left[0].ID != "m03" || len(v.Choices) != 1 ||
		len(v.Choices[0].Missing) != 3 {
		t.Fatalf("%+v", v.Data)
	}
	for k, row := range v.Rows {
		e, _, err := store.Read(t.Context(), ws.Workspace, row.Model, ws.Selection.Hash)
		if err != nil {
			t.Fatal(err)
		}
		right, all := 0, 0
		for _, b := range row.Distance {
			right, all = right+b.Right, all+b.Composites
		}
		if row.Outcome.WorstCase != e.Outcome.WorstCase ||
			math.Abs(float64(right)/float64(all)-e.Outcome.MeanComposite) > 1e-12 || row.Label != label.Values(3)[k] {
			t.Errorf("%s: %+v", row.Model.ID, row)
		}
	}
	if k := v.Choices[0].Fleiss; !k.Defined() || k.Value <= 0 || k.Value >= 1 {
		t.Errorf("kappa %+v", k)
	}
	err := v.Choices[0].Cover(t.Context(), ws.Workspace, nil, engine.NoProgress{})
	if !errors.Is(err, engine.ErrNoRuntime) {
		t.Errorf("coverage without a runtime: %v", err)
	}
	models := r.page.models
	models.choose(ws.Models[1].Hash)
	if sel, _ := v.Selected(); sel.Model.ID != "m01" || !strings.HasPrefix(r.calls.Said, "m01: ") {
		t.Errorf("%s, %q", sel.Model.ID, r.calls.Said)
	}
	if models.plot.OnOpen(models.list.Shown()[0].Model.Hash); len(r.calls.Inspected) != 1 ||
		r.calls.Inspected[0] != models.list.Shown()[0].Model.Hash {
		t.Error(r.calls.Inspected)
	}
	models.list.SetFilter("m02")
	if len(models.plot.Data().Points) != 1 || len(models.list.Shown()) != 1 {
		t.Error("the plot does not follow the filter")
	}
}

// TestOtherSelection: another selection is read when it is looked at, and what was measured in the
// first one is forgotten.
func TestOtherSelection(t *testing.T) {
	ws := scenestest.New(t, 3)
	more := seeds(t, ws, 2, 2)
	r := newRig(t, ws, usual, nil)
	r.tab("distance")
	d := r.page.distance
	r.press("Draw shares of the targets")
	r.press("Compare runs")
	r.stage.Until("compared", func() bool { return len(d.runs.List) > 0 && len(d.shares.Effects) == 3 })
	want, _, err := store.Repeated(t.Context(), ws.Workspace, ws.Models[0], store.ConfMax, scatter.DefaultRaster, more,
		engine.NoProgress{})
	if err != nil || len(want) != 3 {
		t.Fatal(want, err)
	}
	for k, one := range d.runs.List { // "near" was chosen in another way
		if one.Way != want[k].Way || len(one.Selections) != 2 || len(one.Pairs) != 1 {
			t.Errorf("%+v, want %+v", one, want[k])
		}
	}
	if line := d.bars.Command(); !strings.HasPrefix(line,
		"variscope background matrix "+ws.Path()+" "+ws.Models[0].ID+" --selection ") {
		t.Error(line)
	}
	subject := ws.Subject()
	subject.Selection = more[1].Hash
	r.page.Look(subject)
	r.idle()
	if r.page.view.Selection.Name != "jitter 2" || len(r.page.view.Rows) != 2 || d.runs.Model != "" {
		t.Errorf("%s, %+v", r.page.view.Selection.Name, d.runs)
	}
}

// TestTrainings: a training is kept, so that it is there when the page is opened again, and only
// for what it was made of.
func TestTrainings(t *testing.T) {
	ws := scenestest.New(t, 10)
	one := round(t, ws, nil)
	r := newRig(t, ws, usual, nil)
	for _, name := range []string{"coverage", "repository", "assessors"} {
		r.tab(name)
	}
	l := r.page.accuracy
	r.repetitions("2")
	r.press("Train assessors")
	r.stage.Until("trained", func() bool { return len(l.list.Shown()) > 0 })
	trained, _ := l.Data()
	if n := 3*(len(assess.Algorithms())-1) + 1; len(trained.Lines) != n || trained.Models != 9 ||
		trained.Scheme.Repetitions != 2 || trained.Lines[n-1].Fit == nil {
		t.Errorf("%+v", trained)
	}
	first := trained.Automations()[0].Accuracy
	if bars := l.bars.Data().Boxes; len(bars) != len(trained.Lines) || bars[0].High != first.Mean+first.Largest {
		t.Errorf("%+v", bars)
	}
	command := "variscope assess eval " + ws.Path() + " --labels " + one.ID + " --selection " + ws.Selection.Name +
		" --scheme kfold --folds 3 --repetitions 2 --per-interpolant"
	if got := l.bars.Command(); got != command {
		t.Errorf("%s, want %s", got, command)
	}
	if one := l.list.Shown()[0]; one.Accuracy.Mean != *trained.Lines[0].Accuracy || one.Settings.Seed != 1 ||
		one.Evaluation.Scheme.Repetitions != 2 {
		t.Errorf("%+v", one)
	}
	r.repetitions("3")
	if len(l.list.Shown()) != 0 || l.train.button.Disabled() ||
		!strings.Contains(l.line.Text, "3 repetitions of 3 folds") {
		t.Errorf("what was trained with other numbers is shown: %s", l.line.Text)
	}
	r.repetitions("2")
	if len(l.list.Shown()) == 0 || !l.train.button.Disabled() || !strings.Contains(l.line.Text, "2 repetitions") {
		t.Errorf("what was trained is not shown again: %s", l.line.Text)
	}
	again := newRig(t, ws, usual, nil)
	task := training.AutomationOptions{Repetitions: 2, Seed: 1}
	if kept, ok := task.Kept(ws.Workspace, again.page.view.automation()); !ok || len(kept.Lines) != 13 ||
		kept.Note() == "" {
		t.Errorf("%+v", kept)
	}
	ev := label.Event{
		Round: one.ID, Model: one.Models[0], Annotator: "r1", Kind: label.Adjudicate, Pass: 1,
		Value: label.Variant, Sure: true, Guideline: one.GuidelineHash(),
	}
	testdata.Must(ws.Append(ev))(t)
	again.stage.Until("the label is met", func() bool {
		return again.page.view.Rows[0].Label == label.Variant && again.page.Idle()
	})
	if _, ok := task.Kept(ws.Workspace, again.page.view.automation()); ok {
		t.Error("a training is shown for labels that it did not see")
	}
}

// TestNoLabels: without a round there is a way to one, and a blind round that is open shows
// nothing.
func TestNoLabels(t *testing.T) {
	ws := scenestest.New(t, 4)
	r := newRig(t, ws, usual, nil)
	r.tab("assessors")
	r.stage.Until("it is looked for", r.page.accuracy.Idle)
	r.press("New round…")
	if !slices.Equal(r.calls.Rounds, []string{ws.Selection.Hash}) {
		t.Error(r.calls.Rounds)
	}
	if r.tab("repository"); r.page.whole.labels.Data().Drawable() {
		t.Error("there are labels")
	}
	round(t, ws, func(l *label.Round) { l.Blind = true })
	r.stage.Until("the round is met", func() bool { return r.page.view.Secret && r.page.Idle() })
	for _, row := range r.page.view.Rows {
		if row.Label != "" {
			t.Errorf("%s is %s in a blind round", row.Model.ID, row.Label)
		}
	}
	if r.page.view.Choices[0].Fleiss.Defined() {
		t.Error("kappa of a blind round is shown")
	}
	r.tab("assessors")
	r.stage.Until("it says why", func() bool { return r.says("blind and still open") })
}

// TestTasks: the button of a task cancels it, and an error is told.
func TestTasks(t *testing.T) {
	ws := scenestest.New(t, 2)
	r := newRig(t, ws, usual, nil)
	e := newTask(r.page, "Go", nil)
	ended := 0
	e.start("wait", waiting, func() { ended++ })
	if e.button.Text != "Cancel" || !e.busy() {
		t.Error(e.button.Text)
	}
	e.button.OnTapped()
	r.stage.Until("cancelled", func() bool { return ended == 1 })
	if e.button.Text != "Go" || e.busy() {
		t.Error(e.button.Text, r.calls.Said)
	}
	e.start("wait", waiting, func() { ended++ })
	e.drop()
	e.start("fail", failing, func() { ended++ })
	r.stage.Until("failed", func() bool { return ended == 2 })
	if len(r.calls.Errors) != 1 || r.calls.Errors[0].Error() != "no" {
		t.Error(r.calls.Errors)
	}
}
