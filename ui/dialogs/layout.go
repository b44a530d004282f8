package dialogs

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/kit"
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

// headed puts an object below a small heading and whatever else stands above it, and gives it the
// rest of the room.
func headed(title string, object fyne.CanvasObject, above ...fyne.CanvasObject) fyne.CanvasObject {
	head := own.Bold(title)
	return container.NewBorder(container.NewVBox(append([]fyne.CanvasObject{head}, above...)...), nil, nil, nil, object)
}

// scrolledText is a long text that can be read and copied, at least this high. Each paragraph is a
// label of its own: Fyne lays out one label of thousands of lines in many seconds.
func scrolledText(text string, height float32) fyne.CanvasObject {
	paragraphs := container.NewVBox()
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		label := own.Wrapped(paragraph)
		label.Selectable = true
		paragraphs.Add(label)
	}
	scroll := container.NewVScroll(paragraphs)
	scroll.SetMinSize(fyne.NewSize(0, height))
	return scroll
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

// askFiles asks where sets of images are saved, and how; text says what is saved.
func askFiles[O any](ask *kit.Ask[O], text string) {
	ask.Button, ask.Below = "Save", own.Wrapped(text)
	ask.Form.Named = func(_, choice string) string {
		return cmp.Or(map[imageset.Format]string{
			imageset.Folder: "PNG files in class folders", imageset.IDX: "IDX (gray images of one size)",
		}[imageset.Format(choice)], choice)
	}
	ask.Open()
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
