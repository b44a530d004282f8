package label

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// texts are all texts on the screen, in one.
func (r *rig) texts() string {
	var parts []string
	stage.Walk(r.screen.Object(), func(o fyne.CanvasObject) {
		switch w := o.(type) {
		case *fynewidget.Label:
			parts = append(parts, w.Text)
		case *fynewidget.Button:
			parts = append(parts, w.Text)
		}
	})
	return strings.Join(parts, "\n")
}

func (r *rig) focused() bool {
	return r.window.Canvas().Focused() == fyne.Focusable(r.screen.widgets.surface)
}

func TestScreenRedoGoesForwardAgain(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.signIn(round, "r1")
	order := labels.Order(round, "r1")
	r.key('i')
	r.key('v')
	r.key('z')
	r.key('z')
	if r.item() != order[0] || r.screen.Session().Progress().Done != 0 {
		t.Fatalf("two undos lead to %q with %+v", r.item(), r.screen.Session().Progress())
	}
	r.key('y')
	r.click("Redo (Y)")
	current := labels.Current(r.events(round))
	if r.item() != order[1] || current[labels.Key{Model: order[0], Annotator: "r1"}].Value != labels.Invariant ||
		current[labels.Key{Model: order[1], Annotator: "r1"}].Value != labels.Variant {
		t.Errorf("two redos lead to %q with %v", r.item(), current)
	}
	r.key('y')
	if !strings.Contains(r.screen.widgets.line.Text, "nothing to bring back") {
		t.Errorf("a third redo says %q", r.screen.widgets.line.Text)
	}
}

func TestScreenWithoutAutoAdvanceStays(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.signIn(round, "r1")
	first := r.item()
	r.key('a')
	r.key('v')
	if ev, ok := r.screen.Session().Label(); r.item() != first || !ok || ev.Value != labels.Variant {
		t.Fatalf("it shows %q with %+v", r.item(), ev)
	}
	if r.button("Variant (V)").Importance != fynewidget.HighImportance {
		t.Error("the label is not shown")
	}
	r.key('i') // a second thought
	r.named(fyne.KeyReturn)
	if r.item() == first || len(labels.Current(r.events(round))) != 1 {
		t.Error("Enter does not go on, or the second thought is another label")
	}
	var auto bool
	r.stage.Until("the choice is kept", func() bool {
		found, err := r.store.Setting(settingAuto, &auto)
		return err == nil && found && !auto
	})
}

func TestScreenDigits(t *testing.T) {
	r := newRig(t, 5)
	two := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(two, "r1")
	r.key('2')
	r.key('3') // has no class
	r.key('1')
	if events := r.events(two); len(events) != 2 || events[0].Value != labels.Variant ||
		events[1].Value != labels.Invariant {
		t.Errorf("two classes: %+v", events)
	}
	three := r.store.NewRound(t, func(x *labels.Round) { x.Models, x.Classes = x.Models[:3], 3 })
	r.signIn(three, "r1")
	r.stage.Until("the other round", func() bool { return r.screen.Session().Round().ID == three.ID && r.ready() })
	for _, digit := range "123" {
		r.key(digit)
	}
	if events := r.events(three); len(events) != 3 || events[1].Value != labels.Borderline ||
		events[2].Value != labels.Variant {
		t.Errorf("three classes: %+v", events)
	}
}

func TestScreenFlags(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	first := r.item()
	r.key('f')
	if !r.screen.widgets.panelOpen() || !r.focused() {
		t.Fatal("the choice of a flag does not open, or takes the keys")
	}
	r.key('1')
	if r.screen.Session().Flag() != "look again" ||
		!strings.Contains(r.screen.widgets.chip.Text, "flagged: look again") || r.item() != first {
		t.Fatalf("flag %q, chip %q", r.screen.Session().Flag(), r.screen.widgets.chip.Text)
	}
	r.key('v')
	if ev := r.events(round)[1]; ev.Kind != labels.Label || ev.Flag != "look again" {
		t.Errorf("the label carries %+v", ev)
	}
	if r.screen.Session().Flag() != "" {
		t.Error("the flag went to the next item")
	}
	r.key('f')
	r.key('3')
	if r.window.Canvas().Focused() != fyne.Focusable(r.screen.widgets.panel.other) {
		t.Fatal("another flag cannot be typed")
	}
	test.Type(r.screen.widgets.panel.other, "upside down")
	if got := len(r.events(round)); got != 2 {
		t.Fatalf("typing a flag stored %d events", got-2)
	}
	r.screen.widgets.panel.other.OnSubmitted(r.screen.widgets.panel.other.Text)
	r.stage.Until("stored", r.ready)
	if r.screen.Session().Flag() != "upside down" || !r.focused() {
		t.Errorf("flag %q, keys %v", r.screen.Session().Flag(), r.focused())
	}
	r.key('f')
	r.key('0')
	if r.screen.Session().Flag() != "" {
		t.Error("the flag cannot be taken away")
	}
	r.key('f')
	r.named(fyne.KeyEscape)
	if r.screen.widgets.panelOpen() || len(r.events(round)) != 4 {
		t.Error("Escape does not close the choice, or stores something")
	}
}

func TestScreenHelpFollowsTheMap(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, nil)
	r.signIn(round, "r1")
	m, err := r.screen.keys().With(keymap.Skip, keymap.Key{Rune: 'x'},
		keymap.Key{Name: fyne.KeyK, Modifier: fyne.KeyModifierAlt})
	if err != nil {
		t.Fatal(err)
	}
	r.screen.deps.Keys.Set(m)
	r.key('?')
	for _, want := range []string{"X, Alt+K", "Skip (X)", "Any key closes this list."} {
		if !strings.Contains(r.texts(), want) {
			t.Errorf("the list of keys does not say %q", want)
		}
	}
	first := r.item()
	r.key('v') // closes the list and labels nothing
	if r.screen.widgets.panelOpen() || len(r.events(round)) != 0 {
		t.Fatal("a key does not only close the list")
	}
	r.key('s')
	if r.item() != first {
		t.Error("the old key still skips")
	}
	r.key('x')
	if r.item() == first {
		t.Error("the new key does not skip")
	}
	second, alt := r.item(), keymap.Key{Name: fyne.KeyK, Modifier: fyne.KeyModifierAlt}
	r.key('n')
	r.screen.chorded(alt) // the note has the keys
	r.named(fyne.KeyEscape)
	if len(r.screen.chords) != 1 || r.item() != second {
		t.Fatalf("%d shortcuts in the window, item %q", len(r.screen.chords), r.item())
	}
	r.screen.chorded(alt)
	r.stage.Until("stored", r.ready)
	if r.item() == second {
		t.Error("a key with Alt does nothing")
	}
	r.screen.Hidden()
	if len(r.screen.chords) != 0 {
		t.Error("the window keeps the shortcuts of a hidden screen")
	}
}

func TestScreenFullScreen(t *testing.T) {
	r := newRig(t, 4)
	var bare []bool
	r.screen.deps.FocusMode = func(b bool) { bare = append(bare, b) }
	r.signIn(r.store.NewRound(t, nil), "r1")
	r.named(fyne.KeyF11)
	if !r.window.FullScreen() || !slices.Equal(bare, []bool{true}) {
		t.Fatalf("full screen %v, bare %v", r.window.FullScreen(), bare)
	}
	r.named(fyne.KeyEscape)
	r.named(fyne.KeyF11)
	r.screen.Hidden()
	if r.window.FullScreen() || !slices.Equal(bare, []bool{true, false, true, false}) {
		t.Errorf("full screen %v, bare %v", r.window.FullScreen(), bare)
	}
}

func TestScreenEnlargesAMatrix(t *testing.T) {
	r := newRig(t, 4)
	r.signIn(r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] }), "r1")
	shown := func() (n int) {
		for _, tile := range r.screen.widgets.row.Tiles() {
			if tile.Visible() {
				n++
			}
		}
		return n
	}
	r.key('e')
	if shown() != 1 || r.screen.widgets.row.Enlarged() != 0 {
		t.Fatalf("%d matrices, number %d", shown(), r.screen.widgets.row.Enlarged())
	}
	r.key('v') // stays with the next model
	if shown() != 1 {
		t.Error("the next model shows all matrices again")
	}
	r.named(fyne.KeyPageUp)
	if shown() != 5 {
		t.Errorf("before the first come %d matrices", shown())
	}
	r.named(fyne.KeyPageUp)
	if r.screen.widgets.row.Enlarged() != 4 {
		t.Errorf("before all comes number %d", r.screen.widgets.row.Enlarged())
	}
	r.named(fyne.KeyEscape)
	if shown() != 5 {
		t.Error("Escape does not show all")
	}
}

// A repeat looks like any other item: nothing of the first time is on the screen, and the count
// does not tell.
func TestScreenRepeatsAreNotAnnounced(t *testing.T) {
	r := newRig(t, 13)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models, x.RepeatShare = x.Models[:12], 0.25 })
	r.signIn(round, "r1")
	seen := map[string]int{}
	for k := 0; r.item() != ""; k++ {
		if p := r.screen.Session().Progress(); p.Done != k || p.Total != 15 {
			t.Fatalf("after %d labels the screen says %d of %d", k, p.Done, p.Total)
		}
		seen[r.item()]++
		if text := r.texts(); strings.Contains(text, "your label") || strings.Contains(text, "secret") ||
			strings.Contains(text, "repeat") {
			t.Fatalf("turn %d shows what was before:\n%s", k, text)
		}
		if note := r.screen.widgets.note.Text; note != "" {
			t.Fatalf("turn %d shows the note %q", k, note)
		}
		r.key('n')
		r.screen.widgets.note.SetText("secret " + r.item())
		r.named(fyne.KeyEscape)
		r.key([]rune("iv")[seen[r.item()]-1])
	}
	second := 0
	for _, ev := range r.events(round) {
		if ev.Kind == labels.Label && ev.Pass == 2 {
			second++
			if ev.Supersedes != "" || ev.Value != labels.Variant {
				t.Errorf("repeat %+v", ev)
			}
		}
	}
	if second != 3 || len(seen) != 12 {
		t.Errorf("%d repeats of %d models", second, len(seen))
	}
	for _, ev := range labels.Current(r.events(round)) {
		if ev.Value != labels.Invariant {
			t.Errorf("the current label of %s is that of the repeat", ev.Model)
		}
	}
}

func TestScreenShowsNames(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:2] })
	if err := r.store.PutAnnotator(store.Annotator{ID: "r1", Name: "annotator 1"}); err != nil {
		t.Fatal(err)
	}
	r.screen.Refresh()
	r.stage.Until("names", func() bool { return r.screen.widgets.signIn.choices.Names["r1"] != "" })
	r.enter("annotator 1")
	r.key('v')
	if got := r.events(round)[0].Annotator; got != "r1" {
		t.Errorf("the event names %q", got)
	}
	if !strings.Contains(r.screen.widgets.progress.Text, "annotator 1: 1 of 2") {
		t.Errorf("progress %q", r.screen.widgets.progress.Text)
	}
}

// Whatever is clicked, the keys work afterwards.
func TestScreenKeysWorkAfterEveryClick(t *testing.T) {
	r := newRig(t, 4)
	r.signIn(r.store.NewRound(t, func(x *labels.Round) { x.Models, x.Classes = x.Models[:3], 3 }), "r1")
	list := slices.DeleteFunc(buttons(r.screen.widgets.surface),
		func(b *fynewidget.Button) bool { return b.Text == "" })
	if len(list) < 12 {
		t.Fatalf("%d buttons", len(list))
	}
	for _, b := range list {
		r.window.Canvas().Unfocus()
		test.Tap(b)
		r.stage.Until("stored", r.ready)
		if r.screen.widgets.listed.Visible() { // the list of models has the keys until Escape
			r.named(fyne.KeyEscape)
		}
		if !r.focused() || !r.screen.Working() {
			t.Errorf("after a click on %q the keys do not work", b.Text)
		}
		r.screen.widgets.panel.close()
	}
	r.window.Canvas().Unfocus()
	test.Tap(r.screen.widgets.sure)
	if !r.focused() {
		t.Error("after a click on unsure the keys do not work")
	}
}

// The colour map is each annotator's own: what was chosen last is kept for that one alone, and what
// is chosen for everybody is followed by those who have chosen none.
func TestScreenColourMap(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:2] })
	r.signIn(round, "r1")
	kept := func() (name string) {
		if _, err := r.store.Setting(evidence.OfPerson(settingMap, "r1"), &name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for range 6 { // viridis, cividis, gray, green, and round again
		r.key('c')
	}
	r.stage.Until("the choice is kept", func() bool { return r.screen.keeper.Idle() && kept() == "gray" })
	if r.screen.view.Map != "gray" {
		t.Errorf("the map is %s", r.screen.view.Map)
	}
	if err := r.store.SetSetting(settingMap, "cividis"); err != nil {
		t.Fatal(err)
	}
	r.screen.SignOut()
	for annotator, colours := range map[string]string{"r2": "cividis", "r1": "gray"} {
		r.screen.SignIn(round.ID, annotator)
		r.stage.Until("the map of "+annotator, func() bool {
			return r.screen.Session() != nil && r.screen.Session().Annotator() == annotator &&
				r.screen.view.Map == colours &&
				r.screen.widgets.row.Shown().View.Map == colours
		})
		r.screen.SignOut()
	}
}
