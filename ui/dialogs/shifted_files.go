package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/corrupted"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
)

// shiftFiles asks where the images of shifted suites are saved.
type shiftFiles struct {
	*shiftDialog
	changes []derive.Change
}

func (d *shiftDialog) askFiles() {
	changes, err := d.values().Changes()
	if err != nil {
		d.host.Fail(err)
		return
	}
	f := &shiftFiles{shiftDialog: d, changes: changes}
	ending := "-corrupted"
	if corruptions, _ := sorts(changes); corruptions == 0 {
		ending = "-shifted"
	}
	hide := []string{"frost"}
	for _, c := range changes {
		if kind, _ := c.Kind(); kind == "frost" {
			hide = nil
			break
		}
	}
	form := newImageFiles(d.host, func(o corrupted.Files) string { return o.Out }, f.save, hide...)
	put(form.Form, "out", beside(d.ws.Path(), d.ws.Name()+ending))
	text := widget.NewLabel(d.aboutFiles(changes))
	text.Wrapping = fyne.TextWrapWord
	d.sheet.Show(container.NewVBox(form.Object(), text), widget.NewButton("Back", d.ready), d.sheet.CloseButton("Cancel"), form.button)
}

// sorts counts corruptions and shifts.
func sorts(changes []derive.Change) (corruptions, shifts int) {
	for _, c := range changes {
		if _, ok := c.(derive.Shift); ok {
			shifts++
		} else {
			corruptions++
		}
	}
	return corruptions, shifts
}

// aboutFiles says what is written.
func (d *shiftDialog) aboutFiles(changes []derive.Change) string {
	images := result.Counted(d.base().Images, "image")
	corruptions, shifts := sorts(changes)
	if corruptions == 0 {
		return present.ByCount(shifts, "%d folder of %s is written, for other programs: values are rounded to 8 bits.",
			"%d folders of %s each are written, for other programs: values are rounded to 8 bits.", shifts, images)
	}
	text := present.ByCount(len(changes), "%d folder of %s is written, for other programs: values are cut to 8 bits as those of published data.",
		"%d folders of %s each are written, for other programs: values are cut to 8 bits as those of published data.", len(changes), images)
	if shifts > 0 {
		text += " " + "Those of padded translation are rounded."
	}
	return text
}

func (f *shiftFiles) save(files corrupted.Files) {
	o := corrupted.Options{Changes: f.changes, Version: f.version, Out: files.Out, Format: corrupted.Format(files.Format)}
	from := f.suites.hash()
	var done []corrupted.Written
	f.sheet.Work("Save shifted images", func(ctx context.Context, p *background.Progress) (err error) {
		if files.Frost != "" {
			if o.Frost, err = corrupted.Photographs(ctx, files.Frost); err != nil {
				return err
			}
		}
		s, err := f.ws.OpenSuiteContext(ctx, from)
		if err != nil {
			return err
		}
		done, err = corrupted.Write(ctx, s, o, p)
		return errors.Join(err, s.Close())
	}, func(err error) { f.done(o.Out, done, err) })
}

func (f *shiftFiles) done(folder string, done []corrupted.Written, err error) {
	if err != nil {
		f.sheet.Close()
		if cancelled(err) {
			f.host.Say(present.ByCount(len(done), "Saving was cancelled; %d folder is complete.", "Saving was cancelled; %d folders are complete.", len(done)))
			return
		}
		f.host.Fail(err)
		return
	}
	f.host.Say(fmt.Sprintf("Saved %s in %s", result.Counted(len(done), "folder"), folder))
	if f.sheet.Closed() {
		return
	}
	lines := make([]string, len(done))
	for i, w := range done {
		lines[i] = fmt.Sprintf("%s: %s", filepath.Base(w.Folder), result.Counted(w.Images, "image"))
		if w.There {
			lines[i] = fmt.Sprintf("%s (there already)", lines[i])
		}
	}
	savedSets(f.sheet, fmt.Sprintf("Saved %s", result.Counted(len(done), "folder")), folder, lines)
}
