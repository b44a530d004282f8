package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Current() (store.Current, error)
	SetFor(m model.Model, suiteHash, family string, modalities []string) (store.SetInfo, bool, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
	UpdateModel(hash string, change func(*model.Model) error) error
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	Subscribe(func(store.Change)) (cancel func())
}

// Actions are what the screen asks of the window. What is nil is not offered, or not done.
type Actions struct {
	// Panes makes the tabs that follow the overview.
	Panes func(pane.Site) []pane.Pane
	// Run opens the dialog that computes signals, for the given models and so that the given
	// modalities can be shown.
	Run func(models, modalities []string)
	// Beside shows a matrix of the shown model beside the same one under another family, Compute
	// starts a run of a model for it, so that the given modalities can be shown.
	Beside  func(family, modality string)
	Compute func(model, suite, family string, modalities []string)
	// Did notes a change that can be undone.
	Did func(history.Step)
	// Blind is the blind round that somebody labels at this moment, nil where nobody does: the record
	// shows no more than the round.
	Blind func() *label.Round
}

// Screen is the inspect screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Host
	store   Store
	deps    Actions
	keeper  *background.Keeper
	panes   []pane.Pane
	widgets *widgets
	cancel  func() // ends listening to the store

	shown  bool
	stale  bool
	front  int    // the tab that is seen: 0 is the overview, then the panes
	model  string // hash asked for, "" for the remembered or first one
	kept   remembered
	known  bool // kept was read
	shared sharedRanges

	controls Controls
	excluded []int
	cell     pane.Focus
	answer   answer
	session  *session // nil while signals are being read, and without signals
	frame    frame

	latest    background.Latest
	following background.Latest   // the reading of changed settings
	ranging   *background.Renewal // of the shared ranges, after other models' signals have changed
	renewing  background.Latest
	opening   bool               // the shared ranges are read because the screen has come to the front
	abandon   context.CancelFunc // ends the reading of signals
	waiting   bool               // for the answer or the session
	pace      background.Pace    // of the matrices
}

// sharedRanges are the shared colour ranges. They change with the current suite and family, and
// after signals have changed: not while somebody looks at a model, but when another one is opened,
// when the screen is shown again, or by a click on the badge that says so.
type sharedRanges struct {
	current    store.Current
	ranges     evidence.Ranges
	tried      []string        // further modalities whose range was asked for
	was, fresh evidence.Ranges // before the last change, and those that wait; nil for none
}

// taken are the shared ranges with those that wait in force.
func (r sharedRanges) taken() sharedRanges {
	if r.fresh == nil {
		return r
	}
	return sharedRanges{current: r.current, ranges: r.fresh, was: r.ranges}
}

// with are the shared ranges after they were read anew. Where nothing has changed, nothing waits.
func (r sharedRanges) with(fresh evidence.Ranges) sharedRanges {
	r.fresh = nil
	for name, now := range fresh {
		if r.ranges[name] != now {
			r.fresh = fresh
		}
	}
	return r
}

// New makes the screen and listens to the store until Close.
func New(window *kit.Host, from Store, do Actions) *Screen {
	if do.Blind == nil {
		do.Blind = func() *label.Round { return nil }
	}
	if do.Did == nil {
		do.Did = func(history.Step) {}
	}
	host := *window
	s := &Screen{
		Host: &host, store: from, deps: do, stale: true, controls: everything(), abandon: func() {}, answer: answer{at: -1},
		cell: pane.Whole(""),
	}
	host.Refocus = s.focus
	s.keeper = background.NewKeeper(s.Work, from.SetSetting, s.Fail)
	s.kept = remembered{precision: precisions[0], view: evidence.View{Map: evidence.DefaultMap}}
	if do.Panes != nil {
		s.panes = do.Panes(pane.Site{Host: s.Host, Screen: s, Keys: s.keys()})
	}
	s.ranging = background.NewRenewal(s.Work, "refresh shared colour ranges", s.readShared)
	s.widgets = newWidgets(s)
	s.Runs.Hear(s.followRuns)
	s.cancel = from.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SignalsChanged, store.SuiteChanged, store.CurrentChanged, store.SettingChanged:
			s.Work.Post(func() { s.changed(c) })
		}
	})
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.widgets.root }

// Close ends listening to the store and the panes.
func (s *Screen) Close() {
	s.cancel()
	s.abandon()
	for _, p := range s.panes {
		p.Close()
	}
}

// Shown is called when the screen comes to the front; it reads anew what changed meanwhile.
func (s *Screen) Shown() {
	s.shown = true
	s.newLook()
	if s.stale {
		s.Refresh()
	}
	s.opening = s.ranging.Show()
	s.widgets.showRecord()
	s.followRuns()
	s.tellPane()
	s.focus()
}

// followRuns says how far the run is that computes what the model lacks.
func (s *Screen) followRuns() {
	if s.shown && !s.waiting && s.answer.at >= 0 {
		s.widgets.showState()
	}
}

// Hidden is called when the screen leaves the front.
func (s *Screen) Hidden() {
	s.shown = false
	s.ranging.Hide()
	s.hidePane()
}

func (s *Screen) changed(c store.Change) {
	if c.Kind == store.SettingChanged {
		if strings.HasPrefix(c.ID, "inspect.") || strings.HasPrefix(c.ID, "view.") {
			s.follow()
		}
		return
	}
	s.ranging.Changed()
	if c.Kind == store.SignalsChanged && c.ID != s.answer.base.Model.Hash {
		return // another model's; the shared ranges alone depend on it
	}
	if c.Kind == store.SignalsChanged && s.session != nil {
		s.session.summary = "" // there may be a set that holds more of what is chosen
	}
	s.reload()
}

// reload reads anew, now or when the screen is seen next.
func (s *Screen) reload() {
	if s.shown {
		s.Refresh()
	} else {
		s.stale = true
	}
}

// follow takes over settings that were changed elsewhere: in another screen, or by undo.
func (s *Screen) follow() {
	if !s.keeper.Idle() || !s.known {
		return
	}
	type found struct {
		kept     remembered
		excluded []int
	}
	before, key := s.kept, s.excludedKey()
	background.Load(s.Work, &s.following, "read settings", func(context.Context) (f found, err error) {
		if f.kept, err = recall(s.store, before); err != nil {
			return f, err
		}
		_, err = s.store.Setting(key, &f.excluded)
		return f, err
	}, func(f found, err error) {
		switch {
		case err != nil:
			s.Fail(err)
		case s.keeper.Idle() && key == s.excludedKey():
			s.adopt(f.kept, f.excluded)
		}
	})
}

func (s *Screen) adopt(now remembered, excluded []int) {
	before := s.kept
	now.view.Shared, now.view.Was, now.view.Fresh = before.view.Shared, before.view.Was, before.view.Fresh
	s.kept = now
	if !sameLook(now.view, before.view) || !slices.Equal(excluded, s.excluded) {
		s.excluded = excluded
		s.update()
	}
	if now.precision != before.precision {
		s.widgets.judge()
	}
	if !slices.Equal(now.modalities, before.modalities) {
		s.reload()
	}
}

// Open shows a model.
func (s *Screen) Open(hash string) {
	if hash != s.model {
		s.newLook()
	}
	s.model = hash
	s.keep(settingModel, hash)
	s.reload()
}

// Step shows the model that many places further in the list of models.
func (s *Screen) Step(by int) {
	at := neighbour(s.answer.at, by, len(s.answer.models))
	if at >= 0 && at != s.answer.at {
		s.answer.at = at // further keys count on from here, also while it is being read
		s.Open(s.answer.models[at].Hash)
	}
}

// Evidence is what the screen shows; ok is false without a model or while it is being read.
func (s *Screen) Evidence() (e evidence.Evidence, ok bool) {
	return s.frame.shown.Evidence, !s.waiting && s.answer.at >= 0 && len(s.answer.models) > 0
}

// Control chooses images and a part of the family; the matrices follow.
func (s *Screen) Control(c Controls) {
	if c != s.controls {
		s.controls = c
		s.widgets.showControls()
		s.update()
	}
}

// Modalities chooses the matrices and remembers them.
func (s *Screen) Modalities(names []string) {
	names = arranged(names, places(s.answer.base.Model, s.computed(), names))
	if slices.Equal(names, s.kept.modalities) {
		return
	}
	s.kept.modalities = names
	s.keep(settingModalities, names)
	s.reload()
}

// computed are the positions that the model's signals have.
func (s *Screen) computed() []signal.Position {
	if s.session == nil {
		return nil
	}
	return s.session.set.Spec.Positions
}

// Precision chooses the half-width of delta that the number of images refers to, as a share of
// delta.
func (s *Screen) Precision(share float64) {
	if share != s.kept.precision {
		s.kept.precision = share
		s.keep(settingPrecision, share)
		s.widgets.judge()
	}
}

// Preset chooses the colour ranges and remembers them in the workspace.
func (s *Screen) Preset(p evidence.Preset) {
	s.kept.view.Preset = p
	s.keep(settingPreset, int(p))
	s.update()
}

// OwnRange sets and chooses one's own colour range.
func (s *Screen) OwnRange(r label.Range) {
	s.kept.view.Own = r
	s.keep(settingOwn, r)
	s.Preset(evidence.Own)
}

// Map chooses the colour map by its name and remembers it in the workspace.
func (s *Screen) Map(name string) {
	if name != s.kept.view.Map {
		s.kept.view.Map = name
		s.keep(settingMap, name)
		s.update()
	}
}

// TakeRecipe corrects the model's recipe to the one that it looks as if it wants.
func (s *Screen) TakeRecipe() {
	wanted, ok := s.answer.base.Looks.Wanted()
	if !ok {
		return
	}
	s.correct(s.answer.base.Model, func(m model.Model) (model.Correction, error) {
		m.Correction.Recipe = wanted.Recipe
		_, err := m.Settings()
		return m.Correction, err
	}, s.failed)
	s.focus()
}

func (s *Screen) failed(err error) {
	if err != nil {
		s.Fail(err)
	}
}

// correct changes a model's correction, and tells done how that went.
func (s *Screen) correct(of model.Model, change func(model.Model) (model.Correction, error), done func(error)) {
	var before, after model.Correction
	s.Work.Quiet("correct settings", func(context.Context) error {
		return s.store.UpdateModel(of.Hash, func(m *model.Model) (err error) {
			before = m.Correction
			m.Correction, err = change(*m)
			after = m.Correction
			return err
		})
	}, func(err error) {
		if err == nil {
			s.Say("settings saved; signals made with other settings count as stale")
			s.deps.Did(s.correction(of.Hash, of.ID, before, after))
		}
		done(err)
	})
}

// correction is the step that replaced one correction by another.
func (s *Screen) correction(hash, id string, before, after model.Correction) history.Step {
	put := func(c model.Correction) func(context.Context) error {
		return func(context.Context) error {
			return s.store.UpdateModel(hash, func(m *model.Model) error {
				m.Correction = c
				return nil
			})
		}
	}
	return history.Step{Title: fmt.Sprintf("correction of the settings of %s", id), Undo: put(before), Redo: put(after)}
}
