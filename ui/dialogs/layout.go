// Package dialogs holds the window's dialogs: what comes in and goes out, runs, rounds, records,
// workspaces and their state, settings, help. What a dialog works out is in plain types beside its
// widgets.
package dialogs

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

func sentence(err error) string { return present.Sentence(err) }

// cancelled tells a cancel from a failure.
func cancelled(err error) bool { return present.Cancelled(err) }

// titled puts a small heading above an object.
func titled(title string, object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(own.Bold(title), object)
}

// beside is a folder of that name beside the workspace.
func beside(workspace, name string) string { return filepath.Join(filepath.Dir(workspace), name) }

// alreadyThere follows the line of a set that lay there before.
func alreadyThere(yes bool) string {
	if yes {
		return " (there already)"
	}
	return ""
}
