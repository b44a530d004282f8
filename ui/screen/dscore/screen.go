// Package dscore is the screen of the D-Score: where the features of a suite are and where models
// look (spec/dscore.md), region by region, over all images and over single ones; what would be
// lost without a region; models side by side; and the way to the augmentation that a score
// recommends. What it shows is declared in engine/dscore.
package dscore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Shown are the options of the screen: what is looked at.
type Shown struct {
	Regions   string `help:"Regions of the scores, and how far images are shifted." source:"grids"`
	Intervals bool   `help:"95 % intervals in the table of models." default:"true"`
}

// Screen is the screen of the D-Score. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[Shown, Data]
	store   *store.Workspace
	maps    diagnosis.MapReader // nil where nobody can say which regions hold nothing
	augment func(Row)           // opens the dialog of the augmentation that a score recommends; nil for none
	tabs    *kit.Tabs
	models  *modelsPage
	several *severalPage
	lose    *losePage
	compare *comparePage
	left    *kit.Records[Lack]
	compute *fynewidget.Button
}

// New makes the screen; it reads when it is shown. maps reads what masks do to a model file
// (engine/onnx), augment opens the dialog of the augmentation that a score recommends; both may be
// nil.
func New(host *kit.Host, ws *store.Workspace, maps diagnosis.MapReader, augment func(Row)) *Screen {
	s := &Screen{store: ws, maps: maps, augment: augment}
	s.models, s.several, s.compare = newModels(s, host), newSeveral(s, host), newCompare(s, host)
	s.lose = newLose(s, host)
	s.tabs = kit.NewTabs(host, "dscore",
		kit.Tab{Key: "models", Title: "Models", Page: s.models},
		kit.Tab{Key: "several", Title: "Several n", Page: s.several},
		kit.Tab{Key: "lose", Title: "What would I lose?", Page: s.lose},
		kit.Tab{Key: "compare", Title: "Side by side", Page: s.compare},
		kit.Tab{Key: "left", Title: "Left out", Page: s.newLeft(host)})
	s.compute = fynewidget.NewButtonWithIcon("Compute…", theme.MediaPlayIcon(), s.askCompute)
	s.compute.Hidden = host.Start == nil
	s.Screen = kit.New(kit.Screen[Shown, Data]{
		Host: host, Name: "Compute D-Scores", Doing: "Computing D-Scores…", Key: "dscore", Tabs: s.tabs,
		About: &answers, Tools: []fyne.CanvasObject{s.compute},
		Head: []fyne.CanvasObject{host.MenuButton("Export…", theme.DocumentSaveIcon(), s.exportMenu)},
		Form: &kit.Form[Shown]{
			Choices: s.choices,
		},
		Load: s.load, Empty: s.empty, Line: Data.line,
		On: []store.ChangeKind{
			store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged, store.SettingChanged,
		},
		Heeds: func(c store.Change) bool { return c.Kind != store.SettingChanged || c.ID == evidence.SettingMap },
		Show: func(d Data) {
			s.models.set()
			s.tabs.Count("left", len(d.Left))
		},
		Margin: true,
	})
	return s
}

// data are those that were read last.
func (s *Screen) data() Data {
	d, _ := s.Data()
	return d
}

// load reads what is asked for, unless that is among what is there.
func (s *Screen) load(o Shown) kit.Work[Data] {
	last, changes, part := s.data(), s.Version(), s.Part()
	if there, ok := last.of(o); ok && last.at == changes {
		return func(context.Context, engine.Progress) (Data, error) { return there, nil }
	}
	return func(ctx context.Context, p engine.Progress) (Data, error) {
		d, err := read(ctx, s.store, o, p)
		if err != nil || len(d.Rows) == 0 {
			return d, err
		}
		if last.Suite.Hash == d.Suite.Hash {
			d.average, d.picture = last.average, last.picture
		}
		part(d)
		d.average, d.problem = diagnosis.Average(ctx, s.store, d.Suite.Hash, averageImages, engine.NoProgress{})
		d.picture = nil
		if d.problem == nil {
			d.picture = d.average.RGBA()
		}
		err = ctx.Err()
		d.at = changes
		return d, err
	}
}

// choices are the grids of the suite.
func (s *Screen) choices(string) (list []kit.Option, first string) {
	d, known := s.Data()
	switch {
	case !known:
		return nil, ""
	case len(d.Grids) == 0:
		return []kit.Option{{Name: "nothing computed"}}, ""
	}
	for _, g := range d.Grids {
		list = append(list, kit.Option{Key: gridKey(g), Name: g.String()})
	}
	return list, gridKey(d.Grid)
}

// empty says why there is no score, and what to do.
func (s *Screen) empty(d Data) (kit.Empty, bool) {
	lacking := func(text string) (kit.Empty, bool) {
		return kit.Empty{Text: text, Help: []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: s.Import}}},
			true
	}
	models := d.withConvolution()
	widget.Enable(s.compute, len(models) > 0 && d.labelled())
	switch {
	case len(d.Models) == 0:
		return lacking("This workspace has no models yet. Import some, and a test suite with labels.")
	case d.Suite.Hash == "":
		return lacking("This workspace has no test suite yet. Import one with labels: a D-Score is made of accuracies.")
	case !d.labelled():
		return lacking(fmt.Sprintf("The suite %s has no labels, and a D-Score is made of accuracies. Choose another "+
			"suite, or import one with labels.", d.Suite.Name))
	case len(models) == 0:
		return lacking("No model has a convolution: there are no feature maps to delete regions of. A D-Score is for " +
			"convolutional networks.")
	case len(d.Rows) > 0:
		return kit.Empty{}, false
	}
	e := kit.Empty{Text: kit.Reasons(fmt.Sprintf("No D-Score was computed on %s yet. It needs two runs: one with each "+
		"region deleted from the feature maps, one with the images shifted to each region.", d.Suite.Name), d.Left,
		Lack.String)}
	if s.Start != nil {
		runs, err := usualOrder(d.Suite.Hash, models).Runs()
		if err == nil {
			text := "Compute 3 × 3 regions, t = 5 for " + result.Counted(len(models), "model")
			e.Missing = []kit.Missing{{Text: text, Runs: runs}}
		}
		e.Help = []kit.Help{{Text: "Compute something else…", Icon: theme.SettingsIcon(), Do: s.askCompute}}
	}
	return e, true
}

// leftOut is the table of what has no score, and why.
var leftOut = result.Table[Lack]{
	Name: "dscore_left_out", Title: "Left out", Noun: "line",
	ID: func(l Lack) string { return fmt.Sprint(l.Grid, l.Reason, strings.Join(l.Sets, "|")) },
	Columns: []result.Column[Lack]{
		result.Texts("models", "models", "", Lack.Name),
		result.Texts("regions", "regions", "", func(l Lack) string { return l.Grid.String() }),
		result.Texts("why", "why", "", func(l Lack) string { return l.Reason.Text }),
	},
}

// newLeft lists what has no score, and why; lines can be computed.
func (s *Screen) newLeft(host *kit.Host) kit.Page {
	helps := func(l Lack) bool { return len(l.Sets) > 0 && s.Start != nil }
	s.left = &kit.Records[Lack]{
		Host: host, Table: leftOut, Empty: "Every model has a score with all regions that others have.",
		Note: func([]Lack) string {
			return "Models that have no score with regions that others have. Select a line to compute it."
		},
		OnSelect: func(l Lack, ok bool) {
			if ok {
				host.Say(l.String())
			}
		},
		Actions: []kit.Action[Lack]{{
			Name: "Compute", Icon: theme.MediaPlayIcon(), Button: true,
			Can:  func(list []Lack) bool { return slices.ContainsFunc(list, helps) },
			Runs: s.runsOf,
			Do: func(list []Lack) {
				var missing []kit.Missing
				for _, l := range list {
					if helps(l) {
						missing = append(missing, kit.Missing{Text: l.String(), Runs: l.Runs(s.data().Suite.Hash)})
					}
				}
				host.AskMissing(missing)
			},
		}},
	}
	return &kit.Panel{Body: s.left.Object(), Show: func() { s.left.Set(s.data().Left) }, Keys: s.left.Focus}
}

// runsOf are what lines of what was left out take.
func (s *Screen) runsOf(list []Lack) (runs []kit.Run) {
	for _, l := range list {
		runs = append(runs, l.Runs(s.data().Suite.Hash)...)
	}
	return runs
}

// exportMenu offers the tables, and the maps of the selected model.
func (s *Screen) exportMenu() []*fyne.MenuItem {
	rows := s.models.list.Shown()
	ask := func(text, name string, sheet func() *result.Sheet) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { s.Saver().Ask(name, csvOf(sheet)) })
	}
	scores := func() *result.Sheet { return score.Scores.Sheet(s.withMaps(rows)) }
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy table (CSV)", func() { s.Saver().Copy(csvOf(scores)) }),
		ask("Models as CSV…", "dscore.csv", scores),
		ask("Regions of the models as CSV…", "dscore-regions.csv",
			func() *result.Sheet { return score.Regions.Sheet(score.RegionsOf(rows)) }),
		ask("Several n as CSV…", "dscore-several.csv", s.several.sheet()),
		ask("Models side by side as CSV…", "dscore-compared.csv", s.compare.sheet()),
	}
	if over, column := s.several.scoresOver(), s.several.over.Options().Over; len(over) > 0 {
		items = append(items, ask("Scores over "+column+" as CSV…", "dscore-over.csv",
			func() *result.Sheet { return score.OverTable(column).Sheet(over) }))
	}
	if text, name, sheet := s.lose.file(); text != "" {
		items = append(items, ask(text, name, sheet))
	}
	if d := s.models.detail; d.has && (!d.alone || d.one != nil) {
		maps := fyne.NewMenuItem(fmt.Sprintf("Maps of %s", d.maps().Name), nil)
		maps.ChildMenu = fyne.NewMenu("", s.Saver().Entries(d.figures())...)
		items = append(items, fyne.NewMenuItemSeparator(), maps)
	}
	return items
}

// withMaps are rows with what masks do to the models' files, for the columns of files that tell
// it. It reads these files (slow), and must not be called on the main goroutine.
func (s *Screen) withMaps(rows []Row) []Row {
	for k, r := range rows {
		if maps, leftAlone, err := s.mapsOf(r); err == nil && maps != nil { // else the columns are empty
			rows[k].Maps = score.NewMaps(maps, leftAlone)
		}
	}
	return rows
}

// order starts what is asked for.
func (s *Screen) order(o Order) {
	runs, err := o.Runs()
	if err != nil {
		s.Fail(err)
		return
	}
	if s.Start != nil && len(runs) > 0 {
		s.Start(runs...)
	}
}

// ask says what it takes to compute an order, and computes it.
func (s *Screen) ask(text string, o Order) {
	runs, err := o.Runs()
	if err != nil {
		s.Fail(err)
		return
	}
	s.AskMissing([]kit.Missing{{Text: text, Runs: runs}})
}
