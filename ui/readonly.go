package ui

import (
	"fmt"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// mayChange tells whether the workspace can be changed; where it cannot, the status line says why.
func (w *Window) mayChange() bool {
	err := w.deps.Workspace.MayChange()
	if err != nil {
		w.Say(present.Sentence(err))
	}
	return err == nil
}

// changes is do for a workspace that can be changed; otherwise the status line says why not.
func (w *Window) changes(do func()) func() {
	return func() {
		if w.mayChange() {
			do()
		}
	}
}

// keepWhole switches off what would change a workspace that can only be read, and says so.
func (w *Window) keepWhole() {
	if w.deps.Workspace.MayChange() == nil {
		return
	}
	parts.Enable(w.toolbar.add, false)
	parts.Enable(w.toolbar.run, false)
	w.banner.add(notice{
		text: fmt.Sprintf("Workspace %s can only be read here: its folder cannot be written. What is there can be "+
			"looked at and exported; imports, runs, rounds and labels need a copy in a folder where you may write.",
			w.deps.Workspace.Name()),
		action: "Save a copy…", act: w.saveCopy,
	})
}

// readable is what the window gives the screens of a workspace that can only be read: no runs.
func (w *Window) readable(h *kit.Host) *kit.Host {
	if w.deps.Workspace.MayChange() != nil {
		h.Start, h.Cost = nil, nil
	}
	return h
}
