package inspect

import (
	"cmp"
	"context"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
	stage   *stage.Stage
	store   *slow
	screen  *Screen
	window  fyne.Window
	said    string
	started []kit.Run
	errs    []error
	did     []history.Step
	panes   []*kit.Panel // a low tab and a tall one
	told    int          // how often the low tab was shown anything
}

func newRig(t *testing.T, models int) *rig { return newRigOn(t, sample.New(t, models)) }

// settings keeps what a person has chosen in the window, as preferences do.
type settings map[string]string

func (s settings) StringWithFallback(key, fallback string) string { return cmp.Or(s[key], fallback) }
func (s settings) SetString(key, value string)                    { s[key] = value }

func newRigOn(t *testing.T, ws *sample.Workspace) *rig { return newRigWith(t, ws, settings{}) }

func newRigWith(t *testing.T, ws *sample.Workspace, memory settings) *rig {
	r := &rig{T: t, stage: stage.New(t), store: &slow{Workspace: ws}}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1100, 700))
	host := &kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text },
		ShowError: func(err error) { r.errs = append(r.errs, err) }, Changes: ws.Subscribe, Memory: memory,
		Start: func(runs ...kit.Run) { r.started = append(r.started, runs...) },
	}
	r.screen = New(host, r.store, Actions{
		Did: func(step history.Step) { r.did = append(r.did, step) },
		Panes: func(site pane.Site) []pane.Tab {
			r.panes = []*kit.Panel{
				{Body: fynewidget.NewLabel("images"), Show: func() { r.told++ }, Keys: site.Refocus},
				{Body: fynewidget.NewLabel("graph"), Keys: site.Refocus},
			}
			return []pane.Tab{
				{
					Tab:    kit.Tab{Key: "images", Title: "Images", Page: r.panes[0]},
					OnRune: func(r rune) bool { return r == 'w' },
				},
				{Tab: kit.Tab{Key: "graph", Title: "Graph", Page: r.panes[1]}, Tall: true},
			}
		},
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// evidence is what is shown.
func (r *rig) evidence() evidence.Evidence { return r.screen.data().frame.shown.Evidence }

// until waits until nothing is read, computed or remembered any more, and something holds.
func (r *rig) until(what string, holds func() bool) {
	r.Helper()
	r.stage.Until(what, func() bool { return r.screen.Idle() && r.screen.keeper.Idle() && holds() })
}

// shows waits until the screen shows the model.
func (r *rig) shows(hash string) evidence.Evidence {
	r.Helper()
	r.until("model shown", func() bool { return r.evidence().Model.Hash == hash })
	return r.evidence()
}

// keys has the keyboard.
func (r *rig) keys() fyne.Focusable { return r.window.Canvas().Focused() }

func (r *rig) press(names ...fyne.KeyName) {
	for _, name := range names {
		r.keys().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func TestScreenStepsThroughModels(t *testing.T) {
	r := newRig(t, 6)
	e, f := r.shows(r.store.Imported[0].Hash), r.screen.widgets
	if !e.Ready() || len(e.Tiles) != 5 || len(e.Accuracy) != 31 ||
		!strings.Contains(f.state.Text, "60 images, 1 skipped") {
		t.Errorf("evidence %+v, the line says %q", e.Counts(), f.state.Text)
	}
	if len(f.overview.record.Lines()) < 10 || len(f.overview.file.Lines()) < 8 || f.assign.Visible() {
		t.Error("record or file is empty, or a position is offered where nothing is absent")
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "inspect")
	r.press(fyne.KeyRight, fyne.KeyPageDown)
	r.shows(r.store.Imported[2].Hash)
	test.Tap(f.before)
	r.shows(r.store.Imported[1].Hash)
	f.take()
	r.press(fyne.KeyEnd)
	e = r.shows(r.store.Imported[5].Hash)
	if e.Ready() || !strings.Contains(e.State, "no signals") || !f.run.Visible() || !f.after.Disabled() ||
		f.assign.Visible() {
		t.Errorf("the model without signals: %q", e.State)
	}
	test.Tap(f.run)
	r.stage.Press(r.window, "Start")
	r.stage.Press(r.window, "Close")
	if len(r.started) != 1 || r.started[0].Models[0] != r.store.Imported[5].Hash ||
		!slices.Equal(r.started[0].Modalities, evidence.DefaultModalities()) {
		t.Errorf("run %+v", r.started)
	}
	// Its signals arrive while it is shown.
	r.store.Compute(t, r.store.Imported[5], 5)
	r.until("signals", func() bool { return r.evidence().Ready() })
	f.take()
	r.press(fyne.KeyHome)
	r.shows(r.store.Imported[0].Hash)
	f.models.SetSelected("m04")
	e = r.shows(r.store.Imported[4].Hash)
	if !e.Tiles[3].Absent() || e.Tiles[3].Reason != "no second convolution" || e.Tiles[2].Absent() {
		t.Errorf("tiles of a model with one convolution: %+v", e.Tiles[3])
	}
	if !f.assign.Visible() || f.run.Visible() { // no run brings a second one
		t.Errorf("another position %v, a run %v", f.assign.Visible(), f.run.Visible())
	}
	test.Tap(f.assign)
	if r.window.Canvas().Overlays().Top() == nil {
		t.Error("no settings to assign a position in")
	}
}

// TestTheModelInSightStays until the next one is read; images are left out of it meanwhile, also
// where the answer about another one, which nobody waits for any more, comes late.
func TestTheModelInSightStays(t *testing.T) {
	r := newRig(t, 4)
	first, second, third := r.store.Imported[0], r.store.Imported[1], r.store.Imported[2]
	r.shows(first.Hash)
	held := make(chan struct{})
	r.store.mu.Lock()
	r.store.hash, r.store.held = second.Hash, held
	r.store.mu.Unlock()
	r.screen.Open(second.Hash)
	r.stage.Pump()
	if r.screen.Exclude([]int{3}); r.screen.widgets.title.Text != "m00" || r.screen.Subject().Model.Hash != first.Hash {
		t.Errorf("%q is shown", r.screen.widgets.title.Text)
	}
	r.screen.Open(third.Hash)
	if e := r.shows(third.Hash); e.Excluded != 0 {
		t.Errorf("the other model: %s", e.Counts())
	}
	close(held)
	for range 50 {
		r.stage.Pump()
	}
	if r.shows(third.Hash); r.screen.widgets.title.Text != "m02" {
		t.Errorf("the late answer shows %q", r.screen.widgets.title.Text)
	}
	r.screen.Open(first.Hash)
	if e := r.shows(first.Hash); e.Excluded != 1 {
		t.Errorf("back: %s", e.Counts())
	}
}

// The matrices for a choice of images equal those computed directly from the signals.
func TestScreenChoosesImages(t *testing.T) {
	r := newRig(t, 8)
	m := r.store.Imported[6]
	r.screen.Open(m.Hash)
	r.shows(m.Hash)
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"correct", func() { r.keys().TypedRune('c') }, "correct"},
		{"wrong", func() { r.keys().TypedRune('w') }, "wrong"},
		{"class", func() { r.screen.widgets.class.SetSelected(sample.Classes[1]) }, "wrong;class=1"},
		{
			"share", func() { r.keys().TypedRune('a'); r.screen.widgets.share.SetValue(50) },
			"all;class=1;share=0.5;seed=1",
		},
	} {
		c.do()
		r.until(c.name, func() bool { return r.screen.data().frame.images.String() == c.want })
		e := r.evidence()
		images, matrix := direct(t, r.store.Workspace, m, r.screen.data().frame.images)
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
	set, err := ws.LoadSet(context.Background(), summary.Key,
		store.Want{Modalities: []signal.Modality{modality}, Predictions: true})
	if err != nil {
		t.Fatal(err)
	}
	images := testdata.Must(f.Choose(ws.Shapes.Labels, set.Predictions()[15], summary.Classes))(t)
	rows := testdata.Must(set.Signals(modality))(t)
	matrix := testdata.Must(variance.Scalar(rows, images))(t)
	return images, matrix
}

func TestScreenNoImagesLeft(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	r.screen.Control(Controls{Which: variance.Wrong, Class: 1, Share: 10})
	r.until("none", func() bool { return r.screen.data().frame.none != nil })
	e := r.evidence()
	if e.Ready() || e.Tiles[0].Reason != "no images left" ||
		!strings.Contains(strings.ToLower(r.screen.widgets.state.Text), "no images left") {
		t.Errorf("tiles %+v, line %q", e.Tiles[0], r.screen.widgets.state.Text)
	}
}

func TestScreenRangesAndMap(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	painted := func(what string, holds func(v evidence.View) bool) {
		t.Helper()
		r.until(what, func() bool { return holds(r.screen.data().frame.shown.View) })
	}
	r.keys().TypedRune('p')
	painted("paper range", func(v evidence.View) bool { return v.Preset == evidence.Paper })
	if got := r.screen.widgets.row.Tiles()[0].Heatmap().Picture().Scale.High; got != 0.15 {
		t.Errorf("papers' range ends at %v", got)
	}
	r.screen.OwnRange(label.Range{Low: 0.1, High: 0.2})
	painted("own range", func(v evidence.View) bool { return v.Preset == evidence.Own })
	if got := r.screen.widgets.row.Tiles()[1].Heatmap().Picture().Scale; got.Low != 0.1 || got.High != 0.2 {
		t.Errorf("own range %+v", got)
	}
	r.keys().TypedRune('d')
	painted("shared range", func(v evidence.View) bool { return v.Preset == evidence.Shared })
	if got := r.screen.widgets.row.Tiles()[0].Heatmap().Picture().Scale.High; got != 0.3 {
		t.Errorf("shared range of max@CONF ends at %v", got)
	}
	gray := slices.IndexFunc(r.screen.widgets.matricesMenu(),
		func(item *fyne.MenuItem) bool { return item.Label == "gray" })
	r.screen.widgets.matricesMenu()[gray].Action()
	painted("gray", func(v evidence.View) bool { return v.Map == "gray" })
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
		testdata.OK(t, r.store.UpdateModel(m.Hash, func(m *model.Model) error { change(m); return nil }))
	}
	change(func(m *model.Model) {
		m.Record = slices.DeleteFunc(m.Record, func(f model.Field) bool { return f.Name == "mean" || f.Name == "std" })
	})
	bare := testdata.Must(r.store.Model(m.Hash))(t)
	looks := chance.Looks{
		Images: 64, Best: 1, P: 1e-6,
		Tried: []chance.Tried{{Name: "0..1", Right: 22}, {Name: "0..255", Recipe: "scale=255", Right: 52}},
	}
	testdata.OK(t, r.store.KeepLook(bare, r.store.Shapes.Hash, store.Look{Looks: looks}))
	r.screen.Refresh()
	r.until("offered", r.screen.widgets.wanted.Visible)
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
	testdata.OK(t, r.did[0].Undo(t.Context()))
	r.stage.Until("offered again", r.screen.widgets.wanted.Visible)
}

func TestScreenWritesFigures(t *testing.T) {
	r := newRig(t, 6)
	r.screen.Open(r.store.Imported[4].Hash) // one convolution
	e := r.shows(r.store.Imported[4].Hash)
	want := []string{figureSheet, "max@CONF", "max@CONV-1", "mean@CONV-1", figureAccuracy}
	if got := Figures(e); !slices.Equal(got, want) {
		t.Errorf("figures %v", got)
	}
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"} {
		for _, figure := range want {
			var out strings.Builder
			if err := WriteFigure(&out, r.screen.data().frame.shown, figure, format); err != nil ||
				!strings.HasPrefix(out.String(), begins) {
				t.Errorf("%s as %s begins with %q: %v", figure, format, out.String()[:min(8, out.Len())], err)
			}
		}
	}
	if err := WriteFigure(io.Discard, r.screen.data().frame.shown, "max@CONV-2", "png"); err == nil {
		t.Error("a matrix that is not there was drawn")
	}
	if got := FileName(e, "max@CONF", "svg"); got != "m04_max@CONF.svg" {
		t.Errorf("file name %q", got)
	}
}

func TestScreenEmpty(t *testing.T) {
	r := newRig(t, 0)
	r.until("read", func() bool { return !r.screen.Body.Visible() })
	r.screen.AskFigure()
	r.screen.Step(1)
	r.screen.Exclude([]int{1})
	r.store.AddModel(sample.Describe(0), strings.NewReader("the first model"))
	r.until("the first model", r.screen.Body.Visible)
}

// TestSharedRangesWaitWhileSomebodyLooks: a model that is computed elsewhere changes no colours of
// the one that is looked at; a badge names both ranges, and a click on it, or the next model,
// takes the new one.
func TestSharedRangesWaitWhileSomebodyLooks(t *testing.T) {
	r := newRig(t, 4)
	r.shows(r.store.Imported[0].Hash)
	const name = "max@CONV-1"
	shown := func() (label.Range, string) { return r.screen.data().frame.shown.View.Range(name) }
	before, badge := shown()
	if badge != "" {
		t.Fatalf("badge %q", badge)
	}
	r.store.Compute(t, r.store.Imported[3], 90) // the one without signals gets large ones
	r.until("the badge says so", func() bool { _, badge := shown(); return strings.Contains(badge, "is now 0..") })
	if now, _ := shown(); now != before {
		t.Errorf("the range changed from %v to %v under the eyes", before, now)
	}
	r.screen.widgets.row.OnBadge()
	r.until("it is taken", func() bool { now, _ := shown(); return now != before })
	taken, badge := shown()
	if !strings.HasPrefix(badge, "shared range was ") {
		t.Errorf("badge %q", badge)
	}
	r.screen.Step(1)
	r.shows(r.store.Imported[1].Hash)
	if now, badge := shown(); now != taken || badge != "" {
		t.Errorf("%v, %q at the next model", now, badge)
	}
}

// TestTheElementInFocusIsResampled: for those who ask for resamples, below its matrix and in the
// tab Certainty.
func TestTheElementInFocusIsResampled(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	f := r.screen.widgets
	notes := func() []string { return f.row.Tiles()[0].Notes() }
	if r.screen.Mark(pane.Focus{Modality: "max@CONF", I: 20, J: 6}); len(notes()) != 1 {
		t.Errorf("nobody asked for %q", notes())
	}
	testdata.OK(t, f.overview.resampling.Put("resamples", "200"))
	r.until("resampled", func() bool { return len(notes()) == 2 && strings.HasPrefix(notes()[1], "by resamples ") })
	if !slices.ContainsFunc(f.overview.certainty.Lines(), func(l evidence.Fact) bool { return l.Value == notes()[1] }) {
		t.Errorf("%v", f.overview.certainty.Lines())
	}
	f.overview.tabs.Select("certainty")
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SHOTS"), "inspect-resampled")
	before := notes()[1]
	r.screen.Control(Controls{Share: 40})
	r.until("the images change", func() bool {
		return strings.HasPrefix(notes()[1], "by resamples ") && notes()[1] != before
	})
	r.screen.Hidden() // which lets go of them
	if f.banded != (banded{}) {
		t.Error("a screen that nobody looks at keeps signals")
	}
	r.screen.Shown()
	if text := notes()[1]; text != "resampling…" {
		t.Errorf("while bands are computed anew it says %q", text)
	}
	r.until("resampled again", func() bool { return strings.HasPrefix(notes()[1], "by resamples ") })
	r.screen.Mark(pane.Whole("max@CONF"))
	if text := notes()[1]; !strings.HasPrefix(text, "click an element") {
		t.Errorf("the largest element says %q", text)
	}
}
