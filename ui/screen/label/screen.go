package label

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Screen is the label screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, read]
	deps  Deps
	shown bool

	session *Session // nil while nobody is signed in
	ask     signing  // who wants to sign in
	names   map[string]string
	// modelNames are the names of models by hash.
	modelNames map[string]string
	view       evidence.View
	cache      *evidenceCache
	old        bool // models or signals have changed since the cache was filled
	epoch      int  // of the cache: answers for an older one are dropped

	auto   bool          // a label moves on automatically
	idle   time.Duration // without a sign of activity before work pauses, 0 for never
	paused bool
	full   bool          // full screen
	ticks  chan struct{} // closed to end the clock's ticking; nil while it rests

	saving   bool
	planning *Session     // whose order is being planned, or could not be; nil for none
	late     bool         // what was read is older than an event
	saved    int          // counts events that were stored, and settings that were chosen
	queue    []keymap.Key // typed while an event was being stored
	chords   []fyne.Shortcut
	widgets  *widgets

	keeper *jobs.Keeper // of settings
}

// signing is an annotator who wants to work in a round; the zero one is nobody.
type signing struct {
	round, annotator string
	joins            bool // the annotator is new to the round
}

// read is what a reading brings: the rounds while nobody is signed in, else the round.
type read struct {
	choices Choices
	work    work
	signing signing // who signs in with it
	wrong   error   // why nobody can
	saved   int     // events and settings that it knows of
	early   bool    // it began while a setting that is followed was being stored
}

// work is a round with its events, colour ranges, the pictures of its guideline and people's names.
type work struct {
	round    labels.Round // without an id: there is none
	gone     bool         // it was deleted elsewhere
	events   []labels.Event
	ranges   evidence.Ranges
	pictures map[string]image.Image
	names    map[string]string
	models   map[string]string // names of models by hash
	longest  model.Model       // of evidence.Longest
	chosen   chosen
}

// New makes the screen; it reads when it is shown.
func New(host *kit.Host, deps Deps) *Screen {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Keys == nil {
		deps.Keys, _ = keymap.Open(nil) // without preferences there is nothing that could not be read
	}
	if deps.FocusMode == nil {
		deps.FocusMode = func(bool) {}
	}
	own := *host
	s := &Screen{
		deps: deps, cache: &evidenceCache{
			items: map[string]evidence.Prepared{}, loading: map[string]bool{}, broken: map[string]bool{},
		},
		view: evidence.View{
			Map: evidence.DefaultMap, FieldMap: evidence.DefaultFieldMap,
		}, auto: true,
		keeper: jobs.NewKeeper(host.Work, deps.Store.SetSetting, host.Fail),
	}
	own.Refocus = s.focus
	deaf := deps.Keys.OnChange(s.rekey)
	s.widgets = newWidgets(s, &own)
	s.Screen = kit.New(kit.Screen[struct{}, read]{
		Host: &own, Name: "Read labels", Doing: "Reading labels…", Key: "label", Quiet: true, Load: s.load,
		Show: s.take, Margin: true,
		Body: s.widgets.root, Keys: s.focus, OnShown: s.resume, OnHidden: s.leaveAlone, OnClosed: func() {
			s.shown = false
			s.rest()
			deaf()
		}, OnChange: func(kind store.ChangeKind) {
			s.old = s.old || slices.Contains(ofEvidence, kind)
		},
		On:    append([]store.ChangeKind{store.LabelsChanged, store.RoundChanged, store.SettingChanged}, ofEvidence...),
		Heeds: func(c store.Change) bool { return c.Kind != store.SettingChanged || slices.Contains(followed, c.ID) },
	})
	return s
}

// ofEvidence are the changes after which matrices are read anew.
var ofEvidence = []store.ChangeKind{
	store.ModelChanged, store.SignalsChanged, store.SuiteChanged, store.BackgroundChanged,
}

// resume goes on when the screen comes to the front: the clock of the item stood while it was
// hidden.
func (s *Screen) resume() {
	s.shown = true
	s.runClock()
	s.tick()
	s.chord()
	s.widgets.placeBar()
}

// leaveAlone stops the item's clock and gives back the full screen.
func (s *Screen) leaveAlone() {
	s.shown = false
	s.rest()
	s.unchord()
	s.SetFull(false)
	if s.session != nil {
		s.KeepNote()
		s.runClock()
	}
}

// forget drops the evidence read so far.
func (s *Screen) forget() {
	s.old = false
	s.epoch++
	s.cache.clear()
}

// load reads what is shown: the rounds while nobody is signed in or signs in, else the round.
func (s *Screen) load(struct{}) kit.Work[read] {
	r, from := read{signing: s.ask, saved: s.saved}, s.deps.Store
	r.early = s.keeping()
	id, annotator := r.signing.round, r.signing.annotator
	if s.session != nil && id == "" {
		id, annotator = s.session.Round().ID, s.session.Annotator()
	}
	return func(ctx context.Context, _ engine.Progress) (_ read, err error) {
		if id == "" {
			r.choices, err = readChoices(from)
			return r, err
		}
		if r.signing.joins {
			err = join(from, &r.signing)
			annotator = r.signing.annotator
		}
		if err == nil {
			r.work, err = readRound(ctx, from, id, annotator)
		}
		if r.signing.round == "" {
			if r.work.gone = errors.Is(err, store.ErrNotFound); r.work.gone {
				return r, nil
			}
			return r, err
		}
		if err == nil {
			err = errors.Join(from.SetSetting(settingRound, id), from.SetSetting(settingAnnotator, r.signing.annotator))
		}
		if r.wrong = err; err != nil && ctx.Err() == nil {
			r.choices, err = readChoices(from)
		}
		return r, err
	}
}

// join makes somebody an annotator of a round. A name that the workspace knows stands for its id.
func join(from Store, who *signing) error {
	round, err := from.Round(who.round)
	if err != nil {
		return err
	}
	names, err := from.AnnotatorNames()
	if err != nil {
		return err
	}
	for id, name := range names {
		if name == who.annotator {
			who.annotator = id
		}
	}
	if slices.Contains(round.Annotators, who.annotator) {
		return nil
	}
	round.Annotators = append(slices.Clone(round.Annotators), who.annotator)
	return from.UpdateRound(round)
}

func readRound(ctx context.Context, from Store, id, annotator string) (w work, err error) {
	if w.round, err = from.Round(id); err != nil {
		return w, err
	}
	w.ranges, w.pictures = w.round.Ranges, widget.DecodePictures(w.round.Pictures)
	if w.names, err = from.AnnotatorNames(); err != nil {
		return w, err
	}
	if w.chosen, err = readChosen(from, annotator); err != nil {
		return w, err
	}
	models, err := from.Models()
	if err != nil {
		return w, err
	}
	w.longest, w.models = evidence.Longest(w.round, models), make(map[string]string, len(models))
	for _, m := range models {
		w.models[m.Hash] = m.ID
	}
	if len(w.round.Ranges) < len(evidence.RoundModalities(w.round)) { // not frozen yet
		if w.ranges, err = from.RoundRanges(ctx, w.round); err != nil {
			return w, err
		}
	}
	w.events, err = from.Events(id)
	return w, err
}

// take shows what was read. Labels that were read before one that is being stored, or was stored
// meanwhile, are read again.
func (s *Screen) take(r read) {
	w := r.work
	switch {
	case r.signing.round != "" && r.wrong == nil:
		s.begin(w, r.signing.annotator)
		s.follow(w.chosen, r)
	case s.session == nil || r.wrong != nil:
		if s.ask = (signing{}); r.wrong != nil {
			s.leaveRound()
			s.problem(r.wrong)
		}
		s.widgets.detailsOn, s.auto = r.choices.Details, r.choices.Auto
		s.follow(r.choices.chosen, r)
		s.widgets.signIn.apply(r.choices)
		if s.Window.Canvas().Focused() == nil { // the page was not there when the screen came to the front
			s.focus()
		}
	case s.saving || r.saved != s.saved:
		s.late = true
		s.catchUp()
	case w.gone: // so there is nothing to label and nothing to lose
		name := s.session.Round().Name
		s.leave()
		s.Say(fmt.Sprintf("round %s was deleted; choose another one", name))
	case w.round.ID == s.session.Round().ID:
		s.reload(r)
	}
}

// reload shows a round and its events that were read anew.
func (s *Screen) reload(r read) {
	w, before := r.work, s.session.Turn()
	s.names, s.modelNames = w.names, w.models
	s.session.Reload(w.round, w.events, s.deps.Now())
	s.widgets.guideline.Show(w.round.Guideline, w.pictures)
	s.widgets.evidence.Begin(w.round, w.longest)
	s.widgets.nameOffers()
	s.follow(w.chosen, r)
	if s.old {
		s.forget()
	}
	if !maps.Equal(s.view.Shared, w.ranges) {
		s.view.Shared = w.ranges
		s.widgets.repaint()
	}
	if s.session.Turn() != before {
		s.widgets.clearNote()
	}
	s.show()
}

// catchUp reads again what was read too early, once no event is being stored.
func (s *Screen) catchUp() {
	if s.late && !s.saving {
		s.late = false
		s.Changed()
	}
}

// SignIn starts or resumes an annotator's work in a round.
func (s *Screen) SignIn(round, annotator string) {
	s.ask = signing{round: round, annotator: annotator}
	s.Changed()
}

// Join makes somebody an annotator of a round and signs them in.
func (s *Screen) Join(round, name string) {
	s.ask = signing{round, name, true}
	s.Changed()
}

func (s *Screen) begin(w work, annotator string) {
	s.ask = signing{}
	s.forget()
	s.session = NewSession(w.round, annotator, w.events, s.deps.Now())
	s.session.SetIdle(s.idle)
	s.names, s.modelNames, s.paused = w.names, w.models, false
	s.view.Preset, s.view.Shared, s.view.OfPaper = evidence.Shared, w.ranges, labels.Range{}
	if w.round.Kind == labels.BackgroundRound {
		s.view.OfPaper = labels.Range{High: render.PaperFieldHigh}
	}
	s.widgets.begin(s.session, w)
	s.show()
	s.tick()
	s.focus()
	s.plan()
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
	s.leaveRound()
	s.Changed()
}

func (s *Screen) leaveRound() {
	s.session, s.ask = nil, signing{}
	s.rest()
	s.forget()
	s.SetFull(false)
	s.widgets.showSignIn()
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
	return s.shown && s.session != nil && s.Window.Canvas().Focused() == fyne.Focusable(s.widgets.surface)
}

// show brings the session's item to the screen and reads ahead.
func (s *Screen) show() {
	s.widgets.showSession()
	hash, ok := s.session.Item()
	if !ok {
		s.widgets.showDone()
	} else if e, ready := s.cache.get(hash); ready {
		s.widgets.showEvidence(e)
	} else {
		s.widgets.showLoading()
		s.fetch(hash)
	}
	s.readAhead()
}

// runClock lets the item's clock run while the item can be seen, and stops it otherwise.
func (s *Screen) runClock() {
	switch {
	case s.session == nil:
	case s.shown && s.widgets.over.Visible():
		s.session.Resume(s.deps.Now())
	default:
		s.session.Pause(s.deps.Now())
	}
}

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
	s.Fail(err)
}
