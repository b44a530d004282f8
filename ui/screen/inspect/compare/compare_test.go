package compare

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	*panetest.Screen
	store *sample.Workspace
	pane  *Pane
}

// newRig compares the first of some models with none.
func newRig(t testing.TB, models int) *rig {
	t.Helper()
	r := &rig{Screen: panetest.New(t, fyne.NewSize(1190, 560)), store: sample.New(t, models)}
	r.pane = New(r.Site(), r.store)
	r.OnOpen = func(hash string) { r.Show(r.of(t, hash)) }
	r.Stand(r.pane.Tab, r.of(t, r.hash(0)))
	r.until(0)
	return r
}

func (r *rig) of(t testing.TB, hash string) pane.Subject {
	t.Helper()
	return panetest.Within(panetest.Subject(t, r.store.Workspace, hash, variance.AllImages()), 0, sample.Last)
}

// until waits for a comparison of these models, by their numbers.
func (r *rig) until(models ...int) Result {
	var want []string
	for _, k := range models {
		want = append(want, r.store.Imported[k].ID)
	}
	r.Stage.Until(strings.Join(want, ", "), func() bool {
		var got []string
		for _, c := range r.result().Columns {
			got = append(got, c.Model.ID)
		}
		return slices.Equal(got, want) && r.pane.page.Idle()
	})
	return r.result()
}

func (r *rig) result() Result { return r.pane.answer.result }

func (r *rig) hash(k int) string { return r.store.Imported[k].Hash }

func TestPaneChoosesModels(t *testing.T) {
	r := newRig(t, 7)
	if one := r.result(); one.Difference != nil || !strings.Contains(r.pane.note.Text, "Add a model") ||
		!r.pane.note.Visible() {
		t.Errorf("one model: %q", r.pane.note.Text)
	}
	r.pane.Add(r.hash(1))
	if two := r.until(0, 1); two.DifferenceName() != "m00 - m01" || r.pane.note.Visible() ||
		two.Columns[1].Tiles[0].Matrix.N != 31 {
		t.Errorf("two models: %q", two.DifferenceName())
	}
	r.pane.Add(r.hash(1)) // is there
	r.pane.Add(r.hash(0)) // is the subject
	r.pane.Add(r.hash(2))
	r.pane.Add(r.hash(3))
	r.pane.Add(r.hash(4)) // too many
	r.until(0, 1, 2, 3)
	if !r.pane.add.Disabled() || r.pane.columns != 5 {
		t.Errorf("%d columns, add %v", r.pane.columns, r.pane.add.Disabled())
	}
	r.pane.headItems(2)[3].Action()
	r.until(0, 1, 3)
	r.pane.put(1, r.hash(5))
	r.until(0, 1, 5)
	if r.pane.heads[0].menu.Visible() || r.pane.heads[3].menu.Visible() || !r.pane.heads[2].menu.Visible() {
		t.Error("what can be done with the model on the screen, or with the difference")
	}
	test.Tap(r.pane.heads[1].menu)
	if top := r.Window.Canvas().Overlays().Top(); top == nil {
		t.Error("no menu of the model")
	} else {
		r.Window.Canvas().Overlays().Remove(top)
	}
	r.pane.headItems(1)[1].Action()
	r.until(1, 0, 5)
	if !slices.Equal(r.Opened, []string{r.hash(1)}) {
		t.Errorf("opened %v", r.Opened)
	}
	r.pane.Compare([]string{r.hash(2), r.hash(1), r.hash(4)}) // the screen's own is among them
	r.until(1, 2, 4)
	r.pane.Compare([]string{r.hash(6), r.hash(5)}) // it is not
	missing := r.until(6, 5)
	if missing.Columns[0].Tiles[0].Reason != "no signals" {
		t.Errorf("a model without signals: %+v", missing.Columns[0].Tiles[0])
	}
	r.pane.Compare(nil)
	r.pane.Remove(0)
	r.pane.Swap(7)
	r.until(6, 5)
	if len(r.Errors) != 0 {
		t.Errorf("errors %v", r.Errors)
	}
}

func TestPaneLinksCursorAndRange(t *testing.T) {
	r := newRig(t, 5)
	r.pane.Compare([]string{r.hash(0), r.hash(1), r.hash(2)})
	result := r.until(0, 1, 2)
	r.pane.tiles[1].Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	for k, tile := range r.pane.tiles[:r.pane.shown] {
		if c := tile.Heatmap().Cursor(); !c.Inside || c.I != 16 || c.J != 15 {
			t.Errorf("the crosshair of matrix %d is at %+v", k, c)
		}
	}
	text := r.pane.readOut.Text
	for _, part := range []string{"max@CONF   V_i = 1°, V_j = 0°", "m00 ", "m01 ", "m02 ", "difference "} {
		if !strings.Contains(text, part) {
			t.Errorf("read-out %q lacks %q", text, part)
		}
	}
	r.pane.tiles[1].Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.pane.readOut.Text != pointHint {
		t.Errorf("after the pointer left: %q", r.pane.readOut.Text)
	}
	r.pane.tiles[2].OnTapped(widget.Cell{I: 4, J: 9, Inside: true})
	if got := r.Marked; len(got) != 1 || got[0] != (pane.Focus{Modality: "max@CONF", I: 4, J: 9}) {
		t.Fatalf("focus %+v", got)
	}
	if r.until(0, 1, 2); !strings.Contains(r.pane.readOut.Text, "V_i = -11°, V_j = -6°") {
		t.Errorf("the focus shows %q", r.pane.readOut.Text)
	}
	// The screen's range and map hold for all models; the difference keeps its own.
	before := result.Difference[0].Scale
	r.Now.View = evidence.View{Preset: evidence.Own, Own: label.Range{Low: 0.01, High: 0.02}, Map: "gray"}
	r.Show(r.Now)
	r.Stage.Until("range", func() bool { return r.result().Columns[0].Tiles[0].Scale.High == 0.02 })
	for k, c := range r.result().Columns {
		if c.Tiles[0].Scale != r.Now.View.Scale("max@CONF") || r.pane.tiles[k].Heatmap().Picture().Scale.High != 0.02 {
			t.Errorf("column %d has the range %+v", k, c.Tiles[0].Scale)
		}
	}
	if r.result().Difference[0].Scale != before {
		t.Error("the range of the difference changed")
	}
	q := r.result().Query
	test.Tap(r.pane.turn)
	r.Stage.Until("turned", func() bool { return r.result().Query.Minuend == q.Subtrahend })
	if r.result().DifferenceName() != "m01 - m00" {
		t.Errorf("difference %q", r.result().DifferenceName())
	}
	r.pane.pairs.SetSelected(noDifference)
	r.Stage.Until("none", func() bool { return r.result().Difference == nil })
	r.pane.rows.SetSelected(allRows)
	r.Stage.Until("rows", func() bool { return len(r.result().Query.Modalities) == 5 })
	if r.pane.shown != 15 {
		t.Errorf("%d tiles", r.pane.shown)
	}
	r.pane.rows.SetSelected("mean@CONV-1")
	r.Stage.Until("row", func() bool { return slices.Equal(r.result().Query.Modalities, []string{"mean@CONV-1"}) })
	r.Now.Images.Which = variance.Correct
	r.Show(r.Now)
	r.pane.common.SetChecked(true)
	r.Stage.Until("same", func() bool { return r.result().Query.Same && r.pane.page.Idle() })
	if r.pane.common.Text != "images that all get right" || r.pane.modality != "mean@CONV-1" {
		t.Errorf("switch %q, row %q", r.pane.common.Text, r.pane.modality)
	}
}

// TestPaneLetsGo: hidden, the tab holds no signals; back in front, it reads them again.
func TestPaneLetsGo(t *testing.T) {
	r := newRig(t, 4)
	r.pane.Add(r.hash(1))
	r.until(0, 1)
	r.pane.page.Hidden()
	empty := func() bool { kept, _ := r.pane.page.Data(); return kept.sides == nil && kept.result.Columns == nil }
	if !empty() || r.pane.answer.query.Subject.Set != nil {
		t.Error("signals are kept while nobody looks")
	}
	r.pane.Add(r.hash(2))
	r.pane.page.Shown()
	r.until(0, 1, 2)
	before, _ := r.pane.page.Data()
	r.pane.Difference(1, 0)
	r.pane.page.Hidden() // while it is being computed
	r.Stage.Until("the answer", func() bool { now, _ := r.pane.page.Data(); return now != before })
	if !empty() {
		t.Error("a late answer is kept")
	}
}

func TestPaneAsksAndSaves(t *testing.T) {
	r := newRig(t, 5)
	overlays := r.Window.Canvas().Overlays()
	test.Tap(r.pane.add)
	r.Stage.Until("dialog", func() bool { return overlays.Top() != nil })
	r.Type("m03", fyne.KeyReturn)
	r.Type("", fyne.KeyDown, fyne.KeyReturn)
	r.until(0, 3)
	test.Tap(r.pane.save)
	if overlays.Top() == nil {
		t.Fatal("no menu of formats")
	}
	overlays.Remove(overlays.Top())
	if r.pane.Save("svg"); overlays.Top() == nil {
		t.Error("no file is asked for")
	}
	overlays.Remove(overlays.Top())
	r.pane.rows.SetSelected(allRows)
	r.Stage.Until("rows", func() bool { return len(r.result().Query.Modalities) == 5 && r.pane.page.Idle() })
	r.Stage.Draw(r.Window, os.Getenv("VARISCOPE_PICTURES"), "compare-rows")
}

// TestTheSameModelUnderAnotherFamily: the model stands beside itself until another one is shown,
// and says what is missing.
func TestTheSameModelUnderAnotherFamily(t *testing.T) {
	r := newRig(t, 3)
	own := testdata.Must(transform.Parse(r.Now.Family))(t)
	nearest := testdata.Must(own.With(transform.Nearest, ""))(t)
	r.pane.Beside(nearest.String(), "max@CONV-1")
	got := r.until(0, 0)
	id := r.store.Imported[0].ID
	if c := got.Columns[1]; c.Name != id+", nearest" || c.Tiles[0].Reason != "no signals" || !r.pane.note.Visible() {
		t.Errorf("%s: %q", c.Name, c.Tiles[0].Reason)
	}
	r.pane.Beside(r.Now.Family, "max@CONV-1") // whose signals are there: the difference is 0
	got = r.until(0, 0)
	if len(got.Query.Modalities) != 1 || got.Query.Modalities[0] != "max@CONV-1" || got.Difference[0].Matrix.N == 0 ||
		got.Difference[0].Matrix.Max() != 0 {
		t.Errorf("%v, difference %+v", got.Query.Modalities, got.Difference)
	}
	r.pane.Add(r.hash(1))
	r.until(0, 1, 0)
	r.pane.Remove(2)
	r.until(0, 1)
	r.pane.Beside(r.Now.Family, "max@CONV-1")
	r.until(0, 0)
	r.Show(r.of(t, r.hash(2)))
	r.until(2)
}
