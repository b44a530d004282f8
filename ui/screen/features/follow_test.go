package features

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/widget"
)

func TestScreenFollowsLabels(t *testing.T) {
	r := newRig(t, 8, func(r *rig) {
		r.label("rule_label", func(k int) string { return []string{"0", "1", ""}[k%3] })
		r.label("trial", func(int) string { return "1" }) // the same everywhere: nothing to tell apart
	})
	v, f := r.idle(), r.screen.face
	if !slices.Equal(f.labels.Options, []string{"column rule_label", "none"}) || f.labels.Selected != "column rule_label" {
		t.Fatalf("labels of %v, %q", f.labels.Options, f.labels.Selected)
	}
	if got := column(v, keyLabel); !slices.Equal(got[:3], []string{"invariant", "variant", ""}) {
		t.Errorf("labels %v", got)
	}
	round := r.store.NewRound(t, func(x *label.Round) { x.Classes = 3 })
	for _, m := range r.store.Imported[:3] {
		r.store.Put(t, round, "r1", m.Hash, label.Borderline)
	}
	r.stage.Until("the round is offered", func() bool { return len(f.labels.Options) == 3 })
	r.idle()
	if f.labels.Selected != "round first look" { // nobody chose another
		t.Errorf("labels of %q", f.labels.Selected)
	}
	r.stage.Until("labels arrive", func() bool { return v.unlabelled() == 3 && len(v.Classes) == 3 })
	if g := v.groups(); len(g) != 4 || g[1].Look != widget.LookBorderline || g[3].Look != widget.LookNone {
		t.Errorf("groups %+v", g)
	}
	f.labels.SetSelected("none")
	r.stage.Until("without labels", func() bool { return r.screen.renewal.Job() == nil && v.Classes == nil })
	var kept Labelling
	r.stage.Until("remembered", func() bool {
		found, err := r.store.Setting(settingLabels, &kept)
		return err == nil && found
	})
	if kept != (Labelling{}) {
		t.Errorf("remembered %+v", kept)
	}
}

// TestBlindRoundsGiveNoLabels: neither as a choice nor where they were chosen before.
func TestBlindRoundsGiveNoLabels(t *testing.T) {
	r := newRig(t, 4, func(r *rig) {
		round := r.store.NewRound(r.T, func(x *label.Round) { x.Blind = true })
		r.store.Put(r.T, round, "r1", r.store.Imported[0].Hash, label.Variant)
		if err := r.store.SetSetting(settingLabels, Labelling{Round: round.ID}); err != nil {
			r.Fatal(err)
		}
	})
	v := r.idle()
	if v.Classes != nil || !slices.Equal(r.screen.face.labels.Options, []string{"none"}) {
		t.Errorf("classes %v, labels of %v", v.Classes, r.screen.face.labels.Options)
	}
}

func TestRoundsOfOneNameAreToldApart(t *testing.T) {
	at := store.Current{Suite: "s", Family: "f"}
	round := func(id string) label.Round {
		return label.Round{ID: id, Name: "first", Kind: label.VarianceRound, Suite: "s", Family: "f"}
	}
	other := round("CCCCCCCC")
	other.Suite = "t"
	list := labelChoices([]label.Round{round("AAAAAAAA1"), round("BBBBBBBB2"), other}, nil, at)
	if len(list) != 3 || list[0].Name != "round first (BBBBB2)" || list[1].From.Round != "AAAAAAAA1" || list[2].Name != "none" {
		t.Errorf("%+v", list)
	}
}

// TestHiddenScreensDoNotMeasure: what has changed is measured when the screen is shown again, once.
func TestHiddenScreensDoNotMeasure(t *testing.T) {
	r := newRig(t, 4, nil)
	r.idle()
	r.said = "a point under the pointer"
	r.screen.Hidden()
	if r.said != "" {
		t.Errorf("the hidden screen still says %q", r.said)
	}
	asked := r.gated.asked
	r.store.Compute(t, r.store.Imported[3], 3) // the last one had no signals
	r.label("rule_label", func(k int) string { return fmt.Sprint(k % 2) })
	r.stage.Until("heard", func() bool { return r.screen.renewal.Stale() })
	if r.gated.asked != asked {
		t.Error("a hidden screen measures")
	}
	r.screen.Shown()
	if v := r.idle(); len(v.Rows) != 4 || r.gated.asked != asked+1 || len(v.Classes) != 2 {
		t.Errorf("%d models, asked %d times more, classes %v", len(v.Rows), r.gated.asked-asked, v.Classes)
	}
}

// TestChangesWaitForWhatIsBeingMeasured: a run that goes on does not keep the screen from ever being done.
func TestChangesWaitForWhatIsBeingMeasured(t *testing.T) {
	r := newRig(t, 3, func(r *rig) { r.gated.gate = make(chan struct{}) })
	r.stage.Until("at work", func() bool {
		share, ok := r.screen.renewal.Job().Snapshot().Fraction()
		return ok && share == 0.5 && r.screen.face.empty.Visible()
	})
	job := r.screen.renewal.Job()
	r.store.Compute(t, r.store.Imported[2], 2)
	r.stage.Until("heard", func() bool { return r.screen.renewal.Outdated() })
	if r.screen.renewal.Job() != job || job.Snapshot().Cancelling {
		t.Error("a change ends what is being measured")
	}
	close(r.gated.gate)
	if v := r.idle(); len(v.Rows) != 3 || r.gated.asked != 2 {
		t.Errorf("%d models, measured %d times", len(v.Rows), r.gated.asked)
	}
}
