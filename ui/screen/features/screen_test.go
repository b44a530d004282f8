package features

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
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

func (g *gated) Measure(ctx context.Context, ask training.Ask, p engine.Progress) ([]training.Measured, []training.LeftOut, error) {
	g.asked++
	if g.gate != nil {
		p.SetTotal(2)
		p.Add(1)
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
	stage  *stage.Stage
	store  *sample.Workspace
	gated  *gated
	screen *Screen
	window fyne.Window
	opened []string
	ran    []string
	said   string
	errs   []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there
// before it is shown.
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
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {},
		Run: func(models, _ []string) { r.ran = models }, ShowError: func(err error) { r.errs = append(r.errs, err) },
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

// label writes a column into the training records.
func (r *rig) label(column string, value func(k int) string) {
	r.Helper()
	for k, m := range r.store.Imported {
		err := r.store.UpdateModel(m.Hash, func(m *model.Model) error {
			m.Record = append(m.Record, model.Field{Name: column, Value: value(k)})
			return nil
		})
		if err != nil {
			r.Fatal(err)
		}
	}
}

func TestScreenMeasuresTheWorkspace(t *testing.T) {
	r := newRig(t, 7, nil) // m04 has one convolution, m06 no signals
	v := r.idle()
	if got := column(v, keyModel); !slices.Equal(got, []string{"m00", "m01", "m02", "m03", "m05"}) {
		t.Fatalf("models %v", got)
	}
	if v.Matrix() != "max@CONF" || len(v.Names) != 80 || len(v.Left) != 2 || v.Classes != nil {
		t.Errorf("matrix %q, %d features, %+v left out, classes %v", v.Matrix(), len(v.Names), v.Left, v.Classes)
	}
	// The same numbers by the way that other commands take.
	measured, _, err := training.Measure(context.Background(), r.store.Workspace, training.Ask{
		Suite: r.store.Shapes.Hash, Family: sample.Family, Layout: feature.DefaultLayout(), Images: variance.AllImages(),
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range measured {
		if row := v.Rows[k]; !slices.Equal(row.X, m.Vector.Values) || row.Robust != m.Scores.CorrectProduct || row.Accuracy != m.Accuracy {
			t.Errorf("%s has other numbers on the screen", m.Model.ID)
		}
	}
	if got := r.screen.face.caption.Text; got != "5 models, 80 features, 2 left out" {
		t.Errorf("caption %q", got)
	}
	if r.screen.face.tabs.Items[4].Text != "Left out 2" || len(r.errs) > 0 {
		t.Errorf("tab %q, errors %v", r.screen.face.tabs.Items[4].Text, r.errs)
	}
	for k := range r.screen.face.tabs.Items {
		r.screen.face.tabs.SelectIndex(k)
		r.stage.Pump()
		r.stage.Capture(r.window, "", "") // draws without a fault
	}
	if left := r.screen.face.left.list.Shown(); len(left) != 2 || left[0].ID != "m04" ||
		left[0].Why != "no features: max@CONV-2: no second convolution" {
		t.Errorf("left out %v", left)
	}
	r.stage.Press(r.window, "Run models…")
	if len(r.ran) != 2 {
		t.Errorf("runs %v", r.ran)
	}
}

func TestScreenSharesItsSelection(t *testing.T) {
	r := newRig(t, 9, nil)
	v, f := r.idle(), r.screen.face
	f.table.Select(fynewidget.TableCellID{Row: 2, Col: 5})
	if s, _ := v.Selected(); s.Model.ID != "m02" || v.Chosen() != "max@CONF.mean" || !strings.HasPrefix(r.said, "m02: max@CONF.mean ") {
		t.Errorf("selected %s, chosen %s, said %q", s.Model.ID, v.Chosen(), r.said)
	}
	if d := f.histogram.plot.Data(); d.MarkedName != "m02" || d.XName != "max@CONF.mean" || math.IsNaN(d.Marked) {
		t.Errorf("histogram of %s marks %s", d.XName, d.MarkedName)
	}
	f.tabs.SelectIndex(1)
	if f.scatter.plot.Selected() != 2 {
		t.Errorf("the scatter plot has selected %d", f.scatter.plot.Selected())
	}
	f.scatter.plot.OnTapped(4)
	if want, _ := v.At(4); f.table.Selected() != 4 || v.selected != want.Model.Hash {
		t.Errorf("the table has selected %d", f.table.Selected())
	}
	f.scatter.plot.OnOpen(4)
	f.table.OnOpen(0)
	f.scatter.x.SetSelected("robust accuracy")
	f.scatter.y.SetSelected("max@CONF.svm")
	if v.Chosen() != keyRobust || f.scatter.plot.Data().YName != "max@CONF.svm" {
		t.Errorf("axes %s, %s", v.Chosen(), f.scatter.plot.Data().YName)
	}
	f.tabs.SelectIndex(3)
	r.stage.Until("pictures", func() bool { return len(f.alike.shown) == Neighbours+1 })
	f.alike.tiles[1].OnTapped(widget.Cell{})
	f.alike.tiles[0].Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	at4, _ := v.At(4)
	at0, _ := v.At(0)
	if want := []string{at4.Model.Hash, at0.Model.Hash, f.alike.shown[1].Model.Hash, at4.Model.Hash}; !slices.Equal(r.opened, want) {
		t.Errorf("opened %v, want %v", r.opened, want)
	}
	f.alike.tiles[1].OnHover(widget.Cell{Inside: true, Value: 0.25})
	if !strings.Contains(r.said, f.alike.shown[1].Model.ID+", unlabelled: 0.250") {
		t.Errorf("said %q", r.said)
	}
}

func TestScreenSortsAndFilters(t *testing.T) {
	r := newRig(t, 8, nil)
	v, f := r.idle(), r.screen.face
	f.table.OnSort(4) // svm
	if key, down := v.Order(); key != "max@CONF.svm" || !down || v.Cell(0, v.Columns()[0]) != "m06" {
		t.Errorf("sorted by %s, first %s", key, v.Cell(0, v.Columns()[0]))
	}
	f.table.TypedRune('m')
	test.Type(f.filter, "03")
	if v.Len() != 1 || f.table.Selected() != -1 {
		t.Errorf("%d models, row %d is selected", v.Len(), f.table.Selected())
	}
	f.filter.OnEscape()
	if r.window.Canvas().Focused() != fyne.Focusable(f.table) {
		t.Error("Escape leaves the keyboard in the filter")
	}
	f.tabs.SelectIndex(2)
	correlated := func(n int) {
		r.stage.Until("the features are correlated", func() bool {
			return len(f.strengths.all) > 0 &&
				f.strengths.all[0].By[0].N == n
		})
	}
	correlated(1)
	if got := f.strengths.all[0].By[0]; got.Defined() {
		t.Errorf("the correlation of one model: %+v", got)
	}
	f.filter.SetText("")
	correlated(v.Len())
	if got := f.strengths.list.Shown()[0].By[0]; !got.Defined() || got.N != v.Len() {
		t.Errorf("the strongest correlation: %+v", got)
	}
	asv := f.strengths.all[3]
	f.strengths.list.OnSelect(asv, true)
	if v.Chosen() != "max@CONF.asv" || !strings.Contains(r.said, "max@CONF.asv; Pearson with robust accuracy") {
		t.Errorf("chosen %s, said %q", v.Chosen(), r.said)
	}
	f.strengths.list.OnOpen(asv)
	if f.tabs.SelectedIndex() != 1 {
		t.Error("the scatter plot is not shown")
	}
}

func TestScreenChoosesItsVector(t *testing.T) {
	r := newRig(t, 6, nil)
	v := r.idle()
	form := newLayoutForm(r.screen.answer.layout)
	if len(form.usual.Selected) != 5 || form.others.Text != "" {
		t.Errorf("the form begins with %v and %q", form.usual.Selected, form.others.Text)
	}
	form.usual.SetSelected([]string{"mean@CONV-1", "max@CONF"})
	form.others.SetText("std@CONV-1, max@CONF")
	if _, err := form.layout(); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("error %v", err)
	}
	form.others.SetText("std@CONV-1")
	form.by.SetSelectedIndex(1)
	l, err := form.layout()
	if want := []string{"max@CONF", "mean@CONV-1", "std@CONV-1"}; err != nil || !slices.Equal(l.Modalities, want) || l.Profile != feature.Refcode {
		t.Fatalf("%+v, %v", l, err)
	}
	r.screen.ShowLayout(l)
	r.idle()
	if len(v.Rows) != 5 || len(v.Names) != 48 || v.Names[47] != "std@CONV-1.asymm" { // m04 has what this vector needs
		t.Errorf("%d models, %d features", len(v.Rows), len(v.Names))
	}
	r.screen.askLayout()
	top := r.window.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no dialog")
	}
	press(t, top, "Measure")
	if r.window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog stays")
	}
	r.idle()
}

// press presses the button with a text below an object.
func press(t *testing.T, below fyne.CanvasObject, text string) {
	t.Helper()
	var found *fynewidget.Button
	stage.Walk(below, func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Text == text {
			found = b
		}
	})
	if found == nil {
		t.Fatalf("no button %q", text)
	}
	test.Tap(found)
}

func TestScreenSaysWhyItIsEmpty(t *testing.T) {
	for name, c := range map[string]struct {
		models  int
		prepare func(*rig)
		text    string
		button  string
	}{
		"no models":  {0, nil, "no models yet", "Import…"},
		"no signals": {1, nil, "m00: no signals for this suite and family yet", "Run models…"},
		"no suite": {1, func(r *rig) {
			if err := r.store.SetCurrent(store.Current{}); err != nil {
				r.Fatal(err)
			}
		}, "Choose a test suite", "Import…"},
		"absent": {2, func(r *rig) {
			l := feature.DefaultLayout()
			l.Modalities = []string{"max@relu1"}
			if err := r.store.SetSetting(settingLayout, l); err != nil {
				r.Fatal(err)
			}
		}, "m00: max@relu1: not among the run's positions", "Choose other matrices…"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.models, c.prepare)
			r.idle()
			e := r.screen.face.empty
			if !e.Visible() || r.screen.face.body.Visible() || !strings.Contains(e.Text(), c.text) {
				t.Errorf("text %q", e.Text())
			}
			press(t, e.Object(), c.button)
			if c.button == "Run models…" && len(r.ran) != 1 {
				t.Errorf("runs %v", r.ran)
			}
			r.stage.Capture(r.window, "", "")
		})
	}
}

func TestMeasuringCanBeCancelledAndFail(t *testing.T) {
	r := newRig(t, 3, func(r *rig) { r.gated.gate = make(chan struct{}) })
	e := r.screen.face.empty
	r.stage.Until("half is done", func() bool { share, ok := r.screen.renewal.Job().Snapshot().Fraction(); return ok && share == 0.5 })
	if !e.Visible() || e.Text() != "Measuring features…" {
		t.Errorf("text %q", e.Text())
	}
	r.screen.renewal.Job().Cancel() // as the window's last line does
	r.stage.Until("cancelled", func() bool { return r.screen.renewal.Job() == nil })
	if !strings.Contains(e.Text(), "cancelled") || len(r.errs) > 0 {
		t.Errorf("text %q, errors %v", e.Text(), r.errs)
	}
	close(r.gated.gate)
	press(t, e.Object(), "Measure again")
	if v := r.idle(); len(v.Rows) != 2 {
		t.Errorf("%d models", len(v.Rows))
	}
	r.gated.fails = errors.New("the disk is gone")
	r.screen.Refresh()
	r.stage.Until("failed", func() bool { return r.screen.renewal.Job() == nil })
	if len(r.errs) != 1 || r.screen.face.caption.Text != "The disk is gone." || !r.screen.face.body.Visible() {
		t.Errorf("errors %v, caption %q", r.errs, r.screen.face.caption.Text)
	}
}

func TestExportWritesWhatIsShown(t *testing.T) {
	r := newRig(t, 6, func(r *rig) { r.label("rule_label", func(k int) string { return fmt.Sprint(k % 2) }) })
	v := r.idle()
	r.screen.SortBy("max@CONF.svm")
	r.screen.Filter("-m02")
	var out strings.Builder
	if err := export.FeaturesCSV(&out, v.Table(slices.Sorted(slices.Values(v.shown)))); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][0] != "m00" || rows[3][0] != "m03" || rows[3][len(rows[3])-1] != "variant" || len(rows[0]) != 83 {
		t.Errorf("%v: %v", err, rows)
	}
	r.screen.face.openExport()
	if r.window.Canvas().Overlays().Top() == nil {
		t.Error("no menu of formats")
	}
	r.window.Canvas().Overlays().Remove(r.window.Canvas().Overlays().Top())
	r.screen.askExport(export.FeaturesParquetName, export.FeaturesParquet)
	top := r.window.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no file is asked for")
	}
	r.window.Canvas().Overlays().Remove(top)
}

func TestOneModel(t *testing.T) {
	r := newRig(t, 2, nil) // the second one has no signals
	v, f := r.idle(), r.screen.face
	if len(v.Rows) != 1 {
		t.Fatalf("%d models", len(v.Rows))
	}
	for k := range f.tabs.Items {
		f.tabs.SelectIndex(k)
		r.stage.Pump()
	}
	f.tabs.SelectIndex(3)
	r.stage.Until("said", func() bool { return strings.Contains(f.alike.text.Text, "the only model") })
	r.stage.Capture(r.window, "", "")
	if len(r.errs) > 0 {
		t.Error(r.errs)
	}
}
