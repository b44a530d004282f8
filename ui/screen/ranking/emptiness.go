package ranking

import (
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// again says why there is nothing, and offers to try again.
func (f *face) again(why string) {
	f.empty.Say(why, widget.Help{Text: "Rank again", Icon: theme.ViewRefreshIcon(), Do: f.s.Refresh})
}

// lacks says what is missing.
func (f *face) lacks(v vacancy) {
	var help []widget.Help
	if v.runs && f.s.deps.Predict != nil {
		help = append(help, widget.Help{Text: "Predict with them", Icon: theme.MediaPlayIcon(), Do: f.s.predictLeft})
	}
	if v.imports {
		help = append(help,
			widget.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: f.s.deps.Import},
			widget.Help{Text: "Import predictions…", Icon: theme.ContentAddIcon(), Do: f.s.deps.ImportPredictions})
	}
	f.empty.Say(v.text, help...)
}

// predictLeft starts a run of the models that have no predictions.
func (s *Screen) predictLeft() {
	if s.deps.Predict != nil {
		s.deps.Predict(runnable(s.view.Material.Left), s.view.Material.Source.ID)
	}
}
