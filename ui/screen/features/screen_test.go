package features

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

type rig struct {
	*testing.T
	stage    *stage.Stage
	store    *sample.Workspace
	screen   *Screen
	window   fyne.Window
	opened   []string
	assigned []string
	ran      []kit.Run
	said     string
	errs     []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there
// before it is shown.
func newRig(t *testing.T, models int, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), store: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	if prepare != nil {
		prepare(r)
	}
	host := &kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, Changes: r.store.Subscribe,
		Import: func() {}, Inspect: func(hash string) { r.opened = append(r.opened, hash) },
		Assign:    func(hash string) { r.assigned = append(r.assigned, hash) },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
		Start:     func(runs ...kit.Run) { r.ran = runs },
	}
	r.screen = New(host, r.store.Workspace)
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// idle waits until nothing is being measured.
func (r *rig) idle() Data {
	r.Helper()
	r.stage.Until("measured", r.screen.Idle)
	return r.screen.data()
}

// page brings a page to the front and waits for what it loads.
func (r *rig) page(key string) {
	r.Helper()
	r.screen.tabs.Select(key)
	if page := map[string]func() bool{
		"scatter": r.screen.scatter.Idle,
		"alike":   r.screen.alike.Idle,
	}[key]; page != nil {
		r.stage.Until("loaded", page)
	}
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

// shown are the models of the table, in its order.
func (r *rig) shown() (ids []string) {
	for _, row := range r.screen.list.Shown() {
		ids = append(ids, row.Model.ID)
	}
	return ids
}

// all are the objects of a kind in the window.
func all[O fyne.CanvasObject](r *rig) (list []O) {
	stage.Walk(r.window.Canvas().Content(), func(o fyne.CanvasObject) {
		if one, ok := o.(O); ok && o.Visible() {
			list = append(list, one)
		}
	})
	return list
}

func TestScreenMeasuresTheWorkspace(t *testing.T) {
	r := newRig(t, 7, nil) // m04 has one convolution, m06 no signals
	d := r.idle()
	if got := r.shown(); !slices.Equal(got, []string{"m00", "m01", "m02", "m03", "m05"}) {
		t.Fatalf("models %v", got)
	}
	if r.screen.shownMatrix() != "max@CONF" || d.Layout.Width() != 80 || len(d.Left) != 2 || d.Classes != nil {
		t.Errorf("matrix %q, %d features, %+v left out, classes %v",
			r.screen.shownMatrix(), d.Layout.Width(), d.Left, d.Classes)
	}
	// The same numbers by the way that other commands take.
	measured, _, err := training.Measure(context.Background(), r.store.Workspace, training.Ask{
		Suite: r.store.Shapes.Hash, Family: sample.Family, Layout: feature.DefaultLayout(),
		Images: variance.AllImages(),
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range measured {
		if row := d.Rows[k]; !slices.Equal(row.Vector.Values, m.Vector.Values) || row.Scores != m.Scores ||
			row.Accuracy != m.Accuracy {
			t.Errorf("%s has other numbers on the screen", m.Model.ID)
		}
	}
	if got := d.line(); got != "5 models, 80 features, 2 left out" {
		t.Errorf("line %q", got)
	}
	if got := r.screen.histogram.plot.Command(); got != "variscope features "+r.store.Path()+
		" --suite shapes --family '"+sample.Family+"'" {
		t.Error(got)
	}
	for _, key := range []string{"histogram", "scatter", "correlation", "alike", "left"} {
		r.page(key)
		r.stage.Capture(r.window, "", "") // draws without a fault
	}
	left := d.leftOut()
	if len(left) != 2 || left[0].ID != "m04" || left[0].Why != "no features: max@CONV-2: no second convolution" {
		t.Errorf("left out %v", left)
	}
	r.stage.Press(r.window, "Compute what is missing…")
	r.stage.Press(r.window, "Start")
	// no run gives m04 a convolution
	if len(r.ran) != 1 || !slices.Equal(r.ran[0].Models, []string{left[1].Hash}) || len(r.errs) > 0 {
		t.Errorf("runs %v, errors %v", r.ran, r.errs)
	}
	d.Left = d.Left[:1]
	if d.missing() != nil {
		t.Errorf("offers %v for a model without the position", d.missing())
	}
	for _, l := range left {
		r.screen.left.Select(r.screen.left.Table.ID(l))
		if can := r.screen.left.Actions[1].Can(r.screen.left.Chosen()); can != (l.ID == "m04") {
			t.Errorf("%s can have another position: %v", l.ID, can)
		}
	}
	r.screen.left.Select(r.screen.left.Table.ID(left[0]))
	r.stage.Press(r.window, "Assign another position…")
	if !slices.Equal(r.assigned, []string{left[0].Hash}) {
		t.Errorf("assigned %v", r.assigned)
	}
}

func TestPagesShareTheSelection(t *testing.T) {
	r := newRig(t, 9, nil)
	d, s := r.idle(), r.screen
	s.list.Select(d.Rows[2].Model.Hash)
	s.list.OnSelect(d.Rows[2], true)
	s.list.OnColumn("max@CONF.mean")
	if s.chosen != "max@CONF.mean" || !strings.HasPrefix(r.said, "m02: unlabelled, accuracy ") {
		t.Errorf("chosen %s, said %q", s.chosen, r.said)
	}
	if h := s.histogram.plot.Data(); len(h.Rules) != 1 || h.Rules[0].Name != "m02" || h.X.Name != "max@CONF.mean" ||
		math.IsNaN(h.Rules[0].X) {
		t.Errorf("histogram of %s marks %v", h.X.Name, h.Rules)
	}
	r.page("scatter")
	if got := s.scatter.plot.Data(); len(got.Points) != len(d.Rows) || got.X.Name != "max@CONF.mean" ||
		got.Y.Name != "robust accuracy" {
		t.Errorf("scatter plot of %d models over %s and %s", len(got.Points), got.X.Name, got.Y.Name)
	}
	s.scatter.plot.OnTap(d.Rows[4].Model.Hash)
	if got, _ := s.list.Selected(); got.Model.ID != d.Rows[4].Model.ID {
		t.Errorf("%s is selected", got.Model.ID)
	}
	r.page("alike")
	r.stage.Until("pictures", func() bool { return len(s.alike.shown) == neighbours+1 })
	s.alike.tiles[1].OnTapped(widget.Cell{})
	s.alike.tiles[0].Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if want := []string{s.alike.shown[1].Model.Hash, d.Rows[4].Model.Hash}; !slices.Equal(r.opened, want) {
		t.Errorf("opened %v, want %v", r.opened, want)
	}
	s.alike.tiles[1].OnHover(widget.Cell{Inside: true, Value: 0.25})
	if !strings.Contains(r.said, s.alike.shown[1].Model.ID+", unlabelled: 0.250") {
		t.Errorf("said %q", r.said)
	}
}

// TestTheSameFeatureOfAnotherMatrix: what is plotted and sorted by goes with the matrix.
func TestTheSameFeatureOfAnotherMatrix(t *testing.T) {
	r := newRig(t, 8, nil)
	r.idle()
	s := r.screen
	s.Choose("max@CONF.hg_mean")
	s.list.Sort(result.Order{Key: "max@CONF.std", Descending: true})
	s.ShowMatrix("mean@CONV-1")
	if s.chosen != "mean@CONV-1.hg_mean" || s.list.Order() != (result.Order{Key: "mean@CONV-1.std", Descending: true}) {
		t.Errorf("chosen %q, sorted by %v", s.chosen, s.list.Order())
	}
	if axes := s.axes(); len(axes) != 18 || axes[17] != training.KeyRobust || s.picture() != "mean@CONV-1" {
		t.Errorf("axes %v, pictures of %q", axes, s.picture())
	}
	s.list.SetFilter("svm>0 m03")
	if got := r.shown(); !slices.Equal(got, []string{"m03"}) {
		t.Errorf("the filter leaves %v", got)
	}
	s.ShowMatrix("")
	if len(s.axes()) != 82 || s.chosen != "mean@CONV-1.hg_mean" {
		t.Errorf("%d axes, chosen %q", len(s.axes()), s.chosen)
	}
	s.ShowLayout(feature.Layout{
		Modalities: []string{"max@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1,
	})
	if r.idle(); s.chosen != "max@CONV-1.svm" || s.list.Order().Key != "model_id" || len(r.errs) > 0 {
		t.Errorf("chosen %q, sorted by %v, errors %v", s.chosen, s.list.Order(), r.errs)
	}
}

func TestCorrelationsChooseTheirFeature(t *testing.T) {
	r := newRig(t, 8, nil)
	r.idle()
	r.page("correlation")
	var made []*widget.Table
	r.stage.Until("the features are correlated", func() bool {
		made = all[*widget.Table](r)
		return len(made) == 2
	})
	made[1].OnRow(3)
	if !strings.Contains(r.said, r.screen.chosen+"; Pearson with robust accuracy") {
		t.Errorf("chosen %s, said %q", r.screen.chosen, r.said)
	}
	made[1].OnOpen(3)
	if r.screen.tabs.Front() != "scatter" {
		t.Error("the scatter plot is not shown")
	}
}

// TestScreenSaysWhyItIsEmpty: what would help begins with what is missing.
func TestScreenSaysWhyItIsEmpty(t *testing.T) {
	r := newRig(t, 1, nil)
	r.idle()
	r.stage.Press(r.window, "Run 1 model")
	if len(r.ran) != 1 || !slices.Equal(r.ran[0].Modalities, feature.DefaultLayout().Modalities) {
		t.Errorf("runs %v", r.ran)
	}
	for want, d := range map[string]Data{
		"no models yet": {}, "Choose a test suite": {Models: 1},
		"m00: no signals for this suite and family yet": r.screen.data(),
	} {
		if e, is := r.screen.empty(d); !is || !strings.Contains(e.Text, want) || len(e.Help) == 0 {
			t.Errorf("%q does not say %q", e.Text, want)
		}
	}
}

func TestExportWritesWhatIsShown(t *testing.T) {
	r := newRig(t, 6, func(r *rig) { r.label("rule_label", func(k int) string { return fmt.Sprint(k % 2) }) })
	r.idle()
	r.screen.list.Sort(result.Order{Key: "max@CONF.svm"})
	r.screen.list.SetFilter("-m02")
	var out strings.Builder
	testdata.OK(t, r.screen.shownTable().Sheet().CSV(&out, false))
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][0] != "m00" || rows[3][0] != "m03" ||
		rows[3][len(rows[3])-1] != "variant" || len(rows[0]) != 86 {
		t.Errorf("%v: %v", err, rows)
	}
	for _, open := range []func(){
		func() { r.stage.Press(r.window, "Export features…") },
		func() { r.screen.askExport("parquet") },
	} {
		open()
		top := r.window.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("nothing is asked")
		}
		r.window.Canvas().Overlays().Remove(top)
	}
}

func TestScreenFollowsLabels(t *testing.T) {
	r := newRig(t, 8, func(r *rig) {
		r.label("rule_label", func(k int) string { return []string{"0", "1", ""}[k%3] })
		r.label("trial", func(int) string { return "1" }) // the same everywhere: nothing to tell apart
	})
	d, s := r.idle(), r.screen
	if !slices.Equal(s.labels.Options, []string{"column rule_label", "none"}) ||
		s.labels.Selected != "column rule_label" {
		t.Fatalf("labels of %v, %q", s.labels.Options, s.labels.Selected)
	}
	if d.Rows[0].Label != label.Invariant || d.Rows[1].Label != label.Variant || d.Rows[2].Label != "" {
		t.Errorf("labels %+v", d.Rows[:3])
	}
	round := r.store.NewRound(t, func(x *label.Round) { x.Classes = 3 })
	for _, m := range r.store.Imported[:3] {
		r.store.Put(t, round, "r1", m.Hash, label.Borderline)
	}
	r.stage.Until("the round is offered", func() bool { return len(s.labels.Options) == 3 })
	r.idle()
	if s.labels.Selected != "round first look" { // nobody chose another
		t.Errorf("labels of %q", s.labels.Selected)
	}
	r.stage.Until("labels arrive", func() bool { d = s.data(); return len(d.Classes) == 3 && d.Rows[2].Label != "" })
	if g := d.plots().Groups(); len(g) != 4 || g[1].Look != result.LookBorderline || g[3].Look != result.LookNone {
		t.Errorf("groups %+v", g)
	}
	s.labels.SetSelected("none")
	r.stage.Until("without labels", func() bool { return s.Idle() && s.data().Classes == nil })
	var kept Labelling
	r.stage.Until("remembered", func() bool {
		found, err := r.store.Setting(settingLabels, &kept)
		return err == nil && found
	})
	if kept != (Labelling{}) {
		t.Errorf("remembered %+v", kept)
	}
}

// TestBlindRoundsGiveNoLabels: neither as a choice nor where they were chosen before.
func TestBlindRoundsGiveNoLabels(t *testing.T) {
	r := newRig(t, 4, func(r *rig) {
		round := r.store.NewRound(r.T, func(x *label.Round) { x.Blind = true })
		r.store.Put(r.T, round, "r1", r.store.Imported[0].Hash, label.Variant)
		testdata.OK(r, r.store.SetSetting(settingLabels, Labelling{Round: round.ID}))
	})
	if d := r.idle(); d.Classes != nil || !slices.Equal(r.screen.labels.Options, []string{"none"}) {
		t.Errorf("classes %v, labels of %v", d.Classes, r.screen.labels.Options)
	}
}

func TestScreenChoosesItsVector(t *testing.T) {
	r := newRig(t, 6, nil)
	before := r.idle().Layout
	v := vectorOf(before)
	if err := option.Verify(v); err != nil || len(v.Matrices) != 5 || v.Others != nil {
		t.Errorf("the form begins with %+v, %v", v, err)
	}
	v.Matrices, v.Others = []string{"mean@CONV-1", "max@CONF"}, []string{"std@CONV-1", " max@CONF"}
	if err := v.Check(); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("error %v", err)
	}
	v.Others, v.Formulas = v.Others[:1], feature.Refcode
	l, err := v.layout(before)
	if want := []string{"max@CONF", "mean@CONV-1", "std@CONV-1"}; err != nil || !slices.Equal(l.Modalities, want) ||
		l.Profile != feature.Refcode {
		t.Fatalf("%+v, %v", l, err)
	}
	r.screen.ShowLayout(l)
	if d := r.idle(); len(d.Rows) != 5 || d.Layout.Width() != 48 { // m04 has what this vector needs
		t.Errorf("%d models, %d features", len(d.Rows), d.Layout.Width())
	}
	r.screen.askLayout()
	r.stage.Press(r.window, "Measure")
	if r.idle(); !slices.Equal(r.screen.data().Layout.Modalities, l.Modalities) ||
		r.screen.data().Layout.Profile != feature.Refcode || len(r.errs) > 0 {
		t.Errorf("the vector is %+v, errors %v", r.screen.data().Layout, r.errs)
	}
}

// TestIntervals: those of the selected model's features of the shown matrix are those of the whole
// vector, once somebody asks for resamples.
func TestIntervals(t *testing.T) {
	r := newRig(t, 6, nil)
	d := r.idle()
	page := r.screen.intervals
	r.page("intervals")
	r.stage.Until("nothing is asked for", page.Idle)
	if page.Body.Visible() {
		t.Error("there are intervals before any are asked for")
	}
	testdata.OK(t, page.Form.Put("resamples", "100"))
	r.stage.Until("resampled", func() bool { list, _ := page.Data(); return page.Idle() && len(list) == feature.Count })
	r.screen.list.Select(d.Rows[2].Model.Hash)
	r.screen.selected()
	r.stage.Until("resampled again", func() bool { list, _ := page.Data(); return list[0].Model == d.Rows[2].Model.ID })
	ask := training.Ask{
		Suite: d.Current.Suite, Family: d.Current.Family, Layout: d.Layout, Images: variance.AllImages(),
	}
	whole, _, err := training.Intervals(context.Background(), r.store.Workspace, ask, d.Rows[2:3],
		variance.Bootstrap{Resamples: 100, Seed: 1}, engine.NoProgress{})
	got, _ := page.Data()
	if err != nil || !reflect.DeepEqual(got[:feature.Std], whole[:feature.Std]) {
		t.Errorf("%+v, want %+v, %v", got[0], whole[0], err)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "features-intervals")
}

func TestGroups(t *testing.T) {
	r := newRig(t, 9, func(r *rig) {
		r.label("trained", func(k int) string { return []string{"a", "b", "c", "d"}[k/2%4] })
	})
	r.idle()
	page := r.screen.groups
	r.page("groups")
	testdata.OK(t, page.Form.Put("groups", "trained"))
	r.stage.Until("compared", func() bool { g, _ := page.Data(); return page.Idle() && len(g.list) > 0 })
	g, _ := page.Data()
	if len(g.list) != 5+feature.Count || g.list[0].Name != "accuracy" || g.list[0].Groups != 4 || len(g.notes) == 0 {
		t.Errorf("%d rows, %+v, %v", len(g.list), g.list[0], g.notes)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "features-groups")
	r.screen.list.SetFilter("trained=a")
	r.stage.Until("one group is left", func() bool { g, _ := page.Data(); return page.Idle() && len(g.list) == 0 })
	if e, is := page.Empty(spreads{}); !is || !strings.HasPrefix(e.Text, "The models that the filter leaves") {
		t.Errorf("%+v", e)
	}
	r.screen.list.SetFilter("model=nothing")
	r.stage.Until("no model is left", page.Idle)
	r.screen.list.SetFilter("")
	r.stage.Until("compared again", func() bool { g, _ := page.Data(); return page.Idle() && len(g.list) > 0 })
	if len(r.errs) > 0 {
		t.Error(r.errs)
	}
}
