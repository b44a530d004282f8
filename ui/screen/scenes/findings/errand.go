package findings

import (
	"context"
	"errors"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
)

// errand is slow work that a button starts and, while it is under way, cancels. How far it is
// stands in the window's last line. What was overtaken by another start, or dropped, is not heard
// of.
type errand struct {
	p      *Page
	button *fynewidget.Button
	room   *canvas.Rectangle // keeps the button where it is while it says Cancel
	text   string
	icon   fyne.Resource
	job    *background.Job
	latest background.Latest
}

func newErrand(p *Page, text string, do func()) *errand {
	e := &errand{p: p, room: canvas.NewRectangle(color.Transparent), text: text, icon: theme.MediaPlayIcon()}
	e.button = fynewidget.NewButtonWithIcon(text, e.icon, func() {
		if e.job != nil {
			e.job.Cancel()
			return
		}
		do()
	})
	return e
}

// object is what the page shows.
func (e *errand) object() fyne.CanvasObject { return container.NewStack(e.room, e.button) }

// busy tells whether the work is under way.
func (e *errand) busy() bool { return e.job != nil }

// name gives the button another text for the time that nothing is under way, and says whether it
// can be pressed.
func (e *errand) name(text string, can bool) {
	e.text = text
	if e.busy() {
		return
	}
	e.button.SetText(text)
	if can {
		e.button.Enable()
	} else {
		e.button.Disable()
	}
}

// start runs work as a job. done is called on the main goroutine when it has ended, also after a
// cancel and after an error, which is told.
func (e *errand) start(title string, work func(context.Context, *background.Progress) error, done func()) {
	id := e.latest.Next()
	e.room.SetMinSize(e.button.MinSize())
	e.button.SetText("Cancel")
	e.button.SetIcon(theme.CancelIcon())
	e.job = e.p.deps.Host.Work.Start(title, work, func(err error) {
		if !e.latest.Is(id) {
			return
		}
		e.rest()
		switch {
		case err == nil:
			done()
		case errors.Is(err, background.ErrClosed):
		case present.Cancelled(err): // the window says so
			done()
		default:
			e.p.deps.Host.Fail(err)
			done()
		}
	})
}

// rest gives the button its own text back.
func (e *errand) rest() {
	e.job = nil
	e.room.SetMinSize(fyne.Size{})
	e.button.SetIcon(e.icon)
	e.button.SetText(e.text)
}

// drop ends the work under way; nobody waits for it any more.
func (e *errand) drop() {
	e.latest.Next()
	if e.job != nil {
		e.job.Drop()
		e.rest()
	}
}
