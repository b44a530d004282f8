package runs

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/others"
	"github.com/variscope/variscope/ui/background"
	parts "github.com/variscope/variscope/ui/widget"
)

// Store is what the screen reads; *store.Workspace is one.
type Store interface {
	Runs() ([]store.RunRecord, error)
	Models() ([]model.Model, error)
	Suites() ([]suite.Manifest, error)
	Selections() ([]store.SelectionRecord, error)
	Subscribe(hear func(store.Change)) (cancel func())
}

// Engine is what the buttons steer; *engine.Engine is one. Its methods return at once.
type Engine interface {
	Pause(id string) error
	Resume(id string) error
	Cancel(id string) error
}

// Deps is what the screen is made from. Store, Engine and Work are needed; the callbacks may be
// nil.
type Deps struct {
	Store  Store
	Engine Engine
	Work   *background.Group
	// Again starts a recorded run once more; only what is missing is computed.
	Again func(record store.RunRecord)
	// New opens the dialog for a new run.
	New       func()
	ShowError func(err error)
	// Others are the other machines that may compute; nil where none can be let in, and then the rest
	// is not needed.
	Others Others
	// Window is where questions are asked.
	Window fyne.Window
	// Allow opens the dialog that lets other machines in.
	Allow func()
	// Copy puts a text on the clipboard.
	Copy func(text string)
	// Say puts a message on the status line, and Hint one over it until it is called with "".
	Say, Hint func(text string)

	layOut func() // after the pane asks for another height
}

func (d Deps) say(text string) {
	if d.Say != nil {
		d.Say(text)
	}
}

// Screen shows the runs.
type Screen struct {
	deps     Deps
	records  []store.RunRecord
	names    Names
	statuses []engine.Status
	crew     others.State
	at       time.Time // of crew
	runs     []Run
	selected string // run id
	steady   bool   // the selected run was chosen; otherwise the next one is shown when it has ended
	moving   bool   // the list's selection is being set, not chosen
	latest   background.Latest
	silence  func()
	waiting  atomic.Bool
	loaded   bool

	list    *widget.List
	details *details
	empty   *fyne.Container
	split   *container.Split
	allows  []fyne.CanvasObject // the buttons that let other machines in
	pane    *pane
	object  *fyne.Container
}

// New makes the screen; it shows nothing before Shown, Refresh or Follow.
func New(deps Deps) *Screen {
	s := &Screen{deps: deps}
	s.list = widget.NewList(func() int { return len(s.runs) },
		func() fyne.CanvasObject { return parts.NewProgressRow() },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			if i < len(s.runs) {
				row := o.(*parts.ProgressRow)
				row.SetState(s.runs[i].state())
				row.OnTapped = func() { s.list.Select(i) }
			}
		})
	s.list.OnSelected = func(i widget.ListItemID) {
		if i < len(s.runs) {
			s.selected, s.steady = s.runs[i].ID, s.steady || !s.moving
			s.refreshDetails()
		}
	}
	s.details = newDetails(s.act)
	s.empty = s.welcome()
	s.deps.layOut = func() { s.object.Refresh() }
	s.pane = newPane(s.deps)
	s.split = container.NewHSplit(container.NewBorder(nil, s.allowButton(), nil, nil, s.list), s.details.object)
	s.split.SetOffset(0.42)
	s.object = container.NewBorder(nil, s.pane.object, nil, nil, container.NewStack(s.split, s.empty))
	s.FollowOthers(others.State{}, time.Now())
	s.arrange()
	return s
}

func (s *Screen) welcome() *fyne.Container {
	text := widget.NewLabelWithStyle("Nothing has run yet.", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	hint := widget.NewLabelWithStyle("A run computes the signals of models on a test suite under a family of transformations.",
		fyne.TextAlignCenter, fyne.TextStyle{})
	start := widget.NewButtonWithIcon("New run…", theme.MediaPlayIcon(), func() {
		if s.deps.New != nil {
			s.deps.New()
		}
	})
	start.Importance = widget.HighImportance
	return container.NewCenter(container.NewVBox(text, hint, container.NewHBox(layout.NewSpacer(), start, s.allowButton(), layout.NewSpacer())))
}

// allowButton is a button that lets other machines in, as long as they are not.
func (s *Screen) allowButton() fyne.CanvasObject {
	b := widget.NewButtonWithIcon("Allow other machines…", theme.ComputerIcon(), func() {
		if s.deps.Allow != nil {
			s.deps.Allow()
		}
	})
	s.allows = append(s.allows, b)
	return b
}

// FollowOthers shows what is to be seen of other machines; the window calls it when that has
// changed, and every second while they are let in.
func (s *Screen) FollowOthers(now others.State, at time.Time) {
	s.crew, s.at = now, at
	for _, b := range s.allows {
		parts.Show(b, s.deps.Others != nil && now.Phase == others.Shut)
	}
	s.showOthers()
}

// showOthers fills the pane.
func (s *Screen) showOthers() {
	if s.pane.set(s.crew, s.statuses, s.at) {
		s.object.Refresh()
	}
}

// Unfold shows all of what there is about other machines.
func (s *Screen) Unfold() { s.pane.unfold(true) }

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Shown starts to follow the workspace.
func (s *Screen) Shown() {
	if s.silence == nil {
		s.silence = s.deps.Store.Subscribe(s.heard)
	}
	s.Refresh()
}

// Close ends the screen; it is not shown again.
func (s *Screen) Close() { s.Hidden() }

// Hidden stops following the workspace.
func (s *Screen) Hidden() {
	if s.silence != nil {
		s.silence()
		s.silence = nil
	}
}

// heard is called on any goroutine; many changes become one refresh.
func (s *Screen) heard(c store.Change) {
	if c.Kind != store.RunChanged || !s.waiting.CompareAndSwap(false, true) {
		return
	}
	s.deps.Work.Post(func() {
		s.waiting.Store(false)
		if s.silence != nil {
			s.Refresh()
		}
	})
}

type loaded struct {
	records []store.RunRecord
	names   Names
}

// Refresh reads the records in the background; an answer to an older request is dropped.
func (s *Screen) Refresh() {
	background.Load(s.deps.Work, &s.latest, "load runs", func(context.Context) (loaded, error) {
		return read(s.deps.Store)
	}, func(l loaded, err error) {
		if err != nil {
			s.failed(err)
			return
		}
		s.records, s.names, s.loaded = l.records, l.names, true
		s.arrange()
	})
}

func read(from Store) (l loaded, err error) {
	if l.records, err = from.Runs(); err != nil {
		return l, err
	}
	models, err := from.Models()
	if err != nil {
		return l, err
	}
	suites, err := from.Suites()
	if err != nil {
		return l, err
	}
	selections, err := from.Selections()
	if err != nil {
		return l, err
	}
	l.names = Names{Models: map[string]string{}, Suites: map[string]string{}, Selections: map[string]string{}}
	for _, r := range selections {
		l.names.Selections[r.Hash] = r.Name
	}
	for _, m := range models {
		l.names.Models[m.Hash] = m.ID
	}
	for _, m := range suites {
		l.names.Suites[m.Hash] = m.Name
	}
	return l, nil
}

// Follow shows what the engine is doing; the window calls it at most ten times a second.
func (s *Screen) Follow(statuses []engine.Status) {
	s.statuses = statuses
	s.arrange()
	if s.crew.Phase != others.Shut { // its speeds add up to the one that the run's line says
		s.showOthers()
	}
}

// Select shows the details of a run, also of one that the engine has not told of yet. When it ends
// and others wait behind it, these are shown in turn; a run that has ended already stays.
func (s *Screen) Select(id string) {
	s.selected = id
	s.steady = slices.ContainsFunc(s.runs, func(r Run) bool { return r.ID == id && !r.CanCancel })
	s.arrange()
}

func (s *Screen) arrange() {
	s.runs = List(s.statuses, s.records, s.names)
	at := slices.IndexFunc(s.runs, func(r Run) bool { return r.ID == s.selected })
	if at < 0 && len(s.runs) > 0 && s.selected == "" {
		at, s.selected = 0, s.runs[0].ID
	}
	if at > 0 && !s.steady && !s.runs[at].CanCancel && s.runs[0].CanCancel {
		at, s.selected = 0, s.runs[0].ID
	}
	parts.Show(s.split, len(s.runs) > 0)
	parts.Show(s.empty, s.loaded && len(s.runs) == 0)
	s.list.Refresh()
	if at >= 0 {
		s.moving = true
		s.list.Select(at)
		s.moving = false
	}
	s.refreshDetails()
}

func (s *Screen) refreshDetails() {
	for _, r := range s.runs {
		if r.ID == s.selected {
			s.details.set(r, len(cancellable(s.runs)))
			return
		}
	}
}

func (s *Screen) failed(err error) {
	if err != nil && s.deps.ShowError != nil {
		s.deps.ShowError(err)
	}
}

// action is what a button asks for.
type action int

const (
	pause action = iota
	resume
	cancel
	cancelAll
	again
)

func (s *Screen) act(what action, r Run) {
	switch what {
	case pause:
		s.failed(s.deps.Engine.Pause(r.ID))
	case resume:
		s.failed(s.deps.Engine.Resume(r.ID))
	case cancel:
		s.failed(s.deps.Engine.Cancel(r.ID))
	case cancelAll:
		s.cancelEach(cancellable(s.runs))
	case again:
		if s.deps.Again != nil {
			s.deps.Again(r.Record)
		}
	}
}

// cancelEach cancels runs, the last ones of the queue first: none shall begin because the one
// before it was cancelled. One that has ended meanwhile is none to complain about.
func (s *Screen) cancelEach(ids []string) {
	s.deps.Work.Quiet("cancel runs", func(context.Context) error {
		var problems []error
		for _, id := range slices.Backward(ids) {
			if err := s.deps.Engine.Cancel(id); !errors.Is(err, engine.ErrEnded) {
				problems = append(problems, err)
			}
		}
		return errors.Join(problems...)
	}, s.failed)
}
