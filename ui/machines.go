package ui

import (
	"context"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/others"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/screen/runs"
	"github.com/variscope/variscope/ui/words"
)

// Machines lets other machines compute the workspace's runs; *others.Switch is one. Its slow methods are called off the main goroutine.
type Machines interface {
	runs.Others
	// Allow lets them in; Restore does where they were let in when the workspace was closed.
	Allow(ctx context.Context, how others.Settings) error
	Restore(ctx context.Context) (again bool, err error)
	State() others.State
	// Changed wakes one reader when the state has changed.
	Changed() <-chan struct{}
	// SetWorkers says how many goroutines of this computer run inference.
	SetWorkers(n int)
	Close() error
}

// machineState is what is to be seen of other machines, nothing where none can be let in.
func (w *Window) machineState() others.State {
	if w.deps.Machines == nil {
		return others.State{}
	}
	return w.deps.Machines.State()
}

// allowMachines asks how other machines may come. Where they may already, it shows them.
func (w *Window) allowMachines() {
	now := w.machineState()
	if now.Phase != others.Shut {
		w.showMachines()
		return
	}
	var addresses []string
	w.work.Quiet("addresses", func(context.Context) error {
		addresses = cluster.Addresses()
		return nil
	}, func(error) {
		dialogs.MachinesDialog(w.host(), dialogs.MachinesAsk{
			Addresses: addresses, Last: now.Settings, Allow: w.deps.Machines.Allow, Allowed: func() {
				w.showMachines()
				w.Say(words.T("Other machines may compute now. Carry out the line on them."))
			},
		})
	})
}

func (w *Window) showMachines() {
	w.Go(Runs)
	w.runs.Unfold()
	w.followMachines(w.machineState())
}

// restoreMachines lets other machines in again where they were let in when the workspace was closed.
func (w *Window) restoreMachines() {
	if w.deps.Machines == nil || !w.machineState().Allowed {
		return
	}
	again := false
	w.work.Start(words.T("Allow other machines"), func(ctx context.Context, _ *background.Progress) (err error) {
		again, err = w.deps.Machines.Restore(ctx)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			w.ShowError(words.E("other machines cannot compute as they could before: %w", err))
		case again:
			w.Say(words.T("Other machines may compute again, as when the workspace was closed."))
		}
	})
}

// watchMachines shows other machines when something about them has changed, and every second while they are let in. It runs in the background
// until ctx ends.
func (w *Window) watchMachines(ctx context.Context) error {
	if w.deps.Machines == nil {
		return nil
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		now := w.deps.Machines.State()
		w.work.Post(func() {
			if !w.closing {
				w.followMachines(now)
			}
		})
		var tick <-chan time.Time
		if now.Phase != others.Shut {
			tick = ticker.C
		}
		select {
		case <-ctx.Done():
			return nil
		case <-w.deps.Machines.Changed():
		case <-tick:
		}
	}
}

func (w *Window) followMachines(now others.State) {
	w.runs.FollowOthers(now, time.Now())
	text := ""
	if now.Phase == others.Open {
		text = runs.Helping(now, w.snapshot())
	}
	w.status.machines(text)
}

// snapshot is what the engine does.
func (w *Window) snapshot() []engine.Status {
	if w.deps.Engine == nil {
		return nil
	}
	return w.deps.Engine.Snapshot()
}

// setWorkers says how many goroutines of this computer run inference.
func (w *Window) setWorkers(n int) {
	switch {
	case w.deps.Machines != nil:
		w.deps.Machines.SetWorkers(n)
	case w.deps.Engine != nil:
		w.deps.Engine.SetWorkers(n)
	}
}
