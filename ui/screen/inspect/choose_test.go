package inspect

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// What is chosen is there again in the next session: tab, matrices, ranges, map, precision and
// division.
func TestScreenRemembers(t *testing.T) {
	ws, memory := sample.New(t, 4), settings{}
	r := newRigWith(t, ws, memory)
	r.shows(ws.Imported[0].Hash)
	s := r.screen
	s.Modalities([]string{"std@CONV-1", "max@CONF"})
	s.OwnRange(label.Range{Low: 0.1, High: 0.2})
	s.Map("gray")
	s.Precision(0.2)
	s.Front("images")
	s.widgets.split.bar.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: -20}})
	s.widgets.split.bar.DragEnd()
	r.until("remembered", func() bool { return true })
	again := newRigWith(t, ws, memory)
	e := again.shows(ws.Imported[0].Hash)
	k := again.screen.kept
	if len(e.Tiles) != 2 || e.Tiles[0].Modality != "max@CONF" || e.Tiles[1].Modality != "std@CONV-1" ||
		e.Tiles[1].Absent() {
		t.Errorf("tiles %+v", e.Tiles)
	}
	if k.precision != 0.2 || k.view.Map != "gray" || k.view.Preset != evidence.Own || k.view.Own.High != 0.2 ||
		again.told == 0 ||
		k.split <= 0 || again.screen.widgets.split.share != s.widgets.split.share {
		t.Errorf("remembered %+v, told %d", k, again.told)
	}
}

func TestKeysMoveTheSliders(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	keys := r.window.Canvas().Focused()
	for _, c := range []struct {
		runes        string
		share, reach int
	}{
		{"[", 95, 0},
		{"[[", 85, 0},
		{"]]]]]", 100, 0},
		{"-", 100, 14},
		{"--", 100, 12},
		{"=", 100, 13},
		{"+++", 100, 0},
	} {
		for _, key := range c.runes {
			keys.TypedRune(key)
		}
		if got := r.screen.controls; got.Share != c.share || got.Reach != c.reach {
			t.Errorf("after %q %+v", c.runes, got)
		}
	}
	for key, want := range map[rune]int{'[': 30, ']': 35} {
		r.screen.widgets.share.SetValue(33)
		if keys.TypedRune(key); r.screen.controls.Share != want {
			t.Errorf("from 33 %% %c leads to %d", key, r.screen.controls.Share)
		}
	}
	keys.TypedRune(']')
	r.screen.widgets.share.SetValue(35)
	r.until("35 %", func() bool { return r.screen.data().frame.controls.Share == 35 })
	one := r.screen.data().frame.chosen
	keys.TypedRune('r')
	r.until("another sample", func() bool { return r.screen.data().frame.controls.Draw == 1 })
	if two := r.screen.data().frame.chosen; len(two) != len(one) || slices.Equal(one, two) ||
		!strings.Contains(r.screen.widgets.state.Text, "seed 2") {
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

func TestChooser(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.screen.AskModalities()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Fatal("no dialog")
	}
	c := &chooser{s: r.screen, checks: map[string]*fynewidget.Check{}, grid: &fyne.Container{}}
	c.places = places(r.screen.data().base.Model, r.screen.computed(), nil)
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
	r.screen.Exclude([]int{1})
	r.until("chosen", func() bool { return r.evidence().Excluded == 1 && r.evidence().Filter != "" })
	p := r.screen.data().frame.shown
	if got := p.Note(); !strings.HasSuffix(got,
		"of 60 images, 1 skipped, 1 excluded: 50 % of the suite, seed 1, V -10°..10°") {
		t.Errorf("note %q", got)
	}
	var labels []string
	for _, item := range r.screen.widgets.row.Tiles()[0].Heatmap().Items() {
		if labels = append(labels, item.Label); item.Label == "Copy as command" {
			item.Action()
		}
	}
	wanted := "variscope matrix " + r.store.Path() + " --models m00 --suite shapes --family '" + sample.Family +
		"' --modalities max@CONF --share 0.5 --exclude 1 --interval 10"
	if got := fyne.CurrentApp().Clipboard().Content(); got != wanted || !slices.Contains(labels, "Save as NPY…") {
		t.Errorf("%v copies %q, want %q", labels, got, wanted)
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
		matrix, err := ws.Matrices(context.Background(), store.MatrixRequest{
			Model: m, Suite: ws.Shapes.Hash, Family: sample.Family, Modalities: []string{"std@CONV-1"},
			Images: variance.AllImages(),
		})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, matrix.Matrices["std@CONV-1"].Data...)
	}
	low, high := render.P99Range(values)
	r.stage.Until("shared", func() bool {
		got, badge := r.screen.data().frame.shown.View.Range("std@CONV-1")
		return badge == "" && got == label.Range{Low: low, High: high} && len(r.screen.data().frame.shown.Tiles) == 2
	})
	// The range is kept for the next model; it is found once.
	r.screen.Step(1)
	r.shows(ws.Imported[1].Hash)
	if _, badge := r.screen.data().frame.shown.View.Range("std@CONV-1"); badge != "" ||
		len(r.screen.Work.Jobs()) != 0 || len(r.screen.tried) != 1 {
		t.Errorf("badge %q, jobs %v", badge, r.screen.Work.Jobs())
	}
	if len(r.errs) != 0 {
		t.Error(r.errs)
	}
}
