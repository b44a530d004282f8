package features

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Deps is what the screen is made from. Store, Work and Window are needed; the callbacks may be
// nil, and what has no callback is not offered.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Import opens the import dialog, Run the run dialog for models (hashes; nil for all) with what
	// modalities need.
	Import func()
	Run    func(models, modalities []string)
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

// Screen is the features screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps    Deps
	saver   *figures.Saver
	view    *View
	answer  answer
	wishes  wishes
	renewal *background.Renewal
	keeper  *background.Keeper // of settings
	known   bool               // something was read
	face    *face
	cancel  func()
}

// New makes the screen and listens to the store until Close; it measures when it is shown.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, view: NewView(), keeper: background.NewKeeper(deps.Work, deps.Store.SetSetting, deps.ShowError)}
	s.renewal = background.NewRenewal(deps.Work, "refresh features", s.Refresh)
	s.saver = &figures.Saver{Window: deps.Window, Work: deps.Work, Status: deps.Status, ShowError: deps.ShowError, Closed: s.Focus}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.CurrentChanged, store.RoundChanged, store.LabelsChanged:
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

// Close ends listening to the store.
func (s *Screen) Close() { s.cancel() }

// Shown is called when the screen comes to the front; it measures anew what changed meanwhile.
func (s *Screen) Shown() {
	if !s.renewal.Show() && s.known && s.face.grown != widget.Grown() { // text has another size than before
		s.face.setColumns()
	}
	s.Focus()
}

// Hidden is called when the screen leaves the front: what it said of something under the pointer
// goes, what is being measured goes on.
func (s *Screen) Hidden() {
	s.renewal.Hide()
	s.deps.Status("")
}

// Focus gives the table the keyboard.
func (s *Screen) Focus() {
	if c := s.deps.Window.Canvas(); s.renewal.Shown() && s.face.table.Visible() && c.Focused() != fyne.Focusable(s.face.table) {
		c.Focus(s.face.table)
	}
}

// Refresh measures in the background, as a job that people see and can cancel; what an older one
// was doing ends.
func (s *Screen) Refresh() {
	chosen := s.wishes
	var a answer
	s.face.working(true)
	s.renewal.Start("Measure features", func(ctx context.Context, p *background.Progress) (err error) {
		a, err = read(ctx, s.deps.Store, chosen, p)
		return err
	}, func(err error) {
		s.face.working(false)
		s.ended(a, err)
	})
}

// ended shows what a job has measured, or why it has not.
func (s *Screen) ended(a answer, err error) {
	switch {
	case err == nil:
		s.take(a)
	case errors.Is(err, background.ErrClosed):
	case present.Cancelled(err):
		s.renewal.Spoil()
		s.face.cancelled()
	default:
		s.renewal.Spoil()
		s.face.failed(err)
		s.deps.ShowError(err)
	}
}

// take shows what was measured.
func (s *Screen) take(a answer) {
	s.answer, s.known = a, true
	s.view.Take(a.set)
	if s.wishes.matrix == nil {
		s.view.ShowMatrix(a.matrix)
	}
	s.face.show()
}

// ShowMatrix chooses whose features the table has, "" for the whole vector.
func (s *Screen) ShowMatrix(modality string) {
	s.wishes.matrix = &modality
	s.keeper.Keep(settingMatrix, modality)
	s.view.ShowMatrix(modality)
	s.face.arranged(true)
}

// ShowLabels chooses where labels come from.
func (s *Screen) ShowLabels(from Labelling) {
	s.wishes.labels = &from
	s.keeper.Keep(settingLabels, from)
	s.Refresh()
}

// ShowLayout chooses what the vector is made of.
func (s *Screen) ShowLayout(l feature.Layout) {
	s.wishes.layout = &l
	s.keeper.Keep(settingLayout, l)
	s.Refresh()
}

// Choose chooses the number of histogram and scatter plot.
func (s *Screen) Choose(key string) {
	s.view.Choose(key)
	s.face.plotted()
}

// Select selects a model in the table and in all plots.
func (s *Screen) Select(hash string) {
	if r, ok := s.view.Selected(); ok && r.Model.Hash == hash {
		return
	}
	s.view.Select(hash)
	s.face.selected()
}

// Filter shows only the models that meet a text.
func (s *Screen) Filter(text string) {
	s.view.Filter(text)
	s.face.arranged(false)
}

// SortBy sorts the table by a column, and chooses its feature.
func (s *Screen) SortBy(key string) {
	s.view.SortBy(key)
	s.view.Choose(key)
	s.face.arranged(false)
}
