package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

var _ fyne.Focusable = (*Slider)(nil)

// Slider is Fyne's for whole numbers, but the mouse never leaves the keyboard with it, and keys
// that it does not use go to its Keys.
type Slider struct {
	widget.Slider
	Keys Keys

	done func()
}

// NewSlider makes a slider. done is called after the mouse let go, and after Escape.
func NewSlider(low, high float64, keys Keys, changed func(float64), done func()) *Slider {
	s := &Slider{Keys: keys, done: done}
	s.Min, s.Max, s.Step, s.OnChanged = low, high, 1, changed
	s.ExtendBaseWidget(s)
	return s
}

// Put shows a value, and that most is the largest one, without telling.
func (s *Slider) Put(value, most int) {
	if s.Max != float64(most) || s.Value != float64(value) {
		s.Max, s.Value = float64(most), float64(value)
		s.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (s *Slider) Tapped(ev *fyne.PointEvent) {
	s.Slider.Tapped(ev)
	s.done()
}

// DragEnd implements fyne.Draggable.
func (s *Slider) DragEnd() {
	s.Slider.DragEnd()
	s.done()
}

// TypedRune implements fyne.Focusable.
func (s *Slider) TypedRune(r rune) { s.Keys.passRune(r) }

// TypedKey implements fyne.Focusable: left and right move the slider, Escape gives the keyboard
// back.
func (s *Slider) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyLeft, fyne.KeyRight:
		s.Slider.TypedKey(ev)
	case fyne.KeyEscape:
		s.done()
	default:
		s.Keys.passKey(ev)
	}
}
