package models

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	parts "github.com/variscope/variscope/ui/widget"
)

// Deps is what the screen is made from. Store, Work and Window are needed; the callbacks may be
// nil, and what has no callback is not offered.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Open opens a model on the inspect screen.
	Open func(modelHash string)
	// Import opens the import dialog, Run the run dialog for these models (hashes).
	Import func()
	Run    func(chosen []string)
	// AddToRound, Compare (two to four), Export and Report do these things with models (hashes).
	AddToRound func(hashes []string)
	Compare    func(hashes []string)
	Export     func(hashes []string)
	Report     func(hashes []string)
	// Blind is the blind round that somebody labels at this moment, nil where nobody does: the list
	// shows no more of models than the round.
	Blind func() *label.Round
	// Did takes changes of data that can be taken back.
	Did func(history.Step)
	// Say puts a message on the status line, ShowError shows an error to the person.
	Say       func(text string)
	ShowError func(err error)
}

// Screen is the list of models, as a table or as a gallery of one matrix each.
type Screen struct {
	deps     Deps
	view     *View
	shelf    *shelf
	list     list
	looks    looks
	scales   scales
	looking  bool // the scales were shown since the screen came to the front
	statuses []engine.Status
	latest   background.Latest
	scaling  background.Latest
	ranging  ranging
	keeper   *background.Keeper // of the looks
	silence  func()
	waiting  atomic.Bool  // a refresh is on its way
	took     atomic.Int64 // nanoseconds of the last load
	loaded   bool
	known    bool // the remembered looks were read
	hovered  int
	anchor   int  // where Shift and an arrow key began to check
	shift    bool // is held down

	face
}

// New makes the screen; it shows nothing before Shown or Refresh.
func New(deps Deps) *Screen {
	s := &Screen{deps: deps, view: NewView(), hovered: -1, anchor: -1, looks: firstLooks()}
	s.shelf = newShelf(deps.Work, func() { s.redraw() })
	s.keeper = background.NewKeeper(deps.Work, deps.Store.SetSetting, s.failed)
	s.view.apply(s.looks)
	s.build()
	s.apply()
	return s
}

func call(f func()) {
	if f != nil {
		f()
	}
}

func call1[T any](f func(T), v T) {
	if f != nil {
		f(v)
	}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Chosen are the hashes of the checked models, or of the selected one.
func (s *Screen) Chosen() []string { return s.view.Chosen() }

// Shown starts to follow the workspace and gives the list the keyboard.
func (s *Screen) Shown() {
	if s.silence == nil {
		s.silence = s.deps.Store.Subscribe(s.heard)
	}
	s.ranging.again()
	s.looking, s.scales.was = false, nil
	s.takeScales()
	s.Refresh()
	s.Focus()
}

// Close ends the screen; it is not shown again.
func (s *Screen) Close() {
	s.Hidden()
	s.shelf.close()
}

// Hidden stops following the workspace.
func (s *Screen) Hidden() {
	s.shelf.clear()
	if s.silence != nil {
		s.silence()
		s.silence = nil
	}
}

// Focus gives the list the keyboard, also when it was never drawn yet.
func (s *Screen) Focus() {
	s.shift = false
	var o interface {
		fyne.CanvasObject
		fyne.Focusable
	} = s.table
	if s.looks.Gallery {
		o = s.gallery
	}
	if c := s.deps.Window.Canvas(); o.Visible() && c.Focused() != fyne.Focusable(o) {
		c.Focus(o)
	}
}

// heard is called on any goroutine after a change in the workspace. Many changes become one
// refresh; the more a refresh costs, the rarer it is.
func (s *Screen) heard(c store.Change) {
	switch c.Kind {
	case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.RunChanged, store.CurrentChanged, store.RoundChanged, store.LabelsChanged:
	case store.SettingChanged:
		if c.ID != settingMap && c.ID != settingPreset && c.ID != settingOwn {
			return
		}
	default:
		return
	}
	if !s.waiting.CompareAndSwap(false, true) {
		return
	}
	pause := max(200*time.Millisecond, 4*time.Duration(s.took.Load()))
	if c.Kind == store.CurrentChanged {
		pause = 0
	}
	s.deps.Work.Quiet("refresh models", func(ctx context.Context) error {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		return ctx.Err()
	}, func(err error) {
		s.waiting.Store(false)
		if err == nil && s.silence != nil {
			s.Refresh()
		}
	})
}

// Refresh reads the list anew in the background; an answer to an older request is dropped.
func (s *Screen) Refresh() {
	var look *looks
	if s.known {
		now := s.looks
		look = &now
	}
	var blind *label.Round
	if s.deps.Blind != nil {
		blind = s.deps.Blind()
	}
	background.Load(s.deps.Work, &s.latest, "load models", func(ctx context.Context) (list, error) {
		started := time.Now()
		l, err := load(ctx, s.deps.Store, look, blind)
		s.took.Store(int64(time.Since(started)))
		return l, err
	}, func(l list, err error) {
		if err != nil {
			s.failed(err)
			return
		}
		s.take(l)
	})
}

// take shows what a refresh has brought. A list that was empty until now could not have the
// keyboard yet.
func (s *Screen) take(l list) {
	if c := s.deps.Window.Canvas(); s.view.Total() == 0 && s.silence != nil && c.Focused() == nil && c.Overlays().Top() == nil {
		defer s.Focus()
	}
	if !s.known {
		s.known, s.looks = true, l.looks
		s.view.apply(l.looks)
	}
	s.list, s.loaded = l, true
	s.view.SetLabelled(l.round.ID != "")
	s.view.SetRows(l.rows)
	s.view.Overlay(l.follow(s.statuses))
	s.shelf.clear()
	s.apply()
	s.rescale()
}

// rescale derives the shared colour ranges when the sets or the colour map have changed, then
// shows the matrices.
func (s *Screen) rescale() {
	l, modality, gallery := s.list, s.looks.Modality, s.looks.Gallery
	if _, ok := s.scales.by[modality]; s.scales.sets == digestOf(l.rows) && s.scales.colours == l.colours && (ok || !gallery) {
		s.shownScale()
		return
	}
	var names []string
	background.Load(s.deps.Work, &s.scaling, "colour ranges", func(ctx context.Context) (made scales, err error) {
		if made, err = scalesOf(ctx, s.deps.Store, l.rows, l.colours); err != nil {
			return made, err
		}
		names, err = modalities(s.deps.Store, l)
		return made, err
	}, func(made scales, err error) {
		if err != nil {
			s.failed(err)
			return
		}
		made.current = l.current
		s.scales = s.scales.next(made, s.looking)
		s.looking = true
		s.offer(names)
		s.redraw()
		if _, ok := s.scales.by[modality]; !ok && gallery {
			s.measure(modality)
		}
		s.shownScale()
	})
}

// takeScales takes the colour ranges that wait; the badge says what they were before.
func (s *Screen) takeScales() {
	if s.scales.fresh == nil {
		return
	}
	s.scales = s.scales.taken()
	s.shelf.clear()
	s.redraw()
	if _, ok := s.scales.by[s.looks.Modality]; !ok && s.looks.Gallery {
		s.measure(s.looks.Modality)
	}
	s.shownScale()
}

// Follow shows what the engine is doing; the window calls it at most ten times a second.
func (s *Screen) Follow(statuses []engine.Status) {
	s.statuses = statuses
	if changed := s.view.Overlay(s.list.follow(statuses)); len(changed) > 0 {
		s.redraw()
		s.refreshDetail()
	}
}

// remember keeps how the screen looks now, in the background.
func (s *Screen) remember() {
	now := s.view.looks(s.looks)
	s.looks = now
	s.keeper.Keep(settingLooks, now)
}

// failed shows an error; that the window closes is none.
func (s *Screen) failed(err error) {
	if err != nil && !errors.Is(err, background.ErrClosed) {
		call1(s.deps.ShowError, err)
	}
}

func (s *Screen) host() *kit.Host {
	return &kit.Host{
		Window: s.deps.Window, Work: s.deps.Work,
		ShowError: s.failed, Status: func(text string) { call1(s.deps.Say, text) },
	}
}

// newFilterEntry makes the entry whose text is the filter.
func (s *Screen) newFilterEntry() *parts.Entry {
	e := parts.NewEntry()
	e.SetPlaceHolder(`Filter: vgg  architecture=cnn  epochs>20  accuracy<0.9  optimizer="Adam"  -leak`)
	e.OnChanged = func(text string) {
		s.view.SetFilter(text)
		s.refreshChips()
		s.arranged()
		if s.view.Len() > 0 {
			s.showRow(0)
		}
	}
	e.OnSubmitted = func(string) { s.Focus() }
	e.OnEscape = s.Focus
	return e
}
