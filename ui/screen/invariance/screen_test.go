package invariance

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/store/study"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
	"github.com/variscope/variscope/ui/widget"
)

// gated is a workspace whose measuring can be held back and made to fail.
type gated struct {
	Store
	gate  chan struct{} // nil for open
	fails error
	asked int
}

func (g *gated) Measure(ctx context.Context, ask study.Ask, p engine.Progress) ([]measure.Measured, []measure.LeftOut, error) {
	g.asked++
	if g.gate != nil {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-g.gate:
		}
	}
	if g.fails != nil {
		return nil, nil, g.fails
	}
	return g.Store.Measure(ctx, ask, p)
}

type rig struct {
	*testing.T
	stage   *stage.Stage
	store   *sample.Workspace
	gated   *gated
	screen  *Screen
	window  fyne.Window
	opened  []string
	started [][]string // models, then suite and family
	said    string
	errs    []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there before it is shown.
func newRig(t *testing.T, models int, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), store: sample.New(t, models)}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.gated = &gated{Store: Of(r.store.Workspace)}
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	if prepare != nil {
		prepare(r)
	}
	r.screen = New(Deps{
		Store: r.gated, Work: work, Window: r.window, Status: func(text string) { r.said = text },
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {}, Run: func([]string) {},
		Start: func(models []string, suiteHash, family string) {
			r.started = append(r.started, append(slices.Clone(models), suiteHash, family))
		},
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// idle waits until nothing is being measured.
func (r *rig) idle() *View {
	r.Helper()
	r.stage.Until("measured", func() bool { return r.screen.renewal.Idle() })
	return r.screen.view
}

// shift computes turned images on the sample's suite and on corruptions of it for all models but the last.
func (r *rig) shift() {
	r.Helper()
	models := r.store.Imported[:len(r.store.Imported)-1]
	for k, m := range models {
		r.store.ComputeOn(r, m, k, r.store.Shapes, "rot90")
	}
	for s, name := range []string{"fog", "contrast", "brightness"} {
		for _, severity := range []int{1, 4} {
			made := r.store.Shift(r, name, severity)
			for k, m := range models {
				r.store.ComputeOn(r, m, k+2*s+severity, made, "rot90")
			}
		}
	}
}

func TestScreenMeasuresTheWorkspace(t *testing.T) {
	r := newRig(t, 4, (*rig).shift)
	v := r.idle()
	if v.Len() != 3*2+3*6 || len(r.errs) > 0 {
		t.Fatalf("%d rows, errors %v", v.Len(), r.errs)
	}
	measured, _, err := study.Measure(context.Background(), r.store.Workspace, study.Ask{}, nil)
	if err != nil || len(measured) != len(v.Rows) {
		t.Fatalf("%d measured, %v", len(measured), err)
	}
	for k, m := range measured {
		if v.Rows[k].Mean != m.Mean || v.Rows[k].Accuracy != m.Accuracy || v.Rows[k].Key != m.Key {
			t.Errorf("%s on %s has other numbers on the screen", m.Model.ID, m.SuiteName)
		}
	}
	f := r.screen.face
	if !strings.HasPrefix(f.caption.Text, "24 rows: 3 models, 7 suites") || !strings.HasPrefix(f.tabs.Items[4].Text, "Left out ") {
		t.Errorf("%q, %q", f.caption.Text, f.tabs.Items[4].Text)
	}
	for k := range f.tabs.Items {
		f.tabs.SelectIndex(k)
		r.stage.Pump()
		r.stage.Capture(r.window, "", "") // draws without a fault
	}
}

// TestLowestImagesOfARow: the pictures under the table are those of the selected row and transformation, lowest first, and their
// EI is that of the study.
func TestLowestImagesOfARow(t *testing.T) {
	r := newRig(t, 3, (*rig).shift)
	v, p := r.idle(), r.screen.face.results
	r.stage.Until("pictures", func() bool { return len(p.lows.lows.List) > 0 })
	p.table.Select(fynewidget.TableCellID{Row: 1, Col: 4})
	row, _ := v.Selected()
	if want, _ := v.At(1); want.id() != row.id() {
		t.Fatalf("selected %s", row.id())
	}
	r.stage.Until("pictures", func() bool { return p.lows.lows.Row.id() == row.id() && len(p.lows.lows.List) == mostLow })
	p.lows.steps.SetSelected(row.Rows[1].Name)
	r.stage.Until("pictures of a transformation", func() bool { return p.lows.lows.Step == 1 && len(p.lows.lows.List) > 0 })
	ei := map[int]float64{}
	err := study.PerImage(context.Background(), r.store.Workspace, row.Key, func(image, transformation int, x measure.Values) {
		if transformation == row.Rows[1].Transformation {
			ei[image] = x[measure.EI]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for _, l := range p.lows.lows.List {
		if l.Transformation != row.Rows[1].Transformation || l.EI != ei[l.Image] || l.EI < last {
			t.Errorf("image %d has EI %v, want %v after %v", l.Image, l.EI, ei[l.Image], last)
		}
		last = l.EI
	}
	p.lows.point(0)
	if !strings.HasPrefix(r.said, "image ") || !strings.Contains(r.said, "labelled ") {
		t.Errorf("said %q", r.said)
	}
	p.steps.Select(fynewidget.TableCellID{Row: 1})
	r.stage.Until("the first transformation", func() bool { return p.lows.lows.Step == 0 })
	p.chart.OnTapped(p.chart.Data().Series[0].X[2])
	r.stage.Until("the third transformation", func() bool { return p.lows.lows.Step == 2 })
}

func TestStudyOpensModelsAndSuites(t *testing.T) {
	r := newRig(t, 5, (*rig).shift)
	v, f := r.idle(), r.screen.face
	f.tabs.SelectIndex(1)
	r.stage.Until("a study", func() bool { return len(f.models.plot.Data().Points) == 4 })
	f.models.plot.OnClick(2)
	if want := f.models.made.Rows[2].Model.Hash; !slices.Equal(r.opened, []string{want}) {
		t.Errorf("opened %v, want %s", r.opened, want)
	}
	f.tabs.SelectIndex(2)
	r.stage.Until("a study over suites", func() bool { return len(f.suites.plot.Data().Points) == 7 })
	if len(f.suites.plot.Data().Groups) != 4 || len(f.suites.plot.Data().Trends) != 1 {
		t.Errorf("groups %v", f.suites.plot.Data().Groups)
	}
	v.Filter("nothing at all")
	f.suites.plot.OnClick(3)
	if row, _ := v.Selected(); row.id() != f.suites.made.Rows[3].id() || f.tabs.SelectedIndex() != 0 || v.Index() < 0 || f.results.table.Selected() != v.Index() {
		t.Errorf("selected %s in row %d", row.id(), v.Index())
	}
}

func TestForecastOnScreen(t *testing.T) {
	r := newRig(t, 3, (*rig).shift)
	r.idle()
	p := r.screen.face.forecast
	r.screen.face.tabs.SelectIndex(3)
	r.stage.Until("a forecast", func() bool { return p.job == nil && len(p.lines) == 7 })
	if !strings.Contains(p.facts.Text, "leaving one suite out") {
		t.Fatalf("%q", p.facts.Text)
	}
	p.table.OnOpen(2)
	r.stage.Until("a forecast without a suite", func() bool { return p.job == nil && p.lines[0].Role == HeldBack })
	if math.IsNaN(p.lines[0].Predicted) || math.IsNaN(p.lines[0].True) || !strings.Contains(p.plot.Data().Groups[0].Name+p.plot.Data().Groups[1].Name+p.plot.Data().Groups[2].Name, "predicted") {
		t.Errorf("%+v", p.lines[0])
	}
	rows := r.screen.view.Rows
	r.screen.view.Rows = slices.Repeat(rows, 200) // more than can be predicted before the cancel
	p.show()
	r.screen.view.Rows = rows
	p.job.Cancel()
	r.stage.Until("cancelled", func() bool { return p.job == nil })
	if p.facts.Text != "Predicting was cancelled.\n" || len(p.lines) != 7 {
		t.Errorf("%q, %d lines", p.facts.Text, len(p.lines))
	}
	p.table.OnRow(0)
	if !strings.Contains(r.said, "held back: predicted ") {
		t.Errorf("said %q", r.said)
	}
	if items := r.screen.face.exportMenu(); len(items) != 4 {
		t.Errorf("%d entries to export", len(items))
	}
}

func TestComputeWhatIsMissing(t *testing.T) {
	r := newRig(t, 3, nil) // rotations by up to 15 degrees, and a model without anything
	r.idle()
	items := r.screen.face.runMenu()
	if len(items) != 2 || items[0].Label != "rot90 for 3 models on shapes" {
		t.Fatalf("%d entries, the first %q", len(items), items[0].Label)
	}
	items[0].Action()
	want := []string{r.store.Imported[0].Hash, r.store.Imported[1].Hash, r.store.Imported[2].Hash, r.store.Shapes.Hash, "rot90"}
	if len(r.started) != 1 || !slices.Equal(slices.Sorted(slices.Values(r.started[0])), slices.Sorted(slices.Values(want))) {
		t.Errorf("started %v", r.started)
	}
	for k, m := range r.store.Imported {
		r.store.ComputeOn(t, m, k, r.store.Shapes, "rot90")
	}
	r.stage.Until("the new results", func() bool { return r.screen.renewal.Job() == nil && len(r.screen.view.Rows) == 5 })
	if items := r.screen.face.runMenu(); !items[0].Disabled || !strings.Contains(items[0].Label, "are there for all models on shapes") {
		t.Errorf("the menu still offers %q", items[0].Label)
	}
}

// TestComputeALineOfWhatIsLeftOut: only where a run helps.
func TestComputeALineOfWhatIsLeftOut(t *testing.T) {
	r := newRig(t, 3, nil)
	v := r.idle()
	p := r.screen.face.left
	r.screen.face.tabs.SelectIndex(4)
	if len(v.Left) != 1 || !p.run.Disabled() {
		t.Fatalf("left out are %+v", v.Left)
	}
	p.table.Select(fynewidget.TableCellID{Row: 0})
	test.Tap(p.run)
	if want := []string{r.store.Imported[2].Hash, r.store.Shapes.Hash, sample.Family}; len(r.started) != 1 || !slices.Equal(r.started[0], want) {
		t.Errorf("started %v, want %v", r.started, want)
	}
	v.Left[0].Reason = measure.OneChannel
	p.selected(0)
	if !p.run.Disabled() {
		t.Error("what a run does not help can be run")
	}
}

func TestEmptyWorkspaceOffersTheFirstStep(t *testing.T) {
	r := newRig(t, 1, nil) // its only model has no signals
	r.idle()
	f := r.screen.face
	if f.body.Visible() || !f.empty.Visible() || !strings.Contains(f.empty.Text(), "needs these") {
		t.Fatalf("%q", f.empty.Text())
	}
	button := f.empty.Buttons()[0]
	if button.Text != "Compute rot90 for 1 model on shapes" {
		t.Fatalf("the first button is %q", button.Text)
	}
	test.Tap(button)
	if len(r.started) != 1 || r.started[0][2] != "rot90" {
		t.Errorf("started %v", r.started)
	}
}

func TestCancelAndFailure(t *testing.T) {
	r := newRig(t, 2, func(r *rig) { r.gated.gate = make(chan struct{}) })
	r.screen.renewal.Job().Cancel()
	r.stage.Until("cancelled", func() bool { return r.screen.renewal.Job() == nil })
	if !strings.Contains(r.screen.face.empty.Text(), "cancelled") || len(r.errs) > 0 {
		t.Errorf("%q, %v", r.screen.face.empty.Text(), r.errs)
	}
	r.gated.gate, r.gated.fails = nil, errors.New("disk on fire")
	r.screen.Refresh()
	r.stage.Until("failed", func() bool { return r.screen.renewal.Job() == nil })
	if len(r.errs) != 1 || !strings.Contains(r.screen.face.empty.Text(), "isk on fire") {
		t.Errorf("%q, %v", r.screen.face.empty.Text(), r.errs)
	}
	r.gated.fails = nil
	test.Tap(r.screen.face.empty.Buttons()[0])
	if v := r.idle(); v.Len() != 1 {
		t.Errorf("%d rows", v.Len())
	}
}

// TestHiddenScreenWaits: what changes meanwhile is measured when the screen is shown again, once.
func TestHiddenScreenWaits(t *testing.T) {
	r := newRig(t, 2, nil)
	r.idle()
	r.screen.Hidden()
	before := r.gated.asked
	r.store.ComputeOn(t, r.store.Imported[0], 0, r.store.Shapes, "rot90")
	r.stage.Until("stale", func() bool { return r.screen.renewal.Stale() })
	if r.gated.asked != before {
		t.Error("a hidden screen measures")
	}
	r.screen.Shown()
	if v := r.idle(); v.Len() != 2 || r.gated.asked != before+1 {
		t.Errorf("%d rows after measuring %d times", v.Len(), r.gated.asked-before)
	}
}

func TestCopiedTable(t *testing.T) {
	r := newRig(t, 3, (*rig).shift)
	v := r.idle()
	r.screen.face.exportMenu()[0].Action()
	r.stage.Until("copied", func() bool { return r.said == "values copied" })
	rows, err := csv.NewReader(strings.NewReader(fyne.CurrentApp().Clipboard().Content())).ReadAll()
	if err != nil || len(rows) != 1+v.Len() || rows[0][0] != "model_id" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestFilterByTyping(t *testing.T) {
	r := newRig(t, 4, (*rig).shift)
	v, p := r.idle(), r.screen.face.results
	p.table.TypedRune('f')
	test.Type(p.filter, "og")
	if v.Len() != 2*3 {
		t.Errorf("%d rows with fog", v.Len())
	}
	p.filter.SetText("")
	p.suite.SetSelected("shapes")
	p.family.SetSelected("rot90")
	if v.Len() != 3 || r.screen.face.caption.Text != v.Caption() {
		t.Errorf("%d rows, %q", v.Len(), r.screen.face.caption.Text)
	}
	p.table.OnSort(3)
	if key, down := v.Order(); key != "ei" || !down {
		t.Errorf("sorted by %s", key)
	}
	p.table.OnHint(p.columns[3].Hint)
	if !strings.Contains(r.said, "square root") {
		t.Errorf("said %q", r.said)
	}
	p.table.OnOpen(0)
	if row, _ := v.At(0); !slices.Equal(r.opened, []string{row.Model.Hash}) {
		t.Errorf("opened %v", r.opened)
	}
}

func TestCasesAreExplained(t *testing.T) {
	r := newRig(t, 2, nil)
	r.idle()
	r.screen.face.tabs.SelectIndex(5)
	r.stage.Pump()
	var pairs *widget.Pairs
	stage.Walk(r.screen.face.tabs.Items[5].Content, func(o fyne.CanvasObject) {
		if p, ok := o.(*widget.Pairs); ok {
			pairs = p
		}
	})
	if pairs == nil || len(pairs.Data().Pairs) != 4 || len(pairs.Menu()) != 3 {
		t.Fatal("the four cases are not there")
	}
}
