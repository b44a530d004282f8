// Package invariance is the screen of effective invariance: how consistently and confidently
// models predict under transformations, without labels (spec/ei.md); how that goes with accuracy
// over many models and over many suites; what accuracy it predicts where there are no labels; and
// how well confidences are calibrated. What it shows is declared in engine/invariance and
// engine/calibration.
package invariance

import (
	"context"
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
)

// Screen is the invariance screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, Data]
	store       *store.Workspace
	tabs        *kit.Tabs
	results     *resultsPage
	models      *studyPage
	suites      *studyPage
	forecast    *forecastPage
	calibration *calibrationPage
	left        *kit.Records[measure.Lack]
}

// New makes the screen; it measures when it is shown.
func New(host *kit.Host, ws *store.Workspace) *Screen {
	s := &Screen{store: ws}
	s.results, s.models, s.suites = newResults(s, host), newModels(s, host),
		newStudies(s, host, measure.OverSuites, overSuites(s, false), s.ShowRow)
	s.forecast, s.calibration = newForecast(s, host), newCalibration(s, host)
	s.tabs = kit.NewTabs(host, "invariance",
		kit.Tab{Key: "results", Title: "Results", Page: s.results},
		kit.Tab{Key: "models", Title: "Over models", Page: s.models},
		kit.Tab{Key: "suites", Title: "Over suites", Page: s.suites},
		kit.Tab{Key: "predict", Title: "Predict accuracy", Page: s.forecast},
		kit.Tab{Key: "calibration", Title: "Calibration", Page: s.calibration},
		kit.Tab{Key: "left", Title: "Left out", Page: s.newLeft(host)})
	s.Screen = kit.New(kit.Screen[struct{}, Data]{
		Host: host, Name: "Measure invariance", Doing: "Measuring invariance…", Key: "invariance", Tabs: s.tabs,
		About: &answers,
		Load: func(struct{}) kit.Work[Data] {
			return func(ctx context.Context, p engine.Progress) (Data, error) { return read(ctx, ws, p) }
		},
		On: []store.ChangeKind{store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.BackgroundChanged},
		OnChange: func(kind store.ChangeKind) {
			// Images may be where they were not.
			if kind == "" || kind == store.SuiteChanged || kind == store.BackgroundChanged {
				s.results.lowest.wall.Doubt()
			}
		},
		Head: []fyne.CanvasObject{
			fynewidget.NewButtonWithIcon("Compute…", theme.MediaPlayIcon(), s.askCompute),
			host.MenuButton("Export…", theme.DocumentSaveIcon(), s.exportMenu),
		},
		Empty: s.empty, Line: Data.line, Show: func(d Data) { s.tabs.Count("left", len(d.Left)) }, Margin: true,
	})
	return s
}

// data are those that were measured last.
func (s *Screen) data() Data {
	d, _ := s.Data()
	return d
}

// empty says why nothing was measured, and what to do.
func (s *Screen) empty(d Data) (e kit.Empty, is bool) {
	imports := []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: s.Import}}
	switch {
	case len(d.Models) == 0:
		return kit.Empty{Text: "This workspace has no models yet. Import some, and a test suite.", Help: imports}, true
	case len(d.Suites) == 0:
		return kit.Empty{
			Help: imports,
			Text: "This workspace has no test suite yet. Import one: invariance is measured " +
				"on its images, with or without labels.",
		}, true
	case len(d.Rows) > 0:
		return e, false
	}
	text := kit.Reasons("No model has predictions under transformations yet. Invariance needs no labels, but it needs "+
		"these.", d.Left, measure.Lack.String)
	e = kit.Empty{Text: text, Missing: d.missing()}
	if s.Run != nil {
		e.Help = []kit.Help{{Text: "Run models…", Do: func() { s.Run(nil) }}}
	}
	return e, true
}

// missing are the usual sets that models lack on the suite that is looked at.
func (d Data) missing() (list []kit.Missing) {
	on := d.suite()
	for _, g := range evaluate.Gaps(d.Models, d.Rows, on) {
		text := fmt.Sprintf("Compute %s for %s on %s", g.Set, result.Counted(len(g.Models), "model"), d.suiteName(on))
		list = append(list, kit.Missing{Text: text, Runs: []kit.Run{{Models: g.Models, Suite: on, Family: g.Set}}})
	}
	return list
}

// askCompute offers the usual sets where models lack them, and the run dialog.
func (s *Screen) askCompute() {
	var other kit.Help
	if s.Run != nil {
		other = kit.Help{Text: "Something else…", Do: func() { s.Run(nil) }}
	}
	s.AskMissing(s.data().missing(), other)
}

// exportMenu has what the menus of the tables have not.
func (s *Screen) exportMenu() []*fyne.MenuItem {
	shown := s.results.list.Shown()
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Every transformation as CSV…", func() {
			sheet := measure.Transformations.Sheet(measure.Steps(shown, false))
			s.Saver().Ask(figures.FileName("csv", sheet.Name), func(w io.Writer) error { return sheet.CSV(w, false) })
		}),
	}
	entries := map[string]func() []*fyne.MenuItem{
		"models": s.models.Form.Entries, "suites": s.suites.Form.Entries, "predict": s.forecast.Form.Entries,
		"calibration": s.calibration.Form.Entries,
	}[s.tabs.Front()]
	if entries == nil {
		entries = s.results.form.Entries
	}
	return append(items, entries()...)
}

// command is the command ei on this workspace, for all suites where the hash is "".
func (s *Screen) command(suiteHash string, o measure.Options) (words []string, options any) {
	if suiteHash != "" {
		o.Suite = []string{s.data().suiteName(suiteHash)}
	}
	return []string{"variscope", "ei", s.store.Path()}, &o
}

// newLeft lists what was not measured, and why; the selected line can be computed.
func (s *Screen) newLeft(host *kit.Host) kit.Page {
	s.left = &kit.Records[measure.Lack]{
		Host: host, Table: measure.Lacks,
		Empty: "Every model has results for all suites and transformations that others have.",
		Note: func(shown []measure.Lack) string {
			if len(shown) == 0 {
				return ""
			}
			return "Models that have no results for a suite and transformations that others have. " +
				"Select a line to compute it."
		},
		Actions: []kit.Action[measure.Lack]{{
			Name: "Compute the selected line", Icon: theme.MediaPlayIcon(), Button: true,
			Can: func(l []measure.Lack) bool { return len(l) == 1 && l[0].Runnable() && host.Start != nil },
			Runs: func(l []measure.Lack) []kit.Run {
				return []kit.Run{{Models: l[0].Hashes, Suite: l[0].Suite, Family: l[0].Family}}
			},
			Do: func(l []measure.Lack) {
				run := kit.Run{Models: l[0].Hashes, Suite: l[0].Suite, Family: l[0].Family}
				host.AskMissing([]kit.Missing{{Text: l[0].String(), Runs: []kit.Run{run}}})
			},
		}},
	}
	return &kit.Panel{Body: s.left.Object(), Show: func() { s.left.Set(s.data().Left) }, Keys: s.left.Focus}
}

// ShowRow selects a row (its ID) in the table and brings it to the front, without a filter that
// hides it.
func (s *Screen) ShowRow(id string) {
	s.tabs.Select("results")
	s.results.show(id)
}
