package kit

import (
	"testing"

	"github.com/variscope/variscope/engine"
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
	shear := Action[run]{Name: "Shear", Button: true, Runs: func([]run) []Run { return []Run{wanted} }, Do: func([]run) {}}
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
			text, action = "This is being computed: "+state+".", state
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
	ended(true)
	check("until the engine tells of it", "queued")
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
