// Package others lets other machines compute the runs of an open workspace, and turns them away again: it starts and ends a coordinator
// (store/cluster), attaches it to the engine, and remembers beside the queue how that was asked for, so that they are let in again when the
// workspace is opened the next time.
package others

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
	// Listen is HOST:PORT of this computer to listen on. An empty host is all of its addresses, port 0 or none that of last time.
	Listen string `json:"listen"`
	// On is the address of a NATS server that exists, in place of one on this computer; "" for none. It may hold a password.
	On string `json:"on,omitempty"`
	// Mixed lets in processors of other kinds; they compute for runs that allow it (signal.Mixed).
	Mixed bool `json:"mixed,omitempty"`
	// Only leaves all of the work to others: this computer computes nothing.
	Only bool `json:"only,omitempty"`
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
	// Allowed says that they are let in, or were when the workspace was closed at this place.
	Allowed bool
	// Moved says that the lines of the last time lead nowhere: somebody else has the port. Those of now have to be carried out anew.
	Moved bool
	// Join are the lines with which a worker joins (variscope worker LINE), the likeliest first; while open. They hold a secret.
	Join []string
	// Trouble is why no units are handed out at the moment, nil where they are.
	Trouble error
	// Self is this computer, with as many cores as it computes with itself: 0 where it leaves all to others.
	Self    cluster.Machine
	Workers []cluster.Worker
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

// Switch lets other machines in or not. At first they are not. All methods are safe for many goroutines.
type Switch struct {
	options Options
	changed chan struct{}
	doing   sync.Mutex // held while it is opened or closed

	mu      sync.Mutex
	phase   Phase
	memory  memory
	workers int  // of this computer, as SetWorkers was told
	only    bool // others do all of the work, now or as soon as they are let in
	door    *door
	closed  bool
}

// door is what there is while other machines are let in.
type door struct {
	*cluster.Coordinator
	detach func()
}

// New makes a switch of an open workspace. The error, which says what is wrong with what was remembered, leaves it usable.
func New(o Options) (*Switch, error) {
	s := &Switch{options: o, changed: make(chan struct{}, 1), workers: o.Engine.Limits().Workers}
	var err error
	s.memory, err = remembered(o.Folder)
	return s, err
}

// ErrOpen says that other machines are let in already.
var ErrOpen = errors.New("other machines are allowed already; turn them away first to change how")

// ErrClosed says that the workspace is being closed.
var ErrClosed = errors.New("the workspace is being closed")

// Allow lets other machines in and remembers that. It may take as long as a server needs to answer or not to. When ctx ends meanwhile, nothing has
// changed.
func (s *Switch) Allow(ctx context.Context, how Settings) error {
	s.doing.Lock()
	defer s.doing.Unlock()
	s.mu.Lock()
	is, closed := s.phase, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case is != Shut:
		return ErrOpen
	}
	if how.Only { // at once: a server may need long to answer, and runs may go on meanwhile
		s.leave(true)
	}
	s.enter(Opening)
	d, err := s.open(ctx, how)
	if err != nil {
		if how.Only {
			s.leave(false)
		}
		s.enter(Shut)
		return err
	}
	s.mu.Lock()
	s.phase, s.door, s.memory = Open, d, memory{Settings: how, Allowed: true}
	s.mu.Unlock()
	s.tell()
	return nil
}

// open starts a coordinator and attaches it.
func (s *Switch) open(ctx context.Context, how Settings) (*door, error) {
	o := cluster.Options{Self: s.options.Self, Mixed: how.Mixed, Pace: s.options.Pace, Log: s.options.Log, Changed: s.tell}
	var c *cluster.Coordinator
	var err error
	if how.On != "" {
		c, err = cluster.Dial(ctx, s.options.Folder, how.On, o)
	} else {
		c, err = cluster.Serve(ctx, s.options.Folder, how.Listen, o)
	}
	if err != nil {
		return nil, err
	}
	if err = ctx.Err(); err == nil {
		err = s.note(ctx, how)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &door{c, s.options.Engine.Attach(c)}, nil
}

// note remembers that other machines are let in. When ctx has ended meanwhile, it is as it was.
func (s *Switch) note(ctx context.Context, how Settings) error {
	s.mu.Lock()
	before := s.memory
	s.mu.Unlock()
	err := memory{Settings: how, Allowed: true}.keep(s.options.Folder)
	if err != nil {
		return fmt.Errorf("remember how other machines are let in: %w", err)
	}
	if err = ctx.Err(); err != nil {
		return errors.Join(err, before.keep(s.options.Folder))
	}
	return nil
}

// Restore lets other machines in where they were let in when the workspace was closed. again says whether that was so. In a workspace that has come from
// another computer or folder it does nothing: somebody has to ask for it there.
func (s *Switch) Restore(ctx context.Context) (again bool, err error) {
	s.mu.Lock()
	m := s.memory
	s.mu.Unlock()
	if !m.Allowed {
		return false, nil
	}
	return true, s.Allow(ctx, m.Settings)
}

// Stop turns other machines away: what they had goes back to the run, which this computer goes on with. Where they are not let in, as after Restore
// has failed, it only forgets that they were. That is written before anything is ended, so that a program that dies meanwhile lets nobody in again.
func (s *Switch) Stop() error {
	s.doing.Lock()
	defer s.doing.Unlock()
	s.mu.Lock()
	d, m := s.door, s.memory
	s.mu.Unlock()
	err := s.forget(m)
	if d != nil {
		err = errors.Join(err, s.shut(d))
	}
	return err
}

// forget writes that nobody is let in any more. When that fails, it is as it was, so that another attempt can be made.
func (s *Switch) forget(m memory) error {
	if !m.Allowed {
		return nil
	}
	m.Allowed = false
	if err := m.keep(s.options.Folder); err != nil {
		return fmt.Errorf("other machines will be let in again when the workspace is opened the next time, as it cannot be noted that they were turned away: %w", err)
	}
	s.mu.Lock()
	s.memory = m
	s.mu.Unlock()
	s.tell()
	return nil
}

// Close ends what there is when the workspace is closed. Whether other machines are let in stays remembered, and workers keep what they have, where the engine was
// stopped before. Closing twice does nothing.
func (s *Switch) Close() error {
	s.doing.Lock()
	defer s.doing.Unlock()
	s.mu.Lock()
	s.closed = true
	d := s.door
	s.mu.Unlock()
	if d == nil {
		return nil
	}
	return s.shut(d)
}

// shut ends a coordinator after what it had was given back.
func (s *Switch) shut(d *door) error {
	s.enter(Closing)
	s.mu.Lock()
	only := s.only
	s.mu.Unlock()
	if only {
		s.leave(false)
	}
	d.detach()
	err := d.Close()
	s.mu.Lock()
	s.phase, s.door = Shut, nil
	s.mu.Unlock()
	s.tell()
	if err != nil {
		return fmt.Errorf("turn other machines away: %w", err)
	}
	return nil
}

// SetWorkers says how many goroutines of this computer run inference (engine.Engine.SetWorkers); it waits where others do all of the work.
func (s *Switch) SetWorkers(n int) {
	s.mu.Lock()
	s.workers = n
	if !s.only {
		s.options.Engine.SetWorkers(n)
	}
	s.mu.Unlock()
	s.tell()
}

// leave leaves all of the work to others, or lets this computer take part again with as many workers as were asked for.
func (s *Switch) leave(only bool) {
	s.mu.Lock()
	defer s.mu.Unlock() // of two who say it at once, the last one holds in the engine, too
	s.only = only
	if only {
		s.options.Engine.SetWorkers(engine.NoWorkers)
		return
	}
	s.options.Engine.SetWorkers(s.workers)
}

// Remove asks a worker to leave; what it had goes to others. One that is unknown is passed over.
func (s *Switch) Remove(id string) {
	s.mu.Lock()
	d := s.door
	s.mu.Unlock()
	if d != nil {
		d.Remove(id)
	}
}

// State is what is to be seen now.
func (s *Switch) State() State {
	s.mu.Lock()
	d, now := s.door, State{Phase: s.phase, Settings: s.memory.Settings, Allowed: s.memory.Allowed, Self: s.options.Self}
	s.mu.Unlock()
	now.Self.Cores = max(0, s.options.Engine.Limits().Workers)
	if d != nil {
		now.Join, now.Trouble, now.Workers = d.Join(), d.Trouble(), d.Workers()
		now.Moved = d.Moved()
	}
	return now
}

// Changed wakes one reader when the state has changed; several changes may come as one. That a worker's last sign of life is longer ago than it was
// changes nothing.
func (s *Switch) Changed() <-chan struct{} { return s.changed }

func (s *Switch) enter(p Phase) {
	s.mu.Lock()
	s.phase = p
	s.mu.Unlock()
	s.tell()
}

func (s *Switch) tell() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
