// Package ui is the window: navigation, toolbar, theme, dialogs, drop, notices and the status line around the screens.
// It knows engine and store; nothing knows it but app. Everything here runs on Fyne's main goroutine unless it says
// otherwise, and nothing slow does.
package ui

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
	agreements "github.com/variscope/variscope/ui/screen/agreement"
	"github.com/variscope/variscope/ui/screen/inspect"
	labelling "github.com/variscope/variscope/ui/screen/label"
	"github.com/variscope/variscope/ui/screen/models"
	"github.com/variscope/variscope/ui/screen/runs"
)

// Deps is what the window is made from.
type Deps struct {
	App fyne.App
	// Preferences remember size, look and workspace; nil takes the App's.
	Preferences Preferences
	// Workspace is the open workspace. The caller closes it after Closed was called.
	Workspace *store.Workspace
	// Engine runs the jobs and records into Workspace. The caller closes it after Closed was called.
	Engine *engine.Engine
	// Runtime is nil when ONNX Runtime is missing; RuntimeProblem is then the message that says how to get it.
	Runtime        engine.Runtime
	RuntimeProblem string
	// Inspect reads a model file's graph (engine/onnx.Inspect).
	Inspect func(path string) (model.Graph, error)
	// Version of the program, for what is exported.
	Version string
	// Log may be nil.
	Log *slog.Logger
	// OpenWorkspace and CreateWorkspace open another workspace in a window of its own, or return why they cannot. They
	// are called off the main goroutine; this window is closed when they succeed. Nil hides the menu entries.
	OpenWorkspace   func(path string) error
	CreateWorkspace func(path string) error
	// Startup is a job that starts when the window is shown (the demo's import and first runs); nil for none.
	Startup      func(ctx context.Context, p engine.Progress) error
	StartupTitle string // its name for people
	// Closed is called on the main goroutine when the window is gone and no goroutine of it is left; may be nil.
	Closed func()
}

// screen is what every screen offers the window.
type screen interface {
	Object() fyne.CanvasObject
	Refresh()
	Shown()
	Hidden()
	Close()
}

// Window is the application's window on one workspace.
type Window struct {
	deps    Deps
	window  fyne.Window
	work    *background.Group
	history *history.Stack
	screens [places]screen
	models  *models.Screen
	inspect *inspect.Screen
	runs    *runs.Screen
	place   Place
	theme   *Theme

	rail    *rail
	toolbar *toolbar
	banner  *banner
	status  *statusLine
	stack   *fyne.Container
	silence []func()
	behind  atomic.Bool // a snapshot of the engine waits to be shown
	closing bool
}

// New makes the window; Show puts it on the screen.
func New(d Deps) *Window {
	if d.Log == nil {
		d.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if d.Preferences == nil {
		d.Preferences = d.App.Preferences()
	}
	w := &Window{deps: d, stack: container.NewStack()}
	w.work = background.New(w.do)
	w.history = history.New(w.work, w.Say, w.ShowError)
	w.theme = NewTheme(Look(d.Preferences.StringWithFallback(keyLook, string(LookSystem))))
	d.App.Settings().SetTheme(w.theme)
	w.window = d.App.NewWindow("Variscope — " + d.Workspace.Name())
	w.window.SetPadded(false)
	w.makeScreens()
	w.window.SetContent(w.build())
	w.window.Resize(rememberedSize(d.Preferences))
	w.window.SetOnDropped(w.dropped)
	w.window.SetCloseIntercept(w.Close)
	w.addKeys()
	w.listen()
	d.Preferences.SetString(keyWorkspace, d.Workspace.Path())
	if d.Runtime == nil {
		w.banner.add(d.RuntimeProblem, false)
	}
	w.toolbar.refresh()
	w.show(Models)
	return w
}

// do runs f on the main goroutine and has the screens drawn again. Fyne forgets to do that when f shows a widget that was
// never drawn before: such a widget does not know its canvas yet.
func (w *Window) do(f func()) {
	fyne.Do(func() {
		f()
		canvas.Refresh(w.stack)
	})
}

func (w *Window) makeScreens() {
	ws := w.deps.Workspace
	w.models = models.New(models.Deps{
		Store: ws, Work: w.work, Open: w.Inspect, Import: func() { w.Import(nil) }, Run: w.run, ShowError: w.ShowError,
	})
	w.inspect = inspect.New(inspect.Deps{
		Store: ws, Work: w.work, Window: w.window, Run: w.run, Status: w.Say, ShowError: w.ShowError,
	})
	w.runs = runs.New(runs.Deps{
		Store: ws, Engine: w.deps.Engine, Work: w.work, New: w.newRun, ShowError: w.ShowError,
		Again: func(r store.RunRecord) { w.runner().Start(w.host(), job.Again(r)) },
	})
	w.screens = [places]screen{
		Models:  w.models,
		Inspect: w.inspect,
		Label: labelling.New(labelling.Deps{
			Store: ws, Work: w.work, Window: w.window, Inspect: w.Inspect, Status: w.Say, ShowError: w.ShowError,
			Invite: w.invite, Send: w.send,
		}),
		Agreement: agreements.New(agreements.Deps{
			Store: ws, Work: w.work, Window: w.window, Inspect: w.Inspect, Status: w.Say, ShowError: w.ShowError,
			Invite: w.invite, Send: w.send, Merge: func() { w.mergeLabels(nil) }, Did: w.history.Did,
		}),
		Runs: w.runs,
	}
}

func (w *Window) build() fyne.CanvasObject {
	w.rail = newRail(w.Go)
	w.toolbar = newToolbar(w)
	w.banner = newBanner()
	w.status = newStatusLine()
	for _, s := range w.screens {
		s.Object().Hide()
		w.stack.Add(s.Object())
	}
	top := container.NewVBox(w.toolbar.object, w.banner.object)
	frame := container.New(frame{}, top, w.status.object, w.rail.object, w.stack)
	drawn := firstFrame(func() {
		// The frame is shown after this call; the main goroutine comes back to its queue after that.
		w.work.Quiet("first frame", func(context.Context) error { return nil }, func(error) { w.deps.Log.Info("first frame") })
	})
	return container.NewStack(frame, container.New(corner{}, drawn))
}

// listen follows workspace, jobs and engine until the window closes.
func (w *Window) listen() {
	w.silence = append(w.silence, w.deps.Workspace.Subscribe(func(c store.Change) {
		w.deps.Log.Info("stored", "kind", c.Kind, "id", c.ID)
		switch c.Kind {
		case store.SuiteChanged, store.CurrentChanged, store.RunChanged, store.RoundChanged:
			w.work.Post(func() {
				if !w.closing {
					w.toolbar.refresh()
				}
			})
		}
	}), w.work.Subscribe(func() { w.status.refresh(w.work.Jobs()) }))
	w.work.Quiet("follow runs", w.watch, nil)
}

// Window is Fyne's window.
func (w *Window) Window() fyne.Window { return w.window }

// Show puts the window on the screen and starts what belongs to the start.
func (w *Window) Show() {
	w.window.Show()
	if start := w.deps.Startup; start != nil {
		w.deps.Startup = nil
		w.work.Start(w.deps.StartupTitle, func(ctx context.Context, p *background.Progress) error {
			return start(ctx, background.Stages{Progress: p})
		}, w.ShowError)
	}
}

// Abandon ends the goroutines of a window that is gone without having been closed, because the program was told to end.
func (w *Window) Abandon() {
	w.closing = true
	for _, silence := range w.silence {
		silence()
	}
	w.work.Stop()
	w.work.Wait()
}

// Go shows a place.
func (w *Window) Go(place Place) {
	if place != w.place {
		w.screens[w.place].Hidden()
		w.screens[w.place].Object().Hide()
		w.show(place)
	}
}

func (w *Window) show(place Place) {
	w.place = place
	w.rail.show(place)
	w.screens[place].Object().Show()
	w.screens[place].Shown()
}

// Place is the place shown.
func (w *Window) Place() Place { return w.place }

// Inspect shows a model on the inspect screen.
func (w *Window) Inspect(modelHash string) {
	w.inspect.Open(modelHash)
	w.Go(Inspect)
}

// Say puts a message on the status line.
func (w *Window) Say(text string) { w.status.say(text) }

// ShowError shows an error above the screens until it is dismissed, each once, and logs it. A cancel is no error.
func (w *Window) ShowError(err error) {
	if text, ok := worthShowing(err); ok && w.banner.add(text, true) {
		w.deps.Log.Error(text)
	}
}

func (w *Window) host() dialogs.Host {
	return dialogs.Host{Window: w.window, Work: w.work, Failed: w.ShowError, Say: w.Say}
}

func (w *Window) runner() dialogs.Runner {
	return dialogs.Runner{
		Workspace: w.deps.Workspace, Engine: w.deps.Engine, Runtime: w.deps.Runtime, Problem: w.deps.RuntimeProblem,
		Started: func(id string) {
			w.runs.Select(id)
			w.Go(Runs)
		},
	}
}

func (w *Window) newRun() { w.run(w.models.Chosen()) }

func (w *Window) run(chosen []string) { dialogs.RunDialog(w.host(), w.runner(), chosen) }

func (w *Window) newRound() {
	dialogs.RoundDialog(w.host(), w.deps.Workspace, w.models.Chosen(), func(label.Round) { w.screens[Label].Refresh() })
}

func (w *Window) export() { dialogs.ExportDialog(w.host(), w.deps.Workspace, w.deps.Version) }

// Import opens the import dialog with these paths, which may be none.
func (w *Window) Import(paths []string) {
	dialogs.ImportDialog(w.host(), dialogs.Importer{
		Workspace: w.deps.Workspace, Runtime: w.deps.Runtime, Inspect: w.deps.Inspect, Open: w.openPath,
	}, paths)
}

// dropped imports what was dropped on the window.
func (w *Window) dropped(_ fyne.Position, uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 && w.window.Canvas().Overlays().Top() == nil {
		w.bring(paths)
	}
}

func worthShowing(err error) (text string, ok bool) {
	if err == nil || present.Cancelled(err) {
		return "", false
	}
	return present.Sentence(err), true
}
