package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

func TestResumable(t *testing.T) {
	runs := []store.RunRecord{
		{ID: "killed", Phase: engine.Running},
		{ID: "waited", Phase: engine.Queued},
		{ID: "done", Phase: engine.Done},
		{ID: "cancelled", Phase: engine.Cancelled},
		{ID: "stopped", Phase: engine.Cancelled},
		{ID: "failed", Phase: engine.Failed},
	}
	for _, c := range []struct {
		known  resumeRecord
		active []string
		want   []string
	}{
		{want: []string{"killed", "waited"}},
		{known: resumeRecord{Stopped: []string{"stopped", "done"}}, want: []string{"killed", "waited", "stopped"}},
		{known: resumeRecord{Answered: []string{"killed"}}, active: []string{"waited"}},
	} {
		var got []string
		for _, r := range resumable(runs, c.known, c.active) {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.known, got, c.want)
		}
	}
}

func TestAnUnfinishedRunIsOfferedOnce(t *testing.T) {
	o := open(t, 2, nil)
	record := store.RunRecord{
		ID: o.workspace.NewID(), Suite: o.workspace.Shapes.Hash, Family: "shear:-10:10:1", Phase: engine.Running,
		Models: []string{o.workspace.Imported[0].Hash}, Started: time.Now().Add(-time.Hour), Total: 100,
	}
	if err := o.workspace.PutRun(record); err != nil {
		t.Fatal(err)
	}
	o.offerResume()
	o.stage.Until("it is offered", func() bool {
		return strings.HasPrefix(o.banner.text.Text, "A run was not finished") && o.banner.object.Visible()
	})
	o.press(t, "Resume")
	o.stage.Until("it runs again", func() bool { return len(o.engine.Snapshot()) == 1 })
	o.stage.Until("it is noted", func() bool {
		var known resumeRecord
		_, err := o.workspace.Setting(settingResume, &known)
		return err == nil && slices.Contains(known.Answered, record.ID)
	})
	o.stage.Until("it has ended, and the workspace knows", func() bool {
		kept, err := o.workspace.Runs()
		return err == nil && o.engine.Snapshot()[0].Phase == engine.Done && slices.ContainsFunc(kept,
			func(r store.RunRecord) bool {
				return r.ID == o.engine.Snapshot()[0].ID && r.Phase == engine.Done
			})
	})
	o.offerResume()
	o.settle()
	if o.banner.object.Visible() {
		t.Error("it is offered again:", o.banner.text.Text)
	}
}

func TestARunThatClosingStopsIsOfferedNextTime(t *testing.T) {
	gate := make(chan struct{})
	runtime := &lineRuntime{gate: gate}
	o := open(t, 1, func(d *Deps) {
		d.Engine = engine.New(engine.InProcess{Library: runtime}, d.Workspace, engine.Limits{Workers: 1, Batch: 16})
		d.Runtime = engine.InProcess{Library: runtime}
	})
	busy := o.deps.Engine
	defer func() { _ = busy.Close() }()
	o.runner().Start(o.host(), job.Request{Suite: o.workspace.Shapes.Hash, Family: "shear:-10:10:1"})
	o.stage.Until("it runs", func() bool { s := busy.Snapshot(); return len(s) == 1 && s[0].Phase == engine.Running })
	id := busy.Snapshot()[0].ID
	o.Close()
	o.stage.Until("the question", o.dialogSays("the rest is offered at the next start"))
	o.press(t, "Stop and close")
	o.stage.Until("the window closes", func() bool { return o.closed })
	var known resumeRecord
	if _, err := o.workspace.Setting(settingResume, &known); err != nil || !slices.Equal(known.Stopped, []string{id}) {
		t.Error(known, err)
	}
	runs, err := o.workspace.Runs()
	if err != nil || len(resumable(runs, known, nil)) != 1 {
		t.Error(runs, err)
	}
}

// desktopApp records the notices that go to the desktop.
type desktopApp struct {
	fyne.App
	notices []string
}

func (a *desktopApp) SendNotification(n *fyne.Notification) { a.notices = append(a.notices, n.Content) }

func TestTheEndOfARunIsAnnounced(t *testing.T) {
	var app *desktopApp
	o := open(t, 1, func(d *Deps) {
		app = &desktopApp{App: d.App}
		d.App = app
	})
	at := time.Now()
	status := func(phase engine.Phase, took time.Duration) []engine.Status {
		return []engine.Status{{
			ID: "1", Suite: "shapes", Phase: phase, Submitted: at, Ended: at.Add(2 * took),
			Took: took, Tasks: make([]engine.TaskStatus, 3),
		}}
	}
	o.announce(status(engine.Done, time.Hour)) // it ended before the window knew it
	o.announce(status(engine.Running, 0))
	o.announce(status(engine.Done, time.Second))
	o.announce(status(engine.Done, time.Second))
	if len(app.notices) != 0 || !strings.HasPrefix(o.status.message.Text(), "The run on shapes is done") ||
		o.banner.object.Visible() {
		t.Error(app.notices, o.status.message.Text())
	}
	o.away = true
	o.announce(status(engine.Running, 0))
	o.announce(status(engine.Done, time.Second))
	if len(app.notices) != 1 {
		t.Error("a run that ends while the window is not in use:", app.notices)
	}
	o.away = false
	o.announce(status(engine.Running, 0))
	o.announce(status(engine.Failed, 2*time.Minute))
	if len(app.notices) != 2 || !strings.Contains(o.banner.text.Text, "has failed after") {
		t.Error(app.notices, o.banner.text.Text)
	}
	o.press(t, "Show")
	if o.Place() != Runs {
		t.Error("it shows", o.Place())
	}
	o.announce(status(engine.Running, 0))
	o.announce(status(engine.Cancelled, time.Hour))
	if len(app.notices) != 2 {
		t.Error("a cancel is announced:", app.notices)
	}
	if got := o.status.message.Text(); got != "The run on shapes was cancelled; what it has computed is kept." {
		t.Errorf("the status line says %q", got)
	}
}

func TestCancelText(t *testing.T) {
	before := map[string]engine.Phase{
		"1": engine.Running, "2": engine.Queued, "3": engine.Cancelled,
		"4": engine.Running,
	}
	list := []engine.Status{
		{ID: "1", Suite: "shapes", Phase: engine.Cancelled},
		{ID: "2", Phase: engine.Cancelled},
		{ID: "3", Phase: engine.Cancelled},
		{ID: "4", Phase: engine.Done},
		{ID: "5", Phase: engine.Cancelled},
	}
	for n, want := range map[int]string{
		0: "", 1: "The run on shapes was cancelled; what it has computed is kept.",
		5: "2 runs were cancelled; what they have computed is kept.",
	} {
		if got := cancelText(before, list[:n]); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := cancelText(before, list[2:]); got != "" {
		t.Errorf("%q", got)
	}
}

// TestOnlyTheLastOfAQueueIsAnnounced: 75 runs, one after the other, do not fill the desktop with
// notices.
func TestOnlyTheLastOfAQueueIsAnnounced(t *testing.T) {
	var app *desktopApp
	o := open(t, 1, func(d *Deps) {
		app = &desktopApp{App: d.App}
		d.App = app
	})
	o.away = true
	at := time.Now()
	queue := func(phases ...engine.Phase) (list []engine.Status) {
		for i, p := range phases {
			list = append(list, engine.Status{
				ID: fmt.Sprint(i), Suite: fmt.Sprint("suite ", i), Phase: p,
				Submitted: at, Ended: at.Add(time.Hour), Took: time.Hour,
			})
		}
		return list
	}
	o.announce(queue(engine.Running, engine.Queued, engine.Queued))
	o.announce(queue(engine.Done, engine.Running, engine.Queued))
	if len(app.notices) != 0 || !strings.Contains(o.status.message.Text(), "suite 0") {
		t.Errorf("notices %q while others wait, status line %q", app.notices, o.status.message.Text())
	}
	o.announce(queue(engine.Done, engine.Failed, engine.Running))
	o.announce(queue(engine.Done, engine.Failed, engine.Done))
	if len(app.notices) != 2 || !strings.Contains(app.notices[0], "suite 1 has failed") ||
		!strings.Contains(app.notices[1], "suite 2 is done") {
		t.Errorf("notices %q", app.notices)
	}
}

func TestEndText(t *testing.T) {
	s := engine.Status{Suite: "shapes", Phase: engine.Done, Failed: 2, Tasks: make([]engine.TaskStatus, 5)}
	if got := endText(s, 90*time.Second); !strings.Contains(got, "2 of 5 models failed") ||
		!strings.Contains(got, "1 min 30 s") {
		t.Error(got)
	}
}

// TestWhatRanInACrashCanBeLeftOut: the offer names the models that were being computed, and resumes
// without those that are ticked.
func TestWhatRanInACrashCanBeLeftOut(t *testing.T) {
	o := open(t, 2, nil)
	o.idle() // what the window reads at its start must not find half of what follows
	models := o.workspace.Imported
	record := store.RunRecord{
		ID: o.workspace.NewID(), Suite: o.workspace.Shapes.Hash, Family: "shear:-10:10:1", Phase: engine.Running,
		Models: []string{models[0].Hash, models[1].Hash}, Started: time.Now().Add(-time.Hour), Total: 100,
	}
	if err := errors.Join(o.workspace.PutRun(record),
		o.workspace.Working(record.ID, []string{models[1].Hash})); err != nil {
		t.Fatal(err)
	}
	o.offerResume()
	o.stage.Until("it is offered", func() bool {
		return strings.HasSuffix(o.banner.text.Text,
			models[1].ID+" was being computed then.") && o.banner.object.Visible()
	})
	o.press(t, "Resume…")
	var group *widget.CheckGroup
	o.stage.Until("it asks what to leave out", func() bool {
		if top := o.Window.Window().Canvas().Overlays().Top(); top != nil {
			stage.Walk(top, func(object fyne.CanvasObject) {
				if found, ok := object.(*widget.CheckGroup); ok {
					group = found
				}
			})
		}
		return group != nil
	})
	if !slices.Equal(group.Options, []string{models[1].ID}) || len(group.Selected) != 0 {
		t.Errorf("%v, ticked %v", group.Options, group.Selected)
	}
	group.SetSelected(group.Options)
	o.press(t, "Resume")
	o.stage.Until("it runs without", func() bool {
		list := o.engine.Snapshot()
		return len(list) == 1 && len(list[0].Tasks) == 1 && list[0].Tasks[0].Model == models[0].Hash
	})
	o.stage.Until("it has ended", func() bool { return o.engine.Snapshot()[0].Phase == engine.Done })
}
