package ranking

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/words"
)

// emptiness is what the screen shows in place of the tabs: why there is nothing, and buttons for what helps.
type emptiness struct {
	s       *Screen
	text    *fynewidget.Label
	buttons *fyne.Container
	object  fyne.CanvasObject
}

func newEmptiness(s *Screen) *emptiness {
	e := &emptiness{s: s, text: fynewidget.NewLabel(""), buttons: container.NewHBox()}
	e.text.Alignment, e.text.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	e.object = container.NewCenter(container.NewVBox(wide(640, e.text), container.NewCenter(e.buttons)))
	return e
}

// work says that something is being done.
func (e *emptiness) work() {
	e.say(words.T("Reading predictions and ranking…"))
}

// again says why there is nothing, and offers to try again.
func (e *emptiness) again(why string) {
	e.say(why, fynewidget.NewButtonWithIcon(words.T("Rank again"), theme.ViewRefreshIcon(), e.s.Refresh))
}

// show says what is missing.
func (e *emptiness) show(v vacancy) {
	var buttons []fyne.CanvasObject
	add := func(wanted bool, text string, icon fyne.Resource, do func()) {
		if wanted && do != nil {
			buttons = append(buttons, fynewidget.NewButtonWithIcon(text, icon, do))
		}
	}
	add(v.runs && e.s.deps.Predict != nil, words.T("Predict with them"), theme.MediaPlayIcon(), e.s.predictLeft)
	add(v.imports, words.T("Import…"), theme.ContentAddIcon(), e.s.deps.Import)
	add(v.imports, words.T("Import predictions…"), theme.ContentAddIcon(), e.s.deps.ImportPredictions)
	e.say(v.text, buttons...)
}

func (e *emptiness) say(text string, buttons ...fyne.CanvasObject) {
	e.text.SetText(text)
	e.buttons.Objects = buttons
	e.object.Show()
	e.object.Refresh()
}

func (e *emptiness) hide() { e.object.Hide() }

// predictLeft starts a run of the models that have no predictions.
func (s *Screen) predictLeft() {
	if s.deps.Predict != nil {
		s.deps.Predict(runnable(s.view.Material.Left), s.view.Material.Source.ID)
	}
}
