package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
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
	ask := askPlace(host, ws, ws.Name()+"-copy",
		"Everything is copied: models, signals, suites inside, rounds and labels. The copy is a desk of its own, so "+
			"that labels made in both can be merged later.")
	ask.Title, ask.Button = "Save a copy", "Save"
	ask.Do = func(d *kit.Dialog, p place) {
		var to string
		save := func(ctx context.Context, progress *jobs.Progress) error {
			path, err := p.path()
			if err == nil {
				to, err = ws.SaveCopy(ctx, path, progress)
			}
			return err
		}
		d.Carry("Save a copy", "The copy was cancelled; nothing is left of it.", save, func() {
			d.Close()
			host.Say(fmt.Sprintf("Saved as %v.", to))
		})
	}
	ask.Open()
}

// MoveDialog asks for another folder or name and hands the new path to move, which closes the
// workspace.
func MoveDialog(host *kit.Host, ws *store.Workspace, move func(path string)) {
	ask := askPlace(host, ws, ws.Name(),
		"The workspace closes, its folder moves, and it opens again in this window. On another disk everything is "+
			"copied first and the old folder goes last.")
	ask.Title, ask.Button = "Move or rename", "Move"
	ask.Line = func(p place) kit.Work[string] {
		return func(context.Context, engine.Progress) (string, error) {
			if path, err := p.path(); err != nil || path != ws.Path() {
				return "", err
			}
			return "", errors.New("this is where it lies now: choose another folder or name")
		}
	}
	ask.Do = func(d *kit.Dialog, p place) {
		path, err := p.path()
		switch {
		case err != nil:
			host.Fail(err)
		case path != ws.Path():
			d.Close()
			move(path)
		}
	}
	ask.Open()
}

// askPlace asks for a name and a folder, first those beside the workspace.
func askPlace(host *kit.Host, ws *store.Workspace, name, hint string) *kit.Ask[place] {
	return &kit.Ask[place]{
		Size: fyne.NewSize(620, 280), Above: own.Wrapped(hint), Form: &kit.Form[place]{Host: host},
		Start: func(f *kit.Form[place]) {
			put(f, "name", name)
			put(f, "folder", filepath.Dir(ws.Path()))
		},
	}
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
	}
	ask.Do = func(d *kit.Dialog, now foundAt) {
		relocate := func(ctx context.Context, _ *jobs.Progress) error {
			return ws.RelocateSuite(ctx, m.Hash, now.Folder)
		}
		stopped := "it was stopped; nothing was changed"
		ask.Try(fmt.Sprintf("locate the images of suite %s", m.Name), stopped, relocate, func() {
			d.Close()
			host.Say(fmt.Sprintf("the images of suite %s are found", m.Name))
			did(report, history.Step{
				Title: fmt.Sprintf("place of suite %s", m.Name),
				Undo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, m.Hash, m.Root) },
				Redo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, m.Hash, now.Folder) },
			})
		})
	}
	ask.Open()
}

// foundAt is where the images of a suite are now.
type foundAt struct {
	Folder string `required:"" help:"Folder that the images are in now." placeholder:"DIR" type:"path"`
}
