package label

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
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

// TestScreenStoresBeforeItMoves: what is typed meanwhile labels no model that was not seen, and is
// not lost where it is a note.
func TestScreenStoresBeforeItMoves(t *testing.T) {
	r, round := signedIn(t, 4, nil)
	first, keys := r.item(), r.window.Canvas().Focused()
	typed := func(text string) (open func()) {
		open = r.store.shut()
		for _, p := range text {
			keys.TypedRune(p)
		}
		return open
	}
	open := typed("vvvi")
	for range 20 {
		r.stage.Pump()
		time.Sleep(time.Millisecond)
	}
	if r.item() != first || len(r.events(round)) != 0 {
		t.Fatal("the screen moved before the label was stored")
	}
	open()
	r.stage.Until("stored", r.ready)
	if n := len(r.events(round)); n != 1 || r.store.calls != 1 || r.item() == first {
		t.Fatalf("%d events after one label and three keys while saving; moved %v", n, r.item() != first)
	}
	typed("vnvivid")()
	r.stage.Until("stored", func() bool { return r.ready() && r.screen.widgets.typing() })
	if got := r.screen.widgets.note.Text; got != "vivid" {
		t.Fatalf("the note says %q, want %q", got, "vivid")
	}
	r.named(fyne.KeyEscape)
	r.stage.Until("note stored", func() bool { return len(r.events(round)) == 3 && r.ready() })
	if ev := r.events(round)[2]; ev.Kind != labels.Note || ev.Note != "vivid" || ev.Model != r.item() || !r.focused() {
		t.Errorf("note %+v, keys %v", ev, r.focused())
	}
}

// TestTimeOutOfSightIsNotCounted: neither that of a hidden screen nor, where a label is on disk
// only after the screen was left, that of the next item before it is seen.
func TestTimeOutOfSightIsNotCounted(t *testing.T) {
	r, round := signedIn(t, 3, nil)
	away := func() {
		r.now = r.now.Add(time.Hour)
		r.screen.Shown()
		r.now = r.now.Add(2 * time.Second)
	}
	r.now = r.now.Add(3 * time.Second)
	r.screen.Hidden()
	away()
	first, open := r.item(), r.store.shut()
	r.window.Canvas().Focused().TypedRune('v')
	r.screen.Hidden()
	open()
	r.stage.Until("the next item", func() bool { return r.ready() && r.item() != first })
	away()
	r.key('v')
	if events := r.events(round); events[0].Seconds != 5 || events[1].Seconds != 2 {
		t.Errorf("%v and %v active seconds, want 5 and 2", events[0].Seconds, events[1].Seconds)
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
	second, surface := r.item(), r.screen.widgets.surface
	for what, typed := range map[string]func(){ // while the save fails: dropped
		"a label":   func() { surface.TypedRune('v') },
		"back":      func() { surface.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) },
		"the pause": func() { surface.TypedRune('p') },
	} {
		r.store.fails = errors.New("again")
		open := r.store.shut()
		surface.TypedRune('i')
		typed()
		open()
		r.stage.Until("the save fails", func() bool { return !r.screen.saving })
		if !retry.Visible() || r.item() != second || len(r.screen.queue) != 0 || r.screen.paused {
			t.Errorf("%s: try again %v, the same item %v, %d keys wait, line %q", what, retry.Visible(),
				r.item() == second, len(r.screen.queue), r.screen.widgets.line.Text)
		}
	}
	r.store.fails = nil
	r.key('v')
	if r.item() == second || retry.Visible() {
		t.Error("the key does not store the second time")
	}
}

func TestScreenUnsureOnAnEarlierItemIsStored(t *testing.T) {
	r, round := signedIn(t, 3, nil)
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

// TestScreenMovesOnAtOnce: what was read ahead stands on the screen when the event of a label is
// over, and not after another reading. How long that takes BenchmarkKeyToNextModel measures.
func TestScreenMovesOnAtOnce(t *testing.T) {
	r, _ := signedIn(t, 12, nil)
	for r.item() != "" {
		for _, next := range r.screen.Session().Upcoming(2) {
			r.stage.Until("read ahead", func() bool { _, ok := r.screen.cache.get(next); return ok })
		}
		hash := r.item()
		ev := testdata.Must(r.screen.session.Draft(labels.Variant, r.screen.seen(), r.now))(t)
		stored := testdata.Must(r.store.Append(ev))(t)
		r.screen.session.Saved(stored, r.now)
		r.screen.moved("")
		if now := r.item(); now == hash || now != "" && r.screen.widgets.row.Shown().Model.Hash != now {
			t.Fatalf("after %s it shows %s while %s is next", hash, r.screen.widgets.row.Shown().Model.Hash, now)
		}
	}
}

// A key that is held down labels one model, and not all that follow.
func TestScreenHeldKeyLabelsOnce(t *testing.T) {
	r, round := signedIn(t, 5, nil)
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
