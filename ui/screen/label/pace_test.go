package label

import (
	"slices"
	"strings"
	"testing"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestPace(t *testing.T) {
	for _, c := range []struct {
		name    string
		seconds []float64 // of the labels so far, of sixty models
		onItem  time.Duration
		want    string
	}{
		{"nothing yet", nil, 5 * time.Second, "0:05 on this one"},
		{"one label", []float64{36}, 0, "0:00 on this one, 100 per hour, about 35 min left"},
		{"labels from other desks without times", []float64{0, 0}, 0, "0:00 on this one"},
		{"mixed", []float64{10, 0, 20}, 12 * time.Second, "0:12 on this one, 240 per hour, about 14 min left"},
		{
			"who gets faster is measured by the newest labels", append(slices.Repeat([]float64{100}, 30),
				slices.Repeat([]float64{10}, 20)...), 0, "0:00 on this one, 360 per hour, about 2 min left",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := testRound(60, 2)
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
	r, _ := signedIn(t, 2, nil)
	stored := 0
	defer r.store.Subscribe(func(c store.Change) {
		if c.Kind == store.SettingChanged {
			stored++
		}
	})()
	for key, value := range map[string]any{settingIdle: 45, settingMap: "gray"} {
		testdata.OK(t, r.store.SetSetting(key, value))
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
