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
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
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
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1280, 800))
	r.screen = New(&kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, Changes: r.store.Subscribe,
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, ShowError: func(err error) { t.Error(err) },
	}, r.store.Workspace, Actions{
		Scenes: evidence.ScenesOf(r.store.Workspace),
		Close:  func(id string, closed bool) { testdata.OK(t, r.store.CloseRound(id, closed)) },
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// rated waits until the screen shows that many items with two or more labels.
func (r *rig) rated(n int) *View {
	r.Helper()
	r.stage.Until("measured", func() bool {
		d, ok := r.screen.Data()
		return ok && d.View != nil && d.View.rated() == n && r.screen.Idle()
	})
	return r.screen.view()
}

func TestScreenBlindRoundUntilClosed(t *testing.T) {
	r := newRig(t, 6)
	round := r.store.NewRound(t, func(x *label.Round) { x.Blind = true })
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Invariant)
		r.store.Put(t, round, "r3", hash, label.Values(2)[k%2])
	}
	v := r.rated(6)
	disagree := r.screen.measures.disagree
	if !v.Blind || len(v.Disagree) != 0 || v.DisagreeN != 3 || len(disagree.Shown()) != 0 {
		t.Errorf("blind view %+v", v)
	}
	if got := disagree.Empty; !strings.Contains(got, "hidden until the blind round is closed") {
		t.Errorf("the list says %q", got)
	}
	test.Tap(r.screen.ending)
	r.stage.Until("closed", func() bool { return r.screen.view().Round.Closed })
	if v := r.screen.view(); v.Blind || len(v.Disagree) != 3 {
		t.Errorf("a closed round hides %+v", v)
	}
	if r.screen.ending.Text != "Open round again" {
		t.Errorf("the button says %q", r.screen.ending.Text)
	}
	test.Tap(r.screen.ending)
	r.stage.Until("open", func() bool { return !r.screen.view().Round.Closed })
}

// The newest round is shown until another is chosen; what was chosen stays, also when a new round
// comes.
func TestScreenChoosesRoundAndPair(t *testing.T) {
	r := newRig(t, 4)
	one := r.store.NewRound(t, func(x *label.Round) { x.Name = "one" })
	r.stage.Until("one", func() bool { return r.screen.view().Round.ID == one.ID })
	two := r.store.NewRound(t, func(x *label.Round) { x.Name = "two"; x.Classes = 3 })
	for k, hash := range two.Models {
		r.store.Put(t, two, "r1", hash, label.Values(3)[k%3])
		r.store.Put(t, two, "r2", hash, label.Borderline)
	}
	if v := r.rated(4); v.Round.ID != two.ID || len(v.Lines) != 11 {
		t.Errorf("round %q with %d measures", v.Round.Name, len(v.Lines))
	}
	p := r.screen.measures
	p.kappas.OnTapped(1, 3)
	if got := p.pair.Text; got != "r2 (rows) and majority" {
		t.Errorf("chosen pair %q", got)
	}
	testdata.OK(t, r.screen.Form.Put("leave-one-out", "true"))
	r.stage.Until("left out", func() bool { return strings.Contains(p.note.Text, "other raters") })
	testdata.OK(t, r.screen.Form.Put("round", one.ID))
	r.stage.Until("one", func() bool { return r.screen.view().Round.ID == one.ID && p.row == 0 && p.col == 1 })
	three := r.store.NewRound(t, func(x *label.Round) { x.Name = "three" })
	r.stage.Until("read", func() bool { d, _ := r.screen.Data(); return d.Rounds[0].ID == three.ID && r.screen.Idle() })
	if r.screen.view().Round.ID != one.ID {
		t.Error("a new round takes the place of the chosen one")
	}
}

// TestScreenPlans: a plan is made when its page is seen, and its figure is that of the chosen
// measure; what is copied is the command that makes it.
func TestScreenPlans(t *testing.T) {
	r := newRig(t, 9)
	round := r.store.NewRound(t, nil)
	for k, hash := range round.Models {
		r.store.Put(t, round, "r1", hash, label.Values(2)[k%2])
		r.store.Put(t, round, "r2", hash, label.Values(2)[min(k%4, 1)])
	}
	r.rated(9)
	r.screen.tabs.Select("plan")
	p := r.screen.plan
	r.stage.Until("planned", func() bool { return len(p.needs.Shown()) > 0 && p.Idle() })
	if got := p.figure.Data().Title; got != "Half-width of Fleiss' kappa, generalised" &&
		got != "Half-width of Fleiss' kappa" {
		t.Errorf("the figure is %q", got)
	}
	first := p.needs.Shown()[0]
	p.needs.Select(measure.Needs.ID(first))
	p.needs.OnSelect(first, true)
	if got := p.figure.Data().Title; got != "Half-width of "+first.Title {
		t.Errorf("the figure is %q of a row of %s", got, first.Title)
	}
	testdata.OK(t, p.Form.Put("half-width", "0.2"))
	r.stage.Until("planned anew", func() bool { return p.needs.Shown()[0].Wanted == 0.2 })
	if line := p.needs.Command(); !strings.Contains(line, "--plan") || !strings.Contains(line, "--half-width 0.2") ||
		!strings.Contains(line, "--round") {
		t.Errorf("the command is %q", line)
	}
}

// TestScreenShowsKnownAnswers: they stand beside the kappas as soon as the round is closed, in the
// round's words.
func TestScreenShowsKnownAnswers(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *label.Round) {
		x.Known = map[string]label.Value{x.Models[0]: label.Invariant, x.Models[1]: label.Variant}
		x.Words = map[label.Value]string{label.Invariant: "robust"}
	})
	for k, hash := range round.Models[:2] {
		r.store.Put(t, round, "r1", hash, label.Values(2)[k])
		r.store.Put(t, round, "r2", hash, label.Variant)
	}
	if v := r.rated(2); v.Measured.Known != nil || len(v.kappaColumns()) != len(round.Annotators)+1 ||
		!strings.Contains(r.screen.measures.note.Text, "known answers are hidden") {
		t.Error("known answers are told in a round that is not finished")
	}
	testdata.OK(t, r.store.CloseRound(round.ID, true))
	r.stage.Until("known", func() bool { return r.screen.view().Measured.Known != nil })
	r.stage.Until("no remark", func() bool { return !strings.Contains(r.screen.measures.note.Text, "hidden") })
	v, last := r.screen.view(), len(round.Annotators)+1
	if b, ok := v.BehindPair(1, last); !ok || b.Second != measure.KnownName || b.Counts[0][1]+b.Counts[1][0] != 1 {
		t.Errorf("behind r2 and the known answers: %+v", b)
	}
	if !strings.Contains(v.Measured.Items()[0].Tell(), "r1 robust") {
		t.Error(v.Measured.Items()[0].Tell())
	}
	if n := len(v.Lines); !slices.ContainsFunc(v.Lines,
		func(l measure.Line) bool { return l.Measure == "known_accuracy" && l.A == "r2" && l.Value.Value == 0.5 }) {
		t.Errorf("%d lines, none about the known answers of r2", n)
	}
}
