package agreement

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

type rig struct {
	*testing.T
	stage  *stage.Stage
	store  *sample.Workspace
	screen *Screen
	window fyne.Window
	opened []string
	said   string
}

func newRig(t *testing.T, models int) *rig { return newRigOver(t, sample.New(t, models)) }

func newRigOver(t *testing.T, ws *sample.Workspace) *rig {
	r := &rig{T: t, stage: stage.New(t), store: ws}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1000, 650))
	r.screen = New(Deps{
		Store: r.store, Work: work, Window: r.window, Status: func(text string) { r.said = text },
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, ShowError: func(err error) { t.Error(err) },
		Scenes: evidence.ScenesOf(r.store.Workspace),
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// rated waits until the screen shows that many items with two or more labels.
func (r *rig) rated(n int) View {
	r.Helper()
	r.stage.Until("measured", func() bool {
		v, ok := r.screen.View()
		return ok && v.Rated == n && !r.screen.loading
	})
	v, _ := r.screen.View()
	return v
}

func TestScreenFollowsLabels(t *testing.T) {
	r := newRig(t, 7)
	r.stage.Until("empty", func() bool { return !r.screen.loading })
	if !r.screen.face.empty.Visible() || r.screen.face.body.Visible() {
		t.Error("without a round nothing says so")
	}
	round := r.store.NewRound(t, nil)
	r.rated(0)
	for k, hash := range round.Models[:6] {
		r.store.Put(t, round, "r1", hash, label.Values(2)[k%2])
		r.store.Put(t, round, "r2", hash, label.Values(2)[k/3])
	}
	v := r.rated(6)
	events, err := r.store.Events(round.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := measure.Measure(label.Ratings(round, events), 2, round.Annotators, measure.Options{})
	if got := v.Matrix[0][1].Text; got != present.Kappa(want.Cohen[0].Kappa.Value.Value) {
		t.Errorf("kappa %q on the screen, %v from Measure", got, want.Cohen[0].Kappa.Value)
	}
	if got := v.Measures[1].Value.Text; got != present.Kappa(want.Fleiss.Value.Value) {
		t.Errorf("Fleiss %q, want %v", got, want.Fleiss.Value)
	}
	if v.Matrix[2][0].Reason != measure.NoCommonItems {
		t.Errorf("r3 has no label, but %+v", v.Matrix[2][0])
	}
	r.stage.Capture(r.window, "", "") // draws without a fault
	r.screen.face.kappas.OnHint(v.Matrix[2][0].Hint)
	if !strings.Contains(r.said, measure.NoCommonItems) {
		t.Errorf("the status line says %q", r.said)
	}
}

func TestScreenOpensDisagreements(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, nil)
	r.store.Put(t, round, "r1", round.Models[2], label.Invariant)
	r.store.Put(t, round, "r2", round.Models[2], label.Variant)
	v := r.rated(1)
	if len(v.Disagree) != 1 || v.Disagree[0].ID != "m02" || v.UnresolveN != 1 {
		t.Fatalf("disagreements %+v", v.Disagree)
	}
	list := r.screen.face.disagree
	r.screen.face.tabs.SelectIndex(1)
	open := r.stage.Button(r.window, "Open model")
	if !open.Disabled() {
		t.Error("open is enabled without a selection")
	}
	list.Select(round.Models[2])
	if open.Disabled() {
		t.Fatal("open is disabled with a selection")
	}
	test.Tap(open)
	list.OnOpen(v.Disagree[0])
	if !slices.Equal(r.opened, []string{round.Models[2], round.Models[2]}) {
		t.Errorf("opened %v", r.opened)
	}
}

func TestScreenBlindRoundUntilClosed(t *testing.T) {
	r := newRig(t, 6)
	round := r.store.NewRound(t, func(x *label.Round) { x.Blind = true })
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Invariant)
		r.store.Put(t, round, "r3", hash, label.Values(2)[k%2])
	}
	v := r.rated(6)
	if !v.Blind || len(v.Disagree) != 0 || v.DisagreeN != 3 || len(r.screen.face.disagree.Shown()) != 0 {
		t.Errorf("blind view %+v", v)
	}
	if got := r.screen.face.disagree.Empty; !strings.Contains(got, "hidden until the blind round is closed") {
		t.Errorf("the list says %q", got)
	}
	test.Tap(r.screen.face.close)
	if r.window.Canvas().Overlays().Top() == nil {
		t.Fatal("closing does not ask first")
	}
	stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Text == "Yes" {
			b.OnTapped()
		}
	})
	r.stage.Until("closed", func() bool { v, _ := r.screen.View(); return v.Round.Closed })
	if v, _ := r.screen.View(); v.Blind || len(v.Disagree) != 3 {
		t.Errorf("a closed round hides %+v", v)
	}
	if r.screen.face.close.Text != "Open round again…" {
		t.Errorf("the button says %q", r.screen.face.close.Text)
	}
	r.screen.SetClosed(round.ID, false)
	r.stage.Until("open", func() bool { v, _ := r.screen.View(); return !v.Round.Closed })
}

func TestScreenChoosesRoundAndPair(t *testing.T) {
	r := newRig(t, 4)
	one := r.store.NewRound(t, func(x *label.Round) { x.Name = "one" })
	two := r.store.NewRound(t, func(x *label.Round) { x.Name = "two"; x.Classes = 3 })
	for k, hash := range two.Models {
		r.store.Put(t, two, "r1", hash, label.Values(3)[k%3])
		r.store.Put(t, two, "r2", hash, label.Borderline)
	}
	r.stage.Until("rounds", func() bool { return len(r.screen.face.rounds.Options) == 2 })
	r.screen.face.rounds.SetSelected("one")
	r.stage.Until("one", func() bool { v, _ := r.screen.View(); return v.Round.ID == one.ID })
	r.screen.face.rounds.SetSelected("two")
	v := r.rated(4)
	if v.Round.ID != two.ID || len(v.Measures) != 11 {
		t.Errorf("round %q with %d measures", v.Round.Name, len(v.Measures))
	}
	r.screen.face.kappas.OnTapped(1, 3)
	if got := r.screen.face.pair.Text; got != "r2 (rows) and majority" {
		t.Errorf("chosen pair %q", got)
	}
	r.screen.LeaveOneOut(true)
	r.stage.Until("left out", func() bool { v, _ := r.screen.View(); return strings.Contains(v.Note, "other raters") })
	// Hidden screens do not read; shown again they do.
	r.screen.Hidden()
	r.store.Put(t, two, "r3", two.Models[0], label.Variant)
	r.stage.Pump()
	if !r.screen.stale || r.screen.loading {
		t.Error("a hidden screen reads labels")
	}
	r.screen.Shown()
	r.stage.Until("fresh", func() bool { v, _ := r.screen.View(); return v.Columns[2].Done == 1 })
}

func BenchmarkBuild(b *testing.B) {
	rows := []string{strings.Repeat("iiv", 200), strings.Repeat("ivv", 200), strings.Repeat("iiv", 200)}
	in := table(2, false, rows...)
	for b.Loop() {
		Build(in)
	}
}
