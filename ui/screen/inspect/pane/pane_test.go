package pane

import (
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

func TestPaneTakesTheKeyboardBack(t *testing.T) {
	test.NewTempApp(t)
	var keys []string
	entry := fynewidget.NewEntry()
	w := test.NewTempWindow(t, entry)
	pass := widget.Keys{OnRune: func(r rune) { keys = append(keys, string(r)) }}
	g := NewBase(Site{Host: &kit.Host{Window: w}, Keys: pass}, "Pane", true)
	g.Lay(container.NewVBox(entry), func(r rune) bool { return r == 'x' }, nil)
	w.SetContent(g.Object())
	w.Canvas().Focus(entry)
	g.TakeBack()
	w.Canvas().Focused().TypedRune('c')
	w.Canvas().Focused().TypedRune('X') // the pane uses it
	if !g.Focused() || len(keys) != 1 || keys[0] != "c" {
		t.Errorf("focused %v, keys %v", g.Focused(), keys)
	}
	w.Canvas().Focus(entry)
	w.Canvas().Overlays().Add(canvas.NewRectangle(nil))
	g.TakeBack()
	if g.Focused() {
		t.Error("the keyboard was taken from a dialog")
	}
}
