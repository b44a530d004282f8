package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

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

// appID names the application's preferences; FyneApp.toml has the same.
const appID = "io.github.variscope.variscope"

type windowCommand struct {
	Workspace string `arg:"" optional:"" help:"Workspace folder to open (default: the last one, at first the demo)."`
	Demo      bool   `help:"Open the demo workspace."`
}

// errNoDisplay is what the window says on a machine without a screen.
var errNoDisplay = errors.New("there is no display to open a window on; the commands work without one: see " +
	"variscope --help")

func (c *windowCommand) Run(s *session) error {
	if c.Workspace != "" && !exists(c.Workspace) && !isWorkspace(c.Workspace) {
		return usageError(fmt.Sprintf("%q is neither a command nor a workspace (NAME.variscope)", c.Workspace))
	}
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	if leaveConsole() {
		return nil
	}
	d := &desktop{session: s, app: fyneapp.NewWithID(appID)}
	withoutStopHook(d.app.Lifecycle())
	d.app.SetIcon(fyne.NewStaticResource("icon.png", assets.Icon))
	var err error
	if d.preferences, err = openPreferences(); err != nil {
		return err
	}
	suite.SetLimits(ui.DecodeLimits(d.preferences, s.common.Limits))
	s.common.Budget = ui.WorkerBudget(d.preferences, s.common.Budget)
	s.common.Pick = ui.DeviceOptions(d.preferences, s.common.Pick)
	if loaded, err := s.runtime(); err == nil {
		d.runtime = loaded
	} else {
		d.problem = present.Sentence(err)
	}
	if d.file, err = openLog(); err == nil {
		s.onClose(d.file.Close)
	} else { // the window opens all the same
		d.file = nil
		s.log(nil).Warn("there is no log file", "error", err)
	}
	path, demo, err := c.choose(d.preferences)
	if err != nil {
		return err
	}
	ws, err := d.openOrCreate(path)
	var damaged *backup.RestorableError
	if err != nil && (c.Workspace == "" || errors.As(err, &damaged)) && !demo {
		// The workspace may be gone, damaged or open elsewhere: the demo opens in its place and
		// says why.
		d.trouble = err
		if path, err = demoPath(); err == nil {
			demo = true
			ws, err = openOrCreate(path)
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
func (c *windowCommand) choose(p ui.Preferences) (path string, demo bool, err error) {
	demoAt, err := demoPath()
	switch {
	case c.Workspace != "":
		return c.Workspace, false, nil
	case err != nil:
		return "", false, err
	case c.Demo:
		return demoAt, true, nil
	}
	last := ui.LastWorkspace(p)
	if last == "" || !exists(last) {
		return demoAt, true, nil
	}
	return last, last == demoAt, nil
}

// desktop is the running application. One workspace after another is shown in one window; the next
// is opened before the last is closed.
type desktop struct {
	session     *session
	app         fyne.App
	preferences *preferences
	runtime     engine.Runtime // nil when missing
	problem     string         // why it is missing
	trouble     error          // why the workspace that was wanted could not be opened
	file        *logFile       // nil where there can be none
	open        []*desk        // touched on the main goroutine only
	err         error          // the first error of closing
}

// desk is one open workspace with its window.
type desk struct {
	window *ui.Window
	engine *engine.Engine
	others *machines.Switch // nil without ONNX Runtime
	ws     *store.Workspace
	next   func(left fyne.Window) // what follows its closing; may be nil. left is nil where the window is gone
	unhear func() bool            // ends listening for the end of the program
}

// close ends what belongs to a workspace whose window is gone, or left to the next one.
func (d *desktop) close(one *desk, left fyne.Window) {
	d.open = slices.DeleteFunc(d.open, func(o *desk) bool { return o == one })
	one.unhear()
	one.window.Abandon()
	err := one.engine.Close() // before the coordinator, so that what workers have stays in the queue
	if one.others != nil {
		one.others.Close()
	}
	if err = errors.Join(err, one.ws.Close()); err != nil && d.err == nil {
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
	if d.runtime == nil || one.ws.MayChange() != nil {
		return nil // nothing can be computed, or kept
	}
	one.others, err = machines.New(machines.Options{
		Folder: one.ws.QueueFolder(), Engine: one.engine, Self: thisMachine(d.runtime, "", 0),
		Log: d.session.log(d.file),
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
	limits := runLimits(ui.Workers(d.preferences), 0)
	limits.Device = d.session.common.Pick
	one := &desk{engine: engine.New(d.runtime, ws, limits), ws: ws}
	deps := ui.Deps{
		App: d.app, Preferences: d.preferences, Window: in, Workspace: ws, Engine: one.engine, Runtime: d.runtime,
		RuntimeProblem: d.problem,
		Read:           onnx.Read, Layers: onnx.Layers, Maps: readMaps, Version: Version, Build: thisBuild().String(),
		Log: d.session.log(d.file), LogTail: d.logTail,
		OpenWorkspace:    func(path string) error { return d.another(one, d.openToLook, path) },
		CreateWorkspace:  func(path string) error { return d.another(one, store.Create, path) },
		RestoreWorkspace: func(path string) error { return d.another(one, restoreAndOpen, path) },
		Reopen:           func(title string, work ui.ClosedWork) { d.reopen(one, title, work) },
		HearKeys: func(w fyne.Window, hear func(fyne.KeyName) bool) func() {
			return native(w, func(to events) func() { return hearKeys(to, hear) })
		},
		HearPointer: func(w fyne.Window, hear func()) func() {
			return native(w, func(to events) func() { return hearPointer(to, hear) })
		},
		Study: dialogs.Study{
			Look: func(ctx context.Context, o study.Options) (title string, lines []string, err error) {
				c, s := d.study(ctx, one, o)
				title, lines, err = c.look(s)
				return title, lines, errors.Join(err, s.close())
			},
			CarryOut: func(
				ctx context.Context, o study.Options, p engine.Progress,
			) (files int, failed []string, err error) {
				c, s := d.study(ctx, one, o)
				sheets, failed, err := c.carryOut(s, p)
				if err = errors.Join(err, s.close()); err != nil {
					return 0, nil, err
				}
				return sheets[len(sheets)-1].Len(), failed, nil
			},
		},
		Demo:   ofDemo,
		Closed: func(left fyne.Window) { d.close(one, left) },
	}
	if ofDemo {
		made := d.session.demo(ws, d.runtime)
		made.Say = func(text string) { fyne.Do(func() { one.window.Say(text) }) }
		deps.Startup, deps.StartupTitle = made.Start(one.engine), "Demo"
		deps.Tour = d.trouble == nil // who wanted another workspace has something else in mind
	}
	remembered := d.letOthers(one, &deps)
	one.window = ui.New(deps)
	one.unhear = context.AfterFunc(d.session.ctx, one.window.EndPosting)
	one.window.ShowError(remembered)
	d.open = append(d.open, one)
	if d.trouble != nil {
		one.window.ShowError(d.trouble)
		d.trouble = nil
	}
	one.window.Show()
}

// study is the command that carries a study out on the workspace of a window, with its session.
func (d *desktop) study(ctx context.Context, one *desk, o study.Options) (*studyCommand, *session) {
	return &studyCommand{Options: o, Workspace: one.ws.Path()},
		&session{
			ctx: ctx, stdout: io.Discard, stderr: io.Discard, common: d.session.common, loaded: d.session.loaded,
			held: one,
		}
}

// reopen closes a workspace, does what needs it closed, and shows the one that comes of it in the
// same window; the one that was open comes back when the work fails.
func (d *desktop) reopen(one *desk, title string, work ui.ClosedWork) {
	from := one.ws.Path()
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
		return store.Read(d.session.ctx, path)
	}
	return ws, err
}

// openOrCreate is openToLook, or makes the workspace where nothing is.
func (d *desktop) openOrCreate(path string) (*store.Workspace, error) {
	if absence(path) {
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
