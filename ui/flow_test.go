package ui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// press taps the button with this text that can be seen, in a dialog before the window.
func (o *opened) press(t *testing.T, text string) {
	t.Helper()
	var found *widget.Button
	roots := append([]fyne.CanvasObject{o.Window.Window().Content()}, o.Window.Window().Canvas().Overlays().List()...)
	for _, root := range roots {
		stage.Walk(root, func(object fyne.CanvasObject) {
			if b, ok := object.(*widget.Button); ok && b.Text == text {
				found = b
			}
		})
	}
	if found == nil {
		t.Fatalf("there is no button %q", text)
	}
	if found.Disabled() {
		t.Fatalf("button %q is disabled", text)
	}
	test.Tap(found)
}

// dialogText is everything that labels and entries of the dialog say.
func (o *opened) dialogText() string {
	top := o.Window.Window().Canvas().Overlays().Top()
	var b strings.Builder
	stage.Walk(top, func(object fyne.CanvasObject) {
		switch w := object.(type) {
		case *widget.Label:
			b.WriteString(w.Text + "\n")
		case *canvas.Text: // of a table
			b.WriteString(w.Text + "\n")
		}
	})
	for _, e := range stage.Entries(top) {
		b.WriteString(e.Text + "\n")
	}
	return b.String()
}

func (o *opened) dialogSays(text string) func() bool {
	return func() bool { return strings.Contains(o.dialogText(), text) }
}

func TestShortcutsGoEverywhere(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 2, nil)
	keys := [places]fyne.KeyName{
		fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8, fyne.Key9,
		fyne.Key0, fyne.KeyJ,
	}
	for _, p := range []Place{
		Runs, Background, DScore, Ranking, Invariance, Assessors, Features, Agreement, Label,
		Inspect, Models,
	} {
		o.shortcut(t, keys[p])
		if o.Place() != p || !o.rail.items[p].current {
			t.Errorf("the shortcut of %s leads to %s", p, o.Place())
		}
	}
	test.Tap(o.rail.items[Agreement])
	if o.Place() != Agreement {
		t.Error("the rail does not lead on")
	}
	o.Inspect(o.workspace.Imported[0].Hash)
	if o.Place() != Inspect {
		t.Error("inspecting a model shows another screen")
	}
}

// shortcut does what Ctrl and this key do. The menu holds the shortcuts; the test driver has no
// keyboard for them.
func (o *opened) shortcut(t *testing.T, key fyne.KeyName) {
	t.Helper()
	for _, menu := range o.Window.Window().MainMenu().Items {
		for _, item := range menu.Items {
			if s, _ := shortcutOf(item); s != nil && s.KeyName == key && s.Modifier == fyne.KeyModifierShortcutDefault {
				item.Action()
				return
			}
		}
	}
	t.Fatalf("no menu has the shortcut %s", key)
}

func TestImportAndExportHaveShortcuts(t *testing.T) {
	if testing.Short() {
		return // keys are the main goroutine's alone
	}
	o := open(t, 1, nil)
	o.shortcut(t, fyne.KeyI)
	o.stage.Until("import opens", o.dialogSays("Or drop files"))
	o.shortcut(t, fyne.KeyE) // not behind a dialog
	o.settle()
	if n := len(o.Window.Window().Canvas().Overlays().List()); n != 1 {
		t.Errorf("%d dialogs", n)
	}
	o.press(t, "Cancel")
	o.shortcut(t, fyne.KeyE)
	o.stage.Until("export opens", o.dialogSays("sample-export"))
}

func TestEveryScreenFitsTheSmallestWindow(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 3, nil)
	for p := range places {
		o.Go(p)
		o.settle()
		// The menu takes 32.
		if size := o.Window.Window().Content().MinSize(); size.Width > smallestWidth ||
			size.Height > smallestHeight-32 {
			t.Errorf("%s needs %v", p, size)
		}
	}
}

func TestDropOpensTheImportAndImports(t *testing.T) {
	o := open(t, 2, func(d *Deps) {
		d.Read = sample.Reader(func(path string) (model.Graph, error) {
			if strings.Contains(path, "bad") {
				return model.Graph{}, errors.New("bad.onnx: not an ONNX model")
			}
			return model.Graph{
				Opset: 13, Input: model.Input{Name: "in", Layout: model.NCHW, Channels: 1, Height: 6, Width: 6},
				Outputs: []model.Output{{Name: "out", Classes: 3}}, Convs: []string{"c1", "c2"},
				Tensors: []string{"c1", "c2", "out"},
			}, nil
		})
	})
	folder := t.TempDir()
	var uris []fyne.URI
	for _, name := range []string{"good.onnx", "bad.onnx"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		uris = append(uris, storage.NewFileURI(path))
	}
	uris = append(uris, storage.NewFileURI(o.workspace.Shapes.Root))
	o.dropped(fyne.NewPos(300, 300), uris[:2])
	o.stage.Until("the paths are recognised", o.dialogSays("good.onnx"))
	o.dropped(fyne.NewPos(300, 300), uris) // into the dialog, what is there once
	o.stage.Until("all paths are recognised", o.dialogSays("a folder per class"))
	dialogs := o.Window.Window().Canvas().Overlays()
	if n, paths := len(dialogs.List()), stage.Entries(dialogs.Top())[0].Text; n != 1 ||
		strings.Count(paths, "good.onnx") != 1 {
		t.Fatalf("%d dialogs, paths:\n%s", n, paths)
	}
	o.press(t, "Import")
	o.stage.Until("the report", o.dialogSays("Not imported"))
	o.dropped(fyne.NewPos(300, 300), uris) // the report has no use for it
	for _, want := range []string{
		"1 model added; 2 not imported", "Model good: added", "Not imported (2)",
		"not an ONNX model", "zz.png",
	} {
		if !strings.Contains(o.dialogText(), want) {
			t.Errorf("the report does not say %q:\n%s", want, o.dialogText())
		}
	}
	o.press(t, "Close")
	o.stage.Until("the list follows", func() bool { return o.models != nil && len(o.list(t)) == 3 })
}

func (o *opened) list(t *testing.T) []model.Model {
	t.Helper()
	models, err := o.workspace.Models()
	if err != nil {
		t.Fatal(err)
	}
	return models
}

func TestRunFromDialogToReady(t *testing.T) {
	o := open(t, 3, nil)
	o.run([]string{o.workspace.Imported[2].Hash})
	o.stage.Until("the dialog", o.dialogSays("31 values"))
	o.press(t, "Start")
	o.stage.Until("the run is shown", func() bool { return o.Place() == Runs })
	o.stage.Until("the run ends", func() bool {
		s := o.engine.Snapshot()
		return len(s) == 1 && s[0].Phase == engine.Done
	})
	o.Go(Models)
	current, err := o.workspace.Current()
	if err != nil {
		t.Fatal(err)
	}
	state, err := o.workspace.State(o.workspace.Imported[2], current.Suite, current.Family)
	if err != nil || state != store.Ready {
		t.Errorf("the model is %s, %v", state, err)
	}
}

func TestFamilyMenuChangesTheWorkspace(t *testing.T) {
	o := open(t, 2, nil)
	var brightness string
	for _, text := range o.toolbar.family.Options {
		if strings.HasPrefix(text, "brightness") {
			brightness = text
		}
	}
	o.toolbar.family.SetSelected(brightness)
	o.stage.Until("the workspace follows", func() bool {
		current, err := o.workspace.Current()
		return err == nil && strings.HasPrefix(current.Family, "brightness")
	})
	o.settle()
	if o.toolbar.family.Selected != brightness {
		t.Errorf("the menu shows %q", o.toolbar.family.Selected)
	}
}

func TestExportWritesTheSet(t *testing.T) {
	o := open(t, 2, nil)
	o.workspace.NewRound(t, nil)
	o.export()
	o.stage.Until("the dialog", o.dialogSays("sample-export"))
	o.press(t, "Export")
	o.stage.Until("the result", o.dialogSays("README.md"))
	folder := filepath.Join(filepath.Dir(o.workspace.Path()), "sample-export")
	if _, err := os.Stat(filepath.Join(folder, "labels_long.csv")); err != nil {
		t.Error(err)
	}
	o.press(t, "Copy path")
	if got := o.stage.App().Clipboard().Content(); got != folder {
		t.Errorf("on the clipboard: %q, want %q", got, folder)
	}
}

func TestNewRoundIsCreated(t *testing.T) {
	o := open(t, 3, nil)
	o.newRound()
	o.stage.Until("the dialog", func() bool { return o.Window.Window().Canvas().Overlays().Top() != nil })
	if o.dialogSays("A round needs a name.")() {
		t.Error("a name is missing before anything was typed")
	}
	o.press(t, "Create")
	o.stage.Until("what is missing", o.dialogSays("A round needs a name."))
	entries := stage.Entries(o.Window.Window().Canvas().Overlays().Top())
	entries[0].SetText("first")
	entries[1].SetText("r1, r2")
	o.press(t, "Create")
	o.stage.Until("the round", func() bool {
		rounds, err := o.workspace.Rounds()
		return err == nil && len(rounds) == 1 && len(rounds[0].Annotators) == 2 && len(rounds[0].Models) == 2 &&
			len(rounds[0].Ranges) > 0
	})
}

func TestErrorsAreShownOnceAndWait(t *testing.T) {
	o := open(t, 1, nil)
	o.ShowError(errors.New("disk full"))
	o.ShowError(errors.New("disk full"))
	o.ShowError(errors.New("no such suite"))
	if o.banner.text.Text != "Disk full." || o.banner.next.Text != "Dismiss (1 more)" {
		t.Errorf("%q %q", o.banner.text.Text, o.banner.next.Text)
	}
	test.Tap(o.banner.next)
	if o.banner.text.Text != "No such suite." {
		t.Error(o.banner.text.Text)
	}
	test.Tap(o.banner.next)
	if o.banner.object.Visible() {
		t.Error("an empty banner is shown")
	}
}

func TestWithoutRuntimeTheWindowSaysHowToGetIt(t *testing.T) {
	o := open(t, 2, func(d *Deps) {
		d.Runtime, d.RuntimeProblem = nil, "ONNX Runtime is missing; get it with make run."
	})
	if !o.banner.object.Visible() || o.banner.text.Text != "ONNX Runtime is missing; get it with make run." {
		t.Errorf("%q", o.banner.text.Text)
	}
	o.newRun()
	o.settle()
	if o.Window.Window().Canvas().Overlays().Top() != nil || len(o.banner.notices.list) != 1 {
		t.Error("the run dialog opens, or the same message came twice")
	}
	o.Go(Inspect) // browsing works
	o.settle()
}

func TestClosingWithARunAsksCancelsAndWaits(t *testing.T) {
	gate := make(chan struct{})
	runtime := &lineRuntime{gate: gate}
	o := open(t, 3, func(d *Deps) {
		d.Engine = engine.New(engine.InProcess{Library: runtime}, d.Workspace, engine.Limits{Workers: 1, Batch: 16})
		d.Runtime = engine.InProcess{Library: runtime}
	})
	busy := o.Window.deps.Engine
	defer func() {
		if err := busy.Close(); err != nil {
			t.Error(err)
		}
	}()
	o.runner().Start(o.host(), job.Request{Suite: o.workspace.Shapes.Hash, Family: "shear:-10:10:1"})
	o.stage.Until("it runs", func() bool { s := busy.Snapshot(); return len(s) == 1 && s[0].Phase == engine.Running })
	o.Close()
	o.stage.Until("the question", o.dialogSays("A run is not finished."))
	o.press(t, "Stay")
	if o.closing {
		t.Fatal("it closes all the same")
	}
	o.Close()
	o.press(t, "Stop and close")
	started := time.Now()
	o.stage.Until("the window closes", func() bool { return o.closed })
	if took := time.Since(started); took > 4*time.Second {
		t.Errorf("closing took %v", took)
	}
	if s := busy.Snapshot(); s[0].Phase != engine.Cancelled {
		t.Errorf("the run is %s", s[0].Phase)
	}
}

func TestWindowRemembers(t *testing.T) {
	var preferences fyne.Preferences
	o := open(t, 1, func(d *Deps) { preferences = d.App.Preferences() })
	if got := LastWorkspace(preferences); got != o.workspace.Path() {
		t.Errorf("last workspace %q", got)
	}
	o.Window.Window().Resize(fyne.NewSize(1111, 777))
	o.SetLook(LookDark)
	o.toggleLook()
	if o.theme.Look() != LookLight || preferences.String(keyLook) != string(LookLight) {
		t.Error("dark does not toggle to light")
	}
	o.Close()
	o.stage.Until("the window closes", func() bool { return o.closed })
	if got := rememberedSize(preferences); got != fyne.NewSize(1111, 777) {
		t.Errorf("remembered %v", got)
	}
	rememberSize(preferences, fyne.NewSize(10, 10))
	if got := rememberedSize(preferences); got.Width != 1111 {
		t.Error("an iconified window's size is remembered")
	}
}

func TestFirstFrameIsLoggedOnceItIsDrawn(t *testing.T) {
	drawn := 0
	object := firstFrame(func() { drawn++ })
	s := stage.New(t)
	w := s.Window(object, fyne.NewSize(50, 50))
	if drawn != 0 {
		t.Error("it counts before it is drawn")
	}
	w.Canvas().Capture()
	w.Canvas().Capture()
	if drawn != 1 {
		t.Errorf("drawn %d times", drawn)
	}
}

func TestStartupRunsAsAJob(t *testing.T) {
	release := make(chan struct{})
	o := open(t, 1, func(d *Deps) {
		d.StartupTitle = "Demo"
		d.Startup = startup(release)
	})
	o.stage.Until("the job is shown", func() bool {
		return o.status.right.Visible() && strings.HasPrefix(o.status.job.Text, "Demo: 1 of 4")
	})
	close(release)
	o.stage.Until("the job is done", func() bool { return !o.status.right.Visible() })
}
