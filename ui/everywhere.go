package ui

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/jobs"
)

// logLines is how much of the log goes into the diagnostics.
const logLines = 200

func (w *Window) annotators() {
	dialogs.AnnotatorsDialog(w.host(), w.deps.Workspace, w.history.Did)
}

func (w *Window) about() {
	about := dialogs.About{Version: w.deps.Version, Build: w.deps.Build}
	if w.deps.Runtime != nil {
		about.Library = w.deps.Runtime.Version()
	}
	dialogs.AboutDialog(w.host(), about)
}

func (w *Window) guide() { dialogs.GuideDialog(w.host(), "") }

func (w *Window) showKeys() { dialogs.GuideDialog(w.host(), w.place.page()) }

func (w *Window) diagnostics() {
	d := dialogs.Diagnostics{
		Version: w.deps.Version, Build: w.deps.Build, Library: "missing", Scale: w.window.Canvas().Scale(),
		Size: w.window.Canvas().Size(), Workspace: w.deps.Workspace.Name(),
	}
	if w.deps.Runtime != nil {
		d.Library = w.deps.Runtime.Version()
	}
	if w.deps.Engine != nil {
		d.Workers = max(0, w.deps.Engine.Limits().Workers)
	}
	if w.deps.LogTail != nil {
		d.Log = w.deps.LogTail(logLines)
	}
	dialogs.DiagnosticsDialog(w.host(), w.deps.Workspace, d, w.toClipboard)
}

func (w *Window) toClipboard(text string) { w.deps.App.Clipboard().SetContent(text) }

func (w *Window) study() { dialogs.StudyDialog(w.host(), w.deps.Workspace, w.deps.Study) }

func (w *Window) saveCopy() { dialogs.CopyDialog(w.host(), w.deps.Workspace) }

func (w *Window) moveWorkspace() {
	if !w.idle() {
		return
	}
	from := w.deps.Workspace.Path()
	dialogs.MoveDialog(w.host(), w.deps.Workspace, func(to string) {
		w.deps.Reopen("Move workspace", func(ctx context.Context, p engine.Progress) (string, error) {
			return store.Move(ctx, from, to, p)
		})
	})
}

func (w *Window) storage() {
	ask := dialogs.StorageAsk{
		Workspace: w.deps.Workspace, Busy: func() bool { return len(w.active()) > 0 }, Did: w.history.Did,
	}
	if w.deps.Reopen != nil {
		ask.Restore = w.restore
	}
	dialogs.StorageDialog(w.host(), ask)
}

// checkWorkspace looks for what is wrong with the workspace. What is imported or run meanwhile
// would look as if it were; another check, which goes on where its dialog was left, does no harm.
func (w *Window) checkWorkspace() {
	if w.idle(dialogs.CheckTitle()) {
		dialogs.CheckDialog(w.host(), w.deps.Workspace)
	}
}

// restore puts a backup in the place of the database, for which the window closes and opens again.
func (w *Window) restore(name string) {
	if !w.idle() {
		return
	}
	path := w.deps.Workspace.Path()
	w.deps.Reopen("Restore workspace", func(ctx context.Context, _ engine.Progress) (string, error) {
		_, err := backup.Restore(ctx, path, name)
		return path, err
	})
}

// idle says so where something is at work that closing the workspace would stop, or that changes
// its files; jobs of the names but do not count.
func (w *Window) idle(but ...string) bool {
	jobs := slices.DeleteFunc(w.work.Jobs(), func(j *jobs.Job) bool { return slices.Contains(but, j.Snapshot().Name) })
	if len(w.active()) > 0 || len(jobs) > 0 {
		w.Say("Something is running: wait for its end or cancel it, then try again.")
		return false
	}
	return true
}
