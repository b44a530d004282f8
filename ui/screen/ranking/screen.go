// Package ranking is the screen that ranks models by their predictions: LaF and other rankers side
// by side, how well they agree with each other and with the truth, which images are hard, and what
// a few labels would tell.
package ranking

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Labelling are images whose classes a sampled ranker asks for.
type Labelling struct {
	Suite   string // content hash, or id of a table
	Title   string
	Images  []int
	Classes []string // names in the order of class numbers
}

// Deps is what the screen is made from. Store, Work and Window are needed; the callbacks may be
// nil, and what has no callback is not offered.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Inspect opens a model on the inspect screen, InspectImage an image of the current suite with it
	// there.
	Inspect      func(modelHash string)
	InspectImage func(modelHash string, image int)
	// Import opens the import dialog, ImportPredictions the one for predictions that were made
	// elsewhere.
	Import, ImportPredictions func()
	// Predict starts a run of models (hashes) on a suite for their predictions alone.
	Predict func(models []string, suite string)
	// Locate asks where a suite's images are now.
	Locate func(suite string)
	// Label asks for the classes of images; done is called when the person has finished.
	Label func(ask Labelling, done func())
	// Status shows a line of text at the foot of the window, ShowError an error.
	Status    func(text string)
	ShowError func(err error)
}

func (d *Deps) defaults() {
	if d.Inspect == nil {
		d.Inspect = func(string) {}
	}
	if d.Status == nil {
		d.Status = func(string) {}
	}
	if d.ShowError == nil {
		d.ShowError = func(error) {}
	}
}

// keySettings is the workspace setting that remembers what is ranked and how.
const keySettings = "ranking.settings"

// Screen is the ranking screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	saver    *figures.Saver
	view     *View
	settings Settings
	filled   bool // settings were read
	sources  []Source
	offered  []widget.ChoiceNode // the sources as the menu lays them out
	material *Material           // what was gathered last; nil when it has to be gathered anew
	board    *task               // ranks
	renewal  *background.Renewal
	keeper   *background.Keeper // of settings
	face     *face
	cancel   func()
}

// New makes the screen and listens to the store until Close; it ranks when it is shown.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, view: NewView(), settings: newSettings()}
	s.keeper = background.NewKeeper(deps.Work, deps.Store.SetSetting, deps.ShowError)
	s.renewal = background.NewRenewal(deps.Work, "refresh ranking", s.Refresh)
	s.saver = &figures.Saver{Window: deps.Window, Work: deps.Work, Status: deps.Status, ShowError: deps.ShowError, Closed: s.Focus}
	s.board = newTask(deps.Work)
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged, store.PredictionsChanged, store.ImageLabelsChanged:
			deps.Work.Post(s.changed)
		}
	})
	return s
}

// host is what the window gives the tables of the screen.
func (s *Screen) host() *kit.Host {
	return &kit.Host{
		Window: s.deps.Window, Work: s.deps.Work, Status: s.deps.Status, ShowError: s.deps.ShowError,
		Refocus: s.Focus,
	}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.face.root }

// Close ends listening to the store and what is under way.
func (s *Screen) Close() {
	s.cancel()
	s.board.stop()
	s.face.close()
}

// Shown is called when the screen comes to the front; it ranks anew what changed meanwhile.
func (s *Screen) Shown() {
	if !s.renewal.Show() {
		s.face.grow()
	}
	s.Focus()
}

// Hidden is called when the screen leaves the front: what it said of something under the pointer
// goes, what is being ranked goes on.
func (s *Screen) Hidden() {
	s.renewal.Hide()
	s.deps.Status("")
}

// Focus gives the table the keyboard.
func (s *Screen) Focus() { s.face.focus() }

// changed has everything gathered anew.
func (s *Screen) changed() {
	s.material = nil
	s.renewal.Changed()
}

// round is what a refresh reads and computes.
type round struct {
	sources  []Source
	offered  []widget.ChoiceNode
	settings Settings
	current  string // suite
	source   Source
	found    bool // whether there is something to rank on
	material *Material
	answer   Answer
	few      error // why there are too few models to rank
}

// Refresh gathers, as far as something changed, and ranks, in the background as a job that people
// see and can cancel; what an older one was doing ends.
func (s *Screen) Refresh() {
	s.renewal.Begin()
	r := round{settings: s.settings, material: s.material}
	filled, id := s.filled, uint64(0)
	s.face.working()
	part := func(known round) {
		s.deps.Work.Post(func() {
			if s.board.at(id) {
				s.ended(known, nil)
			}
		})
	}
	id = s.board.start("Rank models", func(ctx context.Context, p *background.Progress) error {
		return r.run(ctx, s.deps.Store, filled, background.Stages{Progress: p}, part)
	}, func(err error) {
		s.ended(r, err)
		s.renewal.End()
	})
}

// run does the work of a refresh off the main goroutine; part gets what is known before all is.
func (r *round) run(ctx context.Context, from Store, filled bool, p background.Stages, part func(round)) error {
	if err := r.look(from, filled); err != nil || !r.found {
		return err
	}
	if r.material == nil || r.material.Source.ID != r.source.ID || r.material.Truth != r.settings.Truth {
		m, err := gather(ctx, from, r.source, r.settings.Truth, p)
		if err != nil {
			return err
		}
		r.material = &m
	}
	var err error
	r.answer, err = rankAll(ctx, *r.material, r.settings, p, func(a Answer) {
		known := *r
		known.answer = a
		part(known)
	})
	if few := r.answer.Data.Check(); few != nil {
		r.few = few
		return nil
	}
	return err
}

// look reads what can be ranked, and the settings for the first time.
func (r *round) look(from Store, filled bool) error {
	if !filled {
		if _, err := from.Setting(keySettings, &r.settings); err != nil {
			r.settings = newSettings() // of another version of the program
		}
		r.settings = r.settings.valid()
	}
	current, err := from.Current()
	if err != nil {
		return err
	}
	suites, err := from.Suites()
	if err != nil {
		return err
	}
	tables, err := from.PredictionTables()
	if err != nil {
		return err
	}
	r.current, r.sources = current.Suite, sources(suites, tables)
	r.offered = sourceNodes(r.sources, suites)
	r.source, r.found = choose(r.sources, r.settings.Source, current.Suite)
	return nil
}

// choose is the source with an id, else the current suite, else the first of all.
func choose(list []Source, id, current string) (Source, bool) {
	for _, wanted := range []string{id, current} {
		if source, ok := find(list, wanted); ok {
			return source, true
		}
	}
	if len(list) == 0 {
		return Source{}, false
	}
	return list[0], true
}

// ended shows what was ranked, or why nothing was.
func (s *Screen) ended(r round, err error) {
	if r.sources != nil {
		s.sources, s.offered = r.sources, r.offered
	}
	if err == nil || r.material != nil {
		s.material = r.material
	}
	if s.renewal.Outdated() {
		s.material = nil
	}
	if !s.filled && r.sources != nil {
		s.filled, s.settings = true, r.settings
	}
	s.face.fill(r.source)
	switch {
	case err == nil:
		s.take(r)
	case present.Cancelled(err):
		s.renewal.Spoil()
		s.face.stopped("Ranking was cancelled; what is shown may be out of date.")
	default:
		s.renewal.Spoil()
		s.face.stopped(present.Sentence(err))
		s.deps.ShowError(err)
	}
}

func (s *Screen) take(r round) {
	switch {
	case !r.found:
		s.face.vacant(noSource())
	case r.few != nil:
		s.view.Take(r.answer)
		s.face.vacant(tooFew(r.few, r.material.Left))
	default:
		other := !s.view.Settings.same(r.answer.Settings) || !sameData(s.view.Answer, r.answer)
		s.view.Take(r.answer)
		s.face.show(other)
	}
}

// sameData tells whether two answers rest on the same gathered predictions.
func sameData(a, b Answer) bool {
	return len(a.Material.Data.Labels) > 0 && len(b.Material.Data.Labels) > 0 && &a.Material.Data.Labels[0] == &b.Material.Data.Labels[0] &&
		a.Material.Source.ID == b.Material.Source.ID && a.Material.Truth == b.Material.Truth
}

// Set ranks by other settings, and remembers them.
func (s *Screen) Set(settings Settings) {
	settings = settings.valid()
	if settings.same(s.settings) {
		return
	}
	s.settings = settings
	s.filled = true
	s.keeper.Keep(keySettings, settings)
	s.Refresh()
}

// Show ranks on another source, "" for the workspace's current suite.
func (s *Screen) Show(source string) {
	next := s.settings
	next.Source = source
	s.Set(next)
}

// Select selects a model in the table.
func (s *Screen) Select(key string) {
	s.view.Select(key)
	s.face.selected()
}

// open opens a model of the workspace; one of a table cannot be opened, which is said.
func (s *Screen) open(j int) {
	if j < 0 || j >= len(s.view.Board.Models) {
		return
	}
	m := s.view.Board.Models[j]
	if m.Hash == "" {
		s.deps.Status(fmt.Sprintf("%s is not in this workspace: only its predictions are", m.ID))
		return
	}
	s.deps.Inspect(m.Hash)
}

// label asks for the labels that a ranker waits for, and ranks with them when they were given.
func (s *Screen) label(ask Labelling) {
	if s.deps.Label == nil {
		return
	}
	s.deps.Label(ask, func() {
		next := s.settings
		next.Truth = predictions.ByHand
		if next.same(s.settings) {
			s.material = nil
			s.Refresh()
			return
		}
		s.Set(next)
	})
}
