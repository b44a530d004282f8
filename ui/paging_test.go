package ui

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestPageKeysScrollDialogs: what a dialog has to read beyond its height can be read without the
// mouse, from the text itself and from the dialog's buttons, and no further than to its ends.
func TestPageKeysScrollDialogs(t *testing.T) {
	o := open(t, 1, nil)
	if o.TakeKey(fyne.KeyPageDown) {
		t.Error("a screen's key was taken from it")
	}
	for name, show := range map[string]func(){"the guide": o.guide, "the check": o.checkWorkspace} {
		o.Window.Window().Resize(fyne.NewSize(900, 420))
		show()
		o.idle()
		over := o.Window.Window().Canvas().Overlays().Top()
		list := scrolling(contentOf(over))
		if len(list) == 0 {
			t.Fatalf("%s: nothing in it scrolls", name)
		}
		offset := func() (sum float32) {
			for _, s := range list {
				sum += s.Offset.Y
			}
			return sum
		}
		o.tabTo(t, "a button of "+name, func(at fyne.CanvasObject) bool { _, ok := at.(*widget.Button); return ok })
		if !o.TakeKey(fyne.KeyPageDown) || offset() <= 0 {
			t.Errorf("%s: a page down leads to %v", name, offset())
		}
		for range 200 {
			o.TakeKey(fyne.KeyPageDown)
		}
		end := offset()
		if o.TakeKey(fyne.KeyPageDown); offset() != end {
			t.Errorf("%s: it scrolls beyond its end", name)
		}
		for range 201 {
			o.TakeKey(fyne.KeyPageUp)
		}
		if offset() != 0 {
			t.Errorf("%s: pages up lead to %v", name, offset())
		}
		o.dismiss()
	}
}

// TestPageKeysAreLeftToEntries: where they move the cursor.
func TestPageKeysAreLeftToEntries(t *testing.T) {
	o := open(t, 1, nil)
	o.Window.Window().Resize(fyne.NewSize(900, 420))
	o.Import(nil)
	o.idle()
	if entryOf(o.Window.Window().Canvas().Focused()) == nil {
		t.Fatalf("the keyboard is at %T", o.Window.Window().Canvas().Focused())
	}
	if o.TakeKey(fyne.KeyPageDown) {
		t.Error("an entry does not hear the key")
	}
}

// TestPageKeysFillLists: where a list is the largest of what scrolls, a page down shows its later
// rows.
func TestPageKeysFillLists(t *testing.T) {
	o := open(t, 1, nil)
	o.Window.Window().Resize(fyne.NewSize(900, 420))
	list := widget.NewList(func() int { return 100 }, func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, row fyne.CanvasObject) { row.(*widget.Label).SetText(fmt.Sprint("row ", i)) })
	c := o.Window.Window().Canvas()
	widget.NewModalPopUp(container.NewGridWrap(fyne.NewSize(300, 200), list), c).Show()
	shown := func() (rows []string) {
		stage.Walk(list, func(object fyne.CanvasObject) {
			if label, ok := object.(*widget.Label); ok {
				rows = append(rows, label.Text)
			}
		})
		return rows
	}
	if !slices.Contains(shown(), "row 0") {
		t.Fatal(shown())
	}
	for range 3 {
		if !turnPage(c.Overlays().Top(), 1) {
			t.Fatal("nothing scrolls")
		}
	}
	if rows := shown(); len(rows) == 0 || slices.Contains(rows, "row 0") || !slices.Contains(rows, "row 12") {
		t.Errorf("three pages down the list shows %v", rows)
	}
}
