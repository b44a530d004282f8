package ui

import "github.com/variscope/variscope/ui/dialogs"

// openPackages opens round packages and shows the Label screen, where their rounds wait.
func (w *Window) openPackages(paths []string) {
	w.changes(func() {
		dialogs.OpenPackageDialog(w.host(), w.deps.Workspace, paths, func(string) { w.Go(Label) })
	})()
}

// mergeLabels merges the labels of other desks.
func (w *Window) mergeLabels(paths []string) {
	w.changes(func() { dialogs.MergeDialog(w.host(), w.deps.Workspace, paths) })()
}

// invite and send are for the round that a screen shows.
func (w *Window) invite(roundID string) {
	dialogs.InviteDialog(w.host(), w.deps.Workspace, roundID)
}

func (w *Window) send(roundID string) {
	dialogs.SendLabelsDialog(w.host(), w.deps.Workspace, roundID)
}
