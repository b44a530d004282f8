package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
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
	ask := askPlace(host, ws, ws.Name()+"-copy", "Everything is copied: models, signals, suites inside, rounds and labels. The copy is a desk of its own, so that labels made in both can be merged later.")
	ask.Title, ask.Button = "Save a copy", "Save"
	ask.Do = func(d *kit.Dialog, p place) {
		var to string
		d.Work("Save a copy", func(ctx context.Context, progress *background.Progress) error {
			path, err := p.path()
			if err == nil {
				to, err = ws.SaveCopy(ctx, path, progress)
			}
			return err
		}, func(err error) {
			d.Close()
			switch {
			case err == nil:
				host.Say(fmt.Sprintf("Saved as %v.", to))
			case cancelled(err):
				host.Say("The copy was cancelled; nothing is left of it.")
			default:
				host.Fail(err)
			}
		})
	}
	ask.Open()
}

// MoveDialog asks for another folder or name and hands the new path to move, which closes the
// window.
func MoveDialog(host *kit.Host, ws *store.Workspace, move func(path string)) {
	ask := askPlace(host, ws, ws.Name(), "The window closes, the folder moves, and the window opens again. On another disk everything is copied first and the old folder goes last.")
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
		Size: fyne.NewSize(620, 280), Above: wrapped(hint), Form: &kit.Form[place]{Host: host},
		Start: func(f *kit.Form[place]) {
			put(f, "name", name)
			put(f, "folder", filepath.Dir(ws.Path()))
		},
	}
}
