package ui

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opened is a window on a sample workspace, with an engine on a runtime of the tests.
type opened struct {
	*Window
	stage     *stage.Stage
	workspace *sample.Workspace
	engine    *engine.Engine
	closed    bool
	left      fyne.Window // what it has given way in
}

func open(t testing.TB, models int, change func(*Deps)) *opened {
	t.Helper()
	o := &opened{stage: stage.New(t), workspace: sample.New(t, models)}
	o.engine = engine.New(engine.InProcess{Library: &lineRuntime{}}, o.workspace.Workspace,
		engine.Limits{Workers: 1, Batch: 16})
	d := Deps{
		App: o.stage.App(), Workspace: o.workspace.Workspace, Engine: o.engine,
		Runtime: engine.InProcess{Library: &lineRuntime{}},
		Read:    sample.Reader(func(string) (model.Graph, error) { return model.Graph{}, os.ErrInvalid }),
		Closed:  func(left fyne.Window) { o.closed, o.left = true, left },
	}
	if change != nil {
		change(&d)
	}
	o.Window = New(d)
	o.Show()
	t.Cleanup(func() {
		o.Leave()
		o.stage.Until("the window closes", func() bool { return o.closed })
		if err := o.engine.Close(); err != nil {
			t.Error(err)
		}
	})
	o.stage.Until("the models are listed", func() bool { return o.toolbar.suite.Selected != "" })
	return o
}

// TestLooks draws every screen at the smallest size, light and dark, and looks whether its texts
// can be read. With VARISCOPE_SCREENS it draws the usual and a large size too and keeps the
// pictures in that folder. A short test shows some screens in one look, beside a run that is at
// work.
func TestLooks(t *testing.T) {
	folder := os.Getenv("VARISCOPE_SCREENS")
	gate := make(chan struct{})
	var busy *engine.Engine
	o := open(t, 14, func(d *Deps) {
		d.Runtime = engine.InProcess{Library: &lineRuntime{gate: gate}}
		busy = engine.New(d.Runtime, d.Workspace, engine.Limits{Workers: 1, Batch: 16})
		d.Engine = busy
	})
	t.Cleanup(func() { _ = busy.Close() })
	o.work3(t, gate)
	round := o.workspace.NewRound(t, nil)
	for i, m := range o.workspace.Imported[:9] {
		for k, who := range round.Annotators {
			value := label.Invariant
			if i > 4+k || i == 2*k {
				value = label.Variant
			}
			o.workspace.Put(t, round, who, m.Hash, value)
		}
	}
	sizes := []fyne.Size{{Width: 1024, Height: 700}, {Width: 1280, Height: 800}, {Width: 1920, Height: 1080}}
	if folder == "" {
		sizes = sizes[:1] // drawing in software is slow; the others are for looking at
	}
	looks := []Look{LookLight, LookDark}
	if testing.Short() {
		looks = looks[:1]
	}
	for _, size := range sizes {
		o.Window.Window().Resize(size)
		for _, look := range looks {
			o.SetLook(look)
			for _, p := range someScreens() {
				o.Go(p)
				o.idle()
				picture := o.stage.Capture(o.Window.Window(), folder,
					filepath.Join(p.String()+"-"+string(look)+"-"+sizeName(size)))
				if got := picture.Bounds().Dx(); got != int(size.Width) {
					t.Errorf("%s is %d pixels wide in a window of %v", p, got, size.Width)
				}
				o.readableTexts(t, p.String(), picture)
			}
		}
	}
}

// someScreens are the screens that a long test of them shows: all, and one in three in short runs,
// where the race detector makes each of them slow.
func someScreens() (list []Place) {
	for p := range places {
		if !testing.Short() || p%3 == 0 {
			list = append(list, p)
		}
	}
	return list
}

// work3 leaves three runs for the pictures: an interrupted one, one at work, one that waits.
func (o *opened) work3(t *testing.T, gate chan struct{}) {
	t.Helper()
	o.idle() // or the start's look for unfinished runs finds the one that is put here
	last := o.workspace.Imported[13].Hash
	record := store.RunRecord{
		ID: o.workspace.NewID(), Suite: o.workspace.Shapes.Hash, Family: "brightness:-0.3:0.3:0.02",
		Phase: engine.Running, Models: []string{last, o.workspace.Imported[0].Hash},
		Started: time.Now().Add(-time.Hour), Done: 700, Total: 3720, Skipped: 1,
		Failures: map[string]string{last: "The model needs more memory than 4 GiB; it was stopped in its probe."},
	}
	if err := o.workspace.PutRun(record); err != nil {
		t.Fatal(err)
	}
	for _, req := range []job.Request{
		{Suite: o.workspace.Shapes.Hash, Family: sample.Family, Models: []string{o.workspace.Imported[12].Hash, last}},
		{Suite: o.workspace.Shapes.Hash, Family: "shear:-10:10:1"},
	} {
		before := len(o.deps.Engine.Snapshot())
		o.runner().Start(o.host(), req)
		o.stage.Until("the run is queued", func() bool { return len(o.deps.Engine.Snapshot()) > before })
	}
	for range 170 {
		select {
		case gate <- struct{}{}:
		case <-time.After(time.Second):
		}
	}
	o.Say("The run has started.")
}

// TestDialogLooks draws dialogs at the smallest size, light and dark, and looks whether their texts
// can be read.
func TestDialogLooks(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws them
	}
	folder := os.Getenv("VARISCOPE_SCREENS")
	o := open(t, 6, nil)
	o.workspace.NewRound(t, nil)
	o.Window.Window().Resize(fyne.NewSize(1024, 700))
	for _, look := range []Look{LookLight, LookDark} {
		o.SetLook(look)
		for name, show := range map[string]func(){
			"import": func() {
				o.Import([]string{o.workspace.Shapes.Root, o.workspace.Path(), "/nowhere/model.onnx"})
			},
			"run":       func() { o.run([]string{o.workspace.Imported[0].Hash}) },
			"export":    o.export,
			"round":     o.newRound,
			"workspace": o.createWorkspace,
		} {
			show()
			o.stage.Until(name+" opens", func() bool { return o.Window.Window().Canvas().Overlays().Top() != nil })
			time.Sleep(250 * time.Millisecond)
			o.settle()
			picture := o.stage.Capture(o.Window.Window(), folder, "dialog-"+name+"-"+string(look))
			for _, fault := range faint(picture, lettersOf(o.over(), o.Window.Window().Canvas().Size())) {
				t.Errorf("%s, %s: %s", look, name, fault)
			}
			o.Window.Window().Canvas().Overlays().Top().Hide()
			o.Window.Window().Canvas().Overlays().Remove(o.Window.Window().Canvas().Overlays().Top())
		}
	}
}

// TestRailFitsLowWindows: with large text the entries are lower, none is cut off, and their names
// stay whole.
func TestRailFitsLowWindows(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out the rail
	}
	o := open(t, 1, nil)
	for _, text := range []float64{usualText, 1.4 * usualText} {
		o.deps.App.Settings().SetTheme(o.theme.Sized(1, text))
		rail := newRail(func(Place) {})
		column := rail.object.(*fyne.Container).Objects[1].(*container.Scroll).Content
		for _, height := range []float32{column.MinSize().Height, 560, 1000} {
			height = max(height, column.MinSize().Height)
			rail.object.Resize(fyne.NewSize(rail.object.MinSize().Width, height))
			last := rail.items[places-1]
			if end := last.Position().Y + last.Size().Height; end > height+0.5 {
				t.Errorf("text %g: the last entry ends at %v of %v", text, end, height)
			}
			r := test.WidgetRenderer(last).(*railItemRenderer)
			if r.icon.Position().Y < 0 || r.name.Position().Y+r.name.MinSize().Height > last.Size().Height+0.5 ||
				r.icon.Size().Height < 10 {
				t.Errorf("text %g, height %v: icon %v at %v, name at %v in %v", text, height, r.icon.Size(),
					r.icon.Position(), r.name.Position(), last.Size())
			}
		}
		if least := column.MinSize().Height; least > 560 {
			t.Errorf("text %g: the rail needs %v", text, least)
		}
	}
}

// TestAScreenHasTheToolbarToItself: what a screen gives the toolbar is all that it shows while the
// screen is shown, at the same place and no lower than the usual content in one line.
func TestAScreenHasTheToolbarToItself(t *testing.T) {
	o := open(t, 1, nil)
	o.Window.Window().Resize(fyne.NewSize(1400, 800))
	o.idle()
	usual := boxAt(o.toolbar.content.Position(), o.toolbar.content.Size())
	bar := widget.NewLabel("round 1, rater 1, 3 of 32")
	host := o.kit(Features)
	shown := func(when string, own bool) {
		t.Helper()
		if bar.Visible() && slices.Contains(o.toolbar.content.Objects, fyne.CanvasObject(bar)) != own ||
			o.toolbar.line.Visible() == own {
			t.Errorf("%s: the usual content is visible: %v", when, o.toolbar.line.Visible())
		}
		if now := boxAt(o.toolbar.content.Position(), o.toolbar.content.Size()); now != usual {
			t.Errorf("%s: the content lies at %v, before at %v", when, now, usual)
		}
	}
	host.SetBar(bar)
	shown("on another screen", false)
	o.Go(Features)
	shown("on its screen", true)
	o.Go(Runs)
	shown("after leaving it", false)
	o.Go(Features)
	host.SetBar(nil)
	shown("without it", false)
}
