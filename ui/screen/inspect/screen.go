package inspect

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Current() (store.Current, error)
	UpdateModel(hash string, change func(*model.Model) error) error
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
}

// Deps is what the screen is made from. Work, Store and Window are needed; the callbacks may be nil.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Run opens the dialog that computes signals, for the given models; nil where there is none.
	Run func(models []string)
	// Status shows a line of text at the foot of the window, "" ends it.
	Status func(text string)
	// ShowError shows an error to the person.
	ShowError func(err error)
}

func (d *Deps) defaults() {
	if d.Status == nil {
		d.Status = func(string) {}
	}
	if d.ShowError == nil {
		d.ShowError = func(error) {}
	}
}

// The workspace settings that the screen remembers.
const (
	settingModel = "inspect.model"
	settingMap   = "view.map"
)

// Screen is the inspect screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps    Deps
	latest  background.Latest
	shown   bool
	stale   bool
	model   string // hash asked for, "" for the remembered or first one
	which   int
	class   int
	share   int
	view    evidence.View
	shared  sharedRanges
	answer  answer
	waiting bool
	face    *face
	cancel  func()
}

// sharedRanges are the shared colour ranges, kept until signals or the current suite or family change.
type sharedRanges struct {
	current store.Current
	ranges  evidence.Ranges
}

// New makes the screen and listens to the store until Close.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, stale: true, view: evidence.View{Map: evidence.DefaultMap}}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.ModelChanged, store.SignalsChanged, store.SuiteChanged, store.CurrentChanged:
			deps.Work.Post(func() { s.changed(c) })
		}
	})
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.face.root }

// Close ends listening to the store.
func (s *Screen) Close() { s.cancel() }

// Shown is called when the screen comes to the front; it reads anew what changed meanwhile.
func (s *Screen) Shown() {
	s.shown = true
	if s.stale {
		s.Refresh()
	}
	s.focus()
}

// Hidden is called when the screen leaves the front.
func (s *Screen) Hidden() { s.shown = false }

func (s *Screen) changed(c store.Change) {
	if c.Kind != store.ModelChanged {
		s.shared.ranges = nil
	}
	if c.Kind == store.SignalsChanged && c.ID != s.answer.evidence.Model.Hash {
		return // another model's; the shared ranges follow with the next reload
	}
	if s.shown {
		s.Refresh()
	} else {
		s.stale = true
	}
}

// Open shows a model.
func (s *Screen) Open(hash string) {
	s.model = hash
	s.deps.Work.Quiet("remember model", func(context.Context) error {
		return s.deps.Store.SetSetting(settingModel, hash)
	}, nil)
	if s.shown {
		s.Refresh()
	} else {
		s.stale = true
	}
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
	return s.answer.evidence.Evidence, !s.waiting && s.answer.at >= 0 && len(s.answer.models) > 0
}

// answer is what a reload reads.
type answer struct {
	models   []model.Model
	at       int // of the model shown, -1 without models
	evidence evidence.Prepared
	shared   sharedRanges
	images   variance.Images
	none     error // why no image is left; the tiles say so
}

// request is what a reload needs; it is copied so that nothing is shared between goroutines.
type request struct {
	model               string
	which, class, share int
	view                evidence.View
	shared              sharedRanges
}

// Refresh reads the model and computes its matrices for the chosen images, off the main goroutine; an answer to an older
// request is dropped.
func (s *Screen) Refresh() {
	s.stale, s.waiting = false, true
	s.face.busy()
	req := request{s.model, s.which, s.class, s.share, s.view, s.shared}
	background.Load(s.deps.Work, &s.latest, "read matrices", func(ctx context.Context) (answer, error) {
		return read(ctx, s.deps.Store, req)
	}, func(a answer, err error) {
		s.waiting = false
		if err != nil {
			s.face.broken(err)
			s.deps.ShowError(err)
			return
		}
		s.answer, s.shared = a, a.shared
		s.view.Shared, s.view.Map = a.shared.ranges, a.evidence.View.Map
		if a.at >= 0 {
			s.model = a.models[a.at].Hash
		}
		s.face.show(a)
	})
}

func read(ctx context.Context, from Store, req request) (answer, error) {
	a := answer{at: -1, shared: req.shared}
	var err error
	if a.models, err = from.Models(); err != nil {
		return a, err
	}
	if len(a.models) == 0 {
		return a, nil
	}
	if req.model == "" {
		if _, err := from.Setting(settingModel, &req.model); err != nil {
			return a, err
		}
	}
	a.at = max(slices.IndexFunc(a.models, func(m model.Model) bool { return m.Hash == req.model }), 0)
	if _, err := from.Setting(settingMap, &req.view.Map); err != nil {
		return a, err
	}
	current, err := from.Current()
	if err != nil {
		return a, err
	}
	if a.shared.ranges == nil || a.shared.current != current {
		ranges, err := evidence.SharedRanges(ctx, from, current.Suite, current.Family, evidence.DefaultModalities())
		if err != nil {
			return a, err
		}
		a.shared = sharedRanges{current, ranges}
	}
	req.view.Shared = a.shared.ranges
	return a, a.load(ctx, from, current, req)
}

func (a *answer) load(ctx context.Context, from Store, current store.Current, req request) error {
	var classes []string
	if manifest, err := from.Suite(current.Suite); err == nil {
		classes = manifest.Classes
	}
	a.images = choiceOf(req.which, req.class, req.share, classes)
	e, err := evidence.Load(ctx, from, evidence.Request{
		Model: a.models[a.at].Hash, Suite: current.Suite, Family: current.Family,
		Modalities: evidence.DefaultModalities(), Images: a.images,
	})
	if errors.Is(err, variance.ErrNoImages) || errors.Is(err, variance.ErrNoLabels) {
		a.none, err = err, nil
		e = e.Without(evidence.DefaultModalities(), "no images left")
	}
	if err != nil {
		return err
	}
	a.evidence = evidence.Prepare(e, req.view)
	return nil
}

// Preset chooses the colour ranges.
func (s *Screen) Preset(p evidence.Preset) {
	s.view.Preset = p
	s.repaint()
}

// OwnRange sets and chooses one's own colour range.
func (s *Screen) OwnRange(r label.Range) {
	s.view.Own = r
	s.Preset(evidence.Own)
}

// Map chooses the colour map by its name and remembers it in the workspace.
func (s *Screen) Map(name string) {
	if name == s.view.Map {
		return
	}
	s.view.Map = name
	s.deps.Work.Quiet("remember colour map", func(context.Context) error {
		return s.deps.Store.SetSetting(settingMap, name)
	}, nil)
	s.repaint()
}

// repaint makes the pictures anew for the view in force, off the main goroutine.
func (s *Screen) repaint() {
	if s.waiting {
		s.Refresh()
		return
	}
	e, v := s.answer.evidence.Evidence, s.view
	background.Load(s.deps.Work, &s.latest, "paint matrices", func(context.Context) (evidence.Prepared, error) {
		return evidence.Prepare(e, v), nil
	}, func(p evidence.Prepared, err error) {
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		s.answer.evidence = p
		s.face.paint(p)
	})
}

// Choose picks the images by the menus' indices and computes the matrices anew.
func (s *Screen) Choose(which, class, share int) {
	if which == s.which && class == s.class && share == s.share {
		return
	}
	s.which, s.class, s.share = which, class, share
	s.Refresh()
}

// Correct stores an edited form as the model's correction.
func (s *Screen) Correct(f Form) {
	hash := s.answer.evidence.Model.Hash
	s.deps.Work.Quiet("correct settings", func(context.Context) error {
		return s.deps.Store.UpdateModel(hash, func(m *model.Model) (err error) {
			m.Correction, err = f.Correction(*m)
			return err
		})
	}, func(err error) {
		if err != nil {
			s.face.formProblem(present.Sentence(err))
			return
		}
		s.face.formProblem("")
		s.deps.Status("settings saved; signals made with other settings count as stale")
	})
}
