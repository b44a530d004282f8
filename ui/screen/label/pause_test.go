package label

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Work pauses by itself only where somebody asks for it; then the pointer is a sign of activity. A
// key in a pause only wakes. Pauses are no active time, and what was chosen is stored.
func TestScreenPausesByItselfWhenAsked(t *testing.T) {
	r, round := signedIn(t, 4, nil)
	if got := r.screen.widgets.signIn.idle.Selected; got != "never" {
		t.Errorf("at first work pauses %s", got)
	}
	passes := func(d time.Duration, paused bool) {
		t.Helper()
		r.now = r.now.Add(d)
		if r.screen.ticked(); r.screen.paused != paused || r.screen.widgets.over.Visible() == paused {
			t.Fatalf("after %v: paused %v, matrices %v", d, r.screen.paused, r.screen.widgets.over.Visible())
		}
	}
	passes(time.Hour, false)
	r.key('v')
	r.screen.SetIdle(IdleLimit)
	passes(29*time.Second, false)
	if got := r.screen.widgets.pace.Text; !strings.Contains(got, "0:29 on this one") {
		t.Errorf("it says %q", got)
	}
	passes(time.Second, true)
	if r.screen.Active(); !r.screen.paused || !strings.Contains(r.texts(), "Paused") {
		t.Error("a pause ends when the pointer moves, or does not say so")
	}
	passes(time.Hour, true)
	if r.key('v'); len(r.events(round)) != 1 {
		t.Fatal("the key that wakes labels what nobody saw")
	}
	passes(4*time.Second, false)
	r.named(fyne.KeySpace) // the key of pause
	passes(time.Minute, true)
	test.Tap(r.button("Go on"))
	passes(2*time.Second, false)
	r.key('v')
	if got := r.events(round); got[0].Seconds != IdleLimit.Seconds() || got[1].Seconds != 36 {
		t.Errorf("%v and %v active seconds, want %v and 30 + 4 + 2", got[0].Seconds, got[1].Seconds,
			IdleLimit.Seconds())
	}
	r.screen.SetIdle(time.Minute)
	for range 5 {
		passes(50*time.Second, false)
		r.screen.Active()
	}
	passes(time.Minute, true)
	if got := r.screen.widgets.line.Text; got != "paused, because nothing happened for 1 min" {
		t.Errorf("line %q", got)
	}
	r.stage.Until("the choice is stored", r.screen.keeper.Idle)
	r.open()
	r.stage.Until("what was stored is in force", func() bool { return r.screen.idle == time.Minute })
}

// A click in a pause ends it and does nothing else.
func TestScreenClickInAPauseOnlyWakes(t *testing.T) {
	r, round := signedIn(t, 3, nil)
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
