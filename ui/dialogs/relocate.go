package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
)

// CopyDialog asks where to save a copy of the workspace and saves it, with progress.
func CopyDialog(host *kit.Host, ws *store.Workspace) {
	d := newPlaceDialog(host, ws, "Save a copy", "Save")
	d.name.SetText(ws.Name() + "-copy")
	d.hint.SetText("Everything is copied: models, signals, suites inside, rounds and labels. The copy is a desk of its own, so that labels made in both can be merged later.")
	d.do = func(path string) {
		var to string
		d.sheet.Work("Save a copy", func(ctx context.Context, p *background.Progress) (err error) {
			to, err = ws.SaveCopy(ctx, path, p)
			return err
		}, func(err error) {
			switch {
			case err == nil:
				host.Say(fmt.Sprintf("Saved as %v.", to))
				d.sheet.Close()
			case cancelled(err):
				host.Say("The copy was cancelled; nothing is left of it.")
				d.sheet.Close()
			default:
				d.sheet.Close()
				host.Fail(err)
			}
		})
	}
	d.open()
}

// MoveDialog asks for another folder or name and hands the new path to move, which closes the
// window.
func MoveDialog(host *kit.Host, ws *store.Workspace, move func(path string)) {
	d := newPlaceDialog(host, ws, "Move or rename", "Move")
	d.name.SetText(ws.Name())
	d.hint.SetText("The window closes, the folder moves, and the window opens again. On another disk everything is copied first and the old folder goes last.")
	d.do = func(path string) {
		if path == ws.Path() {
			d.problem.SetText("This is where it lies now: choose another folder or name.")
			return
		}
		d.sheet.Close()
		move(path)
	}
	d.open()
}

// placeDialog asks for a folder and a name.
type placeDialog struct {
	host          *kit.Host
	sheet         *kit.Dialog
	action        string
	folder, name  *widget.Entry
	hint, problem *widget.Label
	do            func(path string)
}

func newPlaceDialog(host *kit.Host, ws *store.Workspace, title, action string) *placeDialog {
	d := &placeDialog{
		host: host, sheet: host.NewDialog(title, fyne.NewSize(620, 280)), action: action,
		folder: widget.NewEntry(), name: widget.NewEntry(), hint: widget.NewLabel(""), problem: widget.NewLabel(""),
	}
	d.folder.SetText(filepath.Dir(ws.Path()))
	d.hint.Wrapping, d.problem.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	d.problem.Importance = widget.DangerImportance
	return d
}

func (d *placeDialog) open() {
	start := widget.NewButton(d.action, d.submit)
	start.Importance = widget.HighImportance
	d.name.OnSubmitted = func(string) { d.submit() }
	form := widget.NewForm(
		widget.NewFormItem("Name", d.name),
		widget.NewFormItem("Folder", d.host.FolderRow(d.folder)),
	)
	d.sheet.Show(container.NewVBox(d.hint, form, d.problem), d.sheet.CloseButton("Cancel"), start)
	d.sheet.Present(d.name)
}

func (d *placeDialog) submit() {
	path, err := placePath(d.folder.Text, d.name.Text)
	if err != nil {
		d.problem.SetText(sentence(err))
		return
	}
	d.do(path)
}

// placePath is the workspace NAME.variscope in a folder.
func placePath(folder, name string) (string, error) {
	paths := kit.Paths(folder)
	if len(paths) != 1 {
		return "", errors.New("write the path of one folder")
	}
	name, err := store.CheckName(name)
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(paths[0])
	if err != nil {
		return "", err
	}
	return filepath.Join(path, name+".variscope"), nil
}
