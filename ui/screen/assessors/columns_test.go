package assessors

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/stage"
	"github.com/variscope/variscope/ui/widget"
)

// TestWhoDiffersIsNotCut: the column of those who say otherwise shows all of them, or as many as a limit lets it.
func TestWhoDiffersIsNotCut(t *testing.T) {
	r := newRig(t, 40)
	rate(t, r.ws)
	r.screen.Refresh()
	r.stage.Until("the round is offered", func() bool { return r.screen.face.form.draft.Round != "" })
	r.train(nil)
	page := r.screen.face.judge
	for _, try := range []struct {
		differ []string
		whole  bool
	}{{nil, true}, {[]string{"label", "annotator 1"}, true}, {slices.Repeat([]string{"annotator"}, 20), false}} {
		r.screen.insight.judgements = []Judgement{{Differs: try.differ}}
		room := float32(0.8) * page.columns()[columnDiffers].Width // where there is the least
		if wants := widget.CellWidth(strings.Join(try.differ, ", ")); (room >= wants-0.1) != try.whole || room > 300 {
			t.Errorf("%d who differ want %g and have %g", len(try.differ), wants, room)
		}
	}
}

// TestTheBarBelowTheKappasCoversNone: what scrolls the table to the side has room below its last line.
func TestTheBarBelowTheKappasCoversNone(t *testing.T) {
	r := newRig(t, 40)
	rate(t, r.ws)
	r.screen.Refresh()
	r.stage.Until("the round is offered", func() bool { return r.screen.face.form.draft.Round != "" })
	r.train(nil)
	table, found := r.screen.face.scores.kappas, false
	stage.Walk(r.screen.face.scores.object, func(o fyne.CanvasObject) {
		view, ok := o.(*container.Scroll)
		if !ok || view.Direction != container.ScrollHorizontalOnly {
			return
		}
		found = true
		if free := view.MinSize().Height - table.MinSize().Height; free < theme.ScrollBarSize()/2 {
			t.Errorf("%g are left for the bar below the table", free)
		}
	})
	if !found {
		t.Error("nothing scrolls to the side")
	}
}
