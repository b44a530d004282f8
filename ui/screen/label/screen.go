package label

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"time"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Screen is the label screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	rounds   background.Latest // the sign-in page
	reloads  background.Latest // the session's round and events
	settings background.Latest
	shown    bool
	stale    bool // something changed while hidden

	session *Session // nil while nobody is signed in
	names   map[string]string
	view    evidence.View
	shelf   *shelf
	epoch   int // of the shelf: answers for an older one are dropped

	auto   bool          // a label moves on automatically
	idle   time.Duration // without a sign of activity before work pauses, 0 for never
	paused bool
	full   bool          // full screen
	ticks  chan struct{} // closed to end the clock's ticking; nil while it rests

	saving  bool
	late    bool         // labels changed while an event was being stored
	queue   []keymap.Key // typed while an event was being stored
	chords  []fyne.Shortcut
	silence []func()
	widgets *widgets

	keeper *background.Keeper // of settings
}

// New makes the screen and listens to the store until Close.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{
		deps: deps, shelf: newShelf(), view: evidence.View{Map: evidence.DefaultMap, FieldMap: evidence.DefaultFieldMap}, auto: true,
		keeper: background.NewKeeper(deps.Work, deps.Store.SetSetting, deps.ShowError),
	}
	s.widgets = newWidgets(s)
	s.silence = []func(){
		deps.Store.Subscribe(func(c store.Change) { deps.Work.Post(func() { s.changed(c) }) }),
		deps.Keys.OnChange(s.rekey),
	}
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.widgets.root }

// Close ends listening to the store and to the keys.
func (s *Screen) Close() {
	s.shown = false
	s.rest()
	for _, silence := range s.silence {
		silence()
	}
}

// Shown is called when the screen comes to the front; Hidden when it leaves. The clock of the item
// stops in between.
func (s *Screen) Shown() {
	s.shown = true
	if s.session != nil && !s.paused {
		s.session.Resume(s.deps.Now())
	}
	if s.stale || s.session == nil {
		s.Refresh()
	}
	s.tick()
	s.chord()
	s.focus()
}

// Hidden stops the item's clock and gives back the full screen.
func (s *Screen) Hidden() {
	s.shown = false
	s.rest()
	s.unchord()
	s.SetFull(false)
	if s.session != nil {
		s.KeepNote()
		s.session.Pause(s.deps.Now())
	}
}

// changed reacts to a change in the store.
func (s *Screen) changed(c store.Change) {
	switch c.Kind {
	case store.LabelsChanged, store.RoundChanged:
		if s.session != nil && c.ID != s.session.Round().ID {
			return
		}
	case store.ModelChanged, store.SignalsChanged, store.SuiteChanged, store.BackgroundChanged:
		s.forget()
	case store.SettingChanged:
		s.settingChanged(c.ID)
		return
	default:
		return
	}
	switch {
	case !s.shown:
		s.stale = true
	case s.saving:
		s.late = true
	default:
		s.Refresh()
	}
}

// forget drops the evidence read so far.
func (s *Screen) forget() {
	s.epoch++
	s.shelf.clear()
}

// Refresh reads anew what is shown: the rounds while nobody is signed in, else the round, its
// events and evidence.
func (s *Screen) Refresh() {
	s.stale = false
	if s.session == nil {
		s.loadRounds()
		return
	}
	id := s.session.Round().ID
	background.Load(s.deps.Work, &s.reloads, "read labels", func(ctx context.Context) (work, error) {
		return s.readRound(ctx, id)
	}, s.applyReload)
}

// work is a round with its events, colour ranges, the pictures of its guideline and people's names.
type work struct {
	round    labels.Round
	events   []labels.Event
	ranges   evidence.Ranges
	pictures map[string]image.Image
	names    map[string]string
}

func (s *Screen) readRound(ctx context.Context, id string) (work, error) {
	round, err := s.deps.Store.Round(id)
	if err != nil {
		return work{}, err
	}
	w := work{round: round, ranges: round.Ranges, pictures: widget.DecodePictures(round.Pictures)}
	if w.names, err = s.deps.Store.AnnotatorNames(); err != nil {
		return w, err
	}
	if len(round.Ranges) < len(evidence.RoundModalities(round)) { // not frozen yet
		if w.ranges, err = s.deps.Store.RoundRanges(ctx, round); err != nil {
			return w, err
		}
	}
	w.events, err = s.deps.Store.Events(id)
	return w, err
}

func (s *Screen) applyReload(w work, err error) {
	switch {
	case s.session == nil:
		return
	case s.saving: // read before the event that is being stored
		s.late = true
		return
	case errors.Is(err, store.ErrNotFound): // deleted elsewhere, so there is nothing to label and nothing to lose
		name := s.session.Round().Name
		s.leave()
		s.deps.Status(fmt.Sprintf("round %s was deleted; choose another one", name))
		return
	case err != nil:
		s.problem(err)
		return
	}
	before := s.session.Turn()
	s.names = w.names
	s.session.Reload(w.round, w.events, s.deps.Now())
	s.widgets.guideline.Show(w.round.Guideline, w.pictures)
	if !maps.Equal(s.view.Shared, w.ranges) {
		s.view.Shared = w.ranges
		s.widgets.repaint()
	}
	if s.session.Turn() != before {
		s.widgets.clearNote()
	}
	s.show()
}

// SignIn starts or resumes an annotator's work in a round.
func (s *Screen) SignIn(round, annotator string) {
	background.Load(s.deps.Work, &s.reloads, "sign in", func(ctx context.Context) (work, error) {
		w, err := s.readRound(ctx, round)
		if err != nil {
			return w, err
		}
		if err := s.deps.Store.SetSetting(settingRound, round); err != nil {
			return w, err
		}
		return w, s.deps.Store.SetSetting(settingAnnotator, annotator)
	}, func(w work, err error) {
		if err != nil {
			s.problem(err)
			return
		}
		s.begin(w, annotator)
	})
}

func (s *Screen) begin(w work, annotator string) {
	s.forget()
	s.session = NewSession(w.round, annotator, w.events, s.deps.Now())
	s.session.SetIdle(s.idle)
	s.names, s.paused = w.names, false
	s.view.Preset, s.view.Shared, s.view.OfPaper = evidence.Shared, w.ranges, labels.Range{}
	if w.round.Kind == labels.BackgroundRound {
		s.view.OfPaper = labels.Range{High: render.FieldHigh}
	}
	s.widgets.begin(s.session, w.pictures)
	s.show()
	s.tick()
	s.focus()
}

// name is the name of an annotator to show.
func (s *Screen) name(annotator string) string {
	if name := s.names[annotator]; name != "" {
		return name
	}
	return annotator
}

// SignOut goes back to the choice of round and annotator.
func (s *Screen) SignOut() {
	s.afterNote(s.leave)
}

func (s *Screen) leave() {
	s.reloads.Next()
	s.session = nil
	s.rest()
	s.forget()
	s.SetFull(false)
	s.widgets.showSignIn()
	s.loadRounds()
}

// Session is the signed-in annotator's session, nil without one.
func (s *Screen) Session() *Session { return s.session }

// Blind is the round that an annotator is signed in to, where it is blind and open; nil otherwise.
// Other screens show no more of models then than the round does.
func (s *Screen) Blind() *labels.Round {
	if s.session == nil || !s.session.round.Secret() {
		return nil
	}
	round := s.session.round
	return &round
}

// Annotator is the name of who is signed in, "" for nobody.
func (s *Screen) Annotator() string {
	if s.session == nil {
		return ""
	}
	return s.name(s.session.Annotator())
}

// Working tells whether somebody is signed in and the keys of the screen are in force.
func (s *Screen) Working() bool {
	return s.shown && s.session != nil && s.deps.Window != nil &&
		s.deps.Window.Canvas().Focused() == fyne.Focusable(s.widgets.surface)
}

// show brings the session's item to the screen and reads ahead.
func (s *Screen) show() {
	s.widgets.showSession()
	hash, ok := s.session.Item()
	if !ok {
		s.widgets.showDone()
	} else if e, ready := s.shelf.get(hash); ready {
		s.widgets.showEvidence(e)
	} else {
		s.widgets.showLoading()
		s.load(hash)
	}
	s.restClock()
	s.readAhead()
}

// restClock stops the clock that an item starts with, while nobody sees the item: the screen is
// hidden, or work pauses.
func (s *Screen) restClock() {
	if s.session != nil && (!s.shown || s.paused) {
		s.session.Pause(s.deps.Now())
	}
}

func (s *Screen) modalities() []string { return evidence.RoundModalities(s.session.Round()) }

// currentItem is the item shown; ok is false without one or without a session.
func (s *Screen) currentItem() (hash string, ok bool) {
	if s.session == nil {
		return "", false
	}
	return s.session.Item()
}

// problem tells the person what went wrong; nothing on the screen moves.
func (s *Screen) problem(err error) {
	s.widgets.message(present.Sentence(err), true)
	s.deps.ShowError(err)
}
