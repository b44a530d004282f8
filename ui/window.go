// Package ui is the window: navigation, toolbar, theme, dialogs, drop, notices and the status line
// around the screens. It knows engine and store; nothing knows it but app. Everything here runs on
// Fyne's main goroutine unless it says otherwise, and nothing slow does.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	agreements "github.com/variscope/variscope/ui/screen/agreement"
	"github.com/variscope/variscope/ui/screen/assessors"
	"github.com/variscope/variscope/ui/screen/inspect"
	"github.com/variscope/variscope/ui/screen/inspect/compare"
	"github.com/variscope/variscope/ui/screen/inspect/preview"
	labelling "github.com/variscope/variscope/ui/screen/label"
	"github.com/variscope/variscope/ui/screen/models"
	"github.com/variscope/variscope/ui/screen/ranking"
	"github.com/variscope/variscope/ui/screen/runs"
	"github.com/variscope/variscope/ui/screen/scenes"
	"github.com/variscope/variscope/ui/tour"
	parts "github.com/variscope/variscope/ui/widget"
)

// Deps is what the window is made from.
type Deps struct {
	App fyne.App
	// Preferences remember size, look and workspace; nil takes the App's.
	Preferences Preferences
	// Workspace is the open workspace. The caller closes it after Closed was called.
	Workspace *store.Workspace
	// Engine runs the jobs and records into Workspace. The caller closes it after Closed was
	// called.
	Engine *engine.Engine
	// Machines lets other machines take part in the runs; nil where none can. The caller closes it
	// after Closed was called, should it not be closed.
	Machines Machines
	// Runtime is nil when ONNX Runtime is missing; RuntimeProblem is then the message that says how
	// to get it.
	Runtime        engine.Runtime
	RuntimeProblem string
	// Read reads a model file for an import (engine/onnx.Read).
	Read intake.Reader
	// Layers reads a model file's layers in order (engine/onnx.Layers).
	Layers func(path string) ([]model.Layer, error)
	// Maps reads what masks do to a model file (engine/onnx.Maps); nil where nobody can say.
	Maps diagnosis.MapReader
	// Version of the program, for what is exported.
	Version string
	// Build names the sources that the program was built from, for people.
	Build string
	// Log may be nil.
	Log *slog.Logger
	// Window is Fyne's window that another workspace has left, which is taken for this one; nil for
	// a new one.
	Window fyne.Window
	// OpenWorkspace and CreateWorkspace open another workspace, or return why they cannot. They are
	// called off the main goroutine; when they succeed this window gives way, and Closed shows the
	// other workspace in its place. Nil hides the menu entries.
	OpenWorkspace   func(path string) error
	CreateWorkspace func(path string) error
	// RestoreWorkspace puts the newest backup in the place of a damaged workspace's database and
	// opens it, as OpenWorkspace.
	RestoreWorkspace func(path string) error
	// Reopen has this window give way, does work while nobody has the workspace open, with its
	// title and progress in the window, and shows what comes of it there. Nil hides what needs it:
	// moving, restoring.
	Reopen func(title string, work ClosedWork)
	// Study carries studies out on Workspace; without it the menu has no entry.
	Study dialogs.Study
	// LogTail is the end of the log file; nil where there is none.
	LogTail func(lines int) []string
	// Startup is a job that starts when the window is shown (the demo's import and first runs); nil
	// for none.
	Startup      func(ctx context.Context, p engine.Progress) error
	StartupTitle string // its name for people
	// Demo says that the workspace is the demo's own.
	Demo bool
	// Tour says that the window is one to be led through, where nobody was before.
	Tour bool
	// WatchKeys has the driver offer every key that goes down in a window to take before any widget
	// gets it, until stop is called; take returns whether it has used the key up. Nil where there
	// is no such driver.
	WatchKeys func(window fyne.Window, take func(fyne.KeyName) bool) (stop func())
	// WatchPointer has the driver call take whenever the pointer moves or scrolls over a window,
	// until stop is called. Nil where there is no such driver.
	WatchPointer func(window fyne.Window, take func()) (stop func())
	// Closed is called on the main goroutine when the window is gone, or has given way, and no
	// goroutine of it is left; may be nil. It gets Fyne's window where that is still there, empty.
	Closed func(left fyne.Window)
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
	deps      Deps
	window    fyne.Window
	work      *jobs.Group
	history   *history.Stack
	keys      *keymap.Book
	screens   [places]screen
	models    *models.Screen
	inspect   *inspect.Screen
	compare   *compare.Pane
	preview   *preview.Pane
	ranking   *ranking.Screen
	runs      *runs.Screen
	assessors *assessors.Screen
	label     *labelling.Screen
	agreement *agreements.Screen
	scenes    *scenes.Screen
	place     Place
	theme     *Theme

	menu               *fyne.MainMenu
	undoItem, redoItem *fyne.MenuItem

	rail    *rail
	toolbar *toolbar
	banner  *banner
	status  *statusLine
	frame   *fyne.Container
	stack   *fyne.Container
	rooms   [places]*parts.Page       // around the screens
	bars    [places]fyne.CanvasObject // what screens show in the toolbar's place, nil for nothing
	silence []func()
	behind  atomic.Bool // a snapshot of the engine waits to be shown
	started kit.Runs    // what the screens know of the engine's runs
	walk    *tour.Tour  // nil unless it lies over the window
	closing bool
	// givesWay tells that Fyne's window stays for another workspace.
	givesWay bool
	// deaf has the driver tell this window nothing more.
	deaf      func()
	gone      atomic.Bool // the loop has ended: nothing is posted any more
	asking    bool        // whether to close
	focusMode bool        // nothing but the screen is shown
	away      bool        // another program has the keyboard
	// phases are those of the engine's runs when they were shown last.
	phases map[string]engine.Phase
}

// New makes the window; Show puts it on the screen.
func New(d Deps) *Window {
	if d.Log == nil {
		d.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if d.Preferences == nil {
		d.Preferences = d.App.Preferences()
	}
	w := &Window{deps: d, stack: container.NewStack(), deaf: func() {}}
	w.work = jobs.New(w.queue().Do)
	w.work.OnCancelled(w.cancelled)
	keys, keysErr := keymap.Open(d.Preferences)
	w.keys = keys
	w.history = history.New(w.work, w.Say, w.ShowError)
	w.takeTheme()
	title := fmt.Sprintf("Variscope — %s", d.Workspace.Name())
	if d.Workspace.MayChange() != nil {
		title += " (read-only)"
	}
	if w.window = d.Window; w.window == nil {
		w.window = d.App.NewWindow(title)
		w.window.SetPadded(false)
		w.window.Resize(rememberedSize(d.Preferences))
	}
	w.window.SetTitle(title)
	if d.Engine != nil {
		w.started.Snapshot = d.Engine.Snapshot
	}
	w.makeScreens()
	w.window.SetContent(w.build())
	w.window.SetOnDropped(w.dropped)
	w.window.SetCloseIntercept(w.Close)
	w.addKeys()
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
	w.work.Quiet("follow other machines", w.watchMachines, nil)
	life := w.deps.App.Lifecycle()
	life.SetOnExitedForeground(func() { w.away = true })
	life.SetOnEnteredForeground(func() { w.away = false })
	d.Preferences.SetString(keyWorkspace, d.Workspace.Path())
	remember(d.Preferences, d.Workspace.Path())
	if d.Runtime == nil {
		w.banner.add(notice{text: d.RuntimeProblem})
	}
	w.keepWhole()
	w.ShowError(keysErr)
	w.toolbar.refresh()
	w.show(rememberedPlace(d.Preferences, d.Workspace.Path()))
	return w
}

// queue runs functions on the main goroutine and has the screens drawn again after them. Fyne
// forgets to do that when one shows a widget that was never drawn before: such a widget does not
// know its canvas yet.
func (w *Window) queue() *jobs.Queue {
	unlessGone := func(f func()) {
		if !w.gone.Load() {
			f()
		}
	}
	return jobs.NewQueue(func(f func()) {
		unlessGone(func() { fyne.Do(func() { unlessGone(f) }) })
	}, func() { canvas.Refresh(w.stack) })
}

func (w *Window) build() fyne.CanvasObject {
	w.rail = newRail(w.Go)
	w.toolbar = newToolbar(w)
	w.banner = newBanner(w.toClipboard, w.focusScreen)
	w.status = newStatusLine()
	for p, s := range w.screens {
		w.rooms[p] = parts.NewPage(roomFor(s.Object()))
		w.rooms[p].Hide()
		w.stack.Add(w.rooms[p])
	}
	w.frame = container.New(frame{}, w.toolbar.object, w.status.object, w.rail.object, w.stack, w.banner.object)
	w.banner.changed = w.layOut
	drawn := firstFrame(func() {
		// The frame is shown after this call; the main goroutine comes back to its queue after
		// that.
		w.work.Quiet("first frame", func(context.Context) error { return nil },
			func(error) { w.deps.Log.Info("first frame") })
	})
	return container.NewStack(w.frame, container.New(corner{}, drawn))
}

// layOut gives every part of the window its place after one has become higher or lower; Fyne does
// not look by itself. The height of a text follows its width, hence twice.
func (w *Window) layOut() {
	for range 2 {
		w.frame.Layout.Layout(w.frame.Objects, w.frame.Size())
	}
	canvas.Refresh(w.frame)
	if w.walk != nil {
		w.walk.Refresh()
	}
}

// Window is Fyne's window.
func (w *Window) Window() fyne.Window { return w.window }

// Show puts the window on the screen and starts what belongs to the start.
func (w *Window) Show() {
	w.window.Show()
	if w.deps.WatchKeys != nil && w.deps.WatchPointer != nil {
		keys, pointer := w.deps.WatchKeys(w.window, w.TakeKey), w.deps.WatchPointer(w.window, w.label.Active)
		w.deaf = func() { keys(); pointer() }
	}
	if w.deps.Workspace.MayChange() == nil {
		w.work.Quiet("back up", func(ctx context.Context) error {
			_, err := w.deps.Workspace.BackupNowAndThen(ctx)
			return err
		}, w.ShowError)
		w.restoreMachines()
		if w.deps.Startup == nil { // which goes on with its own runs
			w.offerResume()
		}
	}
	if start := w.deps.Startup; start != nil {
		w.deps.Startup = nil
		w.work.Start(w.deps.StartupTitle, func(ctx context.Context, p *jobs.Progress) error {
			return start(ctx, jobs.Stages{Progress: p})
		}, w.ShowError)
	}
	w.offerTour()
}

// Go shows a place.
func (w *Window) Go(place Place) {
	if place != w.place {
		w.screens[w.place].Hidden()
		w.rooms[w.place].Hide()
		if c := w.window.Canvas(); c.Overlays().Top() == nil {
			c.Unfocus() // so that the screen which comes takes the keyboard, if only once it has read
		}
		w.show(place)
	}
}

func (w *Window) show(place Place) {
	w.place = place
	w.rail.show(place)
	w.toolbar.show(place, w.bars[place])
	w.layOut()
	w.showHistory()
	w.rooms[place].Show()
	w.screens[place].Shown()
}

// Place is the place shown.
func (w *Window) Place() Place { return w.place }

// Inspect shows a model on the inspect screen.
func (w *Window) Inspect(modelHash string) {
	w.inspect.Open(modelHash)
	w.Go(Inspect)
}

// assign opens the inspect screen on a model, with its settings in front.
func (w *Window) assign(modelHash string) {
	w.Inspect(modelHash)
	w.inspect.ShowSettings()
}

// Say puts a message on the status line.
func (w *Window) Say(text string) { w.status.say(text) }

// hint shows text over the message of the status line until it is called with "".
func (w *Window) hint(text string) { w.status.message.Hint(text) }

// ShowError shows an error over the screens until it is dismissed, each once, and logs it. A
// cancel is no error.
func (w *Window) ShowError(err error) {
	text, ok := worthShowing(err)
	if !ok {
		return
	}
	n := notice{text: text, details: present.Chain(err), isError: true}
	var damaged *backup.RestorableError
	added := false
	if errors.As(err, &damaged) {
		added = w.offerRestore(damaged, n)
	} else {
		added = w.banner.add(n)
	}
	if added {
		w.deps.Log.Error(text, "details", n.details)
	}
}

// focusScreen gives the keyboard to the screen shown after a click outside of it. What is there
// for clicks keeps it in no case.
func (w *Window) focusScreen() {
	if surface := surfaceIn(w.screens[w.place].Object()); surface != nil {
		surface.TakeIn(w.window.Canvas())
		return
	}
	if own, ok := w.screens[w.place].(interface{ Focus() }); ok {
		own.Focus()
		if !forClicks(w.window.Canvas().Focused()) {
			return
		}
	}
	w.window.Canvas().Unfocus()
}

// surfaceIn is the visible key surface in an object, nil where there is none.
func surfaceIn(o fyne.CanvasObject) *parts.Surface {
	switch o := o.(type) {
	case *parts.Surface:
		return o
	case *fyne.Container:
		for _, child := range o.Objects {
			if surface := surfaceIn(child); child.Visible() && surface != nil {
				return surface
			}
		}
	}
	return nil
}

// fromBar is an action of a button above the screens: the keyboard goes back to the screen first,
// so that a dialog returns it there.
func (w *Window) fromBar(do func()) func() {
	return func() {
		w.focusScreen()
		do()
	}
}

// Import opens the import dialog with these paths, which may be none.
func (w *Window) Import(paths []string) {
	if !w.mayChange() {
		return
	}
	dialogs.ImportDialog(w.host(), dialogs.Importer{
		Workspace: w.deps.Workspace, Runtime: w.deps.Runtime, Read: w.deps.Read, Open: w.openPath, Did: w.history.Did,
	}, paths)
}

// dropped imports what was dropped on the window, or hands it to the dialog that lies over it.
func (w *Window) dropped(_ fyne.Position, uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	over := w.window.Canvas().Overlays().Top()
	if len(paths) == 0 || w.closing {
		return
	}
	if over == nil {
		switch packages, labels, rest := dialogs.SplitDesk(paths); {
		case len(packages) > 0:
			w.openPackages(packages)
		case len(labels) > 0:
			w.mergeLabels(labels)
		default:
			w.Import(rest)
		}
	} else if sheet, ok := leaverIn(contentOf(over)).(interface{ Drop(paths []string) }); ok {
		sheet.Drop(paths)
	}
}

func worthShowing(err error) (text string, ok bool) {
	if err == nil || present.Cancelled(err) {
		return "", false
	}
	return present.Sentence(err), true
}
