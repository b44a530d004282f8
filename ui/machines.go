package ui

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/runs"
)

// Machines lets other machines compute the workspace's runs; *remote.Switch is one. Its slow
// methods are called off the main goroutine.
type Machines interface {
	runs.Others
	// Allow lets them in; Restore does where they were let in when the workspace was closed.
	Allow(ctx context.Context, how remote.Settings) error
	Restore(ctx context.Context) (again bool, err error)
	State() remote.State
	// Changed wakes one reader when the state has changed.
	Changed() <-chan struct{}
	// SetWorkers says how many goroutines of this computer run inference.
	SetWorkers(n int)
	Close()
}

// machineState is what is to be seen of other machines, nothing where none can be let in.
func (w *Window) machineState() remote.State {
	if w.deps.Machines == nil {
		return remote.State{}
	}
	return w.deps.Machines.State()
}

// allowMachines asks how other machines may come. Where they may already, it shows them.
func (w *Window) allowMachines() {
	if w.machineState().Phase != remote.Shut {
		w.showMachines()
		return
	}
	var addresses []string
	w.work.Quiet("addresses", func(context.Context) error {
		addresses = cluster.Addresses()
		return nil
	}, func(err error) {
		if err != nil {
			w.ShowError(err)
			return
		}
		w.askForMachines(addresses)
	})
}

// askForMachines opens the dialog, unless the window closes or a dialog is open: while the
// addresses were read, a second press may have opened this one.
func (w *Window) askForMachines(addresses []string) {
	if w.closing || w.window.Canvas().Overlays().Top() != nil {
		return
	}
	now := w.machineState()
	if now.Phase != remote.Shut {
		w.showMachines()
		return
	}
	dialogs.MachinesDialog(w.host(), dialogs.MachinesAsk{
		Addresses: addresses, Last: now.Settings, Allow: w.deps.Machines.Allow, Allowed: func() {
			w.showMachines()
			w.Say("Other machines may compute now. Run the line on them.")
		},
	})
}

func (w *Window) showMachines() {
	w.Go(Runs)
	w.runs.Unfold()
	w.followMachines(w.machineState())
}

// restoreMachines lets other machines in again where they were let in when the workspace was
// closed.
func (w *Window) restoreMachines() {
	if w.deps.Machines == nil || !w.machineState().Allowed {
		return
	}
	again := false
	w.work.Start("Allow other machines", func(ctx context.Context, _ *jobs.Progress) (err error) {
		again, err = w.deps.Machines.Restore(ctx)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			w.notRestored(err)
		case again && w.machineState().Moved:
			w.Say("Other machines may compute again, with another line: " +
				"the port of the last time was taken. Run it on them again.")
		case again:
			w.Say("Other machines may compute again, as when the workspace was closed.")
		}
	})
}

// notRestored says why other machines are not let in again, and offers not to try that at every
// opening. A cancel is no error.
func (w *Window) notRestored(err error) {
	if _, ok := worthShowing(err); !ok {
		return
	}
	say := fmt.Errorf("other machines cannot compute as they could before: %w", err)
	if w.machineState().Settings.Only {
		say = fmt.Errorf("other machines cannot compute as they could before, and this computer computes in "+
			"their place: %w", err)
	}
	text := present.Sentence(say)
	added := w.banner.add(notice{
		text: text, details: present.Chain(say), isError: true,
		action: "Do not allow them again", act: w.forgetMachines,
	})
	if added {
		w.deps.Log.Error(text, "details", present.Chain(say))
	}
}

// forgetMachines keeps other machines out at the next opening. Where they were let in meanwhile,
// it shows where they are turned away.
func (w *Window) forgetMachines() {
	if w.machineState().Phase != remote.Shut {
		w.showMachines()
		return
	}
	w.work.Quiet("forget other machines", func(context.Context) error { return w.deps.Machines.Stop() },
		func(err error) {
			if err != nil {
				w.ShowError(err)
				return
			}
			w.Say("Other machines are not allowed any more.")
		})
}

// watchMachines shows other machines when something about them has changed, at most ten times a
// second, and every second while they are let in. It runs in the background until ctx ends.
func (w *Window) watchMachines(ctx context.Context) error {
	if w.deps.Machines == nil {
		return nil
	}
	ticker, pause := time.NewTicker(time.Second), time.NewTicker(100*time.Millisecond)
	defer ticker.Stop()
	defer pause.Stop()
	var latest latestMachines
	for {
		now := w.deps.Machines.State()
		latest.pass(now, w.work.Post, func(now remote.State) {
			if !w.closing {
				w.followMachines(now)
			}
		})
		select { // every worker's sign of life is a change, and there may be hundreds
		case <-ctx.Done():
			return nil
		case <-pause.C:
		}
		var tick <-chan time.Time
		if now.Phase != remote.Shut {
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

// latestMachines hands states to the main goroutine, one at a time: those that come while one
// waits there take its place.
type latestMachines struct {
	state  atomic.Pointer[remote.State]
	behind atomic.Bool
}

// pass has show called with this state or a later one, on the goroutine that post hands to.
func (l *latestMachines) pass(now remote.State, post func(func()), show func(remote.State)) {
	l.state.Store(&now)
	if !l.behind.CompareAndSwap(false, true) {
		return
	}
	post(func() {
		l.behind.Store(false) // before it is read: who comes after that posts anew
		show(*l.state.Load())
	})
}

func (w *Window) followMachines(now remote.State) {
	w.runs.FollowOthers(now, time.Now())
	text := ""
	if now.Phase == remote.Open {
		text = runs.Helping(now)
	}
	w.status.machines(text)
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
