// Package runs is the screen of the work in the background: what is queued, what runs and how far
// it is, what ended and how, and what a crash interrupted; with pause, resume and cancel, and the
// other machines that take part. Its tables are declared in store/job and store/remote.
package runs

import (
	"context"
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// Engine is what the buttons steer; *engine.Engine is one. Its methods return at once.
type Engine interface {
	Pause(id string) error
	Resume(id string) error
	Cancel(id string) error
}

// Ways are what the screen asks of the window.
type Ways struct {
	// Again starts a recorded run once more; only what is missing is computed.
	Again func(record store.RunRecord)
	// New opens the dialog for a new run.
	New func()
	// Others are the other machines that may compute; nil where none can be let in, and then the
	// rest is not needed.
	Others Others
	// Allow opens the dialog that lets other machines in, Copy puts a text on the clipboard.
	Allow func()
	Copy  func(text string)
}

// read is what was read of the workspace.
type read struct {
	records []store.RunRecord
	names   job.Names
}

// Screen shows the runs.
type Screen struct {
	*kit.Screen[struct{}, read]
	engine   Engine
	ways     Ways
	statuses []engine.Status
	machines remote.State
	at       time.Time // of machines
	runs     []job.Listed
	selected string // run id
	steady   bool   // the selected run was chosen; otherwise the next one is shown when it has ended
	moving   bool   // the list shows another reading, which selects nothing

	list    *kit.Records[job.Listed]
	details *details
	allow   *widget.Button
	pane    *pane
	object  *fyne.Container
}

// New makes the screen; it reads when it is shown, and follows the engine.
func New(host *kit.Host, ws *store.Workspace, eng Engine, ways Ways) *Screen {
	s := &Screen{engine: eng, ways: ways}
	s.list = &kit.Records[job.Listed]{
		Host: host, Table: job.Runs, Bars: []string{job.Progress}, OnSelect: s.chosen,
		Colours: map[string]func(job.Listed) fyne.ThemeColorName{"state": colour},
	}
	s.details = newDetails(host, s.act)
	s.allow = widget.NewButtonWithIcon("Allow other machines…", theme.ComputerIcon(), func() { ways.Allow() })
	split := container.NewHSplit(container.NewBorder(nil, s.allow, nil, nil, s.list.Object()), s.details.object)
	split.SetOffset(0.46)
	s.Screen = kit.New(kit.Screen[struct{}, read]{
		Host: host, Name: "Read runs", Doing: "Reading runs…", Key: "runs", Quiet: true, About: &answers,
		Load: func(struct{}) kit.Work[read] {
			return func(context.Context, engine.Progress) (r read, err error) {
				if r.records, err = ws.Runs(); err != nil {
					return r, err
				}
				r.names, err = job.ReadNames(ws)
				return r, err
			}
		},
		On: []store.ChangeKind{store.RunChanged}, Body: split, Empty: s.empty, Show: func(read) { s.arrange() },
		Keys: s.list.Focus, OnRuns: s.follow,
	})
	s.pane = newPane(host, ways, func() { s.object.Refresh() })
	s.object = container.NewBorder(nil, s.pane.object, nil, nil, s.Screen.Object())
	s.FollowOthers(remote.State{}, time.Now())
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// empty invites to a run where there is none.
func (s *Screen) empty(r read) (kit.Empty, bool) {
	help := []kit.Help{{Text: "New run…", Icon: theme.MediaPlayIcon(), Do: s.ways.New}}
	if s.mayAllow() {
		help = append(help, kit.Help{Text: "Allow other machines…", Icon: theme.ComputerIcon(), Do: s.ways.Allow})
	}
	return kit.Empty{
		Text: "Nothing has run yet.\n\nA run computes the signals of models on a test suite under a family of " +
			"transformations.", Help: help,
	}, len(r.records)+len(s.statuses) == 0
}

// invite brings the empty screen up to date: there is a run now, or others may be let in or not.
func (s *Screen) invite() {
	if _, known := s.Data(); known && !s.Body.Visible() && s.Idle() {
		s.Changed()
	}
}

// mayAllow tells whether other machines can be let in.
func (s *Screen) mayAllow() bool { return s.ways.Others != nil && s.machines.Phase == remote.Shut }

// FollowOthers shows what is to be seen of other machines; the window calls it when that has
// changed, and every second while they are let in.
func (s *Screen) FollowOthers(now remote.State, at time.Time) {
	was := s.mayAllow()
	s.machines, s.at = now, at
	parts.Show(s.allow, s.mayAllow())
	if was != s.mayAllow() {
		s.invite()
	}
	s.showOthers()
}

// showOthers fills the pane.
func (s *Screen) showOthers() {
	if s.pane.set(s.machines, s.statuses, s.at) {
		s.object.Refresh()
	}
}

// Unfold shows all of what there is about other machines.
func (s *Screen) Unfold() { s.pane.unfold(true) }

// Active tells whether any run still needs looking at ten times a second.
func Active(statuses []engine.Status) bool {
	return slices.ContainsFunc(statuses, func(s engine.Status) bool {
		return s.Phase == engine.Running || s.Phase == engine.Queued
	})
}

// follow shows what the engine is doing.
func (s *Screen) follow(statuses []engine.Status) {
	s.statuses = statuses
	if len(statuses) > 0 {
		s.invite()
	}
	s.arrange()
	if s.machines.Phase != remote.Shut { // its speeds add up to the one that the run's line says
		s.showOthers()
	}
}

// Select shows the details of a run, also of one that the engine has not told of yet. When it ends
// and others wait behind it, these are shown in turn; a run that has ended already stays.
func (s *Screen) Select(id string) {
	s.selected = id
	s.steady = slices.ContainsFunc(s.runs, func(l job.Listed) bool { return l.ID == id && !l.Open() })
	s.arrange()
}

// chosen shows the run that a person has selected.
func (s *Screen) chosen(l job.Listed, ok bool) {
	if ok && l.ID != s.selected && !s.moving {
		s.selected, s.steady = l.ID, true
		s.showDetails()
	}
}

// arrange shows the runs, of which one is always selected.
func (s *Screen) arrange() {
	r, _ := s.Data()
	s.runs = job.List(s.statuses, r.records, r.names, present.Sentence)
	at := slices.IndexFunc(s.runs, func(l job.Listed) bool { return l.ID == s.selected })
	if at < 0 && len(s.runs) > 0 && s.selected == "" {
		at, s.selected = 0, s.runs[0].ID
	}
	if at > 0 && !s.steady && !s.runs[at].Open() && s.runs[0].Open() {
		s.selected = s.runs[0].ID
	}
	s.moving = true
	s.list.Update(s.runs)
	s.moving = false
	if now, ok := s.list.Selected(); at >= 0 && (!ok || now.ID != s.selected) {
		s.list.Select(s.selected)
	}
	s.showDetails()
}

func (s *Screen) showDetails() {
	for _, l := range s.runs {
		if l.ID == s.selected {
			s.details.set(l, len(s.open()))
			return
		}
	}
}

// open are the ids of the runs that have not ended, in the order of the queue.
func (s *Screen) open() (ids []string) {
	for _, l := range s.runs {
		if l.Open() {
			ids = append(ids, l.ID)
		}
	}
	return ids
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

func (s *Screen) act(what action, l job.Listed) {
	var err error
	switch what {
	case pause:
		err = s.engine.Pause(l.ID)
	case resume:
		err = s.engine.Resume(l.ID)
	case cancel:
		err = s.engine.Cancel(l.ID)
	case cancelAll:
		s.cancelEach(s.open())
	case again:
		s.ways.Again(l.Record)
	}
	if err != nil {
		s.Fail(err)
	}
}

// cancelEach cancels runs, the last ones of the queue first: none shall begin because the one
// before it was cancelled. One that has ended meanwhile is none to complain about.
func (s *Screen) cancelEach(ids []string) {
	s.Work.Quiet("cancel runs", func(context.Context) error {
		var problems []error
		for _, id := range slices.Backward(ids) {
			if err := s.engine.Cancel(id); !errors.Is(err, engine.ErrEnded) {
				problems = append(problems, err)
			}
		}
		return errors.Join(problems...)
	}, func(err error) {
		if err != nil {
			s.Fail(err)
		}
	})
}
