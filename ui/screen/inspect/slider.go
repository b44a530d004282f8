package inspect

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// slider is Fyne's, but the mouse never leaves the keyboard with it, and keys that it does not use reach the screen.
type slider struct {
	fynewidget.Slider
	keys widget.Keys
	done func() // after the mouse let go, and after Escape
}

var (
	_ fyne.Focusable = (*slider)(nil)
	_ fyne.Tappable  = (*slider)(nil)
	_ fyne.Draggable = (*slider)(nil)
)

func newSlider(low, high float64, keys widget.Keys, changed func(float64), done func()) *slider {
	s := &slider{keys: keys, done: done}
	s.Min, s.Max, s.Step, s.OnChanged = low, high, 1, changed
	s.ExtendBaseWidget(s)
	return s
}

// Tapped implements fyne.Tappable.
func (s *slider) Tapped(ev *fyne.PointEvent) {
	s.Slider.Tapped(ev)
	s.done()
}

// DragEnd implements fyne.Draggable.
func (s *slider) DragEnd() {
	s.Slider.DragEnd()
	s.done()
}

// TypedRune implements fyne.Focusable.
func (s *slider) TypedRune(r rune) { s.keys.OnRune(r) }

// TypedKey implements fyne.Focusable: left and right move the slider, Escape gives the keyboard back.
func (s *slider) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyLeft, fyne.KeyRight:
		s.Slider.TypedKey(ev)
	case fyne.KeyEscape:
		s.done()
	default:
		s.keys.OnKey(ev)
	}
}
