package assessors

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

// placesRig is the screen over a workspace with scenes.
func placesRig(t *testing.T, w *scenestest.Workspace) *rig {
	r := &rig{T: t, stage: stage.New(t)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1180, 740))
	r.open(w.Workspace, work)
	return r
}

// TestTheScreenInScenes goes the whole way: the form of a round about scenes, training, reasons
// with their matrices, stability.
func TestTheScreenInScenes(t *testing.T) {
	w := scenestest.New(t, 13)
	rateScenes(t, w)
	r := placesRig(t, w)
	form := r.screen.widgets.form
	if form.labels.Selected != "round places, scenes" || form.Options().Selection != w.Selection.Hash ||
		form.train.Disabled() {
		t.Fatalf("labels of %q, %v", form.labels.Selected, form.Err())
	}
	if texts := r.texts(); !strings.Contains(texts, "Interpolants") || strings.Contains(texts, "Features by the") {
		t.Error("the form shows what is chosen for variance matrices")
	}
	if name := form.named("algorithm", "baseline"); name != "worst-case accuracy" ||
		len(form.Options().Algorithm) != 5 {
		t.Errorf("the baseline is called %q", name)
	}
	form.put("interpolant", "I9")
	if err := form.Err(); err == nil || !strings.Contains(err.Error(), "is neither I1, I2, I3 nor three ") ||
		!form.train.Disabled() {
		t.Error(err)
	}
	form.put("modalities", "max@CONF,max@HEAD")
	form.put("interpolant", "I1\nI2")
	l := r.train(nil)
	if text := l.Heading(); !strings.Contains(text, "scenes of near") || !strings.Contains(text, " borderline") {
		t.Error(text)
	}
	if !slices.Equal(l.Data.Layout.Matrices(), []string{"max@CONF.I1", "max@CONF.I2", "max@HEAD.I1", "max@HEAD.I2"}) {
		t.Fatalf("matrices %q", l.Data.Layout.Matrices())
	}
	r.choose(assess.RandomForest)
	widgets := r.screen.widgets
	r.turn("verdicts")
	r.stage.Until("the matrices of a model are shown", func() bool { return len(widgets.judge.row.Shown().Tiles) == 4 })
	shown := widgets.judge.row.Shown()
	if shown.Scenes == nil || shown.Scenes.Far != w.Selection.Selection.Far() || shown.Tiles[0].Absent() ||
		shown.Tiles[0].Interpolant == "" {
		t.Errorf("%+v", shown.Tiles[0])
	}
	if r, badge := shown.View.Range("max@CONF"); r.Low != 0 || r.High != 0.3 || badge != "" {
		t.Errorf("coloured over %v (%s)", r, badge)
	}
	r.turn("inside")
	widgets.inside.views.SetSelectedIndex(int(swarm))
	r.stage.Until("the assessor is explained", func() bool {
		return strings.Contains(widgets.inside.note.Text, "speaks for invariant")
	})
	r.turn("stability")
	if widgets.stability.menu.Selected != questions(true, nil)[0].Name {
		t.Errorf("asked is %q", widgets.stability.menu.Selected)
	}
	r.press("Compute")
	r.stage.Until("stability is measured", func() bool {
		return !r.screen.busy() && len(widgets.stability.room.Objects) > 0
	})
	r.turn("doubts")
	second := widgets.doubts.second.Shown()
	r.screen.newRound("labels in doubt", second)
	r.stage.Until("a round is asked for", func() bool { return len(r.asked) == 1 })
	if !slices.Equal(r.placed, []string{w.Selection.Hash}) || !slices.Equal(r.asked[0], hashes(second)) ||
		len(second) == 0 {
		t.Errorf("a round of %d models in the scenes %q is asked for", len(r.asked[0]), r.placed)
	}
	for _, err := range r.failed {
		t.Error(err)
	}
}
