package label

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
)

// said is the line below the matrices.
func (r *rig) said() string { return r.screen.widgets.line.Text }

// name is the name of a model.
func (r *rig) name(hash string) string {
	at := slices.IndexFunc(r.store.Imported, func(m model.Model) bool { return m.Hash == hash })
	return r.store.Imported[at].ID
}

// TestListOfMyModels: L lists what was labelled, skipped and flagged, the filter finds flags,
// Return goes to a model, J to the next flag, and the list gives the keys back.
func TestListOfMyModels(t *testing.T) {
	r, round := signedIn(t, 5, nil)
	order := labels.Order(round, "r1")
	r.key('i')
	r.key('f')
	r.key('1')
	r.key('u')
	r.key('v')
	r.key('s')
	r.key('l')
	f := r.screen.widgets
	list := f.items.Shown()
	if len(list) != 3 || list[0].Word != "invariant" || list[1].Flag != "look again" || list[1].Label.Sure ||
		!list[2].Skipped || list[0].Name != r.name(order[0]) {
		t.Fatalf("the list has %+v", list)
	}
	if f.over.Visible() || f.offers.Visible() {
		t.Error("models can be judged behind the list")
	}
	f.items.SetFilter(f.items.Clauses[0].Text)
	if list := f.items.Shown(); len(list) != 1 || list[0].Model != order[1] {
		t.Errorf("flagged are %+v", list)
	}
	f.items.SetFilter("")
	f.items.Select(order[0])
	r.named(fyne.KeyReturn)
	if r.item() != order[0] || f.listed.Visible() || !r.focused() {
		t.Fatalf("Return shows %q, the list %v, keys %v", r.item(), f.listed.Visible(), r.focused())
	}
	r.key('j')
	if r.item() != order[1] {
		t.Errorf("the next flag leads to %q", r.item())
	}
	r.key('j')
	if r.item() != order[1] || !strings.Contains(r.said(), "no") {
		t.Errorf("without another flag it shows %q and says %q", r.item(), r.said())
	}
	r.key('l')
	r.named(fyne.KeyEscape)
	if f.listed.Visible() || !r.focused() || !f.offers.Visible() {
		t.Error("Escape does not close the list")
	}
}

// TestOneThingIsInFront: list, pause, end and matrices are never shown together, whichever comes
// last. While the list is open the item's time stands, keys judge nothing, and a change of the
// workspace leaves its title; the next annotator finds no filter. A note is taken where an item is
// in sight.
func TestOneThingIsInFront(t *testing.T) {
	r, round := signedIn(t, 2, nil)
	r.screen.SetIdle(IdleLimit)
	f := r.screen.widgets
	front := func(want *fyne.Container) {
		t.Helper()
		for name, o := range map[string]*fyne.Container{
			"matrices": f.over, "end": f.done, "pause": f.rest,
			"list": f.listed,
		} {
			if o.Visible() != (o == want) {
				t.Errorf("%s: shown %v", name, o.Visible())
			}
		}
		if f.note.Visible() != (want == f.over) {
			t.Errorf("a note can be typed: %v", f.note.Visible())
		}
	}
	r.now = r.now.Add(3 * time.Second)
	r.key('l')
	front(f.listed)
	r.now = r.now.Add(time.Hour)
	r.screen.ticked()
	testdata.OK(t, r.store.PutAnnotator(store.Annotator{ID: "r1", Name: "annotator 1"}))
	r.stage.Until("the name", func() bool { return r.screen.name("r1") == "annotator 1" })
	if f.title.Text != itemTable.Title || f.chip.Text != "" {
		t.Errorf("over the list stands %q, %q", f.title.Text, f.chip.Text)
	}
	front(f.listed)
	r.window.Canvas().Focus(f.surface)
	r.key('v')
	front(f.over)
	if len(r.events(round)) != 0 || f.title.Text != r.name(r.item()) {
		t.Errorf("behind the list %d labels were given; now it shows %q", len(r.events(round)), f.title.Text)
	}
	r.now = r.now.Add(2 * time.Second)
	r.key('v')
	if got := r.events(round)[0].Seconds; got != 5 {
		t.Errorf("%v active seconds, want 3 before and 2 after the list", got)
	}
	r.window.Canvas().Focus(f.note)
	test.Type(f.note, "a cross")
	open := r.store.shut()
	f.toggleItems() // which stores the note first
	r.screen.Pause()
	open()
	r.stage.Until("the note is stored", r.ready)
	front(f.rest)
	r.key('v')
	front(f.listed)
	f.items.SetFilter("cross")
	r.screen.focus()
	f.closeItems()
	r.screen.focus()
	r.window.Canvas().Focus(f.note)
	test.Type(f.note, "es")
	r.screen.focus()
	r.key('v')
	front(f.done)
	if f.note.Text != "" || r.events(round)[2].Note != "a crosses" {
		t.Errorf("at the end the note is %q; stored is %+v", f.note.Text, r.events(round)[2])
	}
	r.key('l')
	front(f.listed)
	f.closeItems()
	front(f.done)
	r.screen.Pause()
	front(f.rest)
	r.screen.Resume()
	front(f.done)
	r.key('q')
	r.stage.Until("signed out", func() bool { return r.screen.Session() == nil })
	r.signIn(round, "r2")
	front(f.over)
	if f.items.Filter() != "" {
		t.Errorf("the next annotator finds the filter %q", f.items.Filter())
	}
}

// TestAListTellsNoRepeat: while a model is asked for again, the list has it no more than looking
// back has, and a repeat is no line of its own.
func TestAListTellsNoRepeat(t *testing.T) {
	var d desk
	r := testRound(30, 2)
	r.RepeatShare = 0.2
	s := NewSession(r, "r1", nil, dawn)
	repeat := workedTo(t, &d, s)
	holds := func(i Item) bool { return i.Model == repeat.Model }
	if slices.ContainsFunc(s.Items(nil), holds) {
		t.Error("the first label stands in the list while the model is asked for again")
	}
	d.put(t, s, labels.Invariant)
	list := slices.DeleteFunc(s.Items(nil), func(i Item) bool { return !holds(i) })
	if len(list) != 1 || list[0].Pass != 1 || list[0].Word != "variant" {
		t.Errorf("afterwards the list has %+v", list)
	}
}

// TestShownProgressTellsNoRepeat: progress counts models, grows evenly whichever turns are
// repeats, and is complete at the end alone.
func TestShownProgressTellsNoRepeat(t *testing.T) {
	for done := range 33 {
		p := Progress{Done: done, Total: 32}.InModels(30)
		if p.Total != 30 || p.Done < done-2 || p.Done > done || (p.Done == 30) != (done == 32) {
			t.Errorf("after %d turns of 32 it says %+v", done, p)
		}
	}
}

// TestSignInByKeys: Enter goes on with the round and name of last time, a digit takes another
// name.
func TestSignInByKeys(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.store.NewRound(t, func(x *labels.Round) { x.Name, x.Models = "a later one", x.Models[:2] })
	r.signIn(round, "r2")
	r.key('v')
	second := r.item()
	again := func() {
		r.screen.Close()
		r.open()
		r.stage.Until("rounds", func() bool { return len(r.screen.widgets.signIn.choices.Rounds) == 2 })
	}
	again()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r.stage.Until("signed in", func() bool { return r.screen.Session() != nil && r.ready() })
	if s := r.screen.Session(); s.Round().ID != round.ID || s.Annotator() != "r2" || r.item() != second ||
		!r.focused() {
		t.Fatalf("Enter signs %s in to %s at %q", s.Annotator(), s.Round().Name, r.item())
	}
	again()
	r.window.Canvas().Focused().TypedRune('3')
	r.stage.Until("signed in", func() bool { return r.screen.Session() != nil && r.ready() })
	if s := r.screen.Session(); s.Annotator() != "r3" || s.Round().ID != round.ID {
		t.Errorf("3 signs %s in to %s", s.Annotator(), s.Round().Name)
	}
}

// TestANewNameJoins: a round without labels takes a new name at sign-in, one with labels does
// not. What is being typed stays, with the keyboard, when the workspace changes.
func TestANewNameJoins(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:2] })
	r.stage.Until("rounds", func() bool { return len(r.screen.widgets.signIn.choices.Rounds) == 1 })
	entries := stage.Entries(r.screen.Object())
	if len(entries) != 1 {
		t.Fatalf("%d entries for a new name", len(entries))
	}
	r.window.Canvas().Focus(r.screen.widgets.signIn.newcomer)
	test.Type(r.screen.widgets.signIn.newcomer, " r")
	testdata.OK(t, r.store.PutAnnotator(store.Annotator{ID: "r1", Name: "annotator 1"}))
	r.stage.Until("the name", func() bool { return r.screen.widgets.signIn.choices.Names["r1"] != "" })
	test.Type(r.window.Canvas().Focused(), "4 ")
	if got := stage.Entries(r.screen.Object()); len(got) != 1 || got[0].Text != " r4 " {
		t.Fatalf("after a change the new name is %q", got[0].Text)
	}
	test.Tap(r.button("Join"))
	r.stage.Until("signed in", func() bool { return r.screen.Session() != nil && r.ready() })
	if kept, err := r.store.Round(round.ID); err != nil || !slices.Contains(kept.Annotators, "r4") ||
		r.screen.Annotator() != "r4" {
		t.Fatalf("annotators %v, signed in is %q: %v", kept.Annotators, r.screen.Annotator(), err)
	}
	r.key('v')
	r.key('q')
	r.stage.Until("signed out", func() bool {
		return r.screen.Session() == nil && r.screen.widgets.signIn.choices.Rounds[0].Used
	})
	if entries := stage.Entries(r.screen.Object()); len(entries) != 0 {
		t.Error("a round with labels offers a new name")
	}
}

// TestOwnWords: the round's words stand on buttons, in what is said, in hints and the list;
// events have the labels.
func TestOwnWords(t *testing.T) {
	r, round := signedIn(t, 3, func(x *labels.Round) {
		x.Words = map[labels.Value]string{labels.Invariant: "robust", labels.Variant: "fragile"}
	})
	first := r.item()
	r.click("Robust (I)")
	if got := r.said(); got != r.name(first)+": robust" {
		t.Errorf("it says %q", got)
	}
	r.key('x')
	if got := r.said(); !strings.Contains(got, "X does nothing here: I robust, V fragile") {
		t.Errorf("after a wrong key it says %q", got)
	}
	r.key('b')
	if got := r.said(); !strings.Contains(got, "no borderline: I robust, V fragile") || len(r.events(round)) != 1 {
		t.Errorf("a label that the round does not have: %q", got)
	}
	r.named(fyne.KeyLeft)
	if got := r.screen.widgets.chip.Text; !strings.Contains(got, "your label: robust") {
		t.Errorf("the label is shown as %q", got)
	}
	if ev := r.events(round)[0]; ev.Value != labels.Invariant {
		t.Errorf("stored is %q", ev.Value)
	}
}

// TestDoneLeadsOn: the end offers the next round, with the same name, the agreement of this one,
// and how many known answers were met once they may be seen; which ones it tells of a closed round
// alone. No button moves or goes.
func TestDoneLeadsOn(t *testing.T) {
	r := newRig(t, 9)
	other := r.store.NewRound(t, func(x *labels.Round) { x.Name, x.Models = "second look", x.Models[:2] })
	round := r.store.NewRound(t, func(x *labels.Round) {
		x.Models, x.Known = x.Models[:8], map[string]labels.Value{}
		for _, hash := range x.Models[:7] {
			x.Known[hash] = labels.Variant
		}
	})
	r.signIn(round, "r1")
	wrong := ""
	for r.item() != "" {
		if text, _, shown := r.screen.Session().Calibration(nil, nil); shown {
			t.Fatalf("before the end it says %q", text)
		}
		if wrong == "" && round.Known[r.item()] != "" {
			wrong = r.item()
			r.key('i')
			continue
		}
		r.key('v')
	}
	e := &r.screen.widgets.ending
	r.stage.Until("the next round", func() bool { return !e.onward.Disabled() })
	const met, atFirst = "6 of 7 models with a known answer called as known: 85.7 %, 95 % interval ",
		"6 of 7 models with a known answer called as known at first: "
	relabel := func(v labels.Value) {
		r.store.Put(t, round, "r1", wrong, v)
		r.stage.Until("the other label", func() bool {
			return r.screen.Session().current[labels.Turn{Model: wrong, Pass: 1}].Value == v
		})
	}
	relabel(labels.Variant) // the count does not tell which one it was
	if got := e.answers.Text; !strings.HasPrefix(got, atFirst) {
		t.Errorf("after another label it says %q", got)
	}
	relabel(labels.Invariant)
	if got := e.answers.Text; !strings.HasPrefix(got, atFirst) || strings.Contains(got, r.name(wrong)) ||
		!e.known.Visible() || e.drawn.Visible() {
		t.Errorf("while the round is open it says %q, drift %v", got, e.drawn.Visible())
	}
	places := func() (list []fyne.Position) {
		for _, b := range buttons(r.screen.widgets.done) {
			list = append(list, fyne.CurrentApp().Driver().AbsolutePositionForObject(b))
		}
		return list
	}
	before := places()
	stay := func(what string) {
		t.Helper()
		if now := places(); len(before) != 4 || !slices.Equal(before, now) {
			t.Errorf("%s: buttons are at %v, before at %v", what, now, before)
		}
	}
	if r.screen.show(); e.onward.Disabled() {
		t.Error("shown anew, the end does not lead on")
	}
	stay("shown anew")
	e.offer(labels.Round{}, "")
	stay("without a next round")
	r.click("Agreement")
	if r.agreed != round.ID {
		t.Errorf("agreement is shown of %q", r.agreed)
	}
	testdata.OK(t, r.store.CloseRound(round.ID, true))
	r.stage.Until("the round is closed", e.drawn.Visible)
	stay("with known answers below them")
	if got := e.answers.Text; !strings.HasPrefix(got, met) ||
		!strings.Contains(got, r.name(wrong)+": invariant, known as variant") {
		t.Errorf("known answers: %q", got)
	}
	if lines := e.drift.Data().Lines; len(lines) != 1 || len(lines[0].X) != 7 || lines[0].Y[6] != 6.0/7 {
		t.Errorf("drawn is %+v", lines)
	}
	r.stage.Until("the next round", func() bool { return !e.onward.Disabled() })
	test.Tap(e.onward)
	r.stage.Until("the next round", func() bool { return r.screen.Session().Round().ID == other.ID && r.ready() })
	if r.screen.Annotator() != "r1" {
		t.Errorf("signed in is %q", r.screen.Annotator())
	}
}

// TestMostUsefulFirst: once there are enough labels the order is planned, in the background and on
// disk; the model that is shown stays, the next one is the plan's first, also after a restart.
func TestMostUsefulFirst(t *testing.T) {
	r := newRig(t, 17)
	plan := func(_ context.Context, id, annotator string) error {
		round, err := r.store.Round(id)
		if err != nil {
			return err
		}
		events, err := r.store.Events(id)
		if err != nil {
			return err
		}
		rest := labels.Remaining(round, annotator, events)
		slices.Reverse(rest)
		_, err = r.store.Append(labels.PlanOf(round, annotator, events, rest))
		return err
	}
	r.screen.deps.Plan = func(context.Context, string, string) error { return errors.New("the disk is full") }
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models, x.Order = x.Models[:16], labels.OrderUseful })
	r.signIn(round, "r1")
	order := labels.Order(round, "r1")
	for k := range labels.PlanFrom {
		if r.item() != order[k] {
			t.Fatalf("model %d is %q", k, r.item())
		}
		r.key([]rune("iv")[k%2])
	}
	r.stage.Until("the plan fails", func() bool { return len(r.errs) == 1 })
	r.screen.deps.Plan = plan // the next sign-in tries again
	r.key('q')
	r.stage.Until("signed out", func() bool { return r.screen.Session() == nil })
	r.signIn(round, "r1")
	kinds := func() (n int) {
		for _, ev := range r.events(round) {
			if ev.Kind == labels.Plan {
				n++
			}
		}
		return n
	}
	r.stage.Until("the plan is taken up", func() bool {
		return kinds() == 1 && r.screen.planning == nil && r.screen.Session().Upcoming(1)[0] == order[15]
	})
	if r.item() != order[10] || r.screen.Session().Looking() {
		t.Errorf("the plan has taken the model away: %q", r.item())
	}
	r.key('v')
	if r.item() != order[15] {
		t.Errorf("after the plan comes %q, want %q", r.item(), order[15])
	}
	r.screen.Close()
	r.open()
	r.signIn(round, "r1")
	if r.item() != order[15] || kinds() != 1 {
		t.Errorf("after a restart comes %q, with %d plans", r.item(), kinds())
	}
}

// TestTheBarIsInTheToolbarsPlace: while somebody labels the window's toolbar shows the bar,
// except in full screen, where there is no toolbar; nobody labels without it.
func TestTheBarIsInTheToolbarsPlace(t *testing.T) {
	r := newRig(t, 3)
	var bar fyne.CanvasObject
	r.screen.Bar = func(o fyne.CanvasObject) { bar = o }
	r.signIn(r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:2] }), "r1")
	f := r.screen.widgets
	if bar != fyne.CanvasObject(f.bar) || len(f.top.Objects) != 0 || f.track.Value != 0 {
		t.Error("the toolbar does not show the bar")
	}
	r.named(fyne.KeyF11)
	if bar != nil || !slices.Contains(f.top.Objects, fyne.CanvasObject(f.bar)) {
		t.Error("the full screen has no bar")
	}
	r.named(fyne.KeyF11)
	r.key('v')
	if bar != fyne.CanvasObject(f.bar) || f.track.Value != 0.5 {
		t.Errorf("progress is %v", f.track.Value)
	}
	r.key('q')
	if bar != nil {
		t.Error("the toolbar still shows the bar after signing out")
	}
}
