package invariance

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
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
		return vacancy{text: "This workspace has no models yet. Import some, and a test suite.", imports: true}, true
	case len(v.Suites) == 0:
		return vacancy{text: "This workspace has no test suite yet. Import one: invariance is measured on its images, with or without labels.", imports: true}, true
	case len(v.Rows) > 0:
		return w, false
	}
	lines := []string{"No model has predictions under transformations yet. Invariance needs no labels, but it needs these."}
	for k, l := range v.Left {
		if k == fewReasons {
			lines = append(lines, fmt.Sprintf("and %s more", present.Count(int64(len(v.Left)-k))))
			break
		}
		lines = append(lines, leftName(l)+": "+l.Reason.Text)
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
	return fmt.Sprintf("%s for %s on %s", g.Set, present.Counted(int64(len(g.Models)), "model"), v.suiteName(v.runSuite()))
}

// measuring says that something is being measured; how far that is stands in the window's last line, with a way to cancel it.
func (f *face) measuring() { f.empty.Say("Measuring invariance…") }

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
	for _, g := range v.gaps {
		if f.s.deps.Start != nil && f.s.view.runSuite() != "" {
			help = append(help, widget.Help{Text: fmt.Sprintf("Compute %s", f.s.view.gapText(g)), Icon: theme.MediaPlayIcon(), Do: func() { f.s.start(g) }})
		}
	}
	if v.runs && f.s.deps.Run != nil {
		help = append(help, widget.Help{Text: "Run models…", Do: func() { f.s.deps.Run(nil) }})
	}
	f.empty.Say(v.text, help...)
}
