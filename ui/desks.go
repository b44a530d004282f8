package ui

import "github.com/variscope/variscope/ui/dialogs"

// bring opens the dialog for dropped files: round packages, labels from other desks, or everything
// else.
func (w *Window) bring(paths []string) {
	switch packages, labels, rest := dialogs.SplitDesk(paths); {
	case len(packages) > 0:
		w.openPackages(packages)
	case len(labels) > 0:
		w.mergeLabels(labels)
	default:
		w.Import(rest)
	}
}

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
