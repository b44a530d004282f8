package dialogs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// Host is the window that a dialog opens in.
type Host struct {
	Window fyne.Window
	Work   *background.Group
	// Failed shows an error in the window, once.
	Failed func(error)
	// Say puts a message on the status line.
	Say func(string)
}

func sentence(err error) string { return present.Sentence(err) }

// sheet is a dialog whose content and buttons change as its work goes on: form, progress, report.
type sheet struct {
	host    Host
	dialog  *dialog.CustomDialog
	content *fyne.Container
	closed  bool
	silence func()               // ends the watching of a job; nil when none is watched
	drop    func(paths []string) // takes what is dropped on the window; nil when what is shown has no use for it
}

// sheetLayout tells the window, which hears Escape first, how the sheet is left.
type sheetLayout struct {
	stack fyne.Layout
	sheet *sheet
}

// Layout implements fyne.Layout.
func (l sheetLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.stack.Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (l sheetLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return l.stack.MinSize(objects) }

// Leave closes the dialog as its button for that does.
func (l sheetLayout) Leave() { l.sheet.close() }

// Drop takes files that were dropped on the window while the dialog lies over it.
func (l sheetLayout) Drop(paths []string) {
	if l.sheet.drop != nil {
		l.sheet.drop(paths)
	}
}

// dropInto puts dropped paths below those that an entry has, each once, as long as what is shown
// now stays.
func (s *sheet) dropInto(entry *widget.Entry) {
	s.drop = func(paths []string) {
		list := Paths(entry.Text)
		for _, path := range paths {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
		entry.SetText(strings.Join(list, "\n"))
	}
}

// open shows an empty sheet of at least this size.
func (h Host) open(title string, size fyne.Size) *sheet {
	s := &sheet{host: h}
	s.content = container.New(sheetLayout{layout.NewStackLayout(), s})
	before := h.Window.Canvas().Focused()
	s.dialog = dialog.NewCustomWithoutButtons(title, s.content, h.Window)
	s.dialog.SetOnClosed(func() {
		s.closed = true
		s.unwatch()
		if before != nil {
			h.Window.Canvas().Focus(before) // the keyboard goes back to where it was
		}
	})
	s.dialog.Resize(size)
	return s
}

// show puts content and buttons in place of those that are shown.
func (s *sheet) show(content fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	if s.closed {
		return
	}
	s.drop = nil
	s.content.Objects = []fyne.CanvasObject{own.Fitting(content, s.host.Window)}
	s.content.Refresh()
	s.dialog.SetButtons(buttons)
}

// present shows the dialog; call it after the first show.
func (s *sheet) present(focus fyne.Focusable) {
	s.dialog.Show()
	if focus != nil {
		s.host.Window.Canvas().Focus(focus)
	}
}

func (s *sheet) close() {
	if !s.closed {
		s.dialog.Hide()
	}
}

func (s *sheet) unwatch() {
	if s.silence != nil {
		s.silence()
		s.silence = nil
	}
}

func (s *sheet) closeButton(text string) *widget.Button { return widget.NewButton(text, s.close) }

// work runs a job, shows its progress with a way to cancel or to go on in the background, and
// calls done with its result.
func (s *sheet) work(name string, do func(context.Context, *background.Progress) error, done func(error)) {
	s.watch(s.host.Work.Start(name, do, func(err error) {
		s.unwatch()
		done(err)
	}))
}

// workWhole is work of what is one step and cannot be cancelled.
func (s *sheet) workWhole(name string, do func() error, done func(error)) {
	s.watch(s.host.Work.StartWhole(name, do, func(err error) {
		s.unwatch()
		done(err)
	}))
}

// watch shows how far a job is until unwatch.
func (s *sheet) watch(job *background.Job) {
	bar, endless, text := own.NewShare(), widget.NewProgressBarInfinite(), widget.NewLabel(job.Snapshot().Name)
	bar.Hide()
	update := func() {
		now := job.Snapshot()
		text.SetText(progressText(now, time.Now()))
		if share, ok := now.Fraction(); ok {
			endless.Stop()
			endless.Hide()
			bar.Show()
			bar.SetValue(share)
		}
	}
	hear := s.host.Work.Subscribe(update)
	s.silence = func() {
		hear()
		endless.Stop()
	}
	onward := s.closeButton("Continue in background")
	if job.Snapshot().Whole {
		s.show(container.NewVBox(text, container.NewStack(bar, endless)), onward)
		return
	}
	cancel := widget.NewButton("Cancel", nil)
	cancel.OnTapped = func() {
		job.Cancel()
		cancel.Disable()
		update()
	}
	s.show(container.NewVBox(text, container.NewStack(bar, endless)), onward, cancel)
}

func progressText(now background.Snapshot, at time.Time) string {
	text := now.Name
	if now.Cancelling {
		return fmt.Sprintf("%s: cancelling …", text)
	}
	if now.Total > 0 {
		text = fmt.Sprintf("%s: %v of %v", text, result.Whole(now.Done), result.Whole(now.Total))
	}
	if left := present.Left(now.Left(at)); left != "" && at.Sub(now.Started) >= 2*time.Second { // before, it says little
		text += ", " + left
	}
	return text
}

// cancelled tells a cancel from a failure.
func cancelled(err error) bool { return present.Cancelled(err) }

// browse is a pair of buttons that put a chosen file or folder into what takes a path.
func (h Host) browse(take func(path string)) *fyne.Container {
	return container.NewHBox(h.browseFile(take), h.browseFolder(take))
}

// browseFile is a button that puts a chosen file into what takes a path; extensions, like ".csv",
// narrow the choice.
func (h Host) browseFile(take func(path string), extensions ...string) *widget.Button {
	return widget.NewButton("File…", func() {
		picker := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
			if err != nil {
				h.Failed(err)
				return
			}
			if r == nil {
				return
			}
			path := r.URI().Path()
			if err := r.Close(); err != nil {
				h.Failed(fmt.Errorf("close %s: %w", path, err))
			}
			take(path)
		}, h.Window)
		if len(extensions) > 0 {
			picker.SetFilter(storage.NewExtensionFileFilter(extensions))
		}
		showPicker(picker)
	})
}

func (h Host) browseFolder(take func(path string)) *widget.Button {
	return widget.NewButton("Folder…", func() {
		picker := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err != nil {
				h.Failed(err)
				return
			}
			if u != nil {
				take(u.Path())
			}
		}, h.Window)
		showPicker(picker)
	})
}

// folderRow is an entry for a folder with a button that browses for it.
func (h Host) folderRow(entry *widget.Entry) fyne.CanvasObject {
	return container.NewBorder(nil, nil, nil, h.browseFolder(entry.SetText), entry)
}

// fileRow is an entry for a file with a button that browses for it.
func (h Host) fileRow(entry *widget.Entry, extensions ...string) fyne.CanvasObject {
	return container.NewBorder(nil, nil, nil, h.browseFile(entry.SetText, extensions...), entry)
}

// showPicker shows Fyne's file chooser in a size that shows its files. It can take a size only
// once it is shown.
func showPicker(picker *dialog.FileDialog) {
	picker.Show()
	picker.Resize(fyne.NewSize(760, 520))
}

// titled puts a small heading above an object.
func titled(title string, object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}), object)
}

// headed puts an object below a small heading and whatever else stands above it, and gives it the
// rest of the room.
func headed(title string, object fyne.CanvasObject, above ...fyne.CanvasObject) fyne.CanvasObject {
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	return container.NewBorder(container.NewVBox(append([]fyne.CanvasObject{head}, above...)...), nil, nil, nil, object)
}

// scrolledText is a long text that can be read and copied, at least this high.
func scrolledText(text string, height float32) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	label.Selectable = true
	scroll := container.NewVScroll(label)
	scroll.SetMinSize(fyne.NewSize(0, height))
	return scroll
}
