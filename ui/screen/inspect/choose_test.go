package inspect

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// What is chosen is there again in the next session: tab, matrices, ranges, map, precision and division.
func TestScreenRemembers(t *testing.T) {
	ws := sample.New(t, 4)
	r := newRigOn(t, ws)
	r.shows(ws.Imported[0].Hash)
	s := r.screen
	s.Modalities([]string{"std@CONV-1", "max@CONF"})
	s.OwnRange(label.Range{Low: 0.1, High: 0.2})
	s.Map("gray")
	s.Precision(0.2)
	s.widgets.tabs.SelectIndex(1)
	s.widgets.split.bar.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DY: -20}})
	s.widgets.split.bar.DragEnd()
	r.settled()
	again := newRigOn(t, ws)
	e := again.shows(ws.Imported[0].Hash)
	k := again.screen.kept
	if len(e.Tiles) != 2 || e.Tiles[0].Modality != "max@CONF" || e.Tiles[1].Modality != "std@CONV-1" || e.Tiles[1].Absent() {
		t.Errorf("tiles %+v", e.Tiles)
	}
	if k.precision != 0.2 || k.view.Map != "gray" || k.view.Preset != evidence.Own || k.view.Own.High != 0.2 || k.split <= 0 || again.screen.front != 1 {
		t.Errorf("remembered %+v, tab %d", k, again.screen.front)
	}
	if len(again.panes[0].shown) == 0 || again.screen.widgets.split.share != s.widgets.split.share {
		t.Error("the remembered pane is not told, or the division is another")
	}
	again.screen.widgets.split.bar.DoubleTapped(nil)
	if again.screen.widgets.split.share != 0 {
		t.Error("a double click divides by itself")
	}
}

// A change made elsewhere is taken over.
func TestScreenFollowsSettings(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.settled()
	for key, value := range map[string]any{settingMap: "cividis", settingPreset: 1, settingPrecision: 0.5, settingModalities: []string{"max@CONF"}} {
		if err := r.store.SetSetting(key, value); err != nil {
			t.Fatal(err)
		}
	}
	r.stage.Until("followed", func() bool {
		e, ok := r.screen.Evidence()
		return ok && len(e.Tiles) == 1 && r.screen.frame.shown.View.Map == "cividis" && r.screen.frame.shown.View.Preset == evidence.Paper &&
			r.screen.widgets.colours.Selected == "cividis"
	})
	if r.screen.kept.precision != 0.5 || !strings.HasPrefix(r.screen.widgets.row.Tiles()[0].Notes()[1], "±50 %") {
		t.Errorf("precision %v, notes %q", r.screen.kept.precision, r.screen.widgets.row.Tiles()[0].Notes())
	}
}

// A finished run of the model brings what was missing, also when the set of the summary stays the same.
func TestScreenTakesNewSignals(t *testing.T) {
	ws := sample.New(t, 3)
	r := newRigOn(t, ws)
	r.shows(ws.Imported[0].Hash)
	r.screen.Modalities([]string{"max@CONF", "max@relu1"})
	r.stage.Until("absent", func() bool { e, ok := r.screen.Evidence(); return ok && len(e.Tiles) == 2 && e.Tiles[1].Absent() })
	r.settled()
	ws.ComputeAt(t, ws.Imported[0], 2, []signal.Position{{Name: model.CONF, Tensor: "logits"}, {Name: "relu1", Tensor: "relu1"}})
	r.stage.Until("computed", func() bool { e, ok := r.screen.Evidence(); return ok && len(e.Tiles) == 2 && !e.Tiles[1].Absent() })
	if r.screen.widgets.run.Visible() {
		t.Error("there is nothing left to compute")
	}
}

func TestShowPositionAddsItsMatrices(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.panes[1].screen.ShowPosition("relu1")
	r.stage.Until("shown", func() bool { e, ok := r.screen.Evidence(); return ok && len(e.Tiles) == 7 })
	e, _ := r.screen.Evidence()
	if got := e.Tiles[6]; got.Modality != "max@relu1" || got.Reason != "not computed: run with position relu1" || !r.screen.widgets.run.Visible() {
		t.Errorf("tile %+v, run %v", got, r.screen.widgets.run.Visible())
	}
	test.Tap(r.screen.widgets.run)
	if len(r.ran) != 1 {
		t.Error("the run dialog is not asked for")
	}
	r.panes[0].screen.Open(r.store.Imported[1].Hash)
	r.shows(r.store.Imported[1].Hash)
}

// The slider is let go in the middle of its way: the last position wins, whatever was computed meanwhile.
func TestNewestControlsWin(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	for v := 99; v >= 31; v-- {
		r.screen.widgets.share.SetValue(float64(v))
		if v%10 == 0 {
			r.stage.Pump()
		}
	}
	r.stage.Until("newest", func() bool { return r.screen.frame.controls.Share == 31 && !r.screen.pace.Busy() })
	if e, _ := r.screen.Evidence(); e.Images != 18 || r.screen.widgets.shareText.Text != "31 %" || e.Filter != "31 % of the suite, seed 1" {
		t.Errorf("%s, %q", e.Counts(), r.screen.widgets.shareText.Text)
	}
	r.screen.widgets.reach.SetValue(4)
	r.stage.Until("interval", func() bool { return r.screen.frame.first == 11 })
	if got := r.screen.widgets.reachText.Text; got != "-4°..4°" {
		t.Errorf("interval reads %q", got)
	}
	if r.screen.widgets.reach.SetValue(15); r.screen.controls.Reach != 0 {
		t.Error("the whole family is no part of it")
	}
}

func TestKeysMoveTheSliders(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	keys := r.window.Canvas().Focused()
	for _, c := range []struct {
		runes        string
		share, reach int
	}{{"[", 95, 0}, {"[[", 85, 0}, {"]]]]]", 100, 0}, {"-", 100, 14}, {"--", 100, 12}, {"=", 100, 13}, {"+++", 100, 0}} {
		for _, key := range c.runes {
			keys.TypedRune(key)
		}
		if got := r.screen.controls; got.Share != c.share || got.Reach != c.reach {
			t.Errorf("after %q %+v", c.runes, got)
		}
	}
	r.screen.widgets.share.SetValue(33)
	if keys.TypedRune('['); r.screen.controls.Share != 30 {
		t.Errorf("from 33 %% down to %d", r.screen.controls.Share)
	}
	r.screen.widgets.share.SetValue(33)
	if keys.TypedRune(']'); r.screen.controls.Share != 35 {
		t.Errorf("from 33 %% up to %d", r.screen.controls.Share)
	}
	r.stage.Until("35 %", func() bool { return r.screen.frame.controls.Share == 35 })
	one := r.screen.frame.chosen
	keys.TypedRune('r')
	r.stage.Until("another sample", func() bool { return r.screen.frame.controls.Draw == 1 })
	if two := r.screen.frame.chosen; len(two) != len(one) || slices.Equal(one, two) || !strings.Contains(r.screen.widgets.state.Text, "seed 2") {
		t.Errorf("samples %v and %v", one, two)
	}
	if r.window.Canvas().Focused() != keys {
		t.Error("the keys went elsewhere")
	}
	r.screen.Open(r.store.Imported[2].Hash) // without signals there is nothing to move
	r.shows(r.store.Imported[2].Hash)
	if keys.TypedRune('['); r.screen.controls.Share != 35 {
		t.Error("a share of nothing")
	}
}

// The keyboard goes back to the screen after every click on a slider, also one that moves nothing.
func TestSlidersGiveTheKeyboardBack(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	keys := r.window.Canvas().Focused()
	share := r.screen.widgets.share
	share.Tapped(&fyne.PointEvent{Position: fyne.NewPos(share.Size().Width, 5)})
	if r.window.Canvas().Focused() != keys || r.screen.controls.Share != 100 {
		t.Error("a click that moves nothing keeps the keyboard")
	}
	share.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(share.Size().Width/2, 5)}})
	share.DragEnd()
	if got := r.screen.controls.Share; got < 40 || got > 60 || r.window.Canvas().Focused() != keys {
		t.Errorf("dragged to the middle: %d %%", got)
	}
	before := r.screen.controls.Share
	r.window.Canvas().Unfocus() // what the driver does for a click on something that takes no keys
	r.stage.Until("the keys are back", func() bool { return r.window.Canvas().Focused() == keys })
	r.window.Canvas().Focus(share) // by the tab key
	share.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	share.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	share.TypedRune('w')
	if got := r.screen.controls; got.Share != before+2 || got.Which != variance.Wrong {
		t.Errorf("keys on the slider: %+v", got)
	}
	share.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	r.stage.Until("the next model", func() bool { return r.screen.answer.at == 1 })
	if share.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}); r.window.Canvas().Focused() != keys {
		t.Error("Escape keeps the keyboard")
	}
}

func TestChooser(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.screen.AskModalities()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Fatal("no dialog")
	}
	c := &chooser{s: r.screen, checks: map[string]*fynewidget.Check{}, grid: &fyne.Container{}}
	c.places = places(r.screen.answer.base.Model, r.screen.computed(), nil)
	c.build(evidence.DefaultModalities())
	c.adder()
	if got := c.chosen(); len(got) != 5 {
		t.Errorf("chosen %v", got)
	}
	if c.add("no such tensor"); !c.problem.Visible() || !strings.Contains(c.problem.Text, "no such tensor") {
		t.Errorf("problem %q", c.problem.Text)
	}
	if c.add("relu1"); c.problem.Visible() || !slices.Contains(c.chosen(), "mean@relu1") || len(c.chosen()) != 7 {
		t.Errorf("with relu1 %v", c.chosen())
	}
	if c.choose(referenceAssessor()); !slices.Contains(c.chosen(), "max_mean@CONV-2") || len(c.chosen()) != 5 {
		t.Errorf("reference %v", c.chosen())
	}
}

func TestFiguresSayWhatWasChosen(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.screen.Control(Controls{Share: 50, Reach: 10})
	r.panes[0].screen.Exclude([]int{1})
	r.stage.Until("chosen", func() bool { e, _ := r.screen.Evidence(); return e.Excluded == 1 && e.Filter != "" })
	p := r.screen.frame.shown
	if got := p.Note(); !strings.HasSuffix(got, "of 60 images, 1 skipped, 1 excluded: 50 % of the suite, seed 1, V -10°..10°") {
		t.Errorf("note %q", got)
	}
	for _, figure := range Figures(p.Evidence) {
		out := &file{}
		if err := WriteFigure(out, p, figure, "svg"); err != nil {
			t.Errorf("%s: %v", figure, err)
		}
	}
}

// A modality that no summary has gets a shared range from the signals of all models.
func TestFurtherModalitiesGetSharedRanges(t *testing.T) {
	ws := sample.New(t, 4)
	r := newRigOn(t, ws)
	r.shows(ws.Imported[0].Hash)
	r.screen.Modalities([]string{"max@CONF", "std@CONV-1"})
	var values []float64
	for _, m := range ws.Imported[:3] {
		matrix, err := ws.Matrices(context.Background(), store.Question{
			Model: m, Suite: ws.Shapes.Hash, Family: sample.Family, Modalities: []string{"std@CONV-1"}, Images: variance.AllImages(),
		})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, matrix.Matrices["std@CONV-1"].Data...)
	}
	low, high := render.P99Range(values)
	r.stage.Until("shared", func() bool {
		got, badge := r.screen.frame.shown.View.Range("std@CONV-1")
		return badge == "" && got == label.Range{Low: low, High: high} && len(r.screen.frame.shown.Tiles) == 2
	})
	// The range is kept for the next model; it is found once.
	r.screen.Step(1)
	r.shows(ws.Imported[1].Hash)
	if _, badge := r.screen.frame.shown.View.Range("std@CONV-1"); badge != "" || len(r.screen.Work.Jobs()) != 0 || len(r.screen.shared.tried) != 1 {
		t.Errorf("badge %q, jobs %v", badge, r.screen.Work.Jobs())
	}
	if len(r.errs) != 0 {
		t.Error(r.errs)
	}
}
