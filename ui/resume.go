package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/screen/runs"
	own "github.com/variscope/variscope/ui/widget"
)

// settingResume is the key of resumeRecord in the workspace.
const settingResume = "resume"

// resumeRecord remembers between starts what became of runs that did not come to their end.
type resumeRecord struct {
	Stopped  []string `json:"stopped,omitempty"`  // runs that closing the window has cancelled
	Answered []string `json:"answered,omitempty"` // runs that were offered, and resumed or dismissed
}

// resumable are the runs to offer: those that closing has stopped, and those that were killed with
// their program; not those that were offered before, nor those that the engine has.
func resumable(runs []store.RunRecord, known resumeRecord, started []string) []store.RunRecord {
	var list []store.RunRecord
	for _, r := range runs {
		stopped := slices.Contains(known.Stopped, r.ID) && r.Phase == engine.Cancelled
		if (stopped || r.Unfinished()) && !slices.Contains(known.Answered, r.ID) && !slices.Contains(started, r.ID) {
			list = append(list, r)
		}
	}
	return list
}

// offerResume looks for runs that did not come to their end and offers to resume them.
func (w *Window) offerResume() {
	if w.deps.Runtime == nil || w.deps.Engine == nil {
		return
	}
	var list []store.RunRecord
	var names job.Names
	w.work.Quiet("unfinished runs", func(context.Context) error {
		runs, err := w.deps.Workspace.Runs()
		if err != nil {
			return err
		}
		var known resumeRecord
		if _, err := w.deps.Workspace.Setting(settingResume, &known); err != nil {
			return err
		}
		var started []string // asked for after the records were read, so that none of them is missing
		for _, s := range w.deps.Engine.Snapshot() {
			started = append(started, s.ID)
		}
		if list = resumable(runs, known, started); len(list) > 0 {
			names, err = job.ReadNames(w.deps.Workspace)
		}
		return err
	}, func(err error) {
		if err != nil {
			w.ShowError(err)
			return
		}
		if len(list) > 0 {
			w.offer(list, names)
		}
	})
}

// working are the models that were being computed when the program died, each once.
func working(list []store.RunRecord) (hashes []string) {
	for _, r := range list {
		for _, hash := range r.Working {
			if r.Unfinished() && !slices.Contains(hashes, hash) {
				hashes = append(hashes, hash)
			}
		}
	}
	return hashes
}

func (w *Window) offer(list []store.RunRecord, names job.Names) {
	var done, total int64
	for _, r := range list {
		done, total = done+r.Done, total+r.Total
	}
	text := "A run was not finished when Variscope ended. What it has computed is kept; resume it to compute the rest."
	if len(list) > 1 {
		text = fmt.Sprintf("%s were not finished when Variscope ended. "+
			"What they have computed is kept; resume them to compute the rest.", result.Counted(len(list), "run"))
	}
	at := working(list)
	action := "Resume"
	if len(at) > 0 {
		said := make([]string, len(at))
		for i, hash := range at {
			said[i] = names.Model(hash)
		}
		text += " " + job.AtWork(said)
		action = "Resume…"
	}
	w.banner.add(notice{
		text: text, action: action, onDismissed: func() { w.answered(list) },
		act: func() {
			if len(at) == 0 {
				w.resume(list, nil)
				return
			}
			w.askWhatToLeaveOut(list, at, names)
		},
	})
}

// askWhatToLeaveOut offers to resume runs without models that were being computed when the program
// died: they may be why. Cancel leaves the runs for the next start.
func (w *Window) askWhatToLeaveOut(list []store.RunRecord, at []string, names job.Names) {
	var options []string
	hashes := map[string]string{}
	for _, hash := range at {
		options = append(options, names.Model(hash))
		hashes[names.Model(hash)] = hash
	}
	group := widget.NewCheckGroup(options, nil)
	text := "These models were being computed when Variscope ended. Tick those to leave out; they can be run later."
	label := own.Wrapped(text)
	ask := dialog.NewCustomConfirm("Resume", "Resume", "Cancel", container.NewVBox(label, group), func(yes bool) {
		if !yes {
			return
		}
		var without []string
		for _, name := range group.Selected {
			without = append(without, hashes[name])
		}
		w.resume(list, without)
	}, w.window)
	ask.Resize(fyne.NewSize(480, ask.MinSize().Height))
	ask.Show()
}

// resume starts runs again, without some models.
func (w *Window) resume(list []store.RunRecord, without []string) {
	w.answered(list)
	for _, r := range list {
		if req, ok := job.Again(r).Without(without); ok {
			w.runner().Start(w.host(), req)
		}
	}
}

// answered remembers that these runs were offered.
func (w *Window) answered(list []store.RunRecord) {
	w.noteResume(func(r *resumeRecord) {
		for _, run := range list {
			r.Answered = append(r.Answered, run.ID)
			r.Stopped = slices.DeleteFunc(r.Stopped, func(id string) bool { return id == run.ID })
		}
	})
}

func (w *Window) noteResume(change func(*resumeRecord)) {
	w.work.Quiet("note runs", func(context.Context) error { return noteResume(w.deps.Workspace, change) }, w.ShowError)
}

func noteResume(ws settingStore, change func(*resumeRecord)) error {
	var r resumeRecord
	if _, err := ws.Setting(settingResume, &r); err != nil {
		return err
	}
	change(&r)
	return ws.SetSetting(settingResume, r)
}

// longRun is how long a run must take for its end to be announced although the window is in use.
const longRun = time.Minute

// ends compares two snapshots and returns the runs that came to their end in between.
func ends(before map[string]engine.Phase, now []engine.Status) []engine.Status {
	var list []engine.Status
	for _, s := range now {
		was, known := before[s.ID]
		if known && !final(was) && (s.Phase == engine.Done || s.Phase == engine.Failed) {
			list = append(list, s)
		}
	}
	return list
}

// cancelText says which runs were cancelled between two snapshots, "" where none was.
func cancelText(before map[string]engine.Phase, now []engine.Status) string {
	var list []engine.Status
	for _, s := range now {
		if was, known := before[s.ID]; known && !final(was) && s.Phase == engine.Cancelled {
			list = append(list, s)
		}
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("The run on %s was cancelled; what it has computed is kept.", list[0].Suite)
	}
	return fmt.Sprintf("%s were cancelled; what they have computed is kept.", result.Counted(len(list), "run"))
}

func final(p engine.Phase) bool {
	return p == engine.Done || p == engine.Failed || p == engine.Cancelled
}

// announce gives notice of runs that ended: on the desktop when the window is not in use or the
// run was long, and above the screens when it was long. While others wait behind it, only a
// failure is worth that.
func (w *Window) announce(now []engine.Status) {
	for _, s := range ends(w.phases, now) {
		text := endText(s, s.Took)
		if s.Phase == engine.Done && runs.Active(now) {
			w.Say(text) // one of several: the last of the queue is announced
			continue
		}
		if w.away || s.Took >= longRun {
			w.deps.App.SendNotification(fyne.NewNotification("Variscope", text))
		}
		if s.Took >= longRun && w.place != Runs {
			w.banner.add(notice{text: text, isError: s.Phase == engine.Failed, action: "Show", act: func() {
				w.runs.Select(s.ID)
				w.Go(Runs)
			}})
		} else {
			w.Say(text)
		}
	}
	if text := cancelText(w.phases, now); text != "" {
		w.Say(text)
	}
	w.phases = map[string]engine.Phase{}
	for _, s := range now {
		w.phases[s.ID] = s.Phase
	}
}

func endText(s engine.Status, took time.Duration) string {
	duration := result.Duration.Say(took.Seconds(), 0)
	switch {
	case s.Phase == engine.Failed:
		return fmt.Sprintf("The run on %s has failed after %s; the Runs screen says why.", s.Suite, duration)
	case s.Failed > 0:
		return fmt.Sprintf("The run on %s has ended after %s: %d of %s failed; the Runs screen says why.",
			s.Suite, duration, s.Failed, result.Counted(len(s.Tasks), "model"))
	}
	return fmt.Sprintf("The run on %s is done, in %s.", s.Suite, duration)
}
