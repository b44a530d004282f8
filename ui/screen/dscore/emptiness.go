package dscore

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// vacancy is what the screen shows in place of the tabs: why there is nothing, and what to do.
type vacancy struct {
	text              string
	imports, computes bool // import something, compute scores
}

// fewReasons is how many of what was left out a vacancy names.
const fewReasons = 6

// vacancy says why there is no score; ok is false when there is one.
func (v *View) vacancy() (w vacancy, ok bool) {
	switch {
	case len(v.Models) == 0:
		return vacancy{text: "This workspace has no models yet. Import some, and a test suite with labels.", imports: true}, true
	case v.Suite.Hash == "":
		return vacancy{text: "This workspace has no test suite yet. Import one with labels: a D-Score is made of accuracies.", imports: true}, true
	case !v.labelled():
		return vacancy{text: fmt.Sprintf("The suite %s has no labels, and a D-Score is made of accuracies. Choose another suite, or import one with labels.", v.Suite.Name), imports: true}, true
	case len(v.withConvolution()) == 0:
		return vacancy{text: "No model has a convolution: there are no feature maps to delete regions of. A D-Score is for convolutional networks.", imports: true}, true
	case len(v.Rows) > 0:
		return w, false
	}
	lines := []string{fmt.Sprintf("No D-Score was computed on %s yet. It needs two runs: one with each region deleted from the feature maps, one with the images shifted to each region.", v.Suite.Name)}
	for k, l := range v.Left {
		if k == fewReasons {
			lines = append(lines, fmt.Sprintf("and %s more", present.Count(int64(len(v.Left)-k))))
			break
		}
		lines = append(lines, l.Name()+": "+l.Why())
	}
	return vacancy{text: strings.Join(lines, "\n"), computes: true}, true
}

// again says why there is nothing and offers to try again.
func (f *face) again(why string) {
	f.empty.Say(why, widget.Help{Text: "Compute again", Icon: theme.ViewRefreshIcon(), Do: f.s.Refresh})
}

// lacks says what is missing.
func (f *face) lacks(v vacancy) {
	var help []widget.Help
	if v.imports {
		help = append(help, widget.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: f.s.deps.Import})
	}
	if v.computes && f.s.deps.Start != nil {
		models := f.s.view.withConvolution()
		order := usualOrder(f.s.view.Suite.Hash, models)
		help = append(help,
			widget.Help{
				Text: fmt.Sprintf("Compute 3 × 3 regions, t = 5 for %s", present.Counted(int64(len(models)), "model")), Icon: theme.MediaPlayIcon(),
				Do: func() { f.s.order(order) },
			},
			widget.Help{Text: "Compute something else…", Icon: theme.SettingsIcon(), Do: f.s.askCompute})
	}
	f.empty.Say(v.text, help...)
}

// order starts what is asked for.
func (s *Screen) order(o Order) {
	runs, err := o.Runs()
	if err != nil {
		s.deps.ShowError(err)
		return
	}
	s.start(runs)
}
