package invariance

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Deps is what the screen is made from. Store, Work and Window are needed; the callbacks may be nil, and what has no
// callback is not offered.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Import opens the import dialog, Run the run dialog for models (hashes; nil for all). Start starts a run of models on a suite
	// under a family or set without asking further.
	Import func()
	Run    func(models []string)
	Start  func(models []string, suiteHash, family string)
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

// Screen is the invariance screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps    Deps
	saver   *figures.Saver
	view    *View
	renewal *background.Renewal
	known   bool // something was read
	face    *face
	cancel  func()
}

// New makes the screen and listens to the store until Close; it measures when it is shown.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, view: NewView()}
	s.renewal = background.NewRenewal(deps.Work, "refresh invariance", s.measure)
	s.saver = &figures.Saver{Window: deps.Window, Work: deps.Work, Status: deps.Status, ShowError: deps.ShowError, Closed: s.Focus}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.BackgroundChanged:
			deps.Work.Post(func() { s.changed(c.Kind) })
		}
	})
	return s
}

// changed measures anew; the images of a suite that is another now, and the masks of composites, may be where they were not.
func (s *Screen) changed(kind store.ChangeKind) {
	if kind == store.SuiteChanged || kind == store.BackgroundChanged {
		s.face.results.lows.doubt()
	}
	s.renewal.Changed()
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.face.root }

// Close ends listening to the store.
func (s *Screen) Close() {
	s.cancel()
	s.face.close()
}

// Shown is called when the screen comes to the front; it measures anew what changed meanwhile.
func (s *Screen) Shown() {
	if !s.renewal.Show() && s.known && s.face.results.grown != widget.Grown() { // text has another size than before
		s.face.results.setColumns()
	}
	s.Focus()
}

// Hidden is called when the screen leaves the front: what it said of something under the pointer goes, what is being measured goes on.
func (s *Screen) Hidden() {
	s.renewal.Hide()
	s.deps.Status("")
	s.face.results.lows.rest()
}

// Focus gives the table the keyboard.
func (s *Screen) Focus() {
	table := s.face.results.table
	if c := s.deps.Window.Canvas(); s.renewal.Shown() && s.face.body.Visible() && s.face.tabs.SelectedIndex() == 0 && c.Focused() != fyne.Focusable(table) {
		c.Focus(table)
	}
}

// Refresh measures because somebody asks for it: images that were missing are looked for again, too.
func (s *Screen) Refresh() {
	s.face.results.lows.doubt()
	s.measure()
}

// measure measures in the background, as a job that people see and can cancel; what an older one was doing ends.
func (s *Screen) measure() {
	var d Data
	s.face.working(true)
	s.renewal.Start("Measure invariance", func(ctx context.Context, p *background.Progress) (err error) {
		d, err = read(ctx, s.deps.Store, p)
		return err
	}, func(err error) {
		s.face.working(false)
		s.ended(d, err)
	})
}

// ended shows what a job has measured, or why it has not.
func (s *Screen) ended(d Data, err error) {
	switch {
	case err == nil:
		s.known = true
		s.view.Take(d)
		s.face.show()
	case errors.Is(err, background.ErrClosed):
	case present.Cancelled(err):
		s.renewal.Spoil()
		s.face.stopped("Measuring was cancelled; what is shown may be out of date.")
	default:
		s.renewal.Spoil()
		s.face.stopped(present.Sentence(err))
		s.deps.ShowError(err)
	}
}

// Select selects a row of the table by its id.
func (s *Screen) Select(id string) {
	if r, ok := s.view.Selected(); ok && r.id() == id {
		return
	}
	s.view.Select(id)
	s.face.results.selected()
}

// ShowRow selects a row and brings the table to the front, without a filter that hides it.
func (s *Screen) ShowRow(r Row) {
	s.view.Select(r.id())
	if s.view.Index() < 0 {
		s.face.results.showAll()
	}
	s.face.tabs.SelectIndex(0)
	s.face.results.selected()
	s.face.results.scroll()
	s.Focus()
}
