package dialogs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// WorkspaceAsk is what a workspace dialog asks for and does.
type WorkspaceAsk struct {
	Title string
	// Create makes a new workspace, NAME.variscope; otherwise one that is there is opened.
	Create bool
	// Before calls open once nothing stands against opening another workspace. Open gets the
	// folder, off the main goroutine. Opened is called on it when that, or Restore, has worked.
	Before func(open func())
	Open   func(path string) error
	Opened func()
	// Restore puts the newest backup of a damaged workspace in its place and opens it; nil offers
	// no such thing.
	Restore func(path string) error
	// Recent are offered for a click; Forget removes one from the list.
	Recent []Recent
	Forget func(path string)
}

// workspaceAsk is the folder of a workspace.
type workspaceAsk struct {
	Path string `required:"" label:"Folder" help:"Folder NAME.variscope of the workspace." placeholder:"DIR" type:"path"`
}

// WorkspaceDialog asks for the folder of a workspace and opens or makes it.
func WorkspaceDialog(host *kit.Host, asked WorkspaceAsk) {
	damaged := ""
	ask := &kit.Ask[workspaceAsk]{
		Title: asked.Title, Button: "Open", Size: fyne.NewSize(620, 240),
		Above: own.Wrapped("A workspace is a folder NAME.variscope that holds models, signals, rounds and labels."),
	}
	if asked.Create {
		ask.Button = "Create"
	}
	var restore *widget.Button
	// try hands the path on and closes the dialog when that has worked.
	try := func(path string, open func(string) error) {
		asked.Before(func() {
			restore.Hide()
			ask.Try(asked.Title, "", func(context.Context, *jobs.Progress) (kit.Done, error) {
				err := open(path)
				if wrong := (*backup.RestorableError)(nil); errors.As(err, &wrong) && asked.Restore != nil {
					return kit.Done{Show: func() {
						ask.Refuse(err)
						damaged = wrong.Path
						restore.Show()
					}}, nil
				}
				return kit.Done{Then: asked.Opened}, err
			})
		})
	}
	restore = widget.NewButton("Restore the backup", func() { try(damaged, asked.Restore) })
	restore.Hide()
	ask.Form = &kit.Form[workspaceAsk]{Host: host, OnChange: func(workspaceAsk) { restore.Hide() }}
	ask.Do = func(_ *kit.Dialog, o workspaceAsk) { try(o.Path, asked.openOrCreate) }
	recent := asked.recent(host, func(path string) { put(ask.Form, "path", path) })
	ask.Below = container.NewVBox(container.NewHBox(restore), recent)
	ask.Open()
}

// recent lists the workspaces that were open before; those that are gone can only be taken from
// the list.
func (ask WorkspaceAsk) recent(host *kit.Host, choose func(path string)) fyne.CanvasObject {
	rows := container.NewVBox()
	if len(ask.Recent) == 0 {
		return rows
	}
	buttons := map[string]*widget.Button{}
	for _, r := range ask.Recent {
		button := widget.NewButtonWithIcon(r.Title(), theme.FolderOpenIcon(), func() { choose(r.Path) })
		button.Alignment, button.Importance = widget.ButtonAlignLeading, widget.LowImportance
		buttons[r.Path] = button
		var row *fyne.Container
		remove := host.IconButton(theme.ContentClearIcon(), "Take it from this list", func() {
			ask.Forget(r.Path)
			rows.Remove(row)
		})
		remove.Importance = widget.LowImportance
		row = container.NewBorder(nil, nil, nil, remove, button)
		rows.Add(row)
	}
	LookForRecent(host.Work, ask.Recent, func(r Recent) {
		buttons[r.Path].SetText(r.Title())
		buttons[r.Path].Disable()
	})
	scroll := container.NewVScroll(rows)
	scroll.SetMinSize(fyne.NewSize(0, 180))
	return titled("Open recent", scroll)
}

// openOrCreate hands the path on; a new workspace gets the ending and must not be there.
func (ask WorkspaceAsk) openOrCreate(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if !ask.Create {
		return ask.Open(path)
	}
	path = strings.TrimSuffix(path, ".variscope") + ".variscope"
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s is there already: open it, or choose another name", path)
	}
	return ask.Open(path)
}

// Recent is a workspace that was open before.
type Recent struct {
	Path string
	// Gone is true when nothing is at the path any more.
	Gone bool
	// twin is true when another one of the list has the same name.
	twin bool
}

// Title is the workspace's name, with its folder where two have the same.
func (r Recent) Title() string {
	title := strings.TrimSuffix(filepath.Base(r.Path), ".variscope")
	if r.twin {
		title += " — " + filepath.Dir(r.Path)
	}
	if r.Gone {
		title += " (" + "not there" + ")"
	}
	return title
}

// RecentWorkspaces are the workspaces at the paths, without the one that is open. Whether they are
// still there is not known yet (LookForRecent).
func RecentWorkspaces(paths []string, open string) []Recent {
	var list []Recent
	names := map[string]int{}
	for _, path := range paths {
		if path == open {
			continue
		}
		list = append(list, Recent{Path: path})
		names[filepath.Base(path)]++
	}
	for i := range list {
		list[i].twin = names[filepath.Base(list[i].Path)] > 1
	}
	return list
}

// LookForRecent looks in the background which of them are gone, and calls gone for each of those
// on the main goroutine. They are looked for side by side: a folder of a server that does not
// answer keeps nobody waiting, neither the window nor the others.
func LookForRecent(work *jobs.Group, list []Recent, gone func(Recent)) {
	for _, r := range list {
		var missing error
		work.Quiet("look for a workspace", func(ctx context.Context) (err error) {
			missing, err = abandoned(ctx, func() error {
				_, err := os.Stat(r.Path)
				return err
			})
			return err
		}, func(err error) {
			if err == nil && missing != nil {
				r.Gone = true
				gone(r)
			}
		})
	}
}

// abandoned is what look says, or the context's error as soon as that ends: nothing else ends a
// look at a server that does not answer. It goes on by itself then.
func abandoned(ctx context.Context, look func() error) (said, err error) {
	answer := make(chan error, 1)
	go func() { answer <- look() }()
	select {
	case said = <-answer:
		return said, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
