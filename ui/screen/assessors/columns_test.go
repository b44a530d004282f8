package assessors

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestTheBarBelowTheKappasCoversNone: what scrolls the table to the side has room below its last
// line.
func TestTheBarBelowTheKappasCoversNone(t *testing.T) {
	r := newRated(t, 40)
	r.train(nil)
	table, found := r.screen.widgets.scores.kappas, false
	stage.Walk(r.screen.widgets.scores.Object(), func(o fyne.CanvasObject) {
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
