package agreement

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	Models() ([]model.Model, error)
	Rounds() ([]label.Round, error)
	Round(id string) (label.Round, error)
	Events(round string) ([]label.Event, error)
	UpdateRound(r label.Round) error
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
}

// Deps is what the screen is made from. Work, Store and Window are needed; the callbacks may be nil.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Status shows a line of text at the foot of the window, "" ends it.
	Status func(text string)
	// ShowError shows an error to the person.
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

// settingRound is the workspace setting that remembers the chosen round.
const settingRound = "agreement.round"

// Screen is the agreement screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	latest   background.Latest
	shown    bool
	stale    bool
	loading  bool
	again    bool   // something changed while loading
	round    string // chosen round's id, "" for the remembered or newest one
	leaveOut bool
	answer   answer
	face     *face
	cancel   func()
}

// New makes the screen and listens to the store until Close.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, stale: true}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.LabelsChanged, store.RoundChanged, store.ModelChanged:
			deps.Work.Post(s.changed)
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
}

// Hidden is called when the screen leaves the front.
func (s *Screen) Hidden() { s.shown = false }

func (s *Screen) changed() {
	if s.shown {
		s.Refresh()
	} else {
		s.stale = true
	}
}

// View is what the screen shows; ok is false without a round.
func (s *Screen) View() (v View, ok bool) {
	return s.answer.view, s.answer.at >= 0 && len(s.answer.rounds) > 0
}

// ShowRound chooses the round.
func (s *Screen) ShowRound(id string) {
	s.round = id
	s.deps.Work.Quiet("remember round", func(context.Context) error {
		return s.deps.Store.SetSetting(settingRound, id)
	}, nil)
	s.Refresh()
}

// LeaveOneOut chooses whether a rater is compared with the majority of the others only.
func (s *Screen) LeaveOneOut(on bool) {
	s.leaveOut = on
	s.Refresh()
}

// answer is what a reload reads.
type answer struct {
	rounds []label.Round // newest first
	at     int           // index of the chosen one, -1 without rounds
	view   View
}

// Refresh reads the round and its labels and measures them, off the main goroutine. While it runs, further calls are
// joined to one more run at the end.
func (s *Screen) Refresh() {
	s.stale = false
	if s.loading {
		s.again = true
		return
	}
	s.loading = true
	round, leaveOut := s.round, s.leaveOut
	background.Load(s.deps.Work, &s.latest, "measure agreement", func(context.Context) (answer, error) {
		return read(s.deps.Store, round, leaveOut)
	}, func(a answer, err error) {
		s.loading = false
		if s.again {
			s.again = false
			s.Refresh()
			return
		}
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		s.answer = a
		s.face.show(a)
	})
}

func read(from Store, id string, leaveOut bool) (answer, error) {
	a := answer{at: -1}
	rounds, err := from.Rounds()
	if err != nil {
		return a, err
	}
	slices.SortStableFunc(rounds, func(x, y label.Round) int { return y.Created.Compare(x.Created) })
	a.rounds = rounds
	if id == "" {
		if _, err := from.Setting(settingRound, &id); err != nil {
			return a, err
		}
	}
	if len(rounds) == 0 {
		return a, nil
	}
	a.at = max(slices.IndexFunc(rounds, func(r label.Round) bool { return r.ID == id }), 0)
	a.view, err = measureRound(from, rounds[a.at], leaveOut)
	return a, err
}

func measureRound(from Store, round label.Round, leaveOut bool) (View, error) {
	events, err := from.Events(round.ID)
	if err != nil {
		return View{}, err
	}
	models, err := from.Models()
	if err != nil {
		return View{}, err
	}
	in := Input{Round: round, Events: events, Names: make(map[string]string, len(models)), Ratings: label.Ratings(round, events)}
	for _, m := range models {
		in.Names[m.Hash] = m.ID
	}
	in.Report = measure.Measure(in.Ratings, round.Classes, round.Annotators,
		measure.Options{Classes: label.Words(round.Classes), LeaveOneOut: leaveOut, Intervals: true})
	return Build(in), nil
}

// AskClose asks whether the round is to be closed, or opened again, and does so.
func (s *Screen) AskClose() {
	v, ok := s.View()
	if !ok || s.deps.Window == nil {
		return
	}
	title, text := "Close round", fmt.Sprintf("Close round %s? Its labels can then be seen by everybody, and nobody can "+
		"change them until it is opened again.", v.Round.Name)
	if v.Round.Closed {
		title, text = "Open round", fmt.Sprintf("Open round %s again? Its annotators can then change their labels.", v.Round.Name)
	}
	dialog.ShowConfirm(title, text, func(yes bool) {
		if yes {
			s.SetClosed(v.Round.ID, !v.Round.Closed)
		}
	}, s.deps.Window)
}

// SetClosed closes a round or opens it again.
func (s *Screen) SetClosed(id string, closed bool) {
	s.deps.Work.Quiet("close round", func(context.Context) error {
		round, err := s.deps.Store.Round(id)
		if err != nil {
			return err
		}
		round.Closed = closed
		return s.deps.Store.UpdateRound(round)
	}, func(err error) {
		if err != nil {
			s.deps.ShowError(err)
		}
	})
}
