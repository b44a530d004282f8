package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// slow is the real workspace whose reading of one model can be held up.
type slow struct {
	*sample.Workspace
	mu   sync.Mutex
	hash string
	held chan struct{}
}

func (s *slow) Model(hash string) (model.Model, error) {
	s.mu.Lock()
	held, mine := s.held, s.hash == hash
	s.mu.Unlock()
	if mine && held != nil {
		<-held
	}
	return s.Workspace.Model(hash)
}

type rig struct {
	*testing.T
	stage       *stage.Stage
	store       *slow
	screen      *Screen
	window      fyne.Window
	said        string
	ran, wished []string
	errs        []error
	did         []history.Step
	panes       []*testPane
}

func newRig(t *testing.T, models int) *rig { return newRigOn(t, sample.New(t, models)) }

func newRigOn(t *testing.T, ws *sample.Workspace) *rig {
	r := &rig{T: t, stage: stage.New(t), store: &slow{Workspace: ws}}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1100, 700))
	host := &kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, ShowError: func(err error) { r.errs = append(r.errs, err) },
	}
	r.screen = New(host, r.store, Actions{
		Run: func(models, modalities []string) { r.ran, r.wished = models, modalities }, Did: func(step history.Step) { r.did = append(r.did, step) },
		Panes: r.makePanes,
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// shows waits until the screen shows the model.
func (r *rig) shows(hash string) evidence.Evidence {
	r.Helper()
	r.stage.Until("model shown", func() bool { e, ok := r.screen.Evidence(); return ok && e.Model.Hash == hash })
	e, _ := r.screen.Evidence()
	return e
}

func TestScreenShowsAModel(t *testing.T) {
	r := newRig(t, 6)
	e := r.shows(r.store.Imported[0].Hash)
	if len(e.Tiles) != 5 || !e.Ready() || e.Images != sample.Images || e.Skipped != 1 || len(e.Accuracy) != 31 {
		t.Errorf("evidence %+v", e.Counts())
	}
	if got := r.screen.widgets.state.Text; !strings.Contains(got, "60 images, 1 skipped") {
		t.Errorf("the line says %q", got)
	}
	tile := r.screen.widgets.row.Tiles()[0]
	tile.Heatmap().TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if got := r.screen.widgets.readOut.Text; !strings.Contains(got, "max@CONF") || !strings.Contains(got, "V_i") {
		t.Errorf("read-out %q", got)
	}
	r.stage.Capture(r.window, "", "") // draws without a fault
	if len(r.screen.widgets.record.Lines()) < 10 || len(r.screen.widgets.file.Lines()) < 8 {
		t.Error("record or file is empty")
	}
}

func TestScreenStepsThroughModels(t *testing.T) {
	r := newRig(t, 6)
	r.shows(r.store.Imported[0].Hash)
	keys := r.window.Canvas().Focused()
	keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	r.shows(r.store.Imported[2].Hash)
	test.Tap(r.screen.widgets.before)
	r.shows(r.store.Imported[1].Hash)
	keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	e := r.shows(r.store.Imported[5].Hash)
	if e.Ready() || !strings.Contains(e.State, "no signals") || !r.screen.widgets.run.Visible() || !r.screen.widgets.after.Disabled() {
		t.Errorf("the model without signals: %q", e.State)
	}
	test.Tap(r.screen.widgets.run)
	if !slices.Equal(r.ran, []string{r.store.Imported[5].Hash}) || !slices.Equal(r.wished, evidence.DefaultModalities()) {
		t.Errorf("run %v for %v", r.ran, r.wished)
	}
	// Its signals arrive while it is shown.
	r.store.Compute(t, r.store.Imported[5], 5)
	r.stage.Until("signals", func() bool { e, ok := r.screen.Evidence(); return ok && e.Ready() })
	keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	r.shows(r.store.Imported[0].Hash)
	r.screen.widgets.models.SetSelected("m04")
	e = r.shows(r.store.Imported[4].Hash)
	if !e.Tiles[3].Absent() || e.Tiles[3].Reason != "no second convolution" || e.Tiles[2].Absent() {
		t.Errorf("tiles of a model with one convolution: %+v", e.Tiles[3])
	}
}

func TestScreenDropsStaleAnswers(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	held := make(chan struct{})
	r.store.mu.Lock()
	r.store.hash, r.store.held = r.store.Imported[1].Hash, held
	r.store.mu.Unlock()
	r.screen.Open(r.store.Imported[1].Hash)
	r.screen.Open(r.store.Imported[2].Hash)
	r.shows(r.store.Imported[2].Hash)
	close(held)
	for range 50 {
		r.stage.Pump()
	}
	r.shows(r.store.Imported[2].Hash)
	if got := r.screen.widgets.title.Text; got != "m02" {
		t.Errorf("the late answer shows %q", got)
	}
}

// The matrices for a choice of images equal those computed directly from the signals.
func TestScreenChoosesImages(t *testing.T) {
	r := newRig(t, 8)
	m := r.store.Imported[6]
	r.screen.Open(m.Hash)
	r.shows(m.Hash)
	keys := r.window.Canvas().Focused()
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"correct", func() { keys.TypedRune('c') }, "correct"},
		{"wrong", func() { keys.TypedRune('w') }, "wrong"},
		{"class", func() { r.screen.widgets.class.SetSelected(sample.Classes[1]) }, "wrong;class=1"},
		{"share", func() { keys.TypedRune('a'); r.screen.widgets.share.SetValue(50) }, "all;class=1;share=0.5;seed=1"},
	} {
		c.do()
		r.stage.Until(c.name, func() bool { _, ok := r.screen.Evidence(); return ok && r.screen.frame.images.String() == c.want })
		e, _ := r.screen.Evidence()
		images, matrix := direct(t, r.store.Workspace, m, r.screen.frame.images)
		if e.Images != len(images) || e.Total != sample.Images {
			t.Errorf("%s: %s, want %d", c.name, e.Counts(), len(images))
		}
		for k, v := range matrix.Data {
			if math.Abs(v-e.Tiles[0].Matrix.Data[k]) > 1e-12 {
				t.Fatalf("%s: cell %d is %v, want %v", c.name, k, e.Tiles[0].Matrix.Data[k], v)
			}
		}
	}
}

func direct(t *testing.T, ws *sample.Workspace, m model.Model, f variance.Images) ([]int, variance.Matrix) {
	t.Helper()
	summary, ok, err := ws.Summary(m, ws.Shapes.Hash, sample.Family)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	modality := signal.DefaultModalities()[0]
	set, err := ws.LoadSet(context.Background(), summary.Key, store.Want{Modalities: []signal.Modality{modality}, Predictions: true})
	if err != nil {
		t.Fatal(err)
	}
	images, err := f.Choose(ws.Shapes.Labels, set.Predictions()[15], summary.Classes)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := set.Signals(modality)
	if err != nil {
		t.Fatal(err)
	}
	matrix, err := variance.Scalar(rows, images)
	if err != nil {
		t.Fatal(err)
	}
	return images, matrix
}

func TestScreenNoImagesLeft(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.screen.Control(Controls{Which: variance.Wrong, Class: 1, Share: 10})
	r.stage.Until("none", func() bool { _, ok := r.screen.Evidence(); return ok && r.screen.frame.none != nil })
	e, _ := r.screen.Evidence()
	if e.Ready() || e.Tiles[0].Reason != "no images left" || !strings.Contains(strings.ToLower(r.screen.widgets.state.Text), "no images left") {
		t.Errorf("tiles %+v, line %q", e.Tiles[0], r.screen.widgets.state.Text)
	}
}

func TestScreenRangesAndMap(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	painted := func(what string, holds func(v evidence.View) bool) {
		t.Helper()
		r.stage.Until(what, func() bool { return !r.screen.waiting && holds(r.screen.frame.shown.View) })
	}
	keys := r.window.Canvas().Focused()
	keys.TypedRune('p')
	painted("paper range", func(v evidence.View) bool { return v.Preset == evidence.Paper })
	if got := r.screen.widgets.row.Tiles()[0].Heatmap().Picture().Scale.High; got != 0.15 {
		t.Errorf("papers' range ends at %v", got)
	}
	r.screen.OwnRange(label.Range{Low: 0.1, High: 0.2})
	painted("own range", func(v evidence.View) bool { return v.Preset == evidence.Own })
	if got := r.screen.widgets.row.Tiles()[1].Heatmap().Picture().Scale; got.Low != 0.1 || got.High != 0.2 {
		t.Errorf("own range %+v", got)
	}
	keys.TypedRune('d')
	painted("shared range", func(v evidence.View) bool { return v.Preset == evidence.Shared })
	if got := r.screen.widgets.row.Tiles()[0].Heatmap().Picture().Scale.High; got != 0.3 {
		t.Errorf("shared range of max@CONF ends at %v", got)
	}
	r.screen.widgets.colours.SetSelected("gray")
	painted("gray", func(v evidence.View) bool { return v.Map == "gray" })
	var kept string
	r.stage.Until("remembered", func() bool { _, err := r.store.Setting(settingMap, &kept); return err == nil && kept == "gray" })
}

// TestScreenOffersTheRecipeThatAModelWants: a click on the badge makes it the model's correction,
// which ends the badge and can be undone.
func TestScreenOffersTheRecipeThatAModelWants(t *testing.T) {
	r := newRig(t, 3)
	m := r.store.Imported[0]
	r.shows(m.Hash)
	if r.screen.widgets.wanted.Visible() {
		t.Errorf("offered at once: %q", r.screen.widgets.wants.Text())
	}
	change := func(change func(*model.Model)) {
		if err := r.store.UpdateModel(m.Hash, func(m *model.Model) error { change(m); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	change(func(m *model.Model) {
		m.Record = slices.DeleteFunc(m.Record, func(f model.Field) bool { return f.Name == "mean" || f.Name == "std" })
	})
	bare, err := r.store.Model(m.Hash)
	if err != nil {
		t.Fatal(err)
	}
	looks := chance.Looks{Images: 64, Best: 1, P: 1e-6, Tried: []chance.Tried{{Name: "0..1", Right: 22}, {Name: "0..255", Recipe: "scale=255", Right: 52}}}
	if err := r.store.KeepLook(bare, r.store.Shapes.Hash, store.Look{Looks: looks}); err != nil {
		t.Fatal(err)
	}
	r.screen.Refresh()
	r.stage.Until("offered", r.screen.widgets.wanted.Visible)
	if got := r.screen.widgets.wants.Text(); got != "looks as if it wants 0..255: 81.3 % instead of 34.4 %" {
		t.Errorf("badge %q", got)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "inspect-wants")
	r.screen.widgets.wants.Tapped(nil)
	r.stage.Until("taken", func() bool { return !r.screen.widgets.wanted.Visible() })
	if got, err := r.store.Model(m.Hash); err != nil || got.Correction.Recipe != "scale=255" {
		t.Errorf("correction %+v, %v", got.Correction, err)
	}
	r.stage.Until("undoable", func() bool { return len(r.did) == 1 })
	if err := r.did[0].Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.stage.Until("offered again", r.screen.widgets.wanted.Visible)
}

type file struct {
	bytes.Buffer
	fails  error
	closed bool
}

func (f *file) Write(p []byte) (int, error) {
	if f.fails != nil {
		return 0, f.fails
	}
	return f.Buffer.Write(p)
}

func (f *file) Close() error { f.closed = true; return nil }

func TestScreenSavesFigures(t *testing.T) {
	r := newRig(t, 6)
	r.screen.Open(r.store.Imported[4].Hash) // one convolution
	e := r.shows(r.store.Imported[4].Hash)
	want := []string{figureSheet, "max@CONF", "max@CONV-1", "mean@CONV-1", figureAccuracy}
	if got := Figures(e); !slices.Equal(got, want) {
		t.Errorf("figures %v", got)
	}
	magic := map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"}
	for format, begins := range magic {
		for _, figure := range want {
			out := &file{}
			r.said = ""
			r.screen.Saver().Save(out, FileName(e, figure, format), func(w io.Writer) error { return WriteFigure(w, r.screen.frame.shown, figure, format) })
			r.stage.Until("saved", func() bool { return strings.HasPrefix(r.said, "saved ") || len(r.errs) > 0 })
			if !strings.HasPrefix(out.String(), begins) || !out.closed {
				t.Errorf("%s as %s begins with %q, closed %v, errors %v", figure, format, out.String()[:min(8, out.Len())], out.closed, r.errs)
			}
		}
	}
	if got := FileName(e, "max@CONF", "svg"); got != "m04_max@CONF.svg" {
		t.Errorf("file name %q", got)
	}
	full := &file{fails: errors.New("no space left on device")}
	r.screen.Saver().Save(full, "full.png", func(w io.Writer) error { return WriteFigure(w, r.screen.frame.shown, "max@CONF", "png") })
	r.stage.Until("failed", func() bool { return len(r.errs) == 1 })
	if !full.closed || !strings.Contains(r.errs[0].Error(), "full.png") {
		t.Errorf("error %v", r.errs[0])
	}
}

func TestScreenEmpty(t *testing.T) {
	r := newRig(t, 0)
	r.stage.Until("read", func() bool { return !r.screen.waiting })
	if _, ok := r.screen.Evidence(); ok || !r.screen.widgets.empty.Visible() {
		t.Error("an empty workspace does not say so")
	}
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	r.screen.AskFigure()
}

// TestSharedRangesWaitWhileSomebodyLooks: a model that is computed elsewhere changes no colours of
// the one that is looked at; a badge names both ranges, and a click on it, or the next model,
// takes the new one.
func TestSharedRangesWaitWhileSomebodyLooks(t *testing.T) {
	r := newRig(t, 4)
	first, second := r.store.Imported[0].Hash, r.store.Imported[1].Hash
	r.shows(first)
	const name = "max@CONV-1"
	shown := func() (label.Range, string) { return r.screen.frame.shown.View.Range(name) }
	before, badge := shown()
	if badge != "" {
		t.Fatalf("badge %q", badge)
	}
	s := r.screen
	fresh := maps.Clone(s.shared.ranges)
	fresh[name] = label.Range{Low: 0, High: 50}
	s.shared = s.shared.with(fresh) // as readShared finds after another model was computed
	s.sharing()
	s.update()
	r.stage.Until("the badge says so", func() bool { _, badge := shown(); return strings.Contains(badge, "is now 0..50") })
	if now, _ := shown(); now != before {
		t.Errorf("the range changed from %v to %v under the eyes", before, now)
	}
	s.widgets.row.OnBadge()
	r.stage.Until("it is taken", func() bool { now, _ := shown(); return now == fresh[name] })
	if _, badge := shown(); !strings.HasPrefix(badge, "shared range was ") || !strings.HasSuffix(badge, "is 0..50") {
		t.Errorf("badge %q", badge)
	}
	s.Open(second)
	r.shows(second)
	if now, badge := shown(); now != fresh[name] || badge != "" {
		t.Errorf("%v, %q at the next model", now, badge)
	}
	r.store.Compute(t, r.store.Imported[3], 3) // the one without signals
	r.stage.Until("the ranges are read again", func() bool { return s.ranging.Idle() && s.shared.fresh != nil })
	if now, _ := shown(); now != fresh[name] {
		t.Errorf("the range is %v", now)
	}
}

// TestNothingOfTheLastModelStands: while another model is read, matrices, curves, record and
// read-out of the last one are gone.
func TestNothingOfTheLastModelStands(t *testing.T) {
	r := newRig(t, 4)
	first, second := r.store.Imported[0].Hash, r.store.Imported[1].Hash
	r.shows(first)
	f := r.screen.widgets
	f.tabs.SelectIndex(1)
	f.badge.Explain("not above chance", "of the first model")
	f.hover("max@CONF 1, 2: 0.3")
	if images := r.panes[0]; len(images.shown) == 0 || !images.object.Visible() {
		t.Fatal("the pane in front is not shown")
	}
	if len(f.record.Lines()) == 0 || len(f.file.Lines()) == 0 || len(f.charts.Accuracy.Data().Lines) == 0 {
		t.Fatal("nothing is shown at first")
	}
	held := make(chan struct{})
	r.store.mu.Lock()
	r.store.hash, r.store.held = second, held
	r.store.mu.Unlock()
	r.screen.Open(second)
	shown := f.row.Shown()
	if shown.Model.Hash == first || shown.Ready() || len(f.record.Lines())+len(f.file.Lines())+len(f.certainty.Lines()) > 0 ||
		len(f.charts.Accuracy.Data().Lines)+len(f.charts.Loss.Data().Lines) > 0 || f.readOut.Text != "" || f.title.Text != "…" || f.form.object.Visible() ||
		f.badge.Text() != "" || r.panes[0].object.Visible() {
		t.Errorf("of the last model there is still something: %q, %v, %q", f.title.Text, f.record.Lines(), f.readOut.Text)
	}
	r.stage.Until("the tab says what it waits for", f.wait.Object().Visible)
	close(held)
	if r.shows(second); f.wait.Object().Visible() {
		t.Error("the tab still waits")
	}
	if len(f.record.Lines()) == 0 || !f.form.object.Visible() || !r.panes[0].object.Visible() || r.panes[0].last().Model.Hash != second {
		t.Error("the next one is not shown")
	}
}
