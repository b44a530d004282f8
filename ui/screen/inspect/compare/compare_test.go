package compare

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

type rig struct {
	host    panetest.Host
	store   *sample.Workspace
	stage   *stage.Stage
	window  fyne.Window
	pane    *Pane
	subject pane.Subject
}

func newRig(t testing.TB, models int, size fyne.Size) *rig {
	t.Helper()
	r := &rig{stage: stage.New(t), store: sample.New(t, models)}
	work := background.New(r.stage.Post)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(container.NewStack(), size)
	r.pane = New(r.host.Site(r.window, work, widget.Keys{}), r.store)
	r.window.SetContent(r.pane.Object())
	r.open(t, 0)
	r.host.OnOpen = func(hash string) {
		for k, m := range r.store.Imported {
			if m.Hash == hash {
				r.open(t, k)
				r.pane.Show(r.subject)
			}
		}
	}
	r.host.OnFocus = func(f pane.Focus) {
		r.subject.Focus = f
		r.pane.Show(r.subject)
	}
	return r
}

func (r *rig) open(t testing.TB, k int) {
	t.Helper()
	r.subject = panetest.Within(panetest.Subject(t, r.store.Workspace, r.store.Imported[k].Hash, variance.AllImages()), 0, sample.Last)
}

// until waits for a comparison of these models, by their numbers.
func (r *rig) until(models ...int) Result {
	var want []string
	for _, k := range models {
		want = append(want, r.store.Imported[k].ID)
	}
	r.stage.Until(strings.Join(want, ", "), func() bool {
		var got []string
		for _, c := range r.pane.result.Columns {
			got = append(got, c.Model.ID)
		}
		return slices.Equal(got, want) && !r.pane.pace.Busy()
	})
	return r.pane.result
}

func (r *rig) hash(k int) string { return r.store.Imported[k].Hash }

func TestPaneChoosesModels(t *testing.T) {
	r := newRig(t, 7, fyne.NewSize(1190, 560))
	r.pane.Show(r.subject)
	if one := r.until(0); one.Difference != nil || !strings.Contains(r.pane.note.Text, "Add a model") || !r.pane.note.Visible() {
		t.Errorf("one model: %q", r.pane.note.Text)
	}
	r.pane.Add(r.hash(1))
	if two := r.until(0, 1); two.DifferenceName() != "m00 - m01" || r.pane.note.Visible() || two.Columns[1].Tiles[0].Matrix.N != 31 {
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
	if top := r.window.Canvas().Overlays().Top(); top == nil {
		t.Error("no menu of the model")
	} else {
		r.window.Canvas().Overlays().Remove(top)
	}
	r.pane.headItems(1)[1].Action()
	r.until(1, 0, 5)
	if !slices.Equal(r.host.Opened, []string{r.hash(1)}) || !r.pane.Focused() {
		t.Errorf("opened %v, keys back %v", r.host.Opened, r.pane.Focused())
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
	if len(r.host.Errors) != 0 {
		t.Errorf("errors %v", r.host.Errors)
	}
}

func TestPaneLinksCursorAndRange(t *testing.T) {
	r := newRig(t, 5, fyne.NewSize(1190, 560))
	r.pane.Show(r.subject)
	r.until(0)
	r.pane.Compare([]string{r.hash(0), r.hash(1), r.hash(2)})
	result := r.until(0, 1, 2)
	r.pane.hover(1, widget.Cell{I: 3, J: 20, Inside: true})
	text := r.pane.readOut.Text
	for _, part := range []string{"max@CONF   V_i = -12°, V_j = 5°", "m00 ", "m01 ", "m02 ", "difference "} {
		if !strings.Contains(text, part) {
			t.Errorf("read-out %q lacks %q", text, part)
		}
	}
	r.pane.hover(1, widget.Cell{})
	if r.pane.readOut.Text != pointHint {
		t.Errorf("after the pointer left: %q", r.pane.readOut.Text)
	}
	r.pane.tiles[2].OnTapped(widget.Cell{I: 4, J: 9, Inside: true})
	if got := r.host.Focuses; len(got) != 1 || got[0] != (pane.Focus{Modality: "max@CONF", I: 4, J: 9}) {
		t.Fatalf("focus %+v", got)
	}
	if r.pane.pace.Busy() || !strings.Contains(r.pane.readOut.Text, "V_i = -11°, V_j = -6°") {
		t.Errorf("the focus computes anew, or shows %q", r.pane.readOut.Text)
	}
	// The screen's range and map hold for all models; the difference keeps its own.
	before := result.Difference[0].Scale
	r.subject.View = evidence.View{Preset: evidence.Own, Own: label.Range{Low: 0.01, High: 0.02}, Map: "gray"}
	r.pane.Show(r.subject)
	r.stage.Until("range", func() bool { return r.pane.result.Columns[0].Tiles[0].Scale.High == 0.02 })
	for k, c := range r.pane.result.Columns {
		if c.Tiles[0].Scale != r.subject.View.Scale("max@CONF") || r.pane.tiles[k].Heatmap().Picture().Scale.High != 0.02 {
			t.Errorf("column %d has the range %+v", k, c.Tiles[0].Scale)
		}
	}
	if r.pane.result.Difference[0].Scale != before {
		t.Error("the range of the difference changed")
	}
	q := r.pane.result.Query
	test.Tap(r.pane.turn)
	r.stage.Until("turned", func() bool { return r.pane.result.Query.Minuend == q.Subtrahend })
	if r.pane.result.DifferenceName() != "m01 - m00" {
		t.Errorf("difference %q", r.pane.result.DifferenceName())
	}
	r.pane.pairs.SetSelected(noDifference)
	r.stage.Until("none", func() bool { return r.pane.result.Difference == nil })
	r.pane.rows.SetSelected(allRows)
	r.stage.Until("rows", func() bool { return len(r.pane.result.Query.Modalities) == 5 })
	if r.pane.shown != 15 {
		t.Errorf("%d tiles", r.pane.shown)
	}
	r.pane.rows.SetSelected("mean@CONV-1")
	r.stage.Until("row", func() bool { return slices.Equal(r.pane.result.Query.Modalities, []string{"mean@CONV-1"}) })
	r.subject.Images.Which = variance.Correct
	r.pane.Show(r.subject)
	r.pane.common.SetChecked(true)
	r.stage.Until("same", func() bool { return r.pane.result.Query.Same && !r.pane.pace.Busy() })
	if r.pane.common.Text != "images that all get right" || r.pane.modality != "mean@CONV-1" {
		t.Errorf("switch %q, row %q", r.pane.common.Text, r.pane.modality)
	}
}

// TestPaneFollowsAControl: while a control moves, one computation follows the other, and the last state is shown.
func TestPaneFollowsAControl(t *testing.T) {
	r := newRig(t, 4, fyne.NewSize(1190, 500))
	r.pane.Show(r.subject)
	r.pane.Add(r.hash(1))
	for k := 9; k >= 2; k-- {
		s := r.subject
		s.Images.Share = float64(k) / 10
		r.pane.Show(s)
	}
	r.stage.Until("the last", func() bool { return r.pane.result.Query.Subject.Images.Share == 0.2 && !r.pane.pace.Busy() })
	if got := r.pane.result.Columns[1].Images; got != sample.Images/5 {
		t.Errorf("%d images", got)
	}
}

// TestPaneLetsGo: hidden, the pane holds no signals; back in front, it reads them again.
func TestPaneLetsGo(t *testing.T) {
	r := newRig(t, 4, fyne.NewSize(1190, 500))
	r.pane.Show(r.subject)
	r.pane.Add(r.hash(1))
	r.until(0, 1)
	r.pane.Hidden()
	if r.pane.sides != nil || r.pane.subject.Set != nil || r.pane.result.Columns != nil || r.pane.shown != 0 {
		t.Error("signals are kept while nobody looks")
	}
	r.pane.Add(r.hash(2))
	r.pane.Show(r.subject)
	r.until(0, 1, 2)
	r.pane.Difference(1, 0)
	r.pane.Hidden() // while it is being computed
	for range 50 {
		r.stage.Pump()
	}
	r.stage.Until("ended", func() bool { return !r.pane.pace.Busy() })
	if r.pane.result.Columns != nil {
		t.Error("a late answer was shown")
	}
	r.pane.Close()
}

func TestPaneAsksAndSaves(t *testing.T) {
	r := newRig(t, 5, fyne.NewSize(1100, 650))
	r.pane.Show(r.subject)
	r.until(0)
	overlays := r.window.Canvas().Overlays()
	test.Tap(r.pane.add)
	r.stage.Until("dialog", func() bool { return overlays.Top() != nil })
	if _, ok := r.window.Canvas().Focused().(*widget.Entry); !ok {
		t.Error("one cannot type into the search at once")
	}
	var chosen string
	c := newChooser(r.store.Imported, func(hash string) { chosen = hash })
	c.search.SetText("-12..12")
	c.search.OnSubmitted("")
	if chosen != r.hash(3) || c.count.Text != "1 model" {
		t.Errorf("chose %q of %q", chosen, c.count.Text)
	}
	c.search.SetText("")
	c.list.Select(2)
	if chosen != r.hash(2) {
		t.Errorf("chose %q", chosen)
	}
	overlays.Remove(overlays.Top())
	r.pane.Add(r.hash(3))
	r.until(0, 3)
	test.Tap(r.pane.save)
	if overlays.Top() == nil {
		t.Fatal("no menu of formats")
	}
	overlays.Remove(overlays.Top())
	r.pane.Save("svg")
	if overlays.Top() == nil {
		t.Error("no file is asked for")
	}
}

// TestPaneLooks draws the pane; with VARISCOPE_PICTURES set to a folder, the pictures stay there.
func TestPaneLooks(t *testing.T) {
	r := newRig(t, 5, fyne.NewSize(1190, 560))
	r.pane.Show(r.subject)
	r.pane.Add(r.hash(3))
	r.pane.Add(r.hash(4))
	r.until(0, 3, 4)
	folder := os.Getenv("VARISCOPE_PICTURES")
	if img := r.stage.Capture(r.window, folder, "compare"); img.Bounds().Dx() < 1000 {
		t.Errorf("picture of %v", img.Bounds())
	}
	r.pane.rows.SetSelected(allRows)
	r.stage.Until("rows", func() bool { return len(r.pane.result.Query.Modalities) == 5 && !r.pane.pace.Busy() })
	r.stage.Draw(r.window, folder, "compare-rows")
}

// BenchmarkShow is the redraw of a comparison of four models with a difference, and of a moved cursor.
func BenchmarkShow(b *testing.B) {
	r := newRig(b, 5, fyne.NewSize(1190, 560))
	r.pane.Show(r.subject)
	r.pane.Compare([]string{r.hash(0), r.hash(1), r.hash(2), r.hash(3)})
	result := r.until(0, 1, 2, 3)
	b.Run("matrices", func(b *testing.B) {
		for b.Loop() {
			r.pane.show(result)
		}
	})
	b.Run("cursor", func(b *testing.B) {
		for k := 0; b.Loop(); k++ {
			r.pane.hover(1, widget.Cell{I: k % 31, J: k / 31 % 31, Inside: true})
		}
	})
}

// TestTheSameModelUnderAnotherFamily: the model stands beside itself until another one is shown, and says what is missing.
func TestTheSameModelUnderAnotherFamily(t *testing.T) {
	r := newRig(t, 3, fyne.NewSize(1190, 560))
	r.pane.Show(r.subject)
	r.until(0)
	own, err := transform.Parse(r.subject.Family)
	if err != nil {
		t.Fatal(err)
	}
	nearest, err := own.With(transform.Nearest, "")
	if err != nil {
		t.Fatal(err)
	}
	r.pane.Beside(nearest.String(), "max@CONV-1")
	got := r.until(0, 0)
	id := r.store.Imported[0].ID
	if c := got.Columns[1]; c.Name != id+", nearest" || c.Tiles[0].Reason != "no signals" || !r.pane.note.Visible() {
		t.Errorf("%s: %q", c.Name, c.Tiles[0].Reason)
	}
	r.pane.Beside(r.subject.Family, "max@CONV-1") // whose signals are there: the difference is 0
	got = r.until(0, 0)
	if len(got.Query.Modalities) != 1 || got.Query.Modalities[0] != "max@CONV-1" || got.Difference[0].Matrix.N == 0 || got.Difference[0].Matrix.Max() != 0 {
		t.Errorf("%v, difference %+v", got.Query.Modalities, got.Difference)
	}
	r.pane.Add(r.hash(1))
	r.until(0, 1, 0)
	r.pane.Remove(2)
	r.until(0, 1)
	r.pane.Beside(r.subject.Family, "max@CONV-1")
	r.until(0, 0)
	r.open(t, 2)
	r.pane.Show(r.subject)
	r.until(2)
}
