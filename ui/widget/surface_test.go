package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// TestSurfaceGetsKeysBack: keys reach the surface again after a button, an entry and Escape, as the
// label screen needs.
func TestSurfaceGetsKeysBack(t *testing.T) {
	entry := NewEntry()
	pressed := 0
	button := widget.NewButton("Invariant", func() { pressed++ })
	label := widget.NewLabel("matrices")
	s := NewSurface(container.NewVBox(label, button, entry))
	w := show(t, s, fyne.NewSize(300, 200))
	entry.OnEscape = s.Take
	var focus []bool
	s.OnFocus = func(on bool) { focus = append(focus, on) }
	runes := ""
	s.OnRune = func(r rune) { runes += string(r) }
	s.Take()
	typeTo(w.Canvas(), "i")
	w.Canvas().Focus(entry)
	typeTo(w.Canvas(), "note")
	entry.TypedKey(key(fyne.KeyEscape))
	typeTo(w.Canvas(), "b")
	test.Tap(button)
	s.Take()
	typeTo(w.Canvas(), "v")
	w.Canvas().Unfocus()
	test.TapCanvas(w.Canvas(), fyne.NewPos(20, 15)) // on the label, which is not clickable
	typeTo(w.Canvas(), "n")
	if runes != "ibvn" || entry.Text != "note" || pressed != 1 || !s.Focused() {
		t.Errorf("surface got %q, entry %q, button %d, focused %v", runes, entry.Text, pressed, s.Focused())
	}
	if len(focus) < 6 || !focus[0] || focus[1] {
		t.Errorf("focus changes %v", focus)
	}
}

// TestSurfaceTellsPressesFromRepeats: a press is spent once, however often the key repeats while it
// is held down.
func TestSurfaceTellsPressesFromRepeats(t *testing.T) {
	s := NewSurface(widget.NewLabel(""))
	show(t, s, fyne.NewSize(100, 50))
	runes, spent := "", ""
	s.OnRune = func(r rune) {
		runes += string(r)
		if s.Spend() {
			spent += string(r)
		}
	}
	s.TypedRune('a') // a driver that reports no presses: each character counts
	s.TypedRune('a')
	for _, r := range "bcb" {
		s.KeyDown(key(fyne.KeyName(r)))
		for range 3 {
			s.TypedRune(r)
		}
		s.KeyUp(key(fyne.KeyName(r)))
	}
	if runes != "aabbbcccbbb" || spent != "aabcb" {
		t.Errorf("typed %q, spent %q", runes, spent)
	}
}

func TestEntryWithoutEscape(t *testing.T) {
	e := NewEntry()
	show(t, e, fyne.NewSize(200, 50))
	test.Type(e, "ab")
	e.TypedKey(key(fyne.KeyEscape))
	e.TypedKey(key(fyne.KeyBackspace))
	if e.Text != "a" {
		t.Errorf("text %q", e.Text)
	}
}

func TestStatusLine(t *testing.T) {
	s := NewStatusLine()
	show(t, s, fyne.NewSize(300, 30))
	shown := func() string {
		list := texts(objectsOf(t, s))
		if len(list) == 0 {
			return ""
		}
		return list[0].Text
	}
	for _, c := range []struct {
		name string
		do   func()
		text string
		icon bool
	}{
		{"say", func() { s.Say("3 models imported") }, "3 models imported", false},
		{"hint", func() { s.Hint("δ = 0.1") }, "δ = 0.1", false},
		{"under a hint", func() { s.Fail("f") }, "δ = 0.1", false},
		{"hint ends", func() { s.Hint("") }, "f", true},
		{"clear", func() { s.Clear() }, "", false},
	} {
		c.do()
		if got := shown(); got != c.text || (len(objectsOf(t, s)) == 2) != c.icon {
			t.Errorf("%s: %q with %d objects, want %q, sign %v", c.name, got, len(objectsOf(t, s)), c.text, c.icon)
		}
	}
	s.Say("a message that is much too long for a line of three hundred pixels, so it has to be cut")
	if err := checkTexts(objectsOf(t, s), s.Size()); err != nil || s.MinSize().Width > 100 {
		t.Errorf("%v; the line needs %v", err, s.MinSize())
	}
	if s.Text() == shown() {
		t.Error("Text must be the whole message")
	}
}

func TestUndoSurface(t *testing.T) {
	label := widget.NewLabel("picture")
	s := NewUndoSurface(label)
	w := show(t, s, fyne.NewSize(200, 100))
	s.Take()
	if w.Canvas().Focused() != fyne.Focusable(s) {
		t.Fatalf("the focus is on %T", w.Canvas().Focused())
	}
	s.TypedShortcut(&fyne.ShortcutUndo{}) // without a callback nothing happens
	undone := 0
	s.OnUndo = func() { undone++ }
	s.TypedShortcut(&fyne.ShortcutUndo{})
	s.TypedShortcut(&fyne.ShortcutRedo{})
	if undone != 1 {
		t.Errorf("undone %d times", undone)
	}
	w.Canvas().Unfocus()
	test.TapCanvas(w.Canvas(), fyne.NewPos(20, 15))
	if !s.Focused() || w.Canvas().Focused() != fyne.Focusable(s) {
		t.Error("a click on the label does not give the surface the keys")
	}
}
