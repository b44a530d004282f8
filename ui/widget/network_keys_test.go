package widget

import (
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

func TestNetworkKeys(t *testing.T) {
	n, h, w := shownNetwork(t)
	w.Canvas().Focus(n)
	press := func(names ...fyne.KeyName) {
		for _, name := range names {
			n.TypedKey(key(name))
		}
	}
	press(fyne.KeyReturn)              // nothing to open
	press(fyne.KeyDown)                // the most frequent one
	press(fyne.KeyLeft, fyne.KeyUp)    // nothing there
	press(fyne.KeyDown, fyne.KeyRight) // round the square
	press(fyne.KeyUp, fyne.KeyReturn)
	if want := []int{0, 2, 3, 1}; !slices.Equal(h.selected, want) || !slices.Equal(h.opened, []int{1}) {
		t.Errorf("the keys selected %v, want %v; opened %v", h.selected, want, h.opened)
	}
	n.TypedRune('+')
	n.TypedRune('+')
	n.TypedRune('-')
	if math.Abs(n.view.zoom-keyStep) > 1e-9 {
		t.Errorf("zoom %g", n.view.zoom)
	}
	n.KeyDown(key(desktop.KeyShiftLeft))
	before := n.view.middle
	press(fyne.KeyRight)
	if n.view.middle.X <= before.X || n.Selected() != 1 {
		t.Errorf("with Shift: from %v to %v, selected %d", before, n.view.middle, n.Selected())
	}
	n.KeyUp(key(desktop.KeyShiftLeft))
	press(fyne.KeyEscape)
	if n.Selected() != -1 || !n.Zoomed() {
		t.Error("Escape ends the selection first")
	}
	press(fyne.KeyEscape)
	if n.Zoomed() {
		t.Error("and then the zoom")
	}
	n.TypedRune('+')
	n.TypedRune('0')
	runes := ""
	n.OnRune = func(r rune) { runes += string(r) }
	n.TypedRune('x')
	n.OnKey = func(*fyne.KeyEvent) bool { return true }
	press(fyne.KeyDown)
	if n.Zoomed() || runes != "x" || n.Selected() != -1 {
		t.Errorf("zoomed %v, runes %q, selected %d", n.Zoomed(), runes, n.Selected())
	}
	w.Canvas().Unfocus()
	if n.focused {
		t.Error("the focus stays")
	}
}

// TestOnward: an arrow key goes to what lies in its direction, along counting once and across twice; what does not count is passed over.
func TestOnward(t *testing.T) {
	at := []fyne.Position{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 6, Y: 3}, {X: -4, Y: -1}, {X: 0, Y: 9}}
	place := func(k int) (fyne.Position, bool) { return at[k], k != 0 }
	for key, want := range map[fyne.KeyName]int{fyne.KeyRight: 1, fyne.KeyLeft: 3, fyne.KeyDown: 4, fyne.KeyUp: 3} {
		dx, dy := arrowOf(key)
		if got := onward(len(at), at[0], dx, dy, place); got != want {
			t.Errorf("%s goes to %d, want %d", key, got, want)
		}
	}
	if got := onward(len(at), at[1], 1, 0, place); got != -1 {
		t.Errorf("behind the last one is %d", got)
	}
	if dx, dy := arrowOf(fyne.KeyReturn); dx != 0 || dy != 0 {
		t.Error("Return is an arrow")
	}
}
