package label

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/agreement"
	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
)

func TestScreenLabelsByKeysAndClicks(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.stage.Until("rounds", func() bool { return len(r.screen.widgets.signIn.choices.Rounds) == 1 })
	r.enter("r1")
	r.stage.Capture(r.window, "", "") // draws without a fault
	order := labels.Order(round, "r1")
	r.key('i')
	r.now = r.now.Add(7 * time.Second)
	r.key('V')
	r.click("Invariant (I)")
	r.key('b') // not a label of a round with two classes
	if r.item() != order[3] {
		t.Fatalf("item %q, want %q", r.item(), order[3])
	}
	r.key('u')
	r.click("Variant (V)")
	if _, open := r.screen.Session().Item(); open || !r.screen.widgets.done.Visible() {
		t.Fatal("the end of the round is not shown")
	}
	events := r.events(round)
	want := []labels.Value{labels.Invariant, labels.Variant, labels.Invariant, labels.Variant}
	if len(events) != 4 {
		t.Fatalf("%d events", len(events))
	}
	for k, ev := range events {
		if ev.Model != order[k] || ev.Value != want[k] || ev.Annotator != "r1" || ev.Sure != (k != 3) ||
			len(ev.Ranges) != 5 || ev.Guideline == "" {
			t.Errorf("event %d: %+v", k, ev)
		}
	}
	if events[1].Seconds != 7 {
		t.Errorf("%v active seconds, want 7", events[1].Seconds)
	}
	if len(r.errs) > 0 {
		t.Error(r.errs)
	}
}

func TestScreenUndoSkipAndResume(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models, x.Classes = x.Models[:4], 3 })
	r.signIn(round, "r2")
	order := labels.Order(round, "r2")
	r.key('s')
	r.key('b')
	r.named(fyne.KeyBackspace)
	if r.item() != order[1] {
		t.Fatalf("undo shows %q, want %q", r.item(), order[1])
	}
	r.click("Borderline (B)")
	r.key('v')
	// Closed and opened again: it goes on where it was, and the skipped one comes last.
	r.screen.Close()
	r.open()
	r.stage.Until("rounds", func() bool { return len(r.screen.widgets.signIn.choices.Rounds) == 1 })
	if r.button("r2").Importance != fynewidget.HighImportance {
		t.Error("the annotator of last time is not offered first")
	}
	r.enter("r2")
	if r.item() != order[3] || r.screen.Session().Progress().Done != 2 {
		t.Fatalf("resumes at %q with %+v, want %q", r.item(), r.screen.Session().Progress(), order[3])
	}
	r.key('i')
	if r.item() != order[0] {
		t.Fatalf("the skipped one is not last: %q", r.item())
	}
	r.named(fyne.KeyLeft)
	if r.item() != order[3] {
		t.Fatalf("left shows %q, want %q", r.item(), order[3])
	}
	r.key('v') // changes it and goes on
	current := labels.Current(r.events(round))
	if got := current[labels.Key{Model: order[3], Annotator: "r2"}]; got.Value != labels.Variant ||
		got.Supersedes == "" {
		t.Errorf("changed label %+v", got)
	}
	if r.item() != order[0] {
		t.Errorf("after a change comes %q, want %q", r.item(), order[0])
	}
}

func TestScreenStoresBeforeItMoves(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.signIn(round, "r1")
	first := r.item()
	open := r.store.shut()
	keys := r.window.Canvas().Focused()
	keys.TypedRune('v')
	for _, p := range "vvi" { // typed while saving: not seen, so not labelled
		keys.TypedRune(p)
	}
	for range 20 {
		r.stage.Pump()
		time.Sleep(time.Millisecond)
	}
	if r.item() != first || len(r.events(round)) != 0 {
		t.Fatal("the screen moved before the label was stored")
	}
	open()
	r.stage.Until("stored", r.ready)
	if events := r.events(round); len(events) != 1 || r.store.calls != 1 {
		t.Fatalf("%d events after one label and three keys while saving", len(events))
	}
	if r.item() == first {
		t.Error("the screen did not move on")
	}
}

func TestScreenKeysWhileSavingAreNotLost(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.signIn(round, "r1")
	open := r.store.shut()
	keys := r.window.Canvas().Focused()
	keys.TypedRune('v')
	for _, p := range "nvivid" {
		keys.TypedRune(p)
	}
	open()
	r.stage.Until("stored", func() bool { return r.ready() && r.screen.widgets.typing() })
	if got := r.screen.widgets.note.Text; got != "vivid" {
		t.Fatalf("the note says %q, want %q", got, "vivid")
	}
	r.named(fyne.KeyEscape)
	r.stage.Until("note stored", func() bool { return len(r.events(round)) == 2 && r.ready() })
	if ev := r.events(round)[1]; ev.Kind != labels.Note || ev.Note != "vivid" || ev.Model != r.item() {
		t.Errorf("note %+v", ev)
	}
	if r.window.Canvas().Focused() != fyne.Focusable(r.screen.widgets.surface) {
		t.Error("Escape does not give the keys back")
	}
}

func TestScreenKeepsTheItemOnError(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, nil)
	r.signIn(round, "r3")
	for r.item() == r.store.Imported[3].Hash {
		r.key('s') // has no matrices
	}
	first := r.item()
	r.store.fails = errors.New("the disk is full; free some space and try again")
	r.key('v')
	if r.item() != first || len(r.errs) != 1 || !strings.Contains(r.screen.widgets.line.Text, "disk is full") {
		t.Fatalf("item kept %v, errors %v, line %q", r.item() == first, r.errs, r.screen.widgets.line.Text)
	}
	retry := r.screen.widgets.retry
	if !strings.HasPrefix(r.screen.widgets.line.Text, "Not saved: ") || !retry.Visible() {
		t.Fatalf("line %q, a button to try again: %v", r.screen.widgets.line.Text, retry.Visible())
	}
	retry.OnTapped() // it fails again
	if r.stage.Until("failed again", retry.Visible); len(r.errs) != 2 || len(r.events(round)) != 0 {
		t.Fatalf("errors %v, %d labels", r.errs, len(r.events(round)))
	}
	r.store.fails = nil
	retry.OnTapped()
	r.stage.Until("stored", func() bool { return len(r.events(round)) == 1 && r.ready() })
	if ev := r.events(round)[0]; ev.Value != labels.Variant || ev.Model != first || r.item() == first ||
		retry.Visible() {
		t.Errorf("stored %+v; the same item: %v; still offered: %v", ev, r.item() == first, retry.Visible())
	}
	r.store.fails = errors.New("again")
	second := r.item()
	r.key('v')
	r.stage.Until("failed", retry.Visible)
	r.store.fails = nil
	r.key('v')
	if r.item() == second || retry.Visible() {
		t.Error("the key does not store the second time")
	}
}

func TestScreenNeedsMatricesToLabel(t *testing.T) {
	r := newRig(t, 2)
	bare := r.store.Imported[1].Hash
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = []string{bare} })
	r.signIn(round, "r1")
	r.key('i')
	if len(r.events(round)) != 0 || !strings.Contains(r.screen.widgets.line.Text, "no matrices") {
		t.Fatalf("line %q", r.screen.widgets.line.Text)
	}
	// Signals that arrive while the screen is open can be judged at once.
	r.store.Compute(t, r.store.Imported[1], 1)
	r.stage.Until("matrices", func() bool {
		p, ok := r.screen.cache.get(bare)
		return ok && p.Ready()
	})
	r.key('i')
	if len(r.events(round)) != 1 {
		t.Error("a model with new signals cannot be labelled")
	}
}

func TestScreenBlind(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Blind = true })
	for _, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, labels.Variant)
	}
	r.signIn(round, "r2")
	for range round.Models {
		stage.Walk(r.screen.Object(), func(o fyne.CanvasObject) {
			if l, ok := o.(*fynewidget.Label); ok &&
				(strings.Contains(l.Text, "r1") || strings.Contains(l.Text, "your label")) {
				t.Errorf("the screen shows %q", l.Text)
			}
		})
		r.key('s')
	}
}

func TestScreenUnsureOnAnEarlierItemIsStored(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	first := r.item()
	r.key('v')
	r.named(fyne.KeyLeft)
	r.key('u')
	if r.item() != first {
		t.Error("the screen moved")
	}
	if got := labels.Current(r.events(round))[labels.Key{Model: first, Annotator: "r1"}]; got.Sure ||
		got.Value != labels.Variant {
		t.Errorf("label %+v", got)
	}
	r.named(fyne.KeyEnd)
	if r.item() == first {
		t.Error("End does not go on")
	}
}

func TestScreenThreeAnnotatorsAgree(t *testing.T) {
	r := newRig(t, 7)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:6] })
	for a, name := range round.Annotators {
		r.signIn(round, name)
		for k := 0; r.item() != ""; k++ {
			r.key([]rune("iv")[(k/(a+1))%2])
		}
		r.screen.SignOut()
		r.stage.Until("signed out", func() bool { return r.screen.Session() == nil })
	}
	events := r.events(round)
	if len(events) != 18 || len(labels.Current(events)) != 18 {
		t.Fatalf("%d events, %d labels", len(events), len(labels.Current(events)))
	}
	report := measure.Measure(labels.Ratings(round, events), 2, round.Annotators, measure.Options{})
	if !report.Fleiss.Value.Defined() || len(report.Cohen) != 3 {
		t.Errorf("report %+v", report.Fleiss)
	}
}

func TestScreenSaysSigningInIsNotSecurity(t *testing.T) {
	r := newRig(t, 2)
	r.store.NewRound(t, nil)
	found := false
	r.screen.Refresh()
	r.stage.Until("rounds", func() bool { return len(r.screen.widgets.signIn.choices.Rounds) == 1 })
	stage.Walk(r.screen.Object(), func(o fyne.CanvasObject) {
		l, ok := o.(*fynewidget.Label)
		found = found || ok && strings.Contains(l.Text, "not security")
	})
	if !found {
		t.Error("the sign-in page does not say that a name is not security")
	}
}

func TestScreenHiddenTimeIsNotCounted(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:2] })
	r.signIn(round, "r1")
	r.now = r.now.Add(3 * time.Second)
	r.screen.Hidden()
	r.now = r.now.Add(time.Hour)
	r.screen.Shown()
	r.now = r.now.Add(2 * time.Second)
	r.key('v')
	if got := r.events(round)[0].Seconds; got != 5 {
		t.Errorf("%v active seconds, want 5", got)
	}
}

// TestScreenMovesOnAtOnce: what was read ahead stands on the screen when the event of a label is
// over, and not after another reading. How long that takes BenchmarkKeyToNextModel measures.
func TestScreenMovesOnAtOnce(t *testing.T) {
	r := newRig(t, 14)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:12] })
	r.signIn(round, "r1")
	for r.item() != "" {
		for _, next := range r.screen.Session().Upcoming(2) {
			r.stage.Until("read ahead", func() bool { _, ok := r.screen.cache.get(next); return ok })
		}
		hash := r.item()
		ev, err := r.screen.session.Draft(labels.Variant, r.screen.seen(), r.now)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := r.store.Append(ev)
		if err != nil {
			t.Fatal(err)
		}
		r.screen.session.Saved(stored, r.now)
		r.screen.moved("")
		if now := r.item(); now == hash || now != "" && r.screen.widgets.row.Shown().Model.Hash != now {
			t.Fatalf("after %s it shows %s while %s is next", hash, r.screen.widgets.row.Shown().Model.Hash, now)
		}
	}
}

// A key that is held down labels one model, and not all that follow.
func TestScreenHeldKeyLabelsOnce(t *testing.T) {
	r := newRig(t, 6)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:5] })
	r.signIn(round, "r1")
	p := r.screen.widgets.surface
	hold := func(key fyne.KeyName, letter rune) {
		p.KeyDown(&fyne.KeyEvent{Name: key})
		for range 5 {
			p.TypedKey(&fyne.KeyEvent{Name: key})
			if letter != 0 {
				p.TypedRune(letter)
			}
			r.stage.Until("stored", r.ready)
		}
		p.KeyUp(&fyne.KeyEvent{Name: key})
	}
	hold(fyne.KeyV, 'v')
	if got := len(r.events(round)); got != 1 {
		t.Fatalf("%d labels from one long press", got)
	}
	hold(fyne.KeyV, 'V')
	if got := len(r.events(round)); got != 2 {
		t.Fatalf("%d labels from two long presses", got)
	}
	hold(fyne.KeyBackspace, 0)
	if got := r.screen.Session().Progress().Done; got != 1 {
		t.Fatalf("%d labels left after one long undo", got)
	}
	first := r.item()
	hold(fyne.KeyLeft, 0) // arrows repeat
	if r.item() == first {
		t.Error("the left arrow does nothing")
	}
}
