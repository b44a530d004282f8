package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// A key that nobody would hear goes to the screen, but not past a dialog.
func TestKeysWithoutAHolderGoToTheScreen(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 2, nil)
	o.Go(Inspect)
	o.settle()
	c := o.Window.Window().Canvas()
	surface := surfaceIn(o.screens[Inspect].Object())
	if surface == nil {
		t.Fatal("the screen has no key surface")
	}
	for _, step := range []struct {
		what string
		key  fyne.KeyName
		over bool
		want bool
	}{
		{"a letter", fyne.KeyD, false, true},
		{"Tab", fyne.KeyTab, false, false},
		{"a letter behind a dialog", fyne.KeyD, true, false},
	} {
		c.Unfocus()
		dialog := widget.NewModalPopUp(widget.NewLabel("over it"), c)
		if step.over {
			dialog.Show()
		}
		o.unfocusedKey(&fyne.KeyEvent{Name: step.key})
		if got := c.Focused() == fyne.Focusable(surface); got != step.want {
			t.Errorf("after %s the screen has the keyboard: %v, want %v", step.what, got, step.want)
		}
		dialog.Hide()
	}
}
