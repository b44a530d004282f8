package dscore

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Deps is what the screen is made from. Store, Work and Window are needed; the callbacks may be
// nil, and what has no callback is not offered.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Import opens the import dialog. Start starts runs, one after the other, without asking further.
	Import func()
	Start  func(runs []Run)
	// Augment opens the dialog of the augmentation that a score recommends.
	Augment func(d score.Diagnosis)
	// Locate asks where a suite's images are now.
	Locate func(suiteHash string)
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

// Screen is the screen of the D-Score. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	saver    *figures.Saver
	view     *View
	settings Settings
	filled   bool // settings were read
	renewal  *background.Renewal
	keeper   *background.Keeper // of settings
	known    bool               // something was read
	face     *face
	cancel   func()
}

// New makes the screen and listens to the store until Close; it reads when it is shown.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, view: NewView(), keeper: background.NewKeeper(deps.Work, deps.Store.SetSetting, deps.ShowError)}
	s.renewal = background.NewRenewal(deps.Work, "refresh D-Scores", s.Refresh)
	s.saver = &figures.Saver{Window: deps.Window, Work: deps.Work, Status: deps.Status, ShowError: deps.ShowError, Closed: s.Focus}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged:
			deps.Work.Post(s.renewal.Changed)
		case store.SettingChanged:
			if c.ID == settingMap {
				deps.Work.Post(s.renewal.Changed)
			}
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
	s.face.close()
}

// Shown is called when the screen comes to the front; it reads anew what changed meanwhile.
func (s *Screen) Shown() {
	if !s.renewal.Show() && s.known {
		s.face.grow()
	}
	s.Focus()
}

// Hidden is called when the screen leaves the front: what it said of something under the pointer
// goes, what is being computed goes on.
func (s *Screen) Hidden() {
	s.renewal.Hide()
	s.face.rest()
	s.deps.Status("")
}

// Focus gives the table the keyboard.
func (s *Screen) Focus() {
	f := s.face
	if c := s.deps.Window.Canvas(); s.renewal.Shown() && f.tabs.Visible() && f.tabs.SelectedIndex() == 0 && c.Focused() != fyne.Focusable(f.main.table) {
		c.Focus(f.main.table)
	}
}

// Refresh computes what was not kept, in the background, as a job that people see and can cancel;
// what an older one was doing ends.
func (s *Screen) Refresh() {
	settings, filled := s.settings, s.filled
	var d Data
	s.face.working()
	s.renewal.Start("Compute D-Scores", func(ctx context.Context, p *background.Progress) (err error) {
		if !filled {
			settings = recalled(s.deps.Store)
		}
		d, err = read(ctx, s.deps.Store, settings, p)
		return err
	}, func(err error) { s.ended(d, settings, err) })
}

// recalled are the settings that the workspace remembers; those of another version of the program
// do not count.
func recalled(from Store) Settings {
	usual := Settings{Tolerance: score.Defaults().Tolerance}
	s := usual
	if _, err := from.Setting(keySettings, &s); err != nil {
		s = usual
	}
	s.Tolerance = validTolerance(s.Tolerance)
	return s
}

// ended shows what was read, or why nothing was.
func (s *Screen) ended(d Data, settings Settings, err error) {
	switch {
	case err == nil:
		if !s.filled {
			s.settings, s.filled = settings, true
		}
		s.known = true
		s.view.Take(d, s.settings.Columns)
		s.face.show()
	case errors.Is(err, background.ErrClosed):
	case present.Cancelled(err):
		s.renewal.Spoil()
		s.face.stopped("Computing was cancelled; what is shown may be out of date.")
	default:
		s.renewal.Spoil()
		s.face.stopped(present.Sentence(err))
		s.deps.ShowError(err)
	}
}

// remember keeps the settings in the workspace.
func (s *Screen) remember() {
	s.filled = true
	s.keeper.Keep(keySettings, s.settings)
}

// ShowSuite looks at another suite.
func (s *Screen) ShowSuite(hash string) {
	if hash == s.view.Suite.Hash {
		return
	}
	s.settings.Suite = hash
	s.remember()
	s.Refresh()
}

// ShowGrid looks at another grid.
func (s *Screen) ShowGrid(g score.Grid) {
	if g == s.view.Grid() {
		return
	}
	s.settings.Grid = g
	s.remember()
	if !s.view.ShowGrid(g) {
		s.Refresh() // it is one of a single layer, which is computed when it is wanted
		return
	}
	s.face.show()
}

// ShowRecords chooses the columns of the training records.
func (s *Screen) ShowRecords(names []string) {
	s.settings.Columns = names
	s.remember()
	s.view.SetRecords(names)
	s.face.main.show()
}

// ShowIntervals shows or hides the intervals in the table.
func (s *Screen) ShowIntervals(on bool) {
	if s.settings.NoIntervals == !on {
		return
	}
	s.settings.NoIntervals = !on
	s.remember()
	s.face.main.show()
}

// ShowTolerance chooses what counts as no loss.
func (s *Screen) ShowTolerance(share float64) {
	if share = validTolerance(share); share == s.settings.Tolerance {
		return
	}
	s.settings.Tolerance = share
	s.remember()
	s.face.lose.draw()
}

// Select selects a model in the table.
func (s *Screen) Select(hash string) {
	if r, ok := s.view.Selected(); ok && r.Model.Hash == hash {
		return
	}
	s.view.Select(hash)
	s.face.main.selected()
}

// Mark marks a model for the tabs that compare, or takes its mark away.
func (s *Screen) Mark(hash string) {
	s.view.Mark(hash)
	s.face.main.arranged()
}

// start starts runs.
func (s *Screen) start(runs []Run) {
	if s.deps.Start != nil && len(runs) > 0 {
		s.deps.Start(slices.DeleteFunc(runs, func(r Run) bool { return len(r.Models) == 0 }))
	}
}
