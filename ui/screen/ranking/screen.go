// Package ranking is the screen that ranks models by their predictions: LaF and other rankers side
// by side, how well they agree with each other and with the truth, which images are hard, and what
// a few labels would tell. What it shows is declared in engine/rank.
package ranking

import (
	"context"
	"fmt"
	"io"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Labelling are images whose classes a sampled ranker asks for.
type Labelling struct {
	Suite   string // content hash, or id of a table
	Title   string
	Images  []int
	Classes []string // names in the order of class numbers
}

// Screen is the ranking screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[Settings, Outcome]
	store      Store
	classes    func(Labelling, func()) // for the classes of images; nil where nobody can be asked
	tabs       *kit.Tabs
	ranking    *rankingPage
	images     *imagesPage
	rankers    *rankersPage
	budget     *budgetPage
	suites     *suitesPage
	conditions *conditionsPage
	left       *kit.Records[rank.LeftOut]
	wanted     string // the source to rank on once it is known
}

// New makes the screen; it ranks when it is shown. key names the workspace among remembered
// settings. classes, which may be nil, asks for the classes of images and calls the function that
// it gets when the person has finished.
func New(host *kit.Host, from Store, key string, classes func(Labelling, func())) *Screen {
	s := &Screen{store: from, classes: classes}
	s.ranking, s.images, s.rankers = newRanking(s, host), newImagesPage(s, host), newRankers(s, host)
	s.budget, s.suites, s.conditions = newBudget(s, host), newSuites(s, host), newConditions(s, host)
	s.tabs = kit.NewTabs(host, "ranking",
		kit.Tab{Key: "ranking", Title: "Ranking", Page: s.ranking},
		kit.Tab{Key: "images", Title: "Images", Page: s.images},
		kit.Tab{Key: "rankers", Title: "Rankers", Page: s.rankers},
		kit.Tab{Key: "budget", Title: "Budget", Page: s.budget},
		kit.Tab{Key: "suites", Title: "Over suites", Page: s.suites},
		kit.Tab{Key: "conditions", Title: "Conditions", Page: s.conditions},
		kit.Tab{Key: "left", Title: "Left out", Page: s.newLeft(host)})
	tools := []fyne.CanvasObject{
		fynewidget.NewButtonWithIcon("Models…", theme.StorageIcon(), s.askModels),
		fynewidget.NewButtonWithIcon("Rankers…", theme.SettingsIcon(), s.askRankers),
	}
	if host.ImportPredictions != nil {
		tools = append(tools, fynewidget.NewButtonWithIcon("Import predictions…",
			theme.ContentAddIcon(), host.ImportPredictions))
	}
	s.Screen = kit.New(kit.Screen[Settings, Outcome]{
		Host: host, Name: "Rank models", Doing: "Ranking…", Key: "ranking" + key, Tabs: s.tabs, About: &answers,
		Tools: tools, Head: []fyne.CanvasObject{host.MenuButton("Export…", theme.DocumentSaveIcon(), s.exportMenu)},
		Form: &kit.Form[Settings]{
			Hide:    []string{"without", "methods", "laf", "budget", "repetitions", "seed", "top"},
			Choices: s.choices, Named: truthName,
		},
		Load: s.load, Empty: s.empty, Line: func(out Outcome) string { return out.Caption() },
		On: []store.ChangeKind{
			store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged,
			store.PredictionsChanged, store.ImageLabelsChanged,
		},
		Show: func(out Outcome) { s.tabs.Count("left", len(out.Material.Left)) }, Margin: true,
	})
	return s
}

// outcome is what was found last.
func (s *Screen) outcome() Outcome {
	if s.Screen == nil {
		return Outcome{} // the pages are being made
	}
	out, _ := s.Data()
	return out
}

// load ranks, unless what is asked for is what is there.
func (s *Screen) load(o Settings) kit.Work[Outcome] {
	last, changes, part := s.outcome(), s.Version(), s.Part()
	if there := last.Settings; last.at == changes && last.key != "" && reflect.DeepEqual(o, there) {
		return func(context.Context, engine.Progress) (Outcome, error) { return last, nil }
	}
	return func(ctx context.Context, p engine.Progress) (Outcome, error) {
		return find(ctx, s.store, o, last, changes, p, part)
	}
}

// choices are the sources.
func (s *Screen) choices(string) (list []kit.Option, first string) {
	out, known := s.Data()
	if !known {
		return nil, ""
	}
	list = []kit.Option{{Name: "the suite in the bar above"}}
	for _, source := range out.Sources {
		if source.Table {
			list = append(list, kit.Option{Key: source.ID, Name: source.title()})
		}
	}
	return list, ""
}

// truthName says where true classes come from.
func truthName(_, choice string) string {
	return map[string]string{"suite": "of the suite", "hand": "given by hand", "none": "none"}[choice]
}

// command is the command that ranks alike; also, which may be nil, adds what is studied.
func (s *Screen) command(also func(*rank.Asked)) func() string {
	return func() string {
		asked := s.outcome().asked()
		if also != nil {
			also(&asked)
		}
		return option.Command([]string{"variscope", "rank", s.store.Path()}, &asked)
	}
}

// take ranks by other settings.
func (s *Screen) take(next Settings) {
	if err := s.Form.Take(next); err != nil {
		s.Fail(err)
	}
}

// Rank ranks on a table of predictions or a suite, by id; a suite becomes the current one. What has
// just come into the workspace is ranked on once it was read.
func (s *Screen) Rank(source string) {
	at, known := sourceWith(s.outcome().Sources, source)
	if s.wanted = ""; !known {
		s.wanted = source
		return
	}
	next := s.Options()
	next.Source = ""
	switch {
	case at.Table:
		next.Source = source
	case s.Look != nil:
		s.Look(source)
	}
	s.take(next)
}

// empty says why nothing is ranked, and what to do.
func (s *Screen) empty(out Outcome) (e kit.Empty, is bool) {
	if _, come := sourceWith(out.Sources, s.wanted); come {
		s.Work.Post(func() { s.Rank(s.wanted) })
	}
	imports := []kit.Help{
		{Text: "Import…", Icon: theme.ContentAddIcon(), Do: s.Import},
		{Text: "Import predictions…", Icon: theme.ContentAddIcon(), Do: s.ImportPredictions},
	}
	left := out.Material.Left
	switch {
	case len(out.Sources) == 0:
		return kit.Empty{
			Help: imports,
			Text: "Models are ranked by what they predict for the images of a test suite. Import " +
				"models and a suite, or predictions that were made elsewhere.",
		}, true
	case out.Few == nil:
		return e, false
	}
	e = kit.Empty{Text: kit.Reasons(present.Sentence(out.Few), left, rank.LeftOut.String), Help: imports}
	if len(runnable(left)) > 0 {
		e.Missing = out.Material.missing()
	}
	return e, true
}

// runnable are the hashes of models that were left out and would take part after a run.
func runnable(left []rank.LeftOut) []string {
	var hashes []string
	for _, l := range left {
		if l.Hash != "" && signal.EndsByRun(l.Reason.Code) {
			hashes = append(hashes, l.Hash)
		}
	}
	return hashes
}

// run is that of the models that have no predictions.
func (m Material) run() kit.Run {
	return kit.Run{Models: runnable(m.Left), Suite: m.Source.ID, Family: transform.Plain}
}

// missing is that run for people.
func (m Material) missing() []kit.Missing {
	return []kit.Missing{{Text: "Predict with them", Runs: []kit.Run{m.run()}}}
}

// newLeft lists the models that take no part.
func (s *Screen) newLeft(host *kit.Host) kit.Page {
	s.left = &kit.Records[rank.LeftOut]{
		Host: host, Table: rank.LeftOuts, Empty: "Every model has predictions on these images.",
		OnSelect: func(l rank.LeftOut, ok bool) {
			if ok {
				host.Say(l.String())
			}
		},
		Actions: []kit.Action[rank.LeftOut]{{
			Name: "Predict with them", Icon: theme.MediaPlayIcon(), Button: true, All: true,
			Can: func([]rank.LeftOut) bool {
				return host.Start != nil && len(runnable(s.outcome().Material.Left)) > 0
			},
			Runs: func([]rank.LeftOut) []kit.Run { return []kit.Run{s.outcome().Material.run()} },
			Do:   func([]rank.LeftOut) { host.AskMissing(s.outcome().Material.missing()) },
		}},
	}
	return &kit.Panel{Body: s.left.Object(), Show: func() { s.left.Set(s.outcome().Material.Left) }, Keys: s.left.Focus}
}

// exportMenu offers the files of the ranking, with all that was studied of it. The rankings on
// suites are files of their own: they rest on the suites' true classes, whatever the ranking rests
// on, and begin with the suite that the others are made from.
func (s *Screen) exportMenu() []*fyne.MenuItem {
	out := s.outcome()
	r := out.Rankings()
	r.On[0].Curves, r.Impact, r.Conditions = s.budget.got(), s.conditions.impact.got(), s.conditions.suites.got().Rows
	items := s.files("", r.Document(out.asked()))
	if over := s.suites.got(); len(over.On) > 1 {
		asked := out.askedOnBase()
		overSuites(&asked)
		menu := fyne.NewMenuItem("Over suites", nil)
		menu.ChildMenu = fyne.NewMenu("", s.files("suites_", over.Document(asked))...)
		items = append(items, menu)
	}
	return items
}

// files offers a document, and each of its tables; prefix begins the names of the files.
func (s *Screen) files(prefix string, doc result.Document) []*fyne.MenuItem {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Everything (JSON)…", func() { s.Saver().Ask(prefix+"ranking.json", doc.JSON) }),
	}
	for _, sheet := range doc.Sheets {
		items = append(items, fyne.NewMenuItem(sheet.Title+" (CSV)…", func() {
			s.Saver().Ask(prefix+sheet.Name+".csv", func(w io.Writer) error { return sheet.CSV(w, false) })
		}))
	}
	return items
}

// open opens a model of the workspace; one of a table cannot be opened, which is said.
func (s *Screen) open(m rank.Model) {
	if m.Hash == "" {
		s.Say(fmt.Sprintf("%s is not in this workspace: only its predictions are", m.ID))
		return
	}
	s.Inspect(m.Hash)
}

// label asks for the labels that a ranker waits for, and ranks with them when they were given.
func (s *Screen) label(ask Labelling) {
	s.classes(ask, func() {
		if s.Options().Truth == predictions.ByHand {
			s.Refresh()
			return
		}
		if err := s.Form.Put("truth", string(predictions.ByHand)); err != nil {
			s.Fail(err)
		}
	})
}
