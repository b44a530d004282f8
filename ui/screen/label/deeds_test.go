package label

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
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
	r, round := signedIn(t, 4, nil)
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
	r, round := signedIn(t, 4, nil)
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

func TestScreenFlags(t *testing.T) {
	r, round := signedIn(t, 3, nil)
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
	r, round := signedIn(t, 3, nil)
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

// A repeat looks like any other item: nothing of the first time is on the screen, and the count
// does not tell.
func TestScreenRepeatsAreNotAnnounced(t *testing.T) {
	r, round := signedIn(t, 12, func(x *labels.Round) { x.RepeatShare = 0.25 })
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

// Whatever is clicked, the keys work afterwards.
func TestScreenKeysWorkAfterEveryClick(t *testing.T) {
	r, _ := signedIn(t, 3, func(x *labels.Round) { x.Classes = 3 })
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
	r, round := signedIn(t, 2, nil)
	kept := func() (name string) {
		testdata.Must(r.store.Setting(evidence.OfPerson(settingMap, "r1"), &name))(t)
		return name
	}
	for range 6 { // viridis, cividis, gray, green, and round again
		r.key('c')
	}
	r.stage.Until("the choice is kept", func() bool { return r.screen.keeper.Idle() && kept() == "gray" })
	if r.screen.view.Map != "gray" {
		t.Errorf("the map is %s", r.screen.view.Map)
	}
	testdata.OK(t, r.store.SetSetting(settingMap, "cividis"))
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
