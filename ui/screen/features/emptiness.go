package features

import (
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// measuring says that the models are being measured; how far that is stands in the window's last
// line, with a way to cancel it.
func (f *face) measuring() { f.empty.Say("Measuring features…") }

// again says why there is nothing and offers to measure again.
func (f *face) again(why string) {
	f.empty.Say(why, widget.Help{Text: "Measure again", Icon: theme.ViewRefreshIcon(), Do: f.s.Refresh})
}

// lacks says what a workspace lacks.
func (f *face) lacks(v vacancy) {
	var help []widget.Help
	if v.imports {
		help = append(help, widget.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: f.s.deps.Import})
	}
	if v.runs && f.s.deps.Run != nil {
		help = append(help, widget.Help{Text: "Run models…", Icon: theme.MediaPlayIcon(), Do: f.s.runLeft})
	}
	if v.picks {
		help = append(help, widget.Help{Text: "Choose other matrices…", Icon: theme.SettingsIcon(), Do: f.s.askLayout})
	}
	f.empty.Say(v.text, help...)
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
