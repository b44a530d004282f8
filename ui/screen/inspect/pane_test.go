package inspect

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

func TestTabsAreToldWhatIsShown(t *testing.T) {
	r := newRig(t, 4)
	m := r.store.Imported[1]
	r.screen.Open(m.Hash)
	r.shows(m.Hash)
	if r.told != 0 {
		t.Fatal("a tab behind the overview is told")
	}
	told := func(what string, do func(), holds func(pane.Subject) bool) {
		t.Helper()
		before := r.told
		do()
		r.until(what, func() bool { return r.told > before && holds(r.screen.Subject()) })
	}
	told("the model", func() { r.screen.Front("images") }, func(got pane.Subject) bool {
		return got.Model.Hash == m.Hash && got.Set.Confidence != nil && got.Set.Predictions() != nil &&
			got.Suite.Hash == r.store.Shapes.Hash &&
			len(got.Suite.Labels) == sample.Images && got.Family == sample.Family && got.First == 0 && got.Last == 30 &&
			len(got.Chosen) == sample.Images &&
			slices.Equal(got.Mapping, []int{0, 1, 2}) && got.Focus == pane.Whole("max@CONF")
	})
	told("the choice", func() { r.screen.Control(Controls{Which: variance.Correct, Share: 100, Reach: 5}) },
		func(got pane.Subject) bool {
			return got.First == 10 && got.Last == 20 && got.Images.String() == "correct" &&
				len(got.Chosen) == got.Evidence.Images && got.Evidence.Tiles[0].Matrix.N == 11
		})
	told("the range", func() { r.screen.Preset(evidence.Paper) },
		func(got pane.Subject) bool { return got.View.Preset == evidence.Paper })
	// An element that the arrow keys choose is the focus, in the family's numbering.
	tile := r.screen.widgets.row.Tiles()[1].Heatmap()
	told("the focus", func() { tile.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp}) }, func(got pane.Subject) bool {
		return got.Focus == pane.Focus{Modality: "max@CONV-1", I: 16, J: 15}
	})
	before := r.told
	r.screen.Front("overview")
	if r.screen.Mark(pane.Whole("")); r.told != before {
		t.Error("a tab that left is told")
	}
}

// A letter goes to the tab in front first.
func TestKeysOfTabsAndScreen(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	r.screen.Front("images")
	if r.keys().TypedRune('W'); r.screen.controls.Which != variance.All {
		t.Error("the screen uses a key of the tab")
	}
	if r.keys().TypedRune('c'); r.screen.controls.Which != variance.Correct {
		t.Error("the screen does not get a key that the tab does not use")
	}
	r.screen.Mark(pane.Focus{Modality: "max@CONF", I: 29, J: 2})
	r.press(fyne.KeyUp, fyne.KeyUp, fyne.KeyLeft)
	if got := r.screen.cell; got != (pane.Focus{Modality: "max@CONF", I: 30, J: 1}) {
		t.Errorf("focus %+v", got)
	}
	if got := r.screen.widgets.readOut.Text; !strings.HasPrefix(got, "max@CONF   V_i = 15°, V_j = -14°, δ = ") {
		t.Errorf("read-out %q", got)
	}
	if r.press(fyne.KeyEscape); r.screen.cell.Cell() || r.screen.at != 0 {
		t.Error("Escape keeps the focus, or another model is shown")
	}
	// A click on a matrix gives it the keyboard: its arrows move the focus.
	r.screen.widgets.row.Tiles()[0].OnTapped(widget.Cell{I: 15, J: 15, Inside: true})
	if r.press(fyne.KeyRight); r.screen.cell != (pane.Focus{Modality: "max@CONF", I: 15, J: 16}) {
		t.Errorf("focus %+v", r.screen.cell)
	}
	r.press(fyne.KeyPageDown)
	r.shows(r.store.Imported[1].Hash)
}

func TestExclusionsAreRememberedAndUndone(t *testing.T) {
	ws := sample.New(t, 4)
	r := newRigOn(t, ws)
	m := ws.Imported[0]
	whole := r.shows(m.Hash)
	host := r.screen
	host.Exclude([]int{7, 3})
	host.Exclude([]int{7})
	r.until("excluded", func() bool { return r.evidence().Excluded == 2 && len(r.did) == 1 })
	e := r.evidence()
	if e.Images != sample.Images-2 || !strings.Contains(r.screen.widgets.state.Text,
		"58 of 60 images, 1 skipped, 2 excluded") ||
		r.screen.widgets.excluded.Text != "2 excluded…" || r.did[0].Title != "exclusion of 2 images from m00" {
		t.Errorf("%q, %q, %q", r.screen.widgets.state.Text, r.screen.widgets.excluded.Text, r.did[0].Title)
	}
	// Another model has its own; coming back finds them again.
	r.screen.Step(1)
	if e := r.shows(ws.Imported[1].Hash); e.Excluded != 0 || e.Images != sample.Images {
		t.Errorf("the other model: %s", e.Counts())
	}
	r.screen.Step(-1)
	if e := r.shows(m.Hash); e.Excluded != 2 {
		t.Errorf("back: %s", e.Counts())
	}
	for _, c := range []struct {
		step func(context.Context) error
		want int
	}{{r.did[0].Undo, 0}, {r.did[0].Redo, 2}} {
		testdata.OK(t, c.step(context.Background()))
		r.until("undone or redone", func() bool { return r.evidence().Excluded == c.want })
	}
	r.screen.AskExcluded()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Fatal("no list of exclusions")
	}
	host.Include([]int{3, 7})
	r.until("included", func() bool { return r.evidence().Excluded == 0 && len(r.did) == 2 })
	if e = r.evidence(); !slices.Equal(e.Tiles[0].Matrix.Data, whole.Tiles[0].Matrix.Data) {
		t.Error("with all images back the matrix has other bits")
	}
	if r.screen.imageName(21) != "image 21, class boat" || r.screen.imageName(99) != "image 99" {
		t.Errorf("names %q", r.screen.imageName(21))
	}
}

// TestOneMatrixAlone: M shows the matrix in focus as large as the room allows, also of the next
// model, and all of them again.
func TestOneMatrixAlone(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	f := r.screen.widgets
	side := func() float32 { return f.row.Tiles()[2].Heatmap().Size().Height }
	seen := func() (n int) {
		for _, tile := range f.row.Tiles() {
			if tile.Visible() {
				n++
			}
		}
		return n
	}
	bar, before := fyne.CurrentApp().Driver().AbsolutePositionForObject(f.tabs.Object()), side()
	r.screen.Mark(pane.Focus{Modality: "mean@CONV-1", I: 20, J: 6})
	r.keys().TypedRune('m')
	if seen() != 1 || side() < 1.6*before {
		t.Errorf("%d matrices, %v high after %v", seen(), side(), before)
	}
	r.screen.Step(1)
	r.shows(r.store.Imported[1].Hash)
	if seen() != 1 || fyne.CurrentApp().Driver().AbsolutePositionForObject(f.tabs.Object()) != bar {
		t.Error("the next model shows all, or the bar of the tabs moves")
	}
	r.keys().TypedRune('m')
	if seen() != 5 || side() != before {
		t.Errorf("back: %d matrices, %v high", seen(), side())
	}
}
