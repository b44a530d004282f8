package invariance

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// vacancy is what the screen shows in place of the tabs: why there is nothing, and what to do.
type vacancy struct {
	text          string
	imports, runs bool // import something, run models
	gaps          []Gap
}

// fewReasons is how many of what was left out a vacancy names.
const fewReasons = 6

// vacancy says why nothing was measured; ok is false when something was.
func (v *View) vacancy() (w vacancy, ok bool) {
	switch {
	case len(v.Models) == 0:
		return vacancy{text: words.T("This workspace has no models yet. Import some, and a test suite."), imports: true}, true
	case len(v.Suites) == 0:
		return vacancy{text: words.T("This workspace has no test suite yet. Import one: invariance is measured on its images, with or without labels."), imports: true}, true
	case len(v.Rows) > 0:
		return w, false
	}
	lines := []string{words.T("No model has predictions under transformations yet. Invariance needs no labels, but it needs these.")}
	for k, l := range v.Left {
		if k == fewReasons {
			lines = append(lines, words.F("and %s more", present.Count(int64(len(v.Left)-k))))
			break
		}
		lines = append(lines, l.Name()+": "+reasonText(l.Reason))
	}
	return vacancy{text: strings.Join(lines, "\n"), runs: true, gaps: v.gaps(v.runSuite())}, true
}

// runSuite is the suite for which sets are computed: the one that the table is about, else the current one, else the only one.
func (v *View) runSuite() string {
	switch {
	case v.suite != "":
		return v.suite
	case v.Current.Suite != "":
		return v.Current.Suite
	case len(v.Suites) == 1:
		return v.Suites[0].Hash
	}
	return ""
}

func (v *View) suiteName(hash string) string {
	for _, s := range v.Suites {
		if s.Hash == hash {
			return s.Name
		}
	}
	return present.Short(hash)
}

// gapText is "rot90 for 12 models on digits".
func (v *View) gapText(g Gap) string {
	return words.F("%s for %s on %s", g.Set, present.Counted(int64(len(g.Models)), "model"), v.suiteName(v.runSuite()))
}

// emptiness stands in place of the tabs: why there are none, or that something is being measured.
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

// work says that something is being measured; how far that is stands in the window's last line, with a way to cancel it.
func (e *emptiness) work() {
	e.text.SetText(words.T("Measuring invariance…"))
	e.offer()
}

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
	for _, g := range v.gaps {
		if e.s.deps.Start != nil && e.s.view.runSuite() != "" {
			buttons = append(buttons, fynewidget.NewButtonWithIcon(words.F("Compute %s", e.s.view.gapText(g)), theme.MediaPlayIcon(), func() { e.s.start(g) }))
		}
	}
	if v.runs && e.s.deps.Run != nil {
		buttons = append(buttons, fynewidget.NewButton(words.T("Run models…"), func() { e.s.deps.Run(nil) }))
	}
	e.offer(buttons...)
}

func (e *emptiness) offer(buttons ...fyne.CanvasObject) {
	e.buttons.Objects = buttons
	e.object.Show()
	e.object.Refresh()
}
