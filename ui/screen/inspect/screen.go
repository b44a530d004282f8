package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Path() string
	Current() (store.Current, error)
	SetFor(m model.Model, suiteHash, family string, modalities []string) (store.SetInfo, bool, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
	UpdateModel(hash string, change func(*model.Model) error) error
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
}

// Actions are what the screen asks of the window. What is nil is not offered, or not done.
type Actions struct {
	// Panes makes the tabs that follow the overview.
	Panes func(pane.Site) []pane.Tab
	// Beside shows a matrix of the shown model beside the same one under another family.
	Beside func(family, modality string)
	// Did notes a change that can be undone.
	Did func(history.Step)
	// Blind is the blind round that somebody labels at this moment, nil where nobody does: the
	// record shows no more than the round.
	Blind func() *label.Round
}

// Screen is the inspect screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, data]
	store   Store
	deps    Actions
	keeper  *jobs.Keeper
	widgets *widgets
	panes   []pane.Tab // the tabs after the overview

	model    string // hash asked for, "" for the remembered or first one
	at       int    // its place among the models
	kept     remembered
	known    bool // kept is what the workspace remembers
	controls Controls
	excluded []int
	seen     string          // the setting that excluded is from
	further  evidence.Ranges // shared ranges of modalities that no summary has
	tried    []string        // modalities whose range was asked for
	taking   taking
	cell     pane.Focus
}

var _ pane.Screen = (*Screen)(nil)

// New makes the screen; it reads when it is shown.
func New(window *kit.Host, from Store, do Actions) *Screen {
	if do.Blind == nil {
		do.Blind = func() *label.Round { return nil }
	}
	if do.Did == nil {
		do.Did = func(history.Step) {}
	}
	host := *window
	s := &Screen{store: from, deps: do, controls: everything(), cell: pane.Whole("")}
	host.Refocus = func() { s.widgets.take() }
	s.Screen = &kit.Screen[struct{}, data]{Host: &host} // the parts are made from it
	s.keeper = jobs.NewKeeper(s.Work, from.SetSetting, s.Fail)
	s.kept = remembered{precision: precisions[0], view: evidence.View{Map: evidence.DefaultMap}}
	s.widgets = newWidgets(s)
	s.Screen = kit.New(kit.Screen[struct{}, data]{
		Host: &host, Name: "Read the model", Doing: "Reading the model…", Key: "inspect", About: &answers, Quiet: true,
		Paced: true, Load: s.load,
		On: []store.ChangeKind{
			store.ModelChanged, store.SignalsChanged, store.SuiteChanged, store.CurrentChanged, store.SettingChanged,
		},
		Heeds: func(c store.Change) bool {
			ours := strings.HasPrefix(c.ID, "inspect.") || strings.HasPrefix(c.ID, "view.")
			return c.Kind != store.SettingChanged || ours && !s.keeper.Keeping(c.ID)
		},
		OnChange: func(kind store.ChangeKind) { s.known = s.known && kind != store.SettingChanged },
		Body:     s.widgets.surface, Tabs: s.widgets.tabs, Margin: true,
		Empty: func(d data) (kit.Empty, bool) {
			return kit.Empty{
				Text: "This workspace has no models yet. Import some, and a test suite.",
				Help: []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: s.Import}},
			}, len(d.models) == 0
		},
		Show: s.show, OnShown: s.look, OnHidden: s.widgets.rest, OnClosed: s.Runs.Subscribe(s.widgets.showState),
	})
	return s
}

// look is called when somebody begins to look at a model: shared ranges that wait are taken, what
// was said of an earlier change is not said again, and the record shows what the round allows.
func (s *Screen) look() {
	if shared := s.data().shared; !s.Idle() || shared.fresh != nil || shared.was != nil {
		s.taking = anew
		s.Changed()
	}
	s.widgets.overview.Changed()
	s.widgets.judge()
}

// data is what was loaded last.
func (s *Screen) data() data {
	d, _ := s.Data()
	return d
}

// keep remembers a value.
func (s *Screen) keep(key string, value any) {
	s.known = s.known || len(s.data().models) > 0
	s.keeper.Keep(key, value)
}

// Open implements pane.Screen: it shows a model.
func (s *Screen) Open(hash string) {
	if hash != s.model {
		s.taking = anew
	}
	s.model = hash
	s.keep(settingModel, hash)
	s.Refresh()
}

// Step shows the model that many places further in the list of models, also while another one is
// being read.
func (s *Screen) Step(by int) {
	models := s.data().models
	if at := neighbour(s.at, by, len(models)); at >= 0 && at != s.at {
		s.at = at
		s.Open(models[at].Hash)
	}
}

// Control chooses images and a part of the family; the matrices follow.
func (s *Screen) Control(c Controls) {
	if c != s.controls {
		s.controls = c
		s.widgets.showControls()
		s.Changed()
	}
}

// Modalities chooses the matrices and remembers them.
func (s *Screen) Modalities(names []string) {
	names = arranged(names, places(s.data().base.Model, s.computed(), names))
	if !slices.Equal(names, s.kept.modalities) {
		s.kept.modalities = names
		s.keep(settingModalities, names)
		s.Changed()
	}
}

// computed are the positions that the model's signals have.
func (s *Screen) computed() []signal.Position {
	if x := s.data().session; x != nil {
		return x.set.Spec.Positions
	}
	return nil
}

// Preset chooses the colour ranges and remembers them in the workspace.
func (s *Screen) Preset(p evidence.Preset) {
	s.kept.view.Preset = p
	s.keep(settingPreset, int(p))
	s.Changed()
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
		s.Changed()
	}
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

// TakeRanges takes the shared ranges that wait, if any; the matrices say what they were before.
func (s *Screen) TakeRanges() {
	if s.data().shared.fresh != nil {
		s.taking = take
		s.Changed()
	}
}

// AskCompute offers to compute what the model lacks.
func (s *Screen) AskCompute() {
	var other kit.Help
	if m := s.data().base.Model.Hash; s.Run != nil {
		other = kit.Help{Text: "Something else…", Do: func() { s.Run([]string{m}) }}
	}
	s.AskMissing(s.Subject().Missing(), other)
}

// Exclude implements pane.Screen.
func (s *Screen) Exclude(images []int) { s.exclude(with(s.excluded, images)) }

// Include implements pane.Screen.
func (s *Screen) Include(images []int) { s.exclude(without(s.excluded, images)) }

// exclude leaves these images out of the matrices of the model that is shown, remembers them and
// reports the change.
func (s *Screen) exclude(images []int) {
	before, d := s.excluded, s.data()
	if len(d.models) == 0 || slices.Equal(before, images) {
		return
	}
	s.excluded = images
	s.Changed()
	key := d.excludedKey()
	to := func(list []int) func(context.Context) error {
		return func(context.Context) error { return s.store.SetSetting(key, list) }
	}
	step := history.Step{Title: exclusionTitle(before, images, d.base.Model.ID), Undo: to(before), Redo: to(images)}
	s.keeper.KeepThen(key, images, func() { s.deps.Did(step) })
}

// exclusionTitle says what was done, in words that follow "Undo: ".
func exclusionTitle(before, after []int, id string) string {
	if gone := without(after, before); len(gone) > 0 {
		return fmt.Sprintf("exclusion of %s from %s", result.Counted(len(gone), "image"), id)
	}
	return fmt.Sprintf("inclusion of %s in %s", result.Counted(len(without(before, after)), "image"), id)
}

// ShowPosition implements pane.Screen.
func (s *Screen) ShowPosition(position string) { s.Modalities(shownWith(s.kept.modalities, position)) }

// Mark implements pane.Screen: it marks an element in all matrices.
func (s *Screen) Mark(f pane.Focus) {
	if f != s.cell {
		s.cell = f
		s.widgets.mark()
		s.widgets.readFocus()
		s.widgets.tabs.Changed()
	}
}

// Subject implements pane.Screen.
func (s *Screen) Subject() pane.Subject {
	d := s.data()
	f := d.frame
	subject := pane.Subject{
		Workspace: s.store.Path(), Model: d.base.Model, Suite: d.manifest, Family: d.family,
		Images: f.images, Chosen: f.chosen,
		First: f.first, Last: f.last, Evidence: f.shown.Evidence, View: f.shown.View, Focus: s.cell,
	}
	if subject.Focus.Modality == "" && len(f.shown.Tiles) > 0 {
		subject.Focus.Modality = f.shown.Tiles[0].Modality
	}
	if d.session != nil {
		subject.Set, subject.Mapping = d.session.set, d.session.info.ClassMap
	}
	return subject
}

// ShowSettings brings the settings of the model to the front, where positions are assigned.
func (s *Screen) ShowSettings() {
	s.Front("overview")
	s.widgets.overview.tabs.Select("settings")
}

// Front brings a tab to the front by its key.
func (s *Screen) Front(key string) { s.widgets.tabs.Select(key) }

// TakeRecipe corrects the model's recipe to the one that it looks as if it wants.
func (s *Screen) TakeRecipe() {
	wanted, ok := s.data().base.Looks.Wanted()
	if !ok {
		return
	}
	s.correct(s.data().base.Model, func(m model.Model) (model.Correction, error) {
		m.Correction.Recipe = wanted.Recipe
		_, err := m.Settings()
		return m.Correction, err
	}, s.failed)
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
