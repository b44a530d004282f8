package dialogs

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/store/corrupted"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// shiftFiles asks where the images of shifted suites are saved.
type shiftFiles struct {
	*shiftDialog
	*imageFiles
	settings    []corrupt.Setting
	photographs *widget.Entry
}

func (d *shiftDialog) askFiles() {
	settings, err := d.values().Settings()
	if err != nil {
		d.host.Failed(err)
		return
	}
	f := &shiftFiles{shiftDialog: d, settings: settings, photographs: widget.NewEntry()}
	hint := words.T("folder that takes a folder for each corruption and severity")
	f.imageFiles = newImageFiles(d.host, beside(d.ws.Path(), d.ws.Name()+"-corrupted"), hint, f.save)
	f.photographs.SetPlaceHolder(words.T("none: frost is drawn, and its folders are called frost-synthetic"))
	form := f.rows()
	for _, s := range settings {
		if s.Name == "frost" {
			form.Append(words.T("Photographs of frost"), d.host.folderRow(f.photographs))
			break
		}
	}
	text := widget.NewLabel(words.N(len(settings), "%d folder of %s is written, for other programs: values are cut to 8 bits as those of published data.",
		"%d folders of %s each are written, for other programs: values are cut to 8 bits as those of published data.", len(settings), present.Counted(int64(d.base().Images), "image")))
	text.Wrapping = fyne.TextWrapWord
	d.sheet.show(container.NewVBox(form, text), widget.NewButton(words.T("Back"), d.ready), d.sheet.closeButton(words.T("Cancel")), f.button)
}

func (f *shiftFiles) save() {
	o := corrupted.Options{Settings: f.settings, Version: f.version}
	o.Out, o.Format = f.chosenPlace()
	from, frost := f.suites.hash(), Paths(f.photographs.Text)
	var done []corrupted.Written
	f.sheet.work(words.T("Save corrupted images"), func(ctx context.Context, p *background.Progress) (err error) {
		if len(frost) > 0 {
			if o.Frost, err = corrupted.Photographs(ctx, frost[0]); err != nil {
				return err
			}
		}
		s, err := f.ws.OpenSuite(from)
		if err != nil {
			return err
		}
		done, err = corrupted.Write(ctx, s, o, p)
		return errors.Join(err, s.Close())
	}, func(err error) { f.done(o.Out, done, err) })
}

func (f *shiftFiles) done(folder string, done []corrupted.Written, err error) {
	if err != nil {
		f.sheet.close()
		if cancelled(err) {
			f.host.Say(words.N(len(done), "Saving was cancelled; %d folder is complete.", "Saving was cancelled; %d folders are complete.", len(done)))
			return
		}
		f.host.Failed(err)
		return
	}
	f.host.Say(words.F("Saved %s in %s", present.Counted(int64(len(done)), "folder"), folder))
	if f.sheet.closed {
		return
	}
	lines := make([]string, len(done))
	for i, w := range done {
		lines[i] = words.F("%s: %s", filepath.Base(w.Folder), present.Counted(int64(w.Images), "image"))
		if w.There {
			lines[i] = words.F("%s (there already)", lines[i])
		}
	}
	f.sheet.savedSets(words.F("Saved %s", present.Counted(int64(len(done)), "folder")), folder, lines)
}
