package kit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Dialog is a dialog over the window whose content and buttons change as its work goes on: form,
// progress, report. The window's Escape closes it, and files that are dropped on the window go to
// what it shows.
type Dialog struct {
	Host    *Host
	dialog  *dialog.CustomDialog
	content *fyne.Container
	size    fyne.Size // the least of what is asked and told
	closed  bool
	silence func() // ends the watching of a job; nil when none is watched
	shown   fyne.CanvasObject
	// OnClosed, which may be nil, hears that the dialog is closed.
	OnClosed func()
	// OnEscape, which may be nil, tells whether Escape had another meaning than to close the
	// dialog.
	OnEscape func() bool
	// Drop takes the paths that are dropped on the window; Show clears it.
	Drop func(paths []string)
}

// dialogLayout tells the window, which hears Escape first, how the dialog is left.
type dialogLayout struct {
	stack  fyne.Layout
	dialog *Dialog
}

// Layout implements fyne.Layout.
func (l dialogLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.stack.Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (l dialogLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return l.stack.MinSize(objects) }

// Leave closes the dialog as its button for that does.
func (l dialogLayout) Leave() {
	if l.dialog.OnEscape == nil || !l.dialog.OnEscape() {
		l.dialog.Close()
	}
}

// Drop takes files that were dropped on the window while the dialog lies over it.
func (l dialogLayout) Drop(paths []string) {
	if l.dialog.Drop != nil {
		l.dialog.Drop(paths)
	}
}

// NewDialog makes an empty dialog of at least this size.
func (h *Host) NewDialog(title string, size fyne.Size) *Dialog {
	d := &Dialog{Host: h, size: size}
	d.content = container.New(dialogLayout{layout.NewStackLayout(), d})
	before := h.Window.Canvas().Focused()
	d.dialog = dialog.NewCustomWithoutButtons(title, d.content, h.Window)
	d.dialog.SetOnClosed(func() {
		d.closed = true
		d.unwatch()
		if before != nil {
			h.Window.Canvas().Focus(before) // the keyboard goes back to where it was
		}
		if d.OnClosed != nil {
			d.OnClosed()
		}
	})
	d.dialog.Resize(size)
	return d
}

// Show puts content and buttons in place of those that are shown.
func (d *Dialog) Show(content fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	d.show(d.size, content, buttons...)
}

// show is Show in a dialog that is no larger than that, or than the content needs.
func (d *Dialog) show(size fyne.Size, content fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	if d.closed {
		return
	}
	d.Drop, d.shown = nil, content
	d.content.Objects = []fyne.CanvasObject{widget.Fitting(content, d.Host.Window)}
	d.content.Refresh()
	d.dialog.SetButtons(buttons)
	d.dialog.Resize(size)
}

// textWidth is the width of a dialog that says a few sentences, at the usual size of letters.
const textWidth = 460

// column is the layout of an object that is as wide as a few sentences, and as high as it needs.
type column struct{}

// Layout implements fyne.Layout.
func (column) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout; the height of a text follows from its width.
func (column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := max(textWidth*widget.Grown(), objects[0].Size().Width)
	objects[0].Resize(fyne.NewSize(width, objects[0].Size().Height))
	return fyne.NewSize(textWidth*widget.Grown(), objects[0].MinSize().Height)
}

// Confirm asks whether something shall be done whose button says yes. Return presses that button
// unless it is of DangerImportance.
func (h *Host) Confirm(title, question, yes string, importance fynewidget.Importance, do func()) {
	h.Ask(title, question, "Cancel", yes, importance, do)
}

// Ask is Confirm with another word for no; it returns the open dialog.
func (h *Host) Ask(title, question, no, yes string, importance fynewidget.Importance, do func()) *Dialog {
	d := h.NewDialog(title, fyne.Size{})
	text, button := fynewidget.NewLabel(question), fynewidget.NewButton(yes, func() { d.Close(); do() })
	text.Wrapping, button.Importance = fyne.TextWrapWord, importance
	d.Show(container.New(column{}, text), d.CloseButton(no), button)
	d.Present(nil)
	return d
}

// Present shows the dialog; call it after the first Show.
func (d *Dialog) Present(focus fyne.Focusable) {
	d.dialog.Show()
	if focus != nil {
		d.Host.Window.Canvas().Focus(focus)
	}
}

// Close closes the dialog; work that it watches goes on.
func (d *Dialog) Close() {
	if !d.closed {
		d.dialog.Hide()
	}
}

func (d *Dialog) unwatch() {
	if d.silence != nil {
		d.silence()
		d.silence = nil
	}
}

// Closed tells whether a person or Close has closed the dialog.
func (d *Dialog) Closed() bool { return d.closed }

// CloseButton is a button that closes the dialog.
func (d *Dialog) CloseButton(text string) *fynewidget.Button {
	return fynewidget.NewButton(text, d.Close)
}

// Carry runs a job, shows how far it is and then what came of it. What fails and brings nothing
// ends the dialog: the error is shown over the screens, and stopped, which is what a cancel leaves,
// at the foot of the window. Without it the job is one step and cannot be cancelled.
func (d *Dialog) Carry(name, stopped string, do func(context.Context, *jobs.Progress) (Done, error)) {
	d.carry(name, stopped, do, func(err error) {
		if d.Close(); present.Cancelled(err) {
			d.Host.Say(stopped)
		} else {
			d.Host.Fail(err)
		}
	})
}

// carry is Carry with what is done with an error where nothing came of the job.
func (d *Dialog) carry(name, stopped string, do func(context.Context, *jobs.Progress) (Done, error),
	refuse func(error),
) {
	var came Done
	done := func(err error) {
		d.unwatch()
		switch {
		case err == nil:
			d.end(came)
		case came.Title == "":
			refuse(err)
		case present.Cancelled(err):
			came.Text = strings.TrimSpace(came.Text + "\n" + stopped)
			d.end(came)
		default:
			came.Text = strings.TrimSpace(came.Text + "\n" + present.Sentence(err))
			came.Failed = errors.Join(came.Failed, err)
			d.end(came)
		}
	}
	if stopped == "" {
		d.watch(d.Host.Work.StartWhole(name, func() (err error) {
			came, err = do(context.Background(), &jobs.Progress{})
			return err
		}, done))
		return
	}
	d.watch(d.Host.Work.Start(name, func(ctx context.Context, p *jobs.Progress) (err error) {
		came, err = do(ctx, p)
		return err
	}, done))
}

// watch shows how far a job is until it ends or other content is shown.
func (d *Dialog) watch(job *jobs.Job) {
	bar, text := widget.NewProgress(), fynewidget.NewLabel(job.Snapshot().Name)
	text.Truncation = fyne.TextTruncateEllipsis
	bar.Show(0, false)
	update := func() {
		now := job.Snapshot()
		text.SetText(progressText(now, time.Now()))
		bar.Show(now.Fraction())
	}
	leave := d.Host.Work.Subscribe(update)
	d.silence = func() {
		leave()
		bar.Hide()
	}
	onward, progress := d.CloseButton("Continue in background"),
		container.New(column{}, container.NewVBox(text, bar.Object()))
	if job.Snapshot().Whole {
		d.show(fyne.Size{}, progress, onward)
		return
	}
	cancel := fynewidget.NewButton("Cancel", nil)
	cancel.OnTapped = func() {
		job.Cancel()
		cancel.Disable()
		update()
	}
	d.show(fyne.Size{}, progress, onward, cancel)
}

func progressText(now jobs.Snapshot, at time.Time) string {
	text := now.Name
	if now.Cancelling {
		return fmt.Sprintf("%s: cancelling …", text)
	}
	if now.Total > 0 {
		text += ": " + present.Done(now.Done, now.Total, now.Percent)
	}
	// In the first two seconds the estimate says little.
	if left := present.Left(now.Left(at)); left != "" && at.Sub(now.Started) >= 2*time.Second {
		text += ", " + left
	}
	return text
}

// Browse is a pair of buttons that put a chosen file or folder into what takes a path.
func (h *Host) Browse(take func(path string)) *fyne.Container {
	return container.NewHBox(h.BrowseFile(take), h.BrowseFolder(take))
}

// BrowseFile is a button that puts a chosen file into what takes a path; extensions, like ".csv",
// narrow the choice.
func (h *Host) BrowseFile(take func(path string), extensions ...string) *fynewidget.Button {
	return fynewidget.NewButton("File…", func() {
		picker := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
			if err != nil {
				h.Fail(err)
				return
			}
			if r == nil {
				return
			}
			path := r.URI().Path()
			if err := r.Close(); err != nil {
				h.Fail(fmt.Errorf("close %s: %w", path, err))
			}
			take(path)
		}, h.Window)
		picker.SetFilter(figures.Readable(extensions))
		showPicker(picker)
	})
}

// BrowseFolder is a button that puts a chosen folder into what takes a path.
func (h *Host) BrowseFolder(take func(path string)) *fynewidget.Button {
	return fynewidget.NewButton("Folder…", func() {
		picker := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err != nil {
				h.Fail(err)
				return
			}
			if u != nil {
				take(u.Path())
			}
		}, h.Window)
		showPicker(picker)
	})
}

// showPicker shows Fyne's file chooser in a size that shows its files. It can take a size only
// once it is shown.
func showPicker(picker *dialog.FileDialog) {
	picker.Show()
	picker.Resize(fyne.NewSize(760, 520))
}
