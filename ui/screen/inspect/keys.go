package inspect

import (
	"math"
	"unicode"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// keys hands the keys of every focusable widget on the screen to the tab in front, and those that
// it does not use to the screen.
func (s *Screen) keys() widget.Keys {
	return widget.Keys{OnRune: func(r rune) {
		if used := s.widgets.front().OnRune; used == nil || !used(unicode.ToLower(r)) {
			s.typedRune(unicode.ToLower(r))
		}
	}, OnKey: func(ev *fyne.KeyEvent) bool {
		used := s.widgets.front().OnKey
		return used != nil && used(ev.Name) || s.typedKey(ev.Name)
	}}
}

// tileKey leaves a matrix that has the keyboard its arrows, Return and Escape.
func (f *widgets) tileKey(_ int, ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyHome, fyne.KeyEnd:
		return f.s.typedKey(ev.Name)
	}
	return false
}

// shareStep is what the brackets add to the share of the suite, in percent.
const shareStep = 5

// typedRune takes a small letter: D, P, O choose colour ranges, M one matrix alone, A, C, W the
// images, the brackets their share, R another sample of it, - and + the interval of V.
func (s *Screen) typedRune(r rune) {
	switch r {
	case 'd':
		s.Preset(evidence.Shared)
	case 'p':
		s.Preset(evidence.Paper)
	case 'o':
		s.widgets.askRange()
	case 'm':
		s.widgets.alone()
	case 'a':
		s.choose(variance.All)
	case 'c':
		s.choose(variance.Correct)
	case 'w':
		s.choose(variance.Wrong)
	case '[':
		s.nudge(s.widgets.share, -shareStep)
	case ']':
		s.nudge(s.widgets.share, shareStep)
	case 'r':
		s.widgets.control(func(c *Controls) { c.Draw++ })
	case '-':
		s.nudge(s.widgets.reach, -1)
	case '+', '=':
		s.nudge(s.widgets.reach, 1)
	}
}

// choose takes all, the correct or the wrong images, as the menu would.
func (s *Screen) choose(which variance.Which) {
	if s.widgets.which.Disabled() {
		s.Say("Which images are right is not known here: all of them count.")
		return
	}
	s.widgets.which.SetSelectedIndex(int(which))
}

// nudge moves a slider by a step, as a drag would; from an odd share to the next whole step.
func (s *Screen) nudge(slider *widget.Slider, by float64) {
	if slider.Disabled() {
		return
	}
	to := slider.Value + by
	if math.Abs(by) == shareStep {
		to = by * math.Floor(to/by) // with a negative step this rounds up
	}
	slider.SetValue(min(max(to, slider.Min), slider.Max))
}

// typedKey takes a named key. Page up and down, Home and End step through the models; so do left
// and right, unless an element has the focus: the arrows then move it, and Escape lets it go. It
// returns false for keys that it does not use.
func (s *Screen) typedKey(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyPageUp:
		s.Step(-1)
	case fyne.KeyPageDown:
		s.Step(1)
	case fyne.KeyHome:
		s.Step(-len(s.data().models))
	case fyne.KeyEnd:
		s.Step(len(s.data().models))
	case fyne.KeyLeft:
		if !s.moveFocus(0, -1) {
			s.Step(-1)
		}
	case fyne.KeyRight:
		if !s.moveFocus(0, 1) {
			s.Step(1)
		}
	case fyne.KeyUp:
		return s.moveFocus(1, 0)
	case fyne.KeyDown:
		return s.moveFocus(-1, 0)
	case fyne.KeyEscape:
		if !s.cell.Cell() {
			return false
		}
		s.Mark(pane.Whole(s.cell.Modality))
	default:
		return false
	}
	return true
}

// moveFocus moves the marked element within the interval that is shown; it is false without one.
func (s *Screen) moveFocus(di, dj int) bool {
	f, frame := s.cell, s.data().frame
	if f.Cell() {
		f.I, f.J = min(max(f.I+di, frame.first), frame.last), min(max(f.J+dj, frame.first), frame.last)
		s.Mark(f)
	}
	return f.Cell()
}
