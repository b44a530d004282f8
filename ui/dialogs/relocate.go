package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// place is where a workspace shall lie.
type place struct {
	Name   string `required:"" help:"Name of the workspace, without its ending."`
	Folder string `required:"" help:"Folder that holds the workspace's own folder, NAME.variscope." placeholder:"DIR" type:"path"`
}

// Check implements the check of options.
func (p *place) Check() error {
	_, err := store.CheckName(p.Name)
	return err
}

// path is the workspace NAME.variscope in the folder.
func (p place) path() (string, error) {
	name, err := store.CheckName(p.Name)
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(p.Folder)
	return filepath.Join(path, name+".variscope"), err
}

// CopyDialog asks where to save a copy of the workspace and saves it, with progress.
func CopyDialog(host *kit.Host, ws *store.Workspace) {
	askPlace(host, ws, ws.Name()+"-copy", &kit.Ask[place]{
		Title: "Save a copy", Button: "Save", Stopped: "The copy was cancelled; nothing is left of it.",
		Above: own.Wrapped("Everything is copied: models, signals, suites inside, rounds and labels. The copy is a " +
			"desk of its own, so that labels made in both can be merged later."),
		Run: func(ctx context.Context, at place, p *jobs.Progress) (kit.Done, error) {
			to, err := at.path()
			if err == nil {
				to, err = ws.SaveCopy(ctx, to, p)
			}
			return kit.Done{Said: fmt.Sprintf("Saved as %v.", to)}, err
		},
	})
}

// MoveDialog asks for another folder or name and hands the new path to move, which closes the
// workspace.
func MoveDialog(host *kit.Host, ws *store.Workspace, move func(path string)) {
	askPlace(host, ws, ws.Name(), &kit.Ask[place]{
		Title: "Move or rename", Button: "Move",
		Above: own.Wrapped("The workspace closes, its folder moves, and it opens again in this window. On another " +
			"disk everything is copied first and the old folder goes last."),
		Says: func(p place) (string, error) {
			if path, err := p.path(); err != nil || path != ws.Path() {
				return "", err
			}
			return "", errors.New("this is where it lies now: choose another folder or name")
		},
		Do: func(d *kit.Dialog, p place) {
			path, err := p.path()
			switch {
			case err != nil:
				host.Fail(err)
			case path != ws.Path():
				d.Close()
				move(path)
			}
		},
	})
}

// askPlace asks for a name and a folder, first those beside the workspace.
func askPlace(host *kit.Host, ws *store.Workspace, name string, ask *kit.Ask[place]) {
	ask.Size, ask.Form = fyne.NewSize(620, 280), &kit.Form[place]{Host: host}
	ask.Start = func(f *kit.Form[place]) {
		put(f, "name", name)
		put(f, "folder", filepath.Dir(ws.Path()))
	}
	ask.Open()
}

// LocateDialog asks where the images of a suite are now and notes it in the workspace, if they are
// the same images. Report gets the change and may be nil. For a suite that is made from another one
// it is that one's images that are looked for.
func LocateDialog(host *kit.Host, ws *store.Workspace, suiteHash string, report func(history.Step)) {
	m, err := ws.Suite(suiteHash)
	if err == nil && m.Derived != nil {
		m, err = ws.Suite(m.Derived.Of)
	}
	if err != nil {
		host.Fail(err)
		return
	}
	ask := &kit.Ask[foundAt]{
		Title: "Locate images", Button: "Locate", Size: fyne.NewSize(600, 240), Form: &kit.Form[foundAt]{Host: host},
		Above: own.Wrapped(fmt.Sprintf("The images of suite %s were in %s. Choose the folder that they are in now; "+
			"they are compared with those of the import.", m.Name, m.Root)),
		Job:     fmt.Sprintf("locate the images of suite %s", m.Name),
		Stopped: "it was stopped; nothing was changed",
		Run: func(ctx context.Context, now foundAt, _ *jobs.Progress) (kit.Done, error) {
			to := func(folder string) func(context.Context) error {
				return func(ctx context.Context) error { return ws.RelocateSuite(ctx, m.Hash, folder) }
			}
			step := history.Step{Title: "place of suite " + m.Name, Undo: to(m.Root), Redo: to(now.Folder)}
			return kit.Done{
				Said: fmt.Sprintf("the images of suite %s are found", m.Name), Then: func() { did(report, step) },
			}, step.Redo(ctx)
		},
	}
	ask.Open()
}

// foundAt is where the images of a suite are now.
type foundAt struct {
	Folder string `required:"" help:"Folder that the images are in now." placeholder:"DIR" type:"path"`
}
