// Package remote lets other machines compute the runs of an open workspace, and turns them away
// again: it attaches a coordinator (store/cluster) to the engine, and remembers how that was asked
// for, so that they are let in again when the workspace is opened the next time.
package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/cluster"
)

// Settings are how other machines are let in.
type Settings struct {
	// Listen is HOST:PORT of this computer to listen on. An empty host is all of its addresses,
	// port 0 or none that of last time.
	Listen string `json:"listen"`
	On     string `json:"on,omitempty"`    // a NATS server that exists, in its place; may hold a password
	Mixed  bool   `json:"mixed,omitempty"` // processors of other kinds, too, for runs that allow it (signal.Mixed)
	Only   bool   `json:"only,omitempty"`  // this computer computes nothing
}

// Phase is whether other machines may come.
type Phase int

// The phases. While it is opening or closing, nothing else can be asked for.
const (
	Shut Phase = iota
	Opening
	Open
	Closing
)

// State is what is to be seen of other machines at one moment.
type State struct {
	Phase    Phase
	Settings Settings // of the last time that they were let in
	Allowed  bool     // they are let in, or were when the workspace was closed at this place
	// While open: the lines with which a worker joins, which hold a secret; whether those of last
	// time lead nowhere, and these have to be carried out anew (Coordinator.Moved); why no units
	// are handed out at the moment, nil where they are; and who computes.
	Join    []string
	Moved   bool
	Trouble error
	Workers []cluster.Worker
	// Self is this computer, with as many cores as it computes with itself: 0 where it leaves all
	// to others.
	Self cluster.Machine
}

// Engine is what a Switch needs of the engine; *engine.Engine is one.
type Engine interface {
	Attach(x engine.Executor) (detach func())
	Limits() engine.Limits
	SetWorkers(n int)
}

// Options are what a Switch is made with.
type Options struct {
	// Folder is where the queue, its secrets and the settings lie (store.Workspace.QueueFolder).
	Folder string
	Engine Engine
	Self   cluster.Machine
	Pace   cluster.Pace // zero values are the defaults
	Log    *slog.Logger // nil for none
}

// Switch lets other machines in or not. At first they are not. All methods are safe for many
// goroutines.
type Switch struct {
	options Options
	changed chan struct{}
	doing   sync.Mutex // held while others are let in or turned away

	// mu guards the rest, which set alone changes. Who holds doing may read it without, but for
	// workers: nobody else changes it.
	mu          sync.Mutex
	phase       Phase
	only        bool // others do all of the work
	memory      memory
	workers     int                  // of this computer, as SetWorkers was told
	coordinator *cluster.Coordinator // nil while shut
	detach      func()               // from the engine
	closed      bool
}

// New makes a switch of an open workspace. The error, which says what is wrong with what was
// remembered, leaves it usable.
func New(o Options) (*Switch, error) {
	s := &Switch{options: o, changed: make(chan struct{}, 1), workers: o.Engine.Limits().Workers}
	var err error
	s.memory, err = remembered(o.Folder)
	return s, err
}

// set makes a change, holds the engine to it, and tells of it.
func (s *Switch) set(change func()) {
	s.mu.Lock()
	change()
	n := s.workers
	if s.only {
		n = engine.NoWorkers
	}
	s.options.Engine.SetWorkers(n) // under the mutex: of two changes at once the last one holds there, too
	s.mu.Unlock()
	s.tell()
}

func (s *Switch) tell() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// enter begins a phase.
func (s *Switch) enter(p Phase, only bool) { s.set(func() { s.phase, s.only = p, only }) }

// Allow lets other machines in and remembers that. It may take as long as a server needs to answer
// or not to. When ctx ends before it is remembered, nothing has changed.
func (s *Switch) Allow(ctx context.Context, how Settings) error {
	s.doing.Lock()
	defer s.doing.Unlock()
	switch {
	case s.closed:
		return errors.New("the workspace is being closed")
	case s.phase != Shut:
		return errors.New("other machines are allowed already; turn them away first to change how")
	}
	s.enter(Opening, how.Only) // at once: a server may need long to answer, and runs may go on meanwhile
	c, err := s.open(ctx, how)
	if err != nil {
		s.enter(Shut, false)
		return err
	}
	detach := s.options.Engine.Attach(c)
	s.set(func() {
		s.phase, s.coordinator, s.detach, s.memory = Open, c, detach, memory{Settings: how, Allowed: true}
	})
	return nil
}

// open starts a coordinator and remembers that.
func (s *Switch) open(ctx context.Context, how Settings) (c *cluster.Coordinator, err error) {
	o := cluster.Options{
		Self: s.options.Self, Mixed: how.Mixed, Pace: s.options.Pace, Log: s.options.Log, Changed: s.tell,
	}
	if how.On != "" {
		c, err = cluster.Dial(ctx, s.options.Folder, how.On, o)
	} else {
		c, err = cluster.Serve(ctx, s.options.Folder, how.Listen, o)
	}
	if err != nil {
		return nil, err
	}
	if err = ctx.Err(); err == nil {
		if err = (memory{Settings: how, Allowed: true}).keep(s.options.Folder); err != nil {
			err = fmt.Errorf("remember how other machines are let in: %w", err)
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Restore lets other machines in where they were let in when the workspace was closed. again says
// whether that was so. In a workspace that has come from another computer or folder it does
// nothing: somebody has to ask for it there.
func (s *Switch) Restore(ctx context.Context) (again bool, err error) {
	now := s.State()
	if !now.Allowed {
		return false, nil
	}
	return true, s.Allow(ctx, now.Settings)
}

// Stop turns other machines away: what they had goes back to the run, which this computer goes on
// with. Where they are not let in, as after Restore has failed, it only forgets that they were.
// That is written before anything is ended, so that a program that dies meanwhile lets nobody in
// again; when it cannot be written, another attempt can be made.
func (s *Switch) Stop() error {
	s.doing.Lock()
	defer s.doing.Unlock()
	m := s.memory
	var err error
	if m.Allowed {
		m.Allowed = false
		err = m.keep(s.options.Folder)
	}
	if err != nil {
		err = fmt.Errorf("other machines will be let in again when the workspace is opened the next time, "+
			"as it cannot be noted that they were turned away: %w", err)
	} else {
		s.set(func() { s.memory = m })
	}
	s.shut()
	return err
}

// Close ends what there is when the workspace is closed. Whether other machines are let in stays
// remembered, and workers keep what they have, where the engine was stopped before. Closing twice
// does nothing.
func (s *Switch) Close() {
	s.doing.Lock()
	defer s.doing.Unlock()
	s.set(func() { s.closed = true })
	s.shut()
}

// shut ends the coordinator, where there is one, after what it had was given back.
func (s *Switch) shut() {
	if s.coordinator == nil {
		return
	}
	s.enter(Closing, false)
	s.detach()
	s.coordinator.Close()
	s.set(func() { s.phase, s.coordinator, s.detach = Shut, nil, nil })
}

// SetWorkers says how many goroutines of this computer run inference (engine.Engine.SetWorkers);
// it waits where others do all of the work.
func (s *Switch) SetWorkers(n int) { s.set(func() { s.workers = n }) }

// Remove asks a worker to leave; what it had goes to others. One that is unknown is passed over.
func (s *Switch) Remove(id string) {
	s.mu.Lock()
	c := s.coordinator
	s.mu.Unlock()
	if c != nil {
		c.Remove(id)
	}
}

// State is what is to be seen now.
func (s *Switch) State() State {
	s.mu.Lock()
	c := s.coordinator
	now := State{Phase: s.phase, Settings: s.memory.Settings, Allowed: s.memory.Allowed, Self: s.options.Self}
	s.mu.Unlock()
	now.Self.Cores = max(0, s.options.Engine.Limits().Workers)
	if c != nil {
		now.Join, now.Moved, now.Trouble, now.Workers = c.Join(), c.Moved(), c.Trouble(), c.Workers()
	}
	return now
}

// Changed wakes one reader when the state has changed; several changes may come as one. That a
// worker's last sign of life is longer ago than it was changes nothing.
func (s *Switch) Changed() <-chan struct{} { return s.changed }
