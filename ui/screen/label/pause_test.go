package label

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	labels "github.com/variscope/variscope/engine/label"
)

func TestScreenPauses(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	r.screen.SetIdle(IdleLimit)
	r.now = r.now.Add(29 * time.Second)
	r.screen.ticked()
	if r.screen.paused || !strings.Contains(r.screen.widgets.pace.Text, "0:29 on this one") {
		t.Fatalf("paused %v after 29 s, %q", r.screen.paused, r.screen.widgets.pace.Text)
	}
	r.now = r.now.Add(time.Second)
	r.screen.ticked()
	if !r.screen.paused || !strings.Contains(r.texts(), "Paused") || r.screen.widgets.over.Visible() {
		t.Fatal("half a minute without a sign does not pause, or the matrices stay")
	}
	r.now = r.now.Add(time.Hour)
	r.key('v') // only wakes
	if r.screen.paused || len(r.events(round)) != 0 || !r.screen.widgets.over.Visible() {
		t.Fatal("a key does not wake, or labels what nobody saw")
	}
	r.now = r.now.Add(4 * time.Second)
	r.named(fyne.KeySpace)
	if !r.screen.paused {
		t.Fatal("the key of pause does not pause")
	}
	r.now = r.now.Add(time.Minute)
	test.Tap(r.button("Go on"))
	r.now = r.now.Add(2 * time.Second)
	r.key('v')
	if got := r.events(round)[0].Seconds; got != 36 {
		t.Errorf("%v active seconds, want 30 + 4 + 2", got)
	}
	r.screen.SetIdle(time.Minute)
	r.now = r.now.Add(45 * time.Second)
	r.screen.ticked()
	if r.screen.paused {
		t.Error("it pauses before the time that was set")
	}
}

// Work pauses by itself only where somebody asks for it; then the pointer and the wheel are signs
// of activity like keys. What was stored stays in force.
func TestScreenPausesByItselfWhenAsked(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	if got := r.screen.widgets.signIn.idle.Selected; got != "never" {
		t.Errorf("at first work pauses %s", got)
	}
	r.now = r.now.Add(time.Hour)
	if r.screen.ticked(); r.screen.paused {
		t.Fatal("work pauses although nobody asked for it")
	}
	r.key('v')
	if got := r.events(round)[0].Seconds; got != IdleLimit.Seconds() {
		t.Errorf("an hour without a sign of activity counts %v s", got)
	}
	r.screen.SetIdle(time.Minute)
	for range 5 {
		r.now = r.now.Add(50 * time.Second)
		r.screen.Active()
		if r.screen.ticked(); r.screen.paused {
			t.Fatal("the pointer moved, and work pauses")
		}
	}
	r.now = r.now.Add(time.Minute)
	if r.screen.ticked(); !r.screen.paused {
		t.Fatal("it does not pause")
	}
	if r.screen.Active(); !r.screen.paused {
		t.Error("a pause ends when the pointer moves")
	}
	r.stage.Until("the choice is stored", r.screen.keeper.Idle)
	r.open()
	r.stage.Until("what was stored is in force", func() bool { return r.screen.idle == time.Minute })
	r.screen.SetIdle(0)
	r.stage.Until("never is stored", r.screen.keeper.Idle)
	var stored int
	if ok, err := r.store.Setting(settingIdle, &stored); !ok || err != nil || stored != 0 {
		t.Errorf("stored %v, %d, %v", ok, stored, err)
	}
}

// A click in a pause ends it and does nothing else.
func TestScreenClickInAPauseOnlyWakes(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	r.screen.Pause()
	if r.screen.widgets.details.Visible() {
		t.Error("the record can be studied in a pause")
	}
	r.click("Variant (V)")
	if r.screen.paused || len(r.events(round)) != 0 {
		t.Error("a click in a pause labels, or does not end it")
	}
	r.screen.Pause()
	test.Tap(r.screen.widgets.sure)
	if r.screen.paused || !r.screen.Session().Sure() || r.screen.widgets.sure.Checked {
		t.Error("a click on unsure in a pause marks the label")
	}
}

// A label that is on disk only after the screen was left brings the next item, whose time begins
// when it is seen.
func TestScreenLeftDuringASaveCountsNothing(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:3] })
	r.signIn(round, "r1")
	first, open := r.item(), r.store.shut()
	r.window.Canvas().Focused().TypedRune('v')
	r.screen.Hidden()
	open()
	r.stage.Until("the next item", func() bool { return r.ready() && r.item() != first })
	r.now = r.now.Add(time.Hour)
	r.screen.Shown()
	r.now = r.now.Add(2 * time.Second)
	r.key('v')
	if got := r.events(round)[1].Seconds; got != 2 {
		t.Errorf("%v active seconds, want 2", got)
	}
}

// How long nothing happened is said in words, not as the program counts it.
func TestScreenSaysWhyItPauses(t *testing.T) {
	r := newRig(t, 4)
	r.signIn(r.store.NewRound(t, nil), "r1")
	r.screen.SetIdle(2 * time.Minute)
	r.now = r.now.Add(2 * time.Minute)
	r.screen.ticked()
	if got := r.screen.widgets.line.Text; got != "paused, because nothing happened for 2 min" {
		t.Errorf("line %q", got)
	}
}

// A choice that cannot be remembered is told, and still counts.
func TestScreenSaysThatAChoiceIsNotRemembered(t *testing.T) {
	r := newRig(t, 4)
	r.signIn(r.store.NewRound(t, nil), "r1")
	r.store.refuses(errors.New("the disk is full"))
	r.screen.ToggleAuto()
	r.stage.Until("it was tried", func() bool { return r.screen.keeper.Idle() })
	if len(r.errs) != 1 || r.screen.auto {
		t.Errorf("errors %v, moves on by itself %v", r.errs, r.screen.auto)
	}
}
