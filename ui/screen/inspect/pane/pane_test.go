package pane

import (
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
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

func TestPaneFollowsTheTheme(t *testing.T) {
	app := test.NewTempApp(t)
	outer, inner := newPart(), newPart()
	g := NewBase(Site{Host: &kit.Host{}}, "Pane", true)
	g.Lay(container.NewVBox(outer), nil, nil, inner)
	g.Redress()
	if outer.drawn+inner.drawn != 0 {
		t.Error("drawn anew under the same theme")
	}
	app.Settings().SetTheme(theme.DefaultTheme())
	before := []int{outer.drawn, inner.drawn}
	g.Redress()
	if outer.drawn <= before[0] || inner.drawn <= before[1] {
		t.Error("not drawn anew under another theme")
	}
	before = []int{outer.drawn, inner.drawn}
	g.Redress()
	if outer.drawn != before[0] || inner.drawn != before[1] {
		t.Error("drawn anew again")
	}
}
