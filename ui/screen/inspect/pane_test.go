package inspect

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// testPane notes what it is told.
type testPane struct {
	screen pane.Screen
	title  string
	tall   bool
	shown  []pane.Subject
	hidden int
	closed bool
	object fyne.CanvasObject
}

func (p *testPane) Title() string             { return p.title }
func (p *testPane) Object() fyne.CanvasObject { return p.object }
func (p *testPane) Show(s pane.Subject)       { p.shown = append(p.shown, s) }
func (p *testPane) Hidden()                   { p.hidden++ }
func (p *testPane) Close()                    { p.closed = true }
func (p *testPane) Tall() bool                { return p.tall }

func (p *testPane) last() pane.Subject { return p.shown[len(p.shown)-1] }

func (r *rig) makePanes(site pane.Site) []pane.Pane {
	r.panes = []*testPane{
		{screen: site.Screen, title: "Images", object: fynewidget.NewLabel("images")},
		{screen: site.Screen, title: "Graph", tall: true, object: fynewidget.NewLabel("graph")},
	}
	return []pane.Pane{r.panes[0], r.panes[1]}
}

func (r *rig) settled() {
	r.Helper()
	r.stage.Until("settled", func() bool {
		return !r.screen.waiting && !r.screen.pace.Busy() && r.screen.keeper.Idle()
	})
}

func TestPanesAreToldWhatIsShown(t *testing.T) {
	r := newRig(t, 4)
	m := r.store.Imported[1]
	r.screen.Open(m.Hash)
	r.shows(m.Hash)
	images := r.panes[0]
	if len(images.shown) != 0 {
		t.Fatal("a pane behind the overview is told")
	}
	r.screen.widgets.tabs.SelectIndex(1)
	got := images.last()
	if got.Model.Hash != m.Hash || got.Set == nil || got.Set.Confidence == nil || got.Set.Predictions() == nil || got.Suite.Hash != r.store.Shapes.Hash ||
		len(got.Suite.Labels) != sample.Images || got.Family != sample.Family || got.First != 0 || got.Last != 30 || len(got.Chosen) != sample.Images ||
		!slices.Equal(got.Mapping, []int{0, 1, 2}) || got.Focus != pane.Whole("max@CONF") {
		t.Errorf("subject %+v", got)
	}
	r.screen.Control(Controls{Which: variance.Correct, Share: 100, Reach: 5})
	r.stage.Until("told of the choice", func() bool { return images.last().First == 10 })
	got = images.last()
	if got.Last != 20 || got.Images.String() != "correct" || len(got.Chosen) != got.Evidence.Images || got.Evidence.Tiles[0].Matrix.N != 11 {
		t.Errorf("subject %d..%d %s, %d x", got.First, got.Last, got.Images, got.Evidence.Tiles[0].Matrix.N)
	}
	r.screen.Preset(evidence.Paper)
	r.stage.Until("told of the range", func() bool { return images.last().View.Preset == evidence.Paper })

	// A click on an element is the focus, in the family's numbering.
	tile := r.screen.widgets.row.Tiles()[1]
	tile.Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if got := images.last().Focus; got != (pane.Focus{Modality: "max@CONV-1", I: 16, J: 15}) {
		t.Errorf("focus %+v", got)
	}
	n := len(images.shown)
	r.screen.widgets.tabs.SelectIndex(0)
	r.screen.Focus(pane.Whole(""))
	if images.hidden != 1 || len(images.shown) != n {
		t.Error("a pane that left is told")
	}
	r.screen.widgets.tabs.SelectIndex(1)
	r.screen.Hidden()
	if r.screen.Close(); images.hidden != 2 || !images.closed || !r.panes[1].closed {
		t.Error("panes do not end with the screen")
	}
}

func TestFocusFollowsTheArrowKeys(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	keys := r.window.Canvas().Focused()
	key := func(k fyne.KeyName) { keys.TypedKey(&fyne.KeyEvent{Name: k}) }
	r.panes[0].screen.Focus(pane.Focus{Modality: "max@CONF", I: 29, J: 2})
	key(fyne.KeyUp)
	key(fyne.KeyUp)
	key(fyne.KeyLeft)
	if got := r.screen.cell; got != (pane.Focus{Modality: "max@CONF", I: 30, J: 1}) {
		t.Errorf("focus %+v", got)
	}
	if got := r.screen.widgets.readOut.Text; !strings.HasPrefix(got, "max@CONF   V_i = 15°, V_j = -14°, δ = ") {
		t.Errorf("read-out %q", got)
	}
	if notes := r.screen.widgets.row.Tiles()[2].Notes(); !strings.HasPrefix(notes[0], "δ ") {
		t.Errorf("notes %q", notes)
	}
	key(fyne.KeyPageDown) // models are still a key away, and the focus stays
	r.shows(r.store.Imported[1].Hash)
	key(fyne.KeyEscape)
	if r.screen.cell.Cell() || r.screen.widgets.readOut.Text != "" || !strings.HasPrefix(r.screen.widgets.row.Tiles()[2].Notes()[0], "largest δ ") {
		t.Errorf("after Escape %+v, notes %q", r.screen.cell, r.screen.widgets.row.Tiles()[2].Notes())
	}
	key(fyne.KeyLeft)
	r.shows(r.store.Imported[0].Hash)
	// With the keyboard on a matrix, its arrows move the focus from where it was left.
	heat := r.screen.widgets.row.Tiles()[0].Heatmap()
	heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := r.screen.cell; got.J != 16 || got.I != 15 {
		t.Errorf("focus %+v", got)
	}
	heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.screen.cell.Cell() {
		t.Error("Escape on a matrix keeps the focus")
	}
}

func TestExclusionsAreRememberedAndUndone(t *testing.T) {
	ws := sample.New(t, 4)
	r := newRigOn(t, ws)
	m := ws.Imported[0]
	whole := r.shows(m.Hash)
	host := r.panes[0].screen
	host.Exclude([]int{7, 3})
	host.Exclude([]int{7})
	r.stage.Until("excluded", func() bool { e, _ := r.screen.Evidence(); return e.Excluded == 2 && len(r.did) == 1 })
	e, _ := r.screen.Evidence()
	if e.Images != sample.Images-2 || !strings.Contains(r.screen.widgets.state.Text, "58 of 60 images, 1 skipped, 2 excluded") ||
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
	r.settled()
	for _, c := range []struct {
		step func(context.Context) error
		want int
	}{{r.did[0].Undo, 0}, {r.did[0].Redo, 2}} {
		if err := c.step(context.Background()); err != nil {
			t.Fatal(err)
		}
		r.stage.Until("undone or redone", func() bool { e, _ := r.screen.Evidence(); return e.Excluded == c.want && !r.screen.pace.Busy() })
	}
	r.screen.AskExcluded()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Fatal("no list of exclusions")
	}
	host.Include([]int{3, 7})
	r.stage.Until("included", func() bool { e, _ := r.screen.Evidence(); return e.Excluded == 0 && len(r.did) == 2 })
	if e, _ = r.screen.Evidence(); !slices.Equal(e.Tiles[0].Matrix.Data, whole.Tiles[0].Matrix.Data) {
		t.Error("with all images back the matrix has other bits")
	}
	if r.screen.imageName(21) != "image 21, class boat" || r.screen.imageName(99) != "image 99" {
		t.Errorf("names %q", r.screen.imageName(21))
	}
}

// Images are left out of the model that is seen, also while another one is being read: that one keeps its own list.
func TestExclusionsBelongToTheModelThatIsSeen(t *testing.T) {
	r := newRig(t, 4)
	first, second := r.store.Imported[0], r.store.Imported[1]
	r.shows(first.Hash)
	r.screen.Open(second.Hash)
	r.panes[0].screen.Exclude([]int{3})
	if e := r.shows(second.Hash); e.Excluded != 0 {
		t.Errorf("the other model: %s", e.Counts())
	}
	r.settled()
	suite := r.screen.answer.manifest.Hash
	for _, c := range []struct {
		hash string
		want []int
	}{{first.Hash, []int{3}}, {second.Hash, nil}} {
		var got []int
		if _, err := r.store.Setting(excludedKey(c.hash, suite), &got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("remembered %v (%v), want %v", got, err, c.want)
		}
	}
}

// The bar of the tabs keeps its place on every tab, also where a tall pane has the room of the
// matrices.
func TestTallPanesHaveTheRoom(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	f := r.screen.widgets
	place := func() fyne.Position { return fyne.CurrentApp().Driver().AbsolutePositionForObject(f.tabs) }
	bar := place()
	f.tabs.SelectIndex(1)
	before := f.pages[1].Size().Height
	f.tabs.SelectIndex(2)
	if f.split.upper.Visible() || f.pages[1].Visible() || !f.pages[2].Visible() || f.pages[2].Size().Height < before+150 {
		t.Errorf("a tall pane has %v of %v", f.pages[2].Size().Height, before)
	}
	if got := place(); got != bar {
		t.Errorf("the bar of the tabs is at %v, before at %v", got, bar)
	}
	f.tabs.SelectIndex(1)
	if !f.split.upper.Visible() || f.pages[1].Size().Height != before || place() != bar {
		t.Error("the matrices do not come back, or the bar moves")
	}
}
