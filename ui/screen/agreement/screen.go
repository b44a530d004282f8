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
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Rounds() ([]label.Round, error)
	Round(id string) (label.Round, error)
	Events(round string) ([]label.Event, error)
	Append(ev label.Event) (label.Event, error)
	AnnotatorNames() (map[string]string, error)
	UpdateRound(r label.Round) error
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
}

// Deps is what the screen is made from. Work, Store and Window are needed; the callbacks may be
// nil.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Scenes reads what background rounds show; nil where there are none.
	Scenes evidence.Scenes
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Invite writes a round package, Send the labels of this desk, Merge takes files of labels; nil
	// hides their entries.
	Invite, Send func(roundID string)
	Merge        func()
	// Did gets every change of data that can be taken back.
	Did func(history.Step)
	// Status shows a line of text at the foot of the window, "" ends it.
	Status func(text string)
	// ShowError shows an error to the person.
	ShowError func(err error)
}

func (d *Deps) defaults() {
	if d.Inspect == nil {
		d.Inspect = func(string) {}
	}
	if d.Did == nil {
		d.Did = func(history.Step) {}
	}
	if d.Status == nil {
		d.Status = func(string) {}
	}
	if d.ShowError == nil {
		d.ShowError = func(error) {}
	}
}

// The workspace settings that the screen remembers, and those of others that it follows.
const (
	settingRound  = "agreement.round"
	settingColumn = "agreement.column" // of the record, by which models are sorted into kinds
	settingWindow = "agreement.window" // items of the sliding window
	settingJudge  = "agreement.judge"  // id of who adjudicates
	settingViewer = "label.annotator"  // who signed in last
	settingMap    = evidence.SettingMap
)

// Screen is the agreement screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	latest   background.Latest
	finer    background.Latest // the intervals
	looks    background.Latest // the matrices of the case shown
	shown    bool
	stale    bool
	loading  bool
	again    bool   // something changed while loading
	round    string // chosen round's id, "" for the remembered or newest one
	leaveOut bool
	column   string
	window   int
	answer   answer
	judge    string             // id of who adjudicates
	saving   bool               // an adjudication is being stored
	keeper   *background.Keeper // of settings
	face     *face
	cancel   func()
}

// New makes the screen and listens to the store until Close.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, stale: true, keeper: background.NewKeeper(deps.Work, deps.Store.SetSetting, deps.ShowError)}
	s.face = newFace(s)
	s.cancel = deps.Store.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.LabelsChanged, store.RoundChanged, store.ModelChanged:
			deps.Work.Post(s.changed)
		case store.SettingChanged:
			if c.ID == settingMap || c.ID == evidence.SettingFieldMap || c.ID == settingViewer || c.ID == "annotators" {
				deps.Work.Post(s.changed)
			}
		}
	})
	return s
}

// host is what the window gives the tables of the screen.
func (s *Screen) host() *kit.Host {
	return &kit.Host{Window: s.deps.Window, Work: s.deps.Work, Status: s.deps.Status, ShowError: s.deps.ShowError}
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
	s.keeper.Keep(settingRound, id)
	s.Refresh()
}

// LeaveOneOut chooses whether a rater is compared with the majority of the others only.
func (s *Screen) LeaveOneOut(on bool) {
	s.leaveOut = on
	s.Refresh()
}

// ShowKinds chooses the column of the models' records by which they are sorted into kinds.
func (s *Screen) ShowKinds(column string) {
	s.column = column
	s.keeper.Keep(settingColumn, column)
	s.Refresh()
}

// ShowWindow chooses the size of the sliding window.
func (s *Screen) ShowWindow(items int) {
	s.window = items
	s.keeper.Keep(settingWindow, items)
	s.Refresh()
}

// answer is what a reload reads.
type answer struct {
	rounds []label.Round // newest first
	at     int           // index of the chosen one, -1 without rounds
	in     Input
	view   View
	judge  string // who adjudicated last
	colour string // name of the colour map
	fields string // that of interpolated matrices
}

// choice is what was chosen on the screen; what is empty was remembered.
type choice struct {
	round    string
	leaveOut bool
	column   string
	window   int
}

// Refresh reads the round and its labels and measures them, off the main goroutine: first the
// values, then the intervals, which take longer. While it reads, further calls are joined to one
// more run at the end.
func (s *Screen) Refresh() {
	s.stale = false
	if s.loading {
		s.again = true
		return
	}
	s.loading = true
	s.finer.Next()
	chosen := choice{s.round, s.leaveOut, s.column, s.window}
	background.Load(s.deps.Work, &s.latest, "measure agreement", func(context.Context) (answer, error) {
		return read(s.deps.Store, chosen)
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
		if s.judge == "" {
			s.judge = a.judge
		}
		s.face.show(a)
		s.refine(a.in)
	})
}

// refine computes the intervals of what is shown.
func (s *Screen) refine(in Input) {
	if s.answer.at < 0 {
		return
	}
	background.Load(s.deps.Work, &s.finer, "intervals of agreement", func(ctx context.Context) (View, error) {
		in.Options.Intervals, in.Options.Context = true, ctx
		in.Report = in.measured()
		return Build(in), ctx.Err()
	}, func(v View, err error) {
		if present.Cancelled(err) {
			return
		}
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		s.answer.view = v
		s.face.showFigures(v)
	})
}

func read(from Store, chosen choice) (answer, error) {
	a := answer{at: -1, colour: evidence.DefaultMap, fields: evidence.DefaultFieldMap}
	rounds, err := from.Rounds()
	if err != nil {
		return a, err
	}
	slices.SortStableFunc(rounds, func(x, y label.Round) int { return y.Created.Compare(x.Created) })
	a.rounds = rounds
	for _, kept := range []struct {
		key  string
		into any
		ask  bool
	}{
		{settingRound, &chosen.round, chosen.round == ""},
		{settingColumn, &chosen.column, chosen.column == ""},
		{settingWindow, &chosen.window, chosen.window == 0},
		{settingJudge, &a.judge, true},
		{settingMap, &a.colour, true},
		{evidence.SettingFieldMap, &a.fields, true},
		{settingViewer, &a.in.Viewer, true},
	} {
		if !kept.ask {
			continue
		}
		if _, err := from.Setting(kept.key, kept.into); err != nil {
			return a, err
		}
	}
	if len(rounds) == 0 {
		return a, nil
	}
	a.at = max(slices.IndexFunc(rounds, func(r label.Round) bool { return r.ID == chosen.round }), 0)
	a.in.Round, a.in.Column, a.in.Window = rounds[a.at], chosen.column, chosen.window
	if err := a.in.read(from); err != nil {
		return a, err
	}
	a.in.Options = measure.Options{Classes: label.Words(a.in.Round.Classes), LeaveOneOut: chosen.leaveOut}
	a.in.Report = a.in.measured()
	a.view = Build(a.in)
	return a, nil
}

// read fills what the store knows of the round.
func (in *Input) read(from Store) (err error) {
	if in.Events, err = from.Events(in.Round.ID); err != nil {
		return err
	}
	if in.People, err = from.AnnotatorNames(); err != nil {
		return err
	}
	models, err := from.Models()
	if err != nil {
		return err
	}
	in.Names, in.Records = make(map[string]string, len(models)), make(map[string][]model.Field, len(models))
	for _, m := range models {
		in.Names[m.Hash], in.Records[m.Hash] = m.ID, m.Record
	}
	in.Ratings = label.Ratings(in.Round, in.Events)
	return nil
}

// measured is the report of the ratings under the options, with the annotators' names.
func (in Input) measured() measure.Report {
	names := make([]string, len(in.Round.Annotators))
	for a, id := range in.Round.Annotators {
		names[a] = in.person(id)
	}
	return measure.Measure(in.Ratings, in.Round.Classes, names, in.Options)
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
	name := ""
	s.deps.Work.Quiet("close round", func(context.Context) (err error) {
		name, err = setClosed(s.deps.Store, id, closed)
		return err
	}, func(err error) {
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		title := fmt.Sprintf("closing of round %s", name)
		if !closed {
			title = fmt.Sprintf("opening of round %s", name)
		}
		s.deps.Did(history.Step{
			Title: title,
			Undo:  func(context.Context) error { _, err := setClosed(s.deps.Store, id, !closed); return err },
			Redo:  func(context.Context) error { _, err := setClosed(s.deps.Store, id, closed); return err },
		})
	})
}

func setClosed(in Store, id string, closed bool) (name string, err error) {
	round, err := in.Round(id)
	if err != nil {
		return "", err
	}
	round.Closed = closed
	return round.Name, in.UpdateRound(round)
}
