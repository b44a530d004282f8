package inspect

import (
	"math"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// keys hands the keys of every focusable widget on the screen, and those that a pane does not use,
// to the screen.
func (s *Screen) keys() widget.Keys {
	return widget.Keys{OnRune: s.TypedRune, OnKey: func(ev *fyne.KeyEvent) bool { return s.TypedKey(ev.Name) }}
}

// tileKey leaves a matrix that has the keyboard its arrows, Return and Escape.
func (f *widgets) tileKey(_ int, ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyHome, fyne.KeyEnd:
		return f.s.TypedKey(ev.Name)
	}
	return false
}

// focus gives the key surface the focus, unless a dialog lies over the window.
func (s *Screen) focus() {
	if s.shown && s.Window.Canvas().Overlays().Top() == nil {
		s.widgets.surface.TakeIn(s.Window.Canvas()) // also before the screen was ever drawn
	}
}

// refocus takes the keys back when a click left them with nothing at all, as one on the tab in
// front does.
func (s *Screen) refocus() {
	if s.Window.Canvas().Focused() == nil {
		s.focus()
	}
}

// shareStep is what the brackets add to the share of the suite, in percent.
const shareStep = 5

// TypedRune takes a letter: D, P, O choose colour ranges, A, C, W the images, the brackets their
// share, R another sample of it, - and + the interval of V.
func (s *Screen) TypedRune(r rune) {
	switch r {
	case 'd', 'D':
		s.widgets.preset.SetSelectedIndex(int(evidence.Shared))
	case 'p', 'P':
		s.widgets.preset.SetSelectedIndex(int(evidence.Paper))
	case 'o', 'O':
		s.widgets.askRange()
	case 'a', 'A':
		s.choose(variance.All)
	case 'c', 'C':
		s.choose(variance.Correct)
	case 'w', 'W':
		s.choose(variance.Wrong)
	case '[':
		s.nudge(s.widgets.share, -shareStep)
	case ']':
		s.nudge(s.widgets.share, shareStep)
	case 'r', 'R':
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
func (s *Screen) nudge(slider *slider, by float64) {
	if slider.Disabled() {
		return
	}
	to := slider.Value + by
	if math.Abs(by) == shareStep {
		to = by * math.Floor(to/by) // with a negative step this rounds up
	}
	slider.SetValue(min(max(to, slider.Min), slider.Max))
}

// TypedKey takes a named key. Page up and down, Home and End step through the models; so do left
// and right, unless an element has the focus: the arrows then move it, and Escape lets it go. It
// returns false for keys that it does not use.
func (s *Screen) TypedKey(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyPageUp:
		s.Step(-1)
	case fyne.KeyPageDown:
		s.Step(1)
	case fyne.KeyHome:
		s.Step(-len(s.answer.models))
	case fyne.KeyEnd:
		s.Step(len(s.answer.models))
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
		s.Focus(pane.Whole(s.cell.Modality))
	default:
		return false
	}
	return true
}

func (f *widgets) choosePreset(p evidence.Preset) {
	if p == evidence.Own {
		f.askRange()
		return
	}
	f.s.Preset(p)
}

// askRange asks for one's own colour range; without an answer the menu shows what is in force.
func (f *widgets) askRange() {
	evidence.AskRange(f.s.Host, f.s.kept.view.Own, f.s.OwnRange, func() {
		f.showControls()
		f.s.focus()
	})
}
