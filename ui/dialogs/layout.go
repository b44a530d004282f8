package dialogs

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/store"
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

// backUpFirst backs the database up before something that cannot be taken back. A full disk keeps
// nobody from it: removing is what makes room.
func backUpFirst(ctx context.Context, ws interface {
	Backup(ctx context.Context) (made bool, err error)
},
) error {
	if _, err := ws.Backup(ctx); err != nil && !errors.Is(err, store.ErrFull) {
		return err
	}
	return ctx.Err() // what follows cannot be taken back
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
