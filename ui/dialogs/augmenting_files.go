package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
)

// augmentFiles asks where an augmented set is saved.
type augmentFiles struct {
	*augmentDialog
	*imageFiles
	options augmented.Options
	from    string // hash of the training suite
}

func (d *augmentDialog) askFiles() {
	recipe, err := d.recipeOf()
	if err != nil {
		d.host.Fail(err)
		return
	}
	m := d.chosen()
	f := &augmentFiles{augmentDialog: d, from: m.Hash}
	f.options = augmented.Options{P: recipe.Augmentation.P, Seed: recipe.Seed, Version: d.version, From: &recipe}
	f.imageFiles = newImageFiles(d.host, beside(d.ws.Path(), d.ws.Name()+"-augmented"), "folder that takes a folder for the set", f.write)
	if m.Format == suite.IDX && m.Shape[0] == 1 {
		f.format.SetSelected(f.format.Options[1])
	}
	text := wrapped(fmt.Sprintf("The set is a folder “%s” with each of %s of %s once, for other programs; how each was padded is written beside them. "+
		"Values are rounded to 8 bits.", augmented.FolderName(m.Name, f.options.P, f.options.Seed), present.Counted(int64(m.Images), "image"), m.Name))
	d.sheet.Show(container.NewVBox(f.rows(), text), widget.NewButton("Back", d.ready), d.sheet.CloseButton("Cancel"), f.button)
}

func (f *augmentFiles) write() {
	o := f.options
	o.Out, o.Format = f.chosenPlace()
	var done augmented.Written
	f.sheet.Work("Save augmented set", func(ctx context.Context, p *background.Progress) (err error) {
		s, err := f.ws.OpenSuiteContext(ctx, f.from)
		if err != nil {
			return err
		}
		done, err = augmented.Write(ctx, s, o, p)
		return errors.Join(err, s.Close())
	}, func(err error) { f.done(done, err) })
}

func (f *augmentFiles) done(done augmented.Written, err error) {
	if err != nil {
		f.sheet.Close()
		if cancelled(err) {
			f.host.Say("Saving was cancelled; nothing was left.")
			return
		}
		f.host.Fail(err)
		return
	}
	images, padded := present.Counted(int64(done.Images), "image"), present.Count(int64(done.Padded))
	f.host.Say(fmt.Sprintf("Saved %s, %s of them padded, in %s", images, padded, done.Folder))
	line := fmt.Sprintf("%s: %s, %s of them padded", filepath.Base(done.Folder), images, padded)
	if done.There {
		line = fmt.Sprintf("%s (there already)", line)
	}
	savedSets(f.sheet, "Saved an augmented set", done.Folder, []string{line})
}
