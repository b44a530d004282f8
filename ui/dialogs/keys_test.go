package dialogs

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/ui/keymap"
)

func TestKeysPage(t *testing.T) {
	d := newRig(t, 1)
	book, err := keymap.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	KeysDialog(d.host, book)
	catcher := func(n int) *keyCatcher { return find[*keyCatcher](d)[n] }
	test.Tap(&catcher(0).Button)
	focused := d.host.Window.Canvas().Focused()
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyX}) // the driver reports the key, then its character
	focused.TypedRune('x')
	if got := book.Map().Keys(keymap.Invariant); len(got) != 2 || got[1].Rune != 'x' || !d.says("Invariant: I, X") {
		t.Fatalf("keys %v", got)
	}
	test.Tap(&catcher(1).Button)
	d.host.Window.Canvas().Focused().TypedRune('v')
	if len(book.Map().Keys(keymap.Borderline)) != 1 || !d.says(`V is the key of "Variant"`) {
		t.Error("a key that is taken was given away, or nothing is said")
	}
	test.Tap(&catcher(1).Button)
	d.host.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF5})
	if book.Map().Keys(keymap.Borderline)[1].Name != fyne.KeyF5 {
		t.Error("a named key is not taken")
	}
	test.Tap(&catcher(1).Button)
	d.host.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if catcher(1).waiting || len(book.Map().Keys(keymap.Borderline)) != 2 {
		t.Error("Escape does not end the waiting")
	}
	d.press("X  ×")
	d.press("I  ×")
	if len(book.Map().Keys(keymap.Invariant)) != 0 || !d.says("Invariant has no key") {
		t.Error("keys cannot be taken away")
	}
	d.press("The usual keys for everything")
	if book.Map().JSON() != "" {
		t.Error("the usual keys are not back")
	}
}
