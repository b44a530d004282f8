package app

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui"
	"github.com/variscope/variscope/ui/present"
)

// appID names the application's preferences; FyneApp.toml has the same.
const appID = "io.github.variscope.variscope"

type windowCommand struct {
	Workspace string `arg:"" optional:"" help:"Workspace folder to open (default: the last one, at first the demo)."`
	Demo      bool   `help:"Open the demo workspace."`
}

// errNoDisplay is what the window says on a machine without a screen.
var errNoDisplay = errors.New("there is no display to open a window on; the commands work without one: see variscope --help")

func (c *windowCommand) Run(s *session) error {
	if _, err := os.Stat(c.Workspace); c.Workspace != "" && err != nil && !isWorkspace(c.Workspace) {
		return usageError(fmt.Sprintf("%q is neither a command nor a workspace (NAME.variscope); see variscope --help", c.Workspace))
	}
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	d := &desktop{session: s, app: fyneapp.NewWithID(appID)}
	d.app.SetIcon(fyne.NewStaticResource("icon.png", assets.Icon))
	d.load()
	path, demo, err := c.choose(d.app.Preferences())
	if err != nil {
		return err
	}
	ws, err := s.openOrCreateUnowned(path)
	if err != nil && c.Workspace == "" && !demo {
		// The last workspace may be gone or open elsewhere: the demo opens in its place and says why.
		d.trouble = present.Sentence(err)
		if path, err = demoPath(); err == nil {
			demo = true
			ws, err = s.openOrCreateUnowned(path)
		}
	}
	if err != nil {
		return err
	}
	d.show(ws, demo)
	d.app.Run()
	d.windows.Wait()
	return d.err
}

// choose is the workspace to open: the argument, the demo, the last one, and the demo again where there is no last one.
func (c *windowCommand) choose(p fyne.Preferences) (path string, demo bool, err error) {
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
	if _, err := os.Stat(last); last == "" || err != nil {
		return demoAt, true, nil
	}
	return last, last == demoAt, nil
}

// desktop is the running application: one window per open workspace.
type desktop struct {
	session *session
	app     fyne.App
	runtime engine.Runtime // nil when missing
	problem string         // why it is missing
	trouble string         // why the last workspace could not be opened
	windows sync.WaitGroup // open windows
	err     error          // the first error of closing
}

// load finds ONNX Runtime; without it the window opens all the same.
func (d *desktop) load() {
	loaded, err := d.session.runtime()
	if err != nil {
		d.problem = present.Sentence(err)
		return
	}
	d.runtime = loaded
}

// show opens a window on a workspace that it owns from now on. It runs on the main goroutine.
func (d *desktop) show(ws *store.Workspace, demo bool) {
	eng := engine.New(d.runtime, ws, engine.Limits{})
	d.windows.Add(1)
	deps := ui.Deps{
		App: d.app, Workspace: ws, Engine: eng, Runtime: d.runtime, RuntimeProblem: d.problem, Inspect: onnx.Inspect, Log: d.session.log(),
		OpenWorkspace:   func(path string) error { return d.another(store.Open, path) },
		CreateWorkspace: func(path string) error { return d.another(store.Create, path) },
		Closed: func() {
			if err := errors.Join(eng.Close(), ws.Close()); err != nil && d.err == nil {
				d.err = err
			}
			d.windows.Done()
		},
	}
	if demo {
		deps.Startup, deps.StartupTitle = startDemo(ws, eng, d.runtime), "Demo"
	}
	w := ui.New(deps)
	if d.trouble != "" {
		w.ShowError(errors.New(d.trouble))
	}
	w.Show()
}

// another opens or creates a workspace in a window of its own; it is called off the main goroutine.
func (d *desktop) another(open func(string) (*store.Workspace, error), path string) error {
	ws, err := open(path)
	if err != nil {
		return err
	}
	fyne.Do(func() { d.show(ws, false) })
	return nil
}
