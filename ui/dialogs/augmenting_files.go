package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/background"
)

// augmentFiles asks where an augmented set is saved.
type augmentFiles struct {
	*augmentDialog
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
	form := newImageFiles(d.host, func(o augmented.Files) string { return o.Augment }, f.write, "train")
	put(form.Form, "augment", beside(d.ws.Path(), d.ws.Name()+"-augmented"))
	if m.Format == suite.IDX && m.Shape[0] == 1 {
		put(form.Form, "format", string(imageset.IDX))
	}
	text := wrapped(fmt.Sprintf("The set is a folder “%s” with each of %s of %s once, for other programs; how each was padded is written beside them. "+
		"Values are rounded to 8 bits.", augmented.FolderName(m.Name, f.options.P, f.options.Seed), result.Counted(m.Images, "image"), m.Name))
	d.sheet.Show(container.NewVBox(form.Object(), text), widget.NewButton("Back", d.ready), d.sheet.CloseButton("Cancel"), form.button)
}

func (f *augmentFiles) write(files augmented.Files) {
	o := f.options
	o.Out, o.Format = files.Augment, imageset.Format(files.Format)
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
	images, padded := result.Counted(done.Images, "image"), result.Whole(done.Padded)
	f.host.Say(fmt.Sprintf("Saved %s, %s of them padded, in %s", images, padded, done.Folder))
	line := fmt.Sprintf("%s: %s, %s of them padded", filepath.Base(done.Folder), images, padded)
	if done.There {
		line = fmt.Sprintf("%s (there already)", line)
	}
	savedSets(f.sheet, "Saved an augmented set", done.Folder, []string{line})
}
