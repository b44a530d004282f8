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

	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// task is slow work that a button starts and, while it is under way, cancels. How far it is
// stands in the window's last line. What was overtaken by another start, or dropped, is not heard
// of.
type task struct {
	p      *Page
	button *fynewidget.Button
	room   *canvas.Rectangle // keeps the button where it is while it says Cancel
	text   string
	icon   fyne.Resource
	job    *jobs.Job
	latest jobs.Latest
}

func newTask(p *Page, text string, do func()) *task {
	t := &task{p: p, room: canvas.NewRectangle(color.Transparent), text: text, icon: theme.MediaPlayIcon()}
	t.button = fynewidget.NewButtonWithIcon(text, t.icon, func() {
		if t.job != nil {
			t.job.Cancel()
			return
		}
		do()
	})
	return t
}

// object is what the page shows.
func (t *task) object() fyne.CanvasObject { return container.NewStack(t.room, t.button) }

// busy tells whether the work is under way.
func (t *task) busy() bool { return t.job != nil }

// name gives the button another text for the time that nothing is under way, and says whether it
// can be pressed.
func (t *task) name(text string, can bool) {
	t.text = text
	if t.busy() {
		return
	}
	t.button.SetText(text)
	widget.Enable(t.button, can)
}

// start runs work as a job. done is called on the main goroutine when it has ended, also after a
// cancel and after an error, which is told.
func (t *task) start(title string, work func(context.Context, *jobs.Progress) error, done func()) {
	id := t.latest.Next()
	t.room.SetMinSize(t.button.MinSize())
	t.button.SetText("Cancel")
	t.button.SetIcon(theme.CancelIcon())
	t.job = t.p.Work.Start(title, work, func(err error) {
		if !t.latest.Is(id) {
			return
		}
		t.rest()
		if errors.Is(err, jobs.ErrClosed) {
			return
		}
		if err != nil && !present.Cancelled(err) { // of a cancel the window says so
			t.p.Fail(err)
		}
		done()
	})
}

// rest gives the button its own text back.
func (t *task) rest() {
	t.job = nil
	t.room.SetMinSize(fyne.Size{})
	t.button.SetIcon(t.icon)
	t.button.SetText(t.text)
}

// drop ends the work under way; nobody waits for it any more.
func (t *task) drop() {
	t.latest.Next()
	if t.job != nil {
		t.job.Drop()
		t.rest()
	}
}
