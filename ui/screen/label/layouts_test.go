package label

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
)

// No item may make the window wider than it is: a long name is cut, and pace, record and guideline
// make room.
func TestTheScreenFitsANarrowWindow(t *testing.T) {
	r := newRig(t, 3)
	r.signIn(r.store.NewRound(t, func(x *labels.Round) { x.Name = strings.Repeat("round ", 20) }), "r1")
	f := r.screen.widgets
	f.setTitle(strings.Repeat("a-model-with-a-long-name-", 8))
	f.toggleGuideline()
	if least := r.screen.Object().MinSize(); least.Width > 800 || least.Height > 560 {
		t.Errorf("the screen asks for %v", least)
	}
	for _, c := range []struct {
		width        float32
		pace, record bool
	}{{800, false, false}, {1300, true, true}} {
		r.window.Resize(fyne.NewSize(c.width, 650))
		f.arrangeHead()
		if f.pace.Visible() != c.pace || f.details.Visible() != c.record || !f.drawer.Visible() {
			t.Errorf("%v wide: pace %v, record %v, guideline %v", c.width, f.pace.Visible(), f.details.Visible(),
				f.drawer.Visible())
		}
		for _, o := range f.head.Objects {
			if o.Visible() && o.Position().X+o.Size().Width > f.head.Size().Width+0.5 {
				t.Errorf("%v wide: something in the header ends at %v of %v", c.width, o.Position().X+o.Size().Width,
					f.head.Size().Width)
			}
		}
	}
	folded := f.bar.MinSize().Height
	f.progress.SetText(strings.Repeat("a long name ", 20))
	if got := f.bar.MinSize().Height; got != 2*folded {
		t.Errorf("without room for the buttons the bar is %v high, %v before it is laid out", 2*folded, got)
	}
	f.setTitle("s20")
	if got := f.title.Size().Width; got > 100 || got < 30 {
		t.Errorf("a short title is %v wide", got)
	}
}
