package features

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/words"
)

// emptiness stands in place of the table: why there is none, or that it is being measured.
type emptiness struct {
	s       *Screen
	object  *fyne.Container
	text    *fynewidget.Label
	buttons *fyne.Container
}

func newEmptiness(s *Screen) *emptiness {
	e := &emptiness{s: s, text: fynewidget.NewLabel(""), buttons: container.NewHBox()}
	e.text.Alignment = fyne.TextAlignCenter
	column := container.New(layout.NewVBoxLayout(), e.text, container.NewCenter(e.buttons))
	e.object = container.NewCenter(column)
	e.object.Hide()
	return e
}

// work says that the models are being measured; how far that is stands in the window's last line, with a way to cancel it.
func (e *emptiness) work() {
	e.text.SetText(words.T("Measuring features…"))
	e.offer()
}

func (e *emptiness) stop() { e.object.Hide() }

// again says why there is nothing and offers to measure again.
func (e *emptiness) again(why string) {
	e.text.SetText(why)
	e.offer(fynewidget.NewButtonWithIcon(words.T("Measure again"), theme.ViewRefreshIcon(), e.s.Refresh))
}

// show says what a workspace lacks.
func (e *emptiness) show(v vacancy) {
	e.text.SetText(v.text)
	var buttons []fyne.CanvasObject
	if v.imports && e.s.deps.Import != nil {
		buttons = append(buttons, fynewidget.NewButtonWithIcon(words.T("Import…"), theme.ContentAddIcon(), e.s.deps.Import))
	}
	if v.runs && e.s.deps.Run != nil {
		buttons = append(buttons, fynewidget.NewButtonWithIcon(words.T("Run models…"), theme.MediaPlayIcon(), e.s.runLeft))
	}
	if v.picks {
		buttons = append(buttons, fynewidget.NewButtonWithIcon(words.T("Choose other matrices…"), theme.SettingsIcon(), e.s.askLayout))
	}
	e.offer(buttons...)
}

func (e *emptiness) offer(buttons ...fyne.CanvasObject) {
	e.buttons.Objects = buttons
	e.object.Show()
	e.object.Refresh()
}

// runLeft opens the run dialog for the models that were left out, with what the vector needs.
func (s *Screen) runLeft() {
	var models []string
	for _, l := range s.answer.set.Left {
		models = append(models, l.Hash)
	}
	if s.deps.Run != nil {
		s.deps.Run(models, s.answer.layout.Modalities)
	}
}
