package agreement

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
)

// judging is a rig whose queue holds two cases, with the page in front.
func judging(t *testing.T) (*rig, label.Round) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *label.Round) { x.Classes = 3 })
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Invariant)
		r.store.Put(t, round, "r2", hash, label.Values(3)[k%3])
	}
	r.rated(4)
	r.screen.tabs.Select("adjudicate")
	r.stage.Until("matrices", func() bool { return len(r.screen.queue.row.Shown().Tiles) == 5 })
	return r, round
}

// tab is the title of the queue's tab.
func (r *rig) tab() string {
	return r.screen.tabs.Object().(*fyne.Container).Objects[0].(*container.AppTabs).Items[4].Text
}

func (r *rig) key(name fyne.KeyName) {
	r.screen.queue.surface.TypedKey(&fyne.KeyEvent{Name: name})
}

func (r *rig) finals(round label.Round) map[string]label.Event {
	r.Helper()
	events := testdata.Must(r.store.Events(round.ID))(r)
	return label.Finals(round, events)
}

// shown waits until the case of a model is on the page with this final label.
func (r *rig) shown(id, final string) {
	r.Helper()
	r.stage.Until(id+" "+final, func() bool {
		p := r.screen.queue
		at := p.at()
		return at >= 0 && r.screen.view().modelID(p.cases()[at].Model) == id &&
			string(p.cases()[at].Decision()) == final && !p.saving
	})
}

func TestQueueByKeyboard(t *testing.T) {
	r, round := judging(t)
	p := r.screen.queue
	if !p.surface.Focused() {
		t.Error("the keys do not work when the page comes to the front")
	}
	r.shown("m02", "") // invariant against variant
	if r.tab() != "Adjudicate 2" {
		t.Errorf("the tab says %q", r.tab())
	}
	r.screen.Judge("judge")
	p.surface.TypedRune('v')
	if r.window.Canvas().Focused() != fyne.Focusable(p.reason) || p.value != label.Variant {
		t.Fatal("after V the reason is to be written")
	}
	test.Type(p.reason, "jagged")
	p.reason.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r.shown("m01", "") // the next open one
	r.stage.Until("matrices of m01", func() bool { return p.row.Shown().Model.ID == "m01" })
	if !p.surface.Focused() {
		t.Error("after the final label the keys do not work")
	}
	final := r.finals(round)[round.Models[2]]
	if final.Value != label.Variant || final.Note != "jagged" || final.Annotator != "judge" || final.Guideline == "" {
		t.Errorf("stored %+v", final)
	}
	// back, another label in its place, and that one taken back
	p.surface.TypedRune('p')
	r.shown("m02", "variant")
	if p.reason.Text != "jagged" {
		t.Errorf("the reason reads %q", p.reason.Text)
	}
	p.surface.TypedRune('b')
	p.reason.SetText("on second thoughts")
	p.reason.OnEscape()
	r.key(fyne.KeyReturn)
	r.stage.Until("replaced",
		func() bool { return r.finals(round)[round.Models[2]].Value == label.Borderline && !p.saving })
	if got := r.finals(round)[round.Models[2]]; got.Supersedes != final.ID {
		t.Errorf("the new label replaces %q", got.Supersedes)
	}
	r.stage.Until("read anew", func() bool { return p.cases()[0].Decision() == "borderline" })
	p.turnTo(0)
	p.surface.TypedRune('u')
	r.shown("m02", "variant")
	r.key(fyne.KeyRight)
	r.shown("m01", "")
	r.stage.Capture(r.window, "", "") // draws without a fault
}

// A final label that is read only after its case came back is taken up, and does not replace what
// was begun meanwhile.
func TestQueueTakesUpALateLabel(t *testing.T) {
	r, _ := judging(t)
	p := r.screen.queue
	r.shown("m02", "")
	read := func(note string) {
		p.cases()[p.at()].Final = &label.Event{Value: label.Variant, Note: note}
		p.show()
	}
	read("late")
	if p.reason.Text != "late" || p.value != label.Variant {
		t.Errorf("the reason reads %q, the label %q", p.reason.Text, p.value)
	}
	p.reason.SetText("begun")
	read("later")
	if p.reason.Text != "begun" {
		t.Errorf("the reason reads %q", p.reason.Text)
	}
}

// A queue in which everything is decided can be looked at again.
func TestQueueOfDecidedCases(t *testing.T) {
	r, _ := judging(t)
	r.screen.Judge("judge")
	for _, c := range r.screen.view().Cases {
		r.screen.Adjudicate(c, label.Variant, "why")
		r.stage.Until("stored", func() bool { return !r.screen.queue.saving })
	}
	p := r.screen.queue
	r.stage.Until("all decided", func() bool { return decided(p.cases()) == 2 })
	p.forget() // as at the next start
	r.screen.Refresh()
	r.shown("m02", "variant")
	if p.final.Text != "Final label: variant. why" {
		t.Errorf("the page says %q", p.final.Text)
	}
}

func TestQueueRefuses(t *testing.T) {
	r, round := judging(t)
	var problems []string
	r.screen.ShowError = func(err error) { problems = append(problems, err.Error()) }
	p := r.screen.queue
	r.key(fyne.KeyReturn)
	r.screen.Judge("judge")
	r.key(fyne.KeyReturn)
	p.choose(label.Variant)
	p.decide()
	if r.window.Canvas().Focused() != fyne.Focusable(p.reason) {
		t.Error("without a reason the keyboard is to be there")
	}
	if want := []string{errNoJudge.Error(), errNoLabel.Error(), errNoReason.Error()}; !slices.Equal(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
	if len(r.finals(round)) != 0 {
		t.Error("something was stored")
	}
}

// Every change goes to the window's history: back, again and back.
func TestQueueStepsAreUndone(t *testing.T) {
	r, round := judging(t)
	var steps []history.Step
	r.screen.actions.Did = func(s history.Step) { steps = append(steps, s) }
	r.screen.Judge("r1") // also an annotator may decide
	r.screen.Adjudicate(r.screen.view().Cases[0], label.Variant, "why")
	r.shown("m01", "")
	r.screen.Discuss(r.screen.view().Cases[1], "not sure")
	r.stage.Until("noted", func() bool {
		return strings.HasSuffix(r.screen.queue.said.Text, "Discussion:\nnot sure") && len(steps) == 2
	})
	if steps[0].Title != "final label of m02" {
		t.Errorf("said %q, steps %+v", r.screen.queue.said.Text, steps)
	}
	round = testdata.Must(r.store.Round(round.ID))(t)
	for _, closed := range []bool{false, true} {
		round.Closed = closed
		testdata.OK(t, r.store.UpdateRound(round))
		for _, want := range []int{0, 1, 0, 1} {
			act := steps[0].Undo
			if want == 1 {
				act = steps[0].Redo
			}
			testdata.OK(t, act(context.Background()))
			if got := len(r.finals(round)); got != want {
				t.Errorf("closed %v: %d final labels, want %d", closed, got, want)
			}
		}
	}
	testdata.OK(t, steps[1].Undo(context.Background()))
	r.stage.Until("note is gone", func() bool { return !strings.Contains(r.screen.queue.said.Text, "Discussion") })
}

func TestScreenShowsNamesAndIntervals(t *testing.T) {
	r := newRig(t, 8)
	testdata.OK(t, r.store.PutAnnotator(store.Annotator{ID: "r1", Name: "annotator 1"}))
	round := r.store.NewRound(t, nil)
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Values(2)[k%2])
		r.store.Put(t, round, "r2", hash, label.Values(2)[k/4])
	}
	v := r.rated(8)
	if v.Tallies[0].Name != "annotator 1" || !strings.Contains(v.kappas(weightings[0].of)[0][1].Hint, "annotator 1") {
		t.Errorf("names %v", v.Measured.Report.Raters)
	}
	if got := v.Lines[0].Tell(); !strings.Contains(got, "50.0 % (") {
		t.Errorf("interval %q", got)
	}
	p := r.screen.measures
	p.list.OnSelect(v.Lines[1], true)
	if p.pair.Text != "All annotators" || p.confusion.Visible() || len(p.behind.Shown()) != len(v.Disagree) {
		t.Errorf("behind Fleiss stands %q", p.pair.Text)
	}
	p.classes.OnTapped(0, 1)
	if !strings.HasPrefix(r.said, "invariant against the other classes, kappa: ") {
		t.Errorf("the status line says %q", r.said)
	}
	p.kappas.OnTapped(0, 1)
	if p.pair.Text != "annotator 1 (rows) and r2" || !p.confusion.Visible() || p.line != "" {
		t.Errorf("behind the pair stands %q", p.pair.Text)
	}
}

func TestScreenKindsAndWindow(t *testing.T) {
	r := newRig(t, 12)
	round := r.store.NewRound(t, nil)
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Invariant)
		r.store.Put(t, round, "r2", hash, label.Values(2)[k%2])
	}
	r.rated(12)
	r.screen.tabs.Select("kinds")
	p := r.screen.kinds
	testdata.OK(t, p.Form.Put("column", "augmentation_range"))
	r.stage.Until("kinds", func() bool { return p.Idle() && len(p.table.Shown()) > 1 })
	kind := p.table.Shown()[1]
	p.table.OnSelect(kind, true)
	items := r.screen.view().divided(kind)
	if !strings.Contains(p.title.Text, "augmentation_range "+kind.Name) || len(p.items.Shown()) != len(items) {
		t.Errorf("titled %q", p.title.Text)
	}
	p.items.OnOpen(items[0])
	if len(r.opened) != 1 || r.opened[0] != items[0].Model() {
		t.Errorf("opened %v", r.opened)
	}
	for _, tab := range []string{"measures", "time", "kinds", "adjudicate"} {
		r.screen.tabs.Select(tab)
		r.stage.Until("idle",
			func() bool { return p.Idle() && r.screen.Idle() && (tab != "time" || r.screen.overTime.Idle()) })
		r.stage.Draw(r.window, os.Getenv("VARISCOPE_PICTURES"), "agreement-"+tab)
	}
}

// Whoever has written or chosen a name goes on with the keys; without a name the entry is where
// one is led to.
func TestQueueKeysAfterTheNameOfWhoDecides(t *testing.T) {
	r, round := judging(t)
	p := r.screen.queue
	canvas := r.window.Canvas()
	var said error
	r.screen.ShowError = func(err error) { said = err }
	r.screen.Judge("")
	p.surface.TypedRune('v')
	test.Type(p.reason, "a cross")
	p.reason.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if canvas.Focused() != fyne.Focusable(p.judge) || len(r.finals(round)) != 0 || said != errNoJudge {
		t.Fatal("without a name the entry for it does not have the keys")
	}
	for _, leave := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn} {
		canvas.Focus(p.judge)
		test.Type(p.judge, "x")
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: leave})
		if !p.surface.Focused() {
			t.Errorf("after %s in the name the keys are lost", leave)
		}
	}
	canvas.Unfocus() // as by a click on the menu
	p.judge.SetText("r1")
	if !p.surface.Focused() || p.by != "r1" {
		t.Errorf("after a choice from the menu the keys are lost, or %q decides", p.by)
	}
}

// TestMatricesOfAnotherRoundAreNotKept: they may be of another suite and have other colours, though
// the model is the same; until the round's own are read none stand there.
func TestMatricesOfAnotherRoundAreNotKept(t *testing.T) {
	r, round := judging(t)
	p := r.screen.queue
	r.shown("m02", "")
	r.stage.Until("matrices of m02", func() bool { return p.row.Shown().Model.ID == "m02" })
	p.seen = strings.Replace(p.seen, round.ID, "another", 1)
	p.look(p.cases()[p.at()])
	if reason := p.row.Shown().Tiles[0].Reason; reason != "reading" {
		t.Errorf("the other round's matrices stay: %q", reason)
	}
	r.stage.Until("its own", func() bool {
		return p.row.Shown().Model.ID == "m02" && strings.HasPrefix(p.seen, round.ID)
	})
}
