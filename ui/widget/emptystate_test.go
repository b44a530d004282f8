package widget

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestVacancyOffersWhatHelps(t *testing.T) {
	test.NewTempApp(t)
	v, did := NewEmptyState(), 0
	if v.Visible() {
		t.Error("it is shown before it says anything")
	}
	v.Say("No models.", Help{Text: "Import…", Do: func() { did++ }}, Help{Text: "Nobody can do this"})
	if !v.Visible() || v.Text() != "No models." || len(v.Buttons()) != 1 {
		t.Fatalf("%q with %d buttons", v.Text(), len(v.Buttons()))
	}
	test.Tap(v.Buttons()[0])
	if did != 1 {
		t.Error("the button does nothing")
	}
	v.Say("Measuring…")
	if len(v.Buttons()) != 0 {
		t.Error("a button of before is left")
	}
	v.Hide()
	if v.Visible() {
		t.Error("it is still shown")
	}
}

// TestVacancyHasRoomForItsLines: the buttons stand below all lines of a long text, not on them.
func TestVacancyHasRoomForItsLines(t *testing.T) {
	test.NewTempApp(t)
	v := NewEmptyState()
	w := test.NewTempWindow(t, container.NewStack(v.Object()))
	w.Resize(fyne.NewSize(900, 600))
	for _, text := range []string{"one line", strings.Repeat("many words ", 40), "one\ntwo\nthree\nfour"} {
		v.Say(text, Help{Text: "Help", Do: func() {}})
		driver := fyne.CurrentApp().Driver()
		bottom := driver.AbsolutePositionForObject(v.text).Y + v.text.MinSize().Height
		if button := driver.AbsolutePositionForObject(v.Buttons()[0]).Y; button < bottom {
			t.Errorf("%.20q: the button begins at %v, the text ends at %v", text, button, bottom)
		}
		if v.text.Size().Width < paragraphWidth {
			t.Errorf("%.20q is %v wide", text, v.text.Size().Width)
		}
	}
}
