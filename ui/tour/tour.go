// Package tour leads through a window: a card with a few sentences lies beside what they are
// about, and all the rest is dimmed. It knows nothing of what it shows; the window hands it the
// steps. Everything here runs on Fyne's main goroutine.
package tour

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Step is one card.
type Step struct {
	Title, Text string
	// Enter puts on the screen what the step is about; nil where it is there already.
	Enter func()
	// Target is where that lies in the window, with a size of zero where it is nowhere: the card
	// then lies in the middle.
	Target func() (fyne.Position, fyne.Size)
}

// Options are what a tour needs of its window.
type Options struct {
	Canvas fyne.Canvas
	Steps  []Step
	// Later runs a function when the window has laid itself out, because what lies over it is laid
	// out before.
	Later func(func())
	// Ended is called once, when the tour was left or walked to its end.
	Ended func()
}

// Tour lies over a window from Start on until it is left.
type Tour struct {
	widget.BaseWidget
	options Options
	at      int
	open    bool
	card    *card
}

// Start lays a tour over the window, at its first step. It has the keyboard: Return and the arrow
// keys walk on and back, Tab reaches every button, Escape leaves (which the window tells by
// Leave).
func Start(o Options) *Tour {
	t := &Tour{options: o, open: true}
	t.card = newCard(t)
	t.ExtendBaseWidget(t)
	o.Canvas.Overlays().Add(t)
	t.show(0)
	return t
}

// At is the number of the step that is shown, from 0.
func (t *Tour) At() int { return t.at }

// Open tells whether the tour lies over the window still.
func (t *Tour) Open() bool { return t.open }

// Leave ends the tour.
func (t *Tour) Leave() {
	if !t.open {
		return
	}
	t.open = false
	t.options.Canvas.Overlays().Remove(t)
	t.options.Ended()
}

// Next goes to the next step, and ends the tour after the last one.
func (t *Tour) Next() {
	if t.at+1 == len(t.options.Steps) {
		t.Leave()
		return
	}
	t.show(t.at + 1)
}

// Back goes to the step before, if there is one.
func (t *Tour) Back() {
	if t.at > 0 {
		t.show(t.at - 1)
	}
}

func (t *Tour) show(at int) {
	t.at = at
	if enter := t.options.Steps[at].Enter; enter != nil {
		enter()
	}
	t.card.fill(t.options.Steps[at], at, len(t.options.Steps))
	t.Refresh()
	t.focus()
	t.Follow()
}

// Follow puts card and light where the target lies once the window has laid itself out anew.
func (t *Tour) Follow() {
	t.options.Later(func() {
		if t.open {
			t.Refresh()
		}
	})
}

// focus gives the keyboard to what walks on.
func (t *Tour) focus() { t.options.Canvas.Focus(t.card.next) }

// Tapped takes clicks beside the card, so that nothing below hears of them, and keeps the keyboard.
func (t *Tour) Tapped(*fyne.PointEvent) { t.focus() }

// target is what the step is about, cut at the window's edges; ok is false where it is nowhere.
func (t *Tour) target(window fyne.Size) (area, bool) {
	where := t.options.Steps[t.at].Target
	if where == nil {
		return area{}, false
	}
	at, size := where()
	a := area{max(at.X, 0), max(at.Y, 0), min(at.X+size.Width, window.Width), min(at.Y+size.Height, window.Height)}
	return a, a.width() > 0 && a.height() > 0
}
