package dialogs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
)

// WorkspaceAsk is what a workspace dialog asks for and does.
type WorkspaceAsk struct {
	Title string
	// Create makes a new workspace, NAME.variscope; otherwise one that is there is opened.
	Create bool
	// Open gets the folder, off the main goroutine. Opened is called on it when that, or Restore,
	// has worked.
	Open   func(path string) error
	Opened func()
	// Restore puts the newest backup of a damaged workspace in its place and opens it; nil offers
	// no such thing.
	Restore func(path string) error
	// Recent are offered for a click; Forget removes one from the list.
	Recent []Recent
	Forget func(path string)
}

// WorkspaceDialog asks for the folder of a workspace and opens or makes it.
func WorkspaceDialog(host *kit.Host, ask WorkspaceAsk) {
	d := &workspaceDialog{host: host, ask: ask, entry: widget.NewEntry(), problem: widget.NewLabel("")}
	d.open()
}

type workspaceDialog struct {
	host    *kit.Host
	ask     WorkspaceAsk
	sheet   *kit.Dialog
	entry   *widget.Entry
	problem *widget.Label
	start   *widget.Button
	restore *widget.Button
	damaged string // path of the workspace that could be restored
}

func (d *workspaceDialog) open() {
	height := float32(240)
	if len(d.ask.Recent) > 0 {
		height = 420
	}
	d.sheet = d.host.NewDialog(d.ask.Title, fyne.NewSize(620, height))
	d.entry.SetPlaceHolder("path of the folder NAME.variscope")
	d.problem.Importance = widget.DangerImportance
	d.problem.Wrapping = fyne.TextWrapWord
	action := "Open"
	if d.ask.Create {
		action = "Create"
	}
	d.start = widget.NewButton(action, d.submit)
	d.start.Importance = widget.HighImportance
	d.start.Disable()
	d.restore = widget.NewButton("Restore the backup", func() { d.try(d.damaged, d.ask.Restore) })
	d.restore.Hide()
	d.entry.OnChanged = d.typed
	d.entry.OnSubmitted = func(string) {
		if !d.start.Disabled() {
			d.submit()
		}
	}
	hint := widget.NewLabel("A workspace is a folder NAME.variscope that holds models, signals, rounds and labels.")
	hint.Wrapping = fyne.TextWrapWord
	form := container.NewVBox(hint, d.host.FolderRow(d.entry), d.problem)
	d.sheet.Show(container.NewBorder(form, nil, nil, nil, d.recent()), d.sheet.CloseButton("Cancel"), d.restore, d.start)
	d.sheet.Present(d.entry)
}

// recent lists the workspaces that were open before; those that are gone can only be taken from
// the list.
func (d *workspaceDialog) recent() fyne.CanvasObject {
	if len(d.ask.Recent) == 0 {
		return container.NewVBox()
	}
	rows := container.NewVBox()
	buttons := map[string]*widget.Button{}
	for _, r := range d.ask.Recent {
		button := widget.NewButtonWithIcon(r.Title(), theme.FolderOpenIcon(), func() { d.entry.SetText(r.Path) })
		button.Alignment = widget.ButtonAlignLeading
		button.Importance = widget.LowImportance
		buttons[r.Path] = button
		var row *fyne.Container
		remove := widget.NewButtonWithIcon("", theme.ContentClearIcon(), func() {
			d.ask.Forget(r.Path)
			rows.Remove(row)
		})
		remove.Importance = widget.LowImportance
		row = container.NewBorder(nil, nil, nil, remove, button)
		rows.Add(row)
	}
	LookForRecent(d.host.Work, d.ask.Recent, func(r Recent) {
		buttons[r.Path].SetText(r.Title())
		buttons[r.Path].Disable()
	})
	heading := widget.NewLabelWithStyle("Open recent", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	return container.NewBorder(heading, nil, nil, nil, container.NewVScroll(rows))
}

func (d *workspaceDialog) typed(text string) {
	d.problem.SetText("")
	d.restore.Hide()
	d.start.Disable()
	if len(kit.Paths(text)) == 1 {
		d.start.Enable()
	}
}

func (d *workspaceDialog) submit() {
	path, err := workspacePath(d.entry.Text, d.ask.Create)
	if err != nil {
		d.problem.SetText(sentence(err))
		return
	}
	d.try(path, d.openOrCreate)
}

// openOrCreate hands the path on; a new workspace must not be there.
func (d *workspaceDialog) openOrCreate(path string) error {
	if d.ask.Create {
		if _, err := os.Stat(path); err == nil {
			return fmt.Errorf("%s is there already: open it, or choose another name", path)
		}
	}
	return d.ask.Open(path)
}

// try hands the path on and closes the dialog when that has worked.
func (d *workspaceDialog) try(path string, open func(string) error) {
	d.start.Disable()
	d.restore.Hide()
	d.host.Work.StartWhole(d.ask.Title, func() error {
		return open(path)
	}, func(err error) {
		switch {
		case err == nil:
			d.sheet.Close()
			d.ask.Opened()
		case d.sheet.Closed():
			d.host.Fail(err)
		default:
			d.failed(err)
		}
	})
}

func (d *workspaceDialog) failed(err error) {
	d.start.Enable()
	d.problem.SetText(sentence(err))
	var damaged *store.RestorableError
	if errors.As(err, &damaged) && d.ask.Restore != nil {
		d.damaged = damaged.Path
		d.restore.Show()
	}
}

// workspacePath is the workspace's folder for what was typed. A new one gets the suffix.
func workspacePath(text string, create bool) (string, error) {
	paths := kit.Paths(text)
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
	return path, nil
}
