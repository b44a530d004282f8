package dialogs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
)

// WorkspaceDialog asks for the folder of a workspace and hands it to open, which runs off the main goroutine. With create
// it is a new one, NAME.variscope; otherwise one that is there.
func WorkspaceDialog(host Host, title string, create bool, open func(path string) error) {
	sheet := host.open(title, fyne.NewSize(600, 240))
	entry, problem := widget.NewEntry(), widget.NewLabel("")
	entry.SetPlaceHolder("path of the folder NAME.variscope")
	problem.Importance = widget.DangerImportance
	problem.Wrapping = fyne.TextWrapWord
	action := "Open"
	if create {
		action = "Create"
	}
	start := widget.NewButton(action, nil)
	start.Importance = widget.HighImportance
	start.Disable()
	entry.OnChanged = func(text string) {
		problem.SetText("")
		start.Disable()
		if len(Paths(text)) == 1 {
			start.Enable()
		}
	}
	start.OnTapped = func() {
		path, err := workspacePath(entry.Text, create)
		if err != nil {
			problem.SetText(sentence(err))
			return
		}
		start.Disable()
		host.Work.Start(action+" workspace", func(context.Context, *background.Progress) error {
			return open(path)
		}, func(err error) {
			switch {
			case err == nil:
				sheet.close()
			case sheet.closed:
				host.Failed(err)
			default:
				start.Enable()
				problem.SetText(sentence(err))
			}
		})
	}
	entry.OnSubmitted = func(string) {
		if !start.Disabled() {
			start.OnTapped()
		}
	}
	hint := widget.NewLabel("A workspace is a folder NAME.variscope that holds models, signals, rounds and labels.")
	hint.Wrapping = fyne.TextWrapWord
	row := container.NewBorder(nil, nil, nil, host.browseFolder(entry.SetText), entry)
	sheet.show(container.NewVBox(hint, row, problem), sheet.closeButton("Cancel"), start)
	sheet.present(entry)
}

// workspacePath is the workspace's folder for what was typed. A new one gets the suffix and must not be there.
func workspacePath(text string, create bool) (string, error) {
	paths := Paths(text)
	if len(paths) != 1 {
		return "", errors.New("write the path of one folder")
	}
	path, err := filepath.Abs(paths[0])
	if err != nil {
		return "", err
	}
	if !create {
		return path, nil
	}
	if !strings.HasSuffix(path, ".variscope") {
		path += ".variscope"
	}
	if _, err := os.Stat(path); err == nil {
		return "", errors.New(path + " is there already: open it, or choose another name")
	}
	return path, nil
}
