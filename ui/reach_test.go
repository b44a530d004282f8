package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	parts "github.com/variscope/variscope/ui/widget"
)

// TestTabScrollsIntoSight: Tab and Shift+Tab lead through what takes the keyboard, also out of
// entries with several lines, and what lies out of sight is scrolled into sight.
func TestTabScrollsIntoSight(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	box := container.NewVBox(widget.NewMultiLineEntry())
	for range 40 {
		box.Add(widget.NewEntry())
	}
	scroll := container.NewVScroll(box)
	scroll.SetMinSize(fyne.NewSize(300, 200))
	d := dialog.NewCustom("Dialog", "Close", scroll, o.Window.Window())
	d.Show()
	defer d.Hide()
	c := o.Window.Window().Canvas()
	for k, entry := range box.Objects {
		if o.TakeKey(fyne.KeyTab); c.Focused() != entry.(fyne.Focusable) {
			t.Fatalf("after %d presses the keyboard is at %T", k+1, c.Focused())
		}
		top := entry.Position().Y - scroll.Offset.Y
		if top < 0 || top+entry.Size().Height > scroll.Size().Height {
			t.Fatalf("entry %d is out of sight", k)
		}
	}
	for range box.Objects[1:] {
		o.TakeKey(KeyBackTab)
	}
	if c.Focused() != box.Objects[0].(fyne.Focusable) || scroll.Offset.Y > box.Objects[0].Size().Height {
		t.Errorf("the keyboard is at %T", c.Focused())
	}
}

// tabTo presses Tab until it has led to an object that is the one.
func (o *opened) tabTo(t *testing.T, what string, is func(fyne.CanvasObject) bool) {
	t.Helper()
	for range 500 {
		o.TakeKey(fyne.KeyTab)
		if at, ok := o.Window.Window().Canvas().Focused().(fyne.CanvasObject); ok && is(at) {
			return
		}
	}
	t.Fatalf("Tab does not lead to %s", what)
}

// TestReturnOpensMenusAndTicks: Return at menus of each kind and at checks, in the window and in a
// dialog.
func TestReturnOpensMenusAndTicks(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	c := o.Window.Window().Canvas()
	choice := parts.NewChoice(nil)
	choice.SetNodes([]parts.ChoiceNode{{Title: "a", Option: "a"}, {Title: "b", Option: "b"}})
	picker := parts.NewPicker(func(string) {})
	picker.Offer([]parts.Option{{Key: "a", Name: "a"}, {Key: "b", Name: "b"}}, "a")
	plain, check := widget.NewSelect([]string{"a", "b"}, nil), widget.NewCheck("c", nil)
	box := container.NewVBox(choice, picker, plain, check)
	tries := func(where string) {
		t.Helper()
		below := o.over()
		for _, f := range []fyne.Focusable{choice, picker, plain} {
			c.Focus(f)
			if !o.TakeKey(fyne.KeyReturn) || o.over() == below {
				t.Errorf("%s: Return at %T opens no menu", where, f)
				continue
			}
			menu := o.over()
			menu.Hide()
			c.Overlays().Remove(menu)
		}
		before := check.Checked
		c.Focus(check)
		if !o.TakeKey(fyne.KeyReturn) || check.Checked == before || o.over() != below {
			t.Errorf("%s: Return does not tick", where)
		}
	}
	o.frame.Add(box)
	tries("in the window")
	o.frame.Remove(box)
	d := dialog.NewCustom("Dialog", "Close", box, o.Window.Window())
	d.Show()
	tries("in a dialog")
	d.Hide()
}

// TestAScreenTakesTheKeyboard: what has the keyboard lies on the screen that is shown, also where
// the screen had nothing to show when it came.
func TestAScreenTakesTheKeyboard(t *testing.T) {
	o := openLabelled(t)
	o.settled()
	for place := range places {
		o.Go(place)
		o.settle()
		focused := o.Window.Window().Canvas().Focused()
		found := focused == nil && place != Models && place != Label && place != Inspect
		stage.Walk(o.screens[place].Object(), func(object fyne.CanvasObject) {
			found = found || object == any(focused)
		})
		if !found {
			t.Errorf("%s is shown, and %T has the keyboard", place, focused)
		}
	}
}
