package pane

import (
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// part counts how often it is drawn anew.
type part struct {
	fynewidget.Label
	drawn int
}

func (p *part) Refresh() {
	p.drawn++
	p.Label.Refresh()
}

func newPart() *part {
	p := &part{}
	p.ExtendBaseWidget(p)
	return p
}

func TestGroundTakesTheKeyboardBack(t *testing.T) {
	test.NewTempApp(t)
	var keys []string
	entry := fynewidget.NewEntry()
	g := NewGround(container.NewVBox(entry), widget.Keys{OnRune: func(r rune) { keys = append(keys, string(r)) }})
	w := test.NewTempWindow(t, g.Surface)
	w.Canvas().Focus(entry)
	g.TakeBack()
	w.Canvas().Focused().TypedRune('c')
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

func TestGroundFollowsTheTheme(t *testing.T) {
	app := test.NewTempApp(t)
	outer, inner := newPart(), newPart()
	g := NewGround(container.NewVBox(outer), widget.Keys{}, inner)
	g.Shown()
	if outer.drawn+inner.drawn != 0 {
		t.Error("drawn anew under the same theme")
	}
	app.Settings().SetTheme(theme.DefaultTheme())
	before := []int{outer.drawn, inner.drawn}
	g.Shown()
	if outer.drawn <= before[0] || inner.drawn <= before[1] {
		t.Error("not drawn anew under another theme")
	}
	before = []int{outer.drawn, inner.drawn}
	g.Shown()
	if outer.drawn != before[0] || inner.drawn != before[1] {
		t.Error("drawn anew again")
	}
}
