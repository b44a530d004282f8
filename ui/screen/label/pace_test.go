package label

import (
	"strings"
	"testing"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
)

func TestPace(t *testing.T) {
	for _, c := range []struct {
		name    string
		seconds []float64 // of the labels so far, of ten models
		onItem  time.Duration
		want    string
	}{
		{"nothing yet", nil, 5 * time.Second, "0:05 on this one"},
		{"one label", []float64{36}, 0, "0:00 on this one, 100 per hour, about 5 min left"},
		{"labels from other desks without times", []float64{0, 0}, 0, "0:00 on this one"},
		{"mixed", []float64{10, 0, 20}, 12 * time.Second, "0:12 on this one, 240 per hour, about 2 min left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := testRound(10, 2)
			var d desk
			for k, seconds := range c.seconds {
				d.append(labels.Event{
					Round: r.ID, Model: r.Models[k], Annotator: "r1", Kind: labels.Label, Pass: 1,
					Value: labels.Variant, Seconds: seconds,
				})
			}
			s := NewSession(r, "r1", d.events, dawn)
			if got := s.Pace(dawn.Add(c.onItem)).String(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Who gets faster is measured by the newest labels.
func TestPaceFollows(t *testing.T) {
	r := testRound(60, 2)
	var d desk
	for k := range 50 {
		seconds := 100.0
		if k >= 30 {
			seconds = 10
		}
		d.append(labels.Event{
			Round: r.ID, Model: r.Models[k], Annotator: "r1", Kind: labels.Label, Pass: 1,
			Value: labels.Variant, Seconds: seconds,
		})
	}
	if got := NewSession(r, "r1", d.events, dawn).Pace(dawn); got.PerHour != 360 || got.Left != 100*time.Second {
		t.Errorf("%+v", got)
	}
}

func TestSessionFlags(t *testing.T) {
	var d desk
	r := testRound(3, 2)
	s := NewSession(r, "r1", nil, dawn)
	if _, changed := s.DraftFlag("", "", dawn); changed {
		t.Error("no flag is a change")
	}
	ev, changed := s.DraftFlag("broken", "a note", dawn)
	if !changed || ev.Kind != labels.Note {
		t.Fatalf("%+v", ev)
	}
	s.Saved(d.append(ev), dawn)
	if s.Flag() != "broken" || s.Note() != "a note" {
		t.Errorf("flag %q, note %q", s.Flag(), s.Note())
	}
	if ev, _ := s.DraftNote("another note", dawn); ev.Flag != "broken" {
		t.Error("a note takes the flag away")
	}
	s.Saved(d.append(mustDraft(t, s, labels.Variant, dawn)), dawn)
	if d.events[1].Flag != "broken" || s.Flag() != "" {
		t.Errorf("label %+v, next flag %q", d.events[1], s.Flag())
	}
	undo, err := s.DraftUndo(dawn)
	if err != nil || undo.Flag != "" {
		t.Fatalf("undo %+v, %v", undo, err)
	}
	s.Saved(d.append(undo), dawn)
	if s.Flag() != "broken" {
		t.Error("undoing a label loses its flag")
	}
}

func TestSessionRedo(t *testing.T) {
	var d desk
	r := testRound(3, 2)
	s := NewSession(r, "r1", nil, dawn)
	first, _ := s.Item()
	if _, err := s.DraftRedo(dawn); err == nil || !strings.Contains(err.Error(), "nothing to bring back") {
		t.Errorf("redo of nothing: %v", err)
	}
	s.Saved(d.append(mustDraft(t, s, labels.Variant, dawn)), dawn)
	undo, _ := s.DraftUndo(dawn)
	s.Saved(d.append(undo), dawn)
	redo, err := s.DraftRedo(dawn)
	if err != nil {
		t.Fatal(err)
	}
	s.Saved(d.append(redo), dawn)
	if ev, ok := s.Label(); !ok || ev.Value != labels.Variant || s.Turn() != (labels.Turn{Model: first, Pass: 1}) {
		t.Errorf("after redo %+v at %+v", ev, s.Turn())
	}
	closed := r
	closed.Closed = true
	s.Reload(closed, d.events, dawn)
	if _, err := s.DraftRedo(dawn); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("redo in a closed round: %v", err)
	}
}

func TestChoicesNext(t *testing.T) {
	of := func(ids ...string) (c Choices) {
		for _, id := range ids {
			c.Rounds = append(c.Rounds, RoundChoice{Round: labels.Round{ID: id}})
		}
		return c
	}
	last := of("c", "b", "a")
	last.Round = 2
	for _, c := range []struct {
		name          string
		before, after Choices
		shown, want   int
	}{
		{"at first the one of last time", Choices{}, last, -1, 2},
		{"the same stays", of("b", "a"), of("b", "a"), 1, 1},
		{"a new one is shown", of("b", "a"), of("c", "b", "a"), 1, 0},
		{"the shown one is gone", of("b", "a"), of("b"), 1, 0},
	} {
		if got := c.before.next(c.after, c.shown); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestRoundChoiceAbout(t *testing.T) {
	r := testRound(4, 3)
	for want, change := range map[string]func(*RoundChoice){
		"4 models, 3 classes, blind: the labels of others are hidden until it is closed.": func(*RoundChoice) {},
		"until you have finished": func(c *RoundChoice) { c.Round.Reveal = labels.RevealFinished },
		"everybody may see":       func(c *RoundChoice) { c.Round.Blind = false },
		"not changed":             func(c *RoundChoice) { c.Round.Closed = true },
		"disagreements of first":  func(c *RoundChoice) { c.Parent = "first" },
	} {
		c := RoundChoice{Round: r}
		change(&c)
		if got := c.About(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	c := RoundChoice{Round: r, Progress: []Progress{{Done: 4, Total: 4}, {Done: 1, Total: 4}}}
	if got := c.Brief(); got != "4 models, open, 62 % labelled" {
		t.Error(got)
	}
	c.Progress[1].Done = 4
	if got := c.Brief(); got != "4 models, everybody is done, 100 % labelled" {
		t.Error(got)
	}
}

// What is chosen in the settings applies to the work that is under way, and is not stored again.
func TestSettingsChosenElsewhereApplyAtOnce(t *testing.T) {
	r := newRig(t, 3)
	round := r.store.NewRound(t, nil)
	r.signIn(round, round.Annotators[0])
	stored := 0
	defer r.store.Subscribe(func(c store.Change) {
		if c.Kind == store.SettingChanged {
			stored++
		}
	})()
	for key, value := range map[string]any{settingIdle: 45, settingMap: "gray"} {
		if err := r.store.SetSetting(key, value); err != nil {
			t.Fatal(err)
		}
	}
	r.stage.Until("the settings in force", func() bool {
		return r.screen.idle == 45*time.Second && r.screen.view.Map == "gray"
	})
	r.now = r.now.Add(44 * time.Second)
	if r.screen.Session().Idle(r.now) {
		t.Error("idle before the limit")
	}
	if r.now = r.now.Add(time.Second); !r.screen.Session().Idle(r.now) {
		t.Error("not idle at the new limit")
	}
	page := r.screen.widgets.signIn
	if page.idle.Selected != "after 45 s" || len(page.limits) != len(idleChoices)+1 {
		t.Errorf("the page offers %v, chosen %q", page.idle.Options, page.idle.Selected)
	}
	if stored != 2 {
		t.Errorf("%d settings stored, not the 2 that were chosen", stored)
	}
}
