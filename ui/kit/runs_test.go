package kit

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/job"
)

// TestNothingOffersToStartWhatIsAtWork: what an empty screen or an action would start says how far
// it is while it is prepared, queued and at work, and can be started again afterwards.
func TestNothingOffersToStartWhatIsAtWork(t *testing.T) {
	r := newFixture(t)
	r.host.Runs = &Runs{}
	wanted := Run{Models: []string{"a", "b"}, Suite: "suite", Family: "rot90"}
	s := r.screen(func(s *Screen[choice, string]) {
		s.Empty = func(d string) (Empty, bool) {
			return Empty{Text: "No sheep.", Help: []Help{
				{Text: "Shear", Do: func() {}, Busy: r.host.Busy(wanted)}, {Text: "Buy", Do: func() {}},
			}}, d == ""
		}
	})
	s.Shown()
	r.next().answer <- ""
	s.idle()
	shear := Action[run]{
		Name: "Shear", Button: true, Runs: func([]run) []Run { return []Run{wanted} }, Do: func([]run) {},
	}
	list := &rig{Records: &Records[run]{Host: r.host, Table: runs, Actions: []Action[run]{shear}}}
	list.Set(five())
	list.Select(five()[0].id)
	at := func(phase engine.Phase, done int64, model string) engine.Status {
		return engine.Status{
			ID: "1", Source: "suite", Suite: "sheep", Family: "rot90", Phase: phase, Done: done, Total: 200,
			Tasks: []engine.TaskStatus{{Model: model, Phase: phase}},
		}
	}
	check := func(what, state string) {
		t.Helper()
		text, action := "No sheep.", "Shear"
		if state != "" {
			text, action = "No sheep.\nThis is being computed: "+state+".", state
		}
		buttons := s.emptyState.Buttons()
		if s.emptyState.Text() != text || buttons[0].Disabled() != (state != "") || buttons[1].Disabled() {
			t.Errorf("%s: the screen says %q", what, s.emptyState.Text())
		}
		if b := list.buttons[0]; b.Text != action || b.Disabled() != (state != "") {
			t.Errorf("%s: the action says %q", what, b.Text)
		}
		for name, item := range list.items() {
			if name == action && item.Disabled != (state != "") {
				t.Errorf("%s: the menu offers %q", what, name)
			}
		}
	}
	check("at first", "")
	ended := r.host.Runs.Prepare(Run{Suite: "suite", Family: "rot90"})
	check("while it is prepared", "queued")
	ended(false)
	check("when it could not be started", "")
	ended = r.host.Runs.Prepare(wanted)
	check("while it is prepared again", "queued")
	r.host.Runs.Snapshot = func() []engine.Status { return []engine.Status{at(engine.Done, 200, "b")} }
	ended(true)
	check("when it has ended before anybody was told of it", "")
	ended = r.host.Runs.Prepare(wanted)
	r.host.Runs.Snapshot = func() []engine.Status { return []engine.Status{at(engine.Queued, 0, "b")} }
	ended(true)
	check("as the engine tells of it", "queued")
	r.host.Runs.Follow([]engine.Status{at(engine.Queued, 0, "b")})
	check("in the queue", "queued")
	r.host.Runs.Follow([]engine.Status{at(engine.Running, 91, "b")})
	check("at work", "running, 45 %")
	r.host.Runs.Follow([]engine.Status{at(engine.Paused, 91, "b")})
	check("in a pause", "paused, 45 %")
	r.host.Runs.Follow([]engine.Status{at(engine.Running, 91, "c")})
	check("another model", "")
	other := at(engine.Running, 91, "b")
	other.Source = "another"
	r.host.Runs.Follow([]engine.Status{other})
	check("another suite", "")
	r.host.Runs.Follow([]engine.Status{at(engine.Done, 200, "b")})
	check("when it has ended", "")
}

// TestMissingIsComputedWithoutLeaving: the form says what each takes and how far it is; an empty
// screen says it, too.
func TestMissingIsComputedWithoutLeaving(t *testing.T) {
	r := newFixture(t)
	r.host.Runs = &Runs{}
	cost := map[string]job.Size{
		"rot90":     {Units: 12, Bytes: 3 << 20, Took: 3 * time.Minute, Free: -1},
		"grayscale": {Refused: errors.New("m1 has one channel")},
	}
	r.host.Cost = func(_ context.Context, runs []Run) (job.Size, error) { return cost[runs[0].Family], nil }
	var started []Run
	r.host.Start = func(runs ...Run) { started = append(started, runs...) }
	missing := []Missing{
		{Text: "Compute grayscale", Runs: []Run{{Suite: "suite", Family: "grayscale"}}},
		{Text: "Compute rot90", Runs: []Run{{Suite: "suite", Family: "rot90"}}, Show: func() { started = nil }},
	}
	for _, c := range []struct {
		size  job.Size
		text  string
		wrong bool
	}{
		{cost["rot90"], "12 units of work, about 3.1 MB and 3 min.", false},
		{
			job.Size{Units: 1, Took: time.Minute, Slower: true, Free: 2e9},
			"1 unit of work, about 0 B and more than 1 min; 2.0 GB free on the disk.", false,
		},
		{cost["grayscale"], "", true},
		{job.Size{Units: 1, Bytes: 1e9}, "1 unit of work, about 1.0 GB; 0 B free on the disk.", true},
	} {
		if text, err := CostText(c.size); text != c.text || (err != nil) != c.wrong {
			t.Errorf("it takes %q, %v", text, err)
		}
	}
	takes, _ := CostText(cost["rot90"])
	s := r.screen(func(s *Screen[choice, string]) {
		s.Empty = func(d string) (Empty, bool) { return Empty{Text: "No sheep.", Missing: missing[1:]}, d == "" }
	})
	s.Shown()
	r.next().answer <- ""
	r.stage.Until("the empty screen says what it takes",
		func() bool { return s.emptyState.Text() == "No sheep.\n"+takes })
	test.Tap(s.emptyState.Buttons()[0])
	if len(started) != 1 || started[0].Family != "rot90" {
		t.Errorf("started %v", started)
	}
	r.host.AskMissing(missing)
	says := func(texts ...string) func() bool {
		return func() bool {
			var all []string
			stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
				if label, ok := o.(*fynewidget.Label); ok {
					all = append(all, label.Text)
				}
			})
			said := strings.Join(all, "\n")
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(said, text) })
		}
	}
	r.stage.Until("the form says what each takes", says(takes, "1 has one channel"))
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "missing")
	r.stage.Press(r.window, "Start all") // the other cannot be pressed
	if len(started) != 2 {
		t.Errorf("started %v", started)
	}
	r.host.Runs.Follow([]engine.Status{{
		ID: "1", Source: "suite", Family: "rot90", Phase: engine.Running, Done: 1, Total: 2,
		Tasks: []engine.TaskStatus{{Phase: engine.Running}},
	}})
	r.stage.Until("it says how far it is", says("This is being computed: running, 50 %."))
	r.host.Runs.Follow(nil)
	r.stage.Until("it was not computed", says("Not all of it was computed; the Runs screen says why. "+takes))
	r.host.Runs.Follow([]engine.Status{{
		ID: "2", Source: "suite", Family: "rot90", Phase: engine.Queued,
		Tasks: []engine.TaskStatus{{Phase: engine.Queued}},
	}})
	r.stage.Until("it is computed again", says("This is being computed: queued."))
	cost["rot90"] = job.Size{}
	r.host.Runs.Follow(nil)
	r.stage.Until("it is there", says("All of it is there."))
	r.stage.Press(r.window, "Show result")
	if r.window.Canvas().Overlays().Top() != nil || started != nil {
		t.Error("the result is not shown")
	}
	if n := len(r.host.Runs.subscribers); n > 2 {
		t.Errorf("%d still listen", n)
	}
}
