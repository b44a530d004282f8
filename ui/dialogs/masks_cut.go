package dialogs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// errBare says that some masks hold no foreground, or nothing else. The masks were written, but
// not added.
var errBare = errors.New("some masks hold no foreground, or nothing else")

// cut has the network find the foregrounds. Masks that cannot be used keep all of them out of the
// workspace: they stay in a folder then, to be drawn by hand.
func (d *masksDialog) cut() {
	s := scenes.Segmenter{Network: kit.Path(d.network.Text), Classes: d.classes.list(), Names: d.classes.all}
	of := d.chosen()
	folder, err := freeFolder(beside(d.ws.Path(), d.ws.Name()+"-masks"))
	if err != nil {
		d.say(sentence(err), true)
		return
	}
	var made scenes.MasksMade
	d.sheet.Work("Make masks", func(ctx context.Context, p *background.Progress) (err error) {
		made, err = d.make(ctx, s, of.Hash, folder, background.Stages{Progress: p})
		return err
	}, func(err error) {
		switch {
		case !errors.Is(err, errBare):
			d.ended(err)
		case d.sheet.Closed():
			d.host.Fail(fmt.Errorf("masks of suite %s, in %s: %s", of.Name, folder, strings.TrimSuffix(bareMasks(made), ".")))
		default:
			d.askBare(made, folder)
		}
	})
}

// make writes the masks and adds them. errBare leaves them in the folder; otherwise nothing is
// left of it.
func (d *masksDialog) make(ctx context.Context, s scenes.Segmenter, of, folder string, p background.Stages) (made scenes.MasksMade, err error) {
	var whole suite.Manifest
	if whole, err = d.ws.Suite(of); err != nil {
		return made, err
	}
	if made, err = scenes.MasksFromSegmentation(ctx, d.ws, d.rt, s, whole, folder, p); err != nil {
		return made, err
	}
	if len(made.Empty)+len(made.Full) > 0 {
		return made, errBare
	}
	_, err = scenes.AddMade(ctx, d.ws, s, whole, folder, p)
	return made, errors.Join(err, durable.DeleteAll(folder))
}

// freeFolder is a folder of that name which is not there yet, with a number where needed. The
// error is for a place that cannot be looked at.
func freeFolder(name string) (string, error) {
	for n := 2; ; n++ {
		at := name
		if n > 2 {
			at = fmt.Sprintf("%s-%d", name, n-1)
		}
		switch _, err := os.Lstat(at); {
		case errors.Is(err, fs.ErrNotExist):
			return at, nil
		case err != nil:
			return "", err
		}
	}
}

// bareMasks says which images have masks that cannot be used.
func bareMasks(made scenes.MasksMade) string {
	var parts []string
	if n := len(made.Empty); n > 0 {
		parts = append(parts, fmt.Sprintf("In %s of %s the network finds none of these classes: %s.", present.Count(int64(n)),
			present.Counted(int64(made.Masks), "image"), firstNames(made.Empty)))
	}
	if n := len(made.Full); n > 0 {
		parts = append(parts, fmt.Sprintf("In %s of %s it finds nothing else: %s.", present.Count(int64(n)),
			present.Counted(int64(made.Masks), "image"), firstNames(made.Full)))
	}
	return strings.Join(parts, " ")
}

// askBare says what was wrong with some masks, and what can be done.
func (d *masksDialog) askBare(made scenes.MasksMade, folder string) {
	path := widget.NewEntry()
	path.SetText(folder)
	text := bareMasks(made) + " " + "No foreground can be taken from such masks, so none was added. All masks lie in this folder: draw those by hand, white for foreground, and read the folder; or choose other classes; or leave these images out of the suite."
	read := widget.NewButton("Read this folder", func() {
		d.ready()
		d.way.SetSelected(d.way.Options[0])
		d.inside.SetChecked(true)
		d.folder.SetText(folder)
	})
	again := widget.NewButton("Discard and choose again", func() {
		d.host.Work.Quiet("discard masks", func(context.Context) error { return durable.DeleteAll(folder) }, func(err error) {
			if err != nil && !errors.Is(err, background.ErrClosed) {
				d.host.Fail(err)
			}
		})
		d.ready()
		d.changed()
	})
	d.sheet.Show(titled("Some masks cannot be used", container.NewVBox(wrapped(text), path)),
		d.sheet.CloseButton("Close"), again, read)
}
