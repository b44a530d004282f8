package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"github.com/variscope/variscope/app/command"
	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	machines "github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/store/study"
	"github.com/variscope/variscope/ui"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/present"
)

// openWindow is the command.Window of this program.
func openWindow(s *command.Session, workspace string, demo bool) error {
	if leaveConsole() {
		return nil
	}
	d := &desktop{session: s, app: fyneapp.NewWithID(command.ID)}
	withoutStopHook(d.app.Lifecycle())
	d.app.SetIcon(fyne.NewStaticResource("icon.png", assets.Icon))
	var err error
	if d.preferences, err = openPreferences(); err != nil {
		return err
	}
	flags := s.Common()
	suite.SetLimits(ui.DecodeLimits(d.preferences, flags.Limits))
	flags.Budget = ui.WorkerBudget(d.preferences, flags.Budget)
	flags.Pick = ui.DeviceOptions(d.preferences, flags.Pick)
	if loaded, err := s.Runtime(); err == nil {
		d.runtime = loaded
	} else {
		d.problem = present.Sentence(err)
	}
	if d.file, err = openLog(); err == nil {
		s.OnClose(d.file.Close)
		d.log = s.Log(d.file)
	} else { // the window opens all the same
		d.file, d.log = nil, s.Log(nil)
		d.log.Warn("there is no log file", "error", err)
	}
	path, demo, err := choose(workspace, demo, d.preferences)
	if err != nil {
		return err
	}
	ws, err := d.openOrCreate(path)
	var damaged *backup.RestorableError
	if err != nil && (workspace == "" || errors.As(err, &damaged)) && !demo {
		// The workspace may be gone, damaged or open elsewhere: the demo opens in its place and
		// says why.
		d.trouble = err
		if path, err = command.DemoPath(); err == nil {
			demo = true
			ws, err = d.openOrCreate(path)
		}
	}
	if err != nil {
		return err
	}
	d.show(ws, demo, nil)
	d.app.Run()
	// Fyne ends at once when the program is told to; what is open then is closed here.
	for len(d.open) > 0 {
		d.close(d.open[0], nil)
	}
	return d.err
}

// choose is the workspace to open: the argument, the demo, the last one, and the demo again where
// there is no last one.
func choose(workspace string, demo bool, p ui.Preferences) (path string, ofDemo bool, err error) {
	demoAt, err := command.DemoPath()
	switch {
	case workspace != "":
		return workspace, false, nil
	case err != nil:
		return "", false, err
	case demo:
		return demoAt, true, nil
	}
	last := ui.LastWorkspace(p)
	if last == "" || command.Absent(last) {
		return demoAt, true, nil
	}
	return last, last == demoAt, nil
}

// desktop is the running application. One workspace after another is shown in one window; the next
// is opened before the last is closed.
type desktop struct {
	session     *command.Session
	app         fyne.App
	preferences *preferences
	runtime     engine.Runtime // nil when missing
	problem     string         // why it is missing
	trouble     error          // why the workspace that was wanted could not be opened
	file        *logFile       // nil where there can be none
	log         *slog.Logger   // to stderr and to file
	open        []*desk        // touched on the main goroutine only
	err         error          // the first error of closing
}

// desk is one open workspace with its window.
type desk struct {
	command.Held
	window   *ui.Window
	others   *machines.Switch       // nil without ONNX Runtime
	next     func(left fyne.Window) // what follows its closing; may be nil. left is nil where the window is gone
	unlisten func() bool            // ends listening for the end of the program
}

// close ends what belongs to a workspace whose window is gone, or left to the next one.
func (d *desktop) close(one *desk, left fyne.Window) {
	d.open = slices.DeleteFunc(d.open, func(o *desk) bool { return o == one })
	one.unlisten()
	one.window.Abandon()
	err := one.Engine.Close() // before the coordinator, so that what workers have stays in the queue
	if one.others != nil {
		one.others.Close()
	}
	if err = errors.Join(err, one.Workspace.Close()); err != nil && d.err == nil {
		d.err = err
	}
	if one.next != nil {
		one.next(left)
	}
}

// withoutStopHook takes away the hook that Fyne runs after its last window to save its own
// preferences, of which Variscope has none. Fyne closes the queue of that hook while it may still
// be sent to it: now and then the program panicked, now and then it never ended (v2.8.1, runGL).
func withoutStopHook(life fyne.Lifecycle) bool {
	hooked, ok := life.(interface{ SetOnStoppedHookExecuted(func()) })
	if ok {
		hooked.SetOnStoppedHookExecuted(nil)
	}
	return ok
}

// logTail is the end of the log file.
func (d *desktop) logTail(lines int) []string {
	if d.file == nil {
		return nil
	}
	return d.file.tail(lines)
}

// letOthers makes the switch that lets other machines in. The error says what is wrong with what
// was remembered of it.
func (d *desktop) letOthers(one *desk, deps *ui.Deps) (err error) {
	if d.runtime == nil || one.Workspace.MayChange() != nil {
		return nil // nothing can be computed, or kept
	}
	one.others, err = machines.New(machines.Options{
		Folder: one.Workspace.QueueFolder(), Engine: one.Engine, Self: command.ThisMachine(d.runtime, "", 0),
		Log: d.log,
	})
	deps.Machines = one.others
	return err
}

// readMaps reads what masks do to a model file.
func readMaps(
	path string, input model.Input, masks transform.Masks,
) (maps []model.FeatureMap, leftAlone []int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	return onnx.Maps(filepath.Base(path), data, input, masks)
}

// show shows a workspace that it owns from now on, in a window that was left, nil for a new one. It
// runs on the main goroutine.
func (d *desktop) show(ws *store.Workspace, ofDemo bool, in fyne.Window) {
	limits := command.RunLimits(ui.Workers(d.preferences), 0)
	limits.Device = d.session.Common().Pick
	one := &desk{Held: command.Held{Workspace: ws, Engine: engine.New(d.runtime, ws, limits)}}
	deps := ui.Deps{
		App: d.app, Preferences: d.preferences, Window: in, Workspace: ws, Engine: one.Engine, Runtime: d.runtime,
		RuntimeProblem: d.problem,
		Read:           onnx.Read, Layers: onnx.Layers, Maps: readMaps,
		Version: command.Version, Build: command.Build(),
		Log: d.log, LogTail: d.logTail,
		OpenWorkspace:    func(path string) error { return d.another(one, d.openToLook, path) },
		CreateWorkspace:  func(path string) error { return d.another(one, store.Create, path) },
		RestoreWorkspace: func(path string) error { return d.another(one, restoreAndOpen, path) },
		Reopen:           func(title string, work ui.ClosedWork) { d.reopen(one, title, work) },
		WatchKeys: func(w fyne.Window, notify func(fyne.KeyName) bool) func() {
			return native(w, func(to events) func() { return watchKeys(to, notify) })
		},
		WatchPointer: func(w fyne.Window, notify func()) func() {
			return native(w, func(to events) func() { return watchPointer(to, notify) })
		},
		Study: dialogs.Study{
			Look: func(ctx context.Context, o study.Options) (title string, lines []string, err error) {
				return d.session.LookAtStudy(ctx, one.Held, o)
			},
			CarryOut: func(
				ctx context.Context, o study.Options, p engine.Progress,
			) (files int, failed []string, err error) {
				return d.session.CarryOutStudy(ctx, one.Held, o, p)
			},
		},
		Demo:   ofDemo,
		Closed: func(left fyne.Window) { d.close(one, left) },
	}
	if ofDemo {
		made := d.session.Demo(ws, d.runtime)
		made.Say = func(text string) { fyne.Do(func() { one.window.Say(text) }) }
		deps.Startup, deps.StartupTitle = made.Start(one.Engine), "Demo"
		deps.Tour = d.trouble == nil // who wanted another workspace has something else in mind
	}
	remembered := d.letOthers(one, &deps)
	one.window = ui.New(deps)
	one.unlisten = context.AfterFunc(d.session.Context(), one.window.EndPosting)
	one.window.ShowError(remembered)
	d.open = append(d.open, one)
	if d.trouble != nil {
		one.window.ShowError(d.trouble)
		d.trouble = nil
	}
	one.window.Show()
}

// reopen closes a workspace, does what needs it closed, and shows the one that comes of it in the
// same window; the one that was open comes back when the work fails.
func (d *desktop) reopen(one *desk, title string, work ui.ClosedWork) {
	from := one.Workspace.Path()
	path := from
	one.next = func(left fyne.Window) {
		if left == nil {
			return // the program was ended
		}
		var ws *store.Workspace
		ui.Wait(left, title, func(ctx context.Context, p engine.Progress) error {
			to, err := work(ctx, p)
			if err == nil {
				path = to
			}
			opened, openErr := store.Open(path)
			ws = opened
			return errors.Join(err, openErr)
		}, func(err error) {
			if ws == nil {
				d.err = err
				d.app.Quit()
				return
			}
			if path != from {
				ui.Forget(d.preferences, from)
			}
			d.trouble = err
			d.show(ws, false, left)
		})
	}
	one.window.GiveWay()
}

// openToLook opens a workspace, to read it where it cannot be written.
func (d *desktop) openToLook(path string) (*store.Workspace, error) {
	ws, err := store.Open(path)
	if errors.Is(err, store.ErrReadOnly) {
		return store.Read(d.session.Context(), path)
	}
	return ws, err
}

// openOrCreate is openToLook, or makes the workspace where nothing is.
func (d *desktop) openOrCreate(path string) (*store.Workspace, error) {
	if command.Absent(path) {
		return store.Create(path)
	}
	return d.openToLook(path)
}

func restoreAndOpen(path string) (*store.Workspace, error) {
	if _, err := backup.Restore(context.Background(), path, ""); err != nil {
		return nil, err
	}
	return store.Open(path)
}

// another opens or creates a workspace that is shown when the window of one has given way; it is
// called off the main goroutine.
func (d *desktop) another(one *desk, open func(string) (*store.Workspace, error), path string) error {
	ws, err := open(path)
	if err != nil {
		return err
	}
	fyne.Do(func() {
		one.next = func(left fyne.Window) {
			if left == nil { // the window was closed meanwhile
				d.err = errors.Join(d.err, ws.Close())
				return
			}
			d.show(ws, false, left)
		}
	})
	return nil
}
