package ranking

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
)

// study is the head of a page whose numbers are measured when they are asked for: a button, what
// is under way, and what there is to say.
type study struct {
	s     *Screen
	task  *task
	start *fynewidget.Button
	note  *fynewidget.Label
	box   *fyne.Container
}

func newStudy(s *Screen, text string, start func()) *study {
	t := &study{s: s, task: newTask(s.deps.Work), note: fynewidget.NewLabel("")}
	t.start = fynewidget.NewButtonWithIcon(text, theme.MediaPlayIcon(), start)
	t.note.Wrapping = fyne.TextWrapWord
	t.note.Hide()
	t.box = container.NewVBox(t.note, t.task.object())
	t.task.laid = func() {
		if t.task.busy() {
			t.start.Disable()
		} else {
			t.start.Enable()
		}
		t.box.Refresh()
	}
	return t
}

// say shows a line below the head, "" for none.
func (t *study) say(text string) {
	t.note.SetText(text)
	t.note.Hidden = text == ""
	t.box.Refresh()
}

// ended says why there is nothing new, and tells whether there is.
func (t *study) ended(err error) bool {
	switch {
	case err == nil:
		t.say("")
	case present.Cancelled(err):
		t.say("Cancelled.")
	default:
		t.say(present.Sentence(err))
		t.s.deps.ShowError(err)
	}
	return err == nil
}
