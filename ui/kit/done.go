package kit

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// Done is what came of the work of a dialog, and what the dialog shows of it. Without Title and
// Show it closes.
type Done struct {
	// Said is said at the foot of the window, "" for nothing.
	Said string
	// Title stands over Text and over Paths, which are the files, or the one folder, that were
	// written.
	Title, Text string
	Paths       []string
	// Failed is what could not be done beside it, which Text says, too. It is shown over the
	// screens where the dialog was closed.
	Failed error
	// Show, which may be nil, shows something else in the dialog. Then, which may be nil, is called
	// after all. Both are called on the main goroutine.
	Show, Then func()
}

// end shows what came of the work.
func (d *Dialog) end(came Done) {
	if came.Said != "" {
		d.Host.Say(came.Said)
	}
	switch {
	case d.closed && came.Failed != nil:
		d.Host.Fail(came.Failed)
	case came.Show != nil:
		came.Show()
	case came.Title != "":
		d.Tell(came)
	default:
		d.Close()
	}
	if came.Then != nil {
		came.Then()
	}
}

// Tell shows what was done in the dialog: the text and each path can be copied, and the folder of
// the paths opened.
func (d *Dialog) Tell(came Done) {
	title := widget.Bold(came.Title)
	title.Wrapping = fyne.TextWrapWord
	head, buttons := container.NewVBox(title), []fyne.CanvasObject{d.CloseButton("Close")}
	copying := func(text, what, said string) *fynewidget.Button {
		return fynewidget.NewButton(text, func() {
			fyne.CurrentApp().Clipboard().SetContent(what)
			d.Host.Say(said)
		})
	}
	for _, path := range came.Paths {
		entry := fynewidget.NewEntry()
		entry.SetText(path)
		head.Add(container.NewBorder(nil, nil, nil, copying("Copy path", path, "The path is on the clipboard."), entry))
	}
	switch {
	case len(came.Paths) > 0:
		open := fynewidget.NewButton("Open folder", func() { d.openFolder(came.Paths[0]) })
		buttons = append([]fyne.CanvasObject{open}, buttons...)
	case came.Text != "":
		buttons = append([]fyne.CanvasObject{
			copying("Copy", came.Title+"\n"+came.Text, "It is on the clipboard."),
		}, buttons...)
	}
	if came.Text == "" {
		d.Show(head, buttons...)
		return
	}
	d.Show(container.NewBorder(head, nil, nil, nil, paragraphs(came.Text)), buttons...)
}

// A text of more than fewLines lines scrolls, and is at least leastText high.
const fewLines, leastText = 8, 300

// paragraphs is a text that can be read and copied. Each paragraph is a label of its own: Fyne lays
// out one label of thousands of lines in many seconds.
func paragraphs(text string) fyne.CanvasObject {
	list := container.NewVBox()
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		label := widget.Wrapped(paragraph)
		label.Selectable = true
		list.Add(label)
	}
	if strings.Count(text, "\n") < fewLines {
		return list
	}
	scroll := container.NewVScroll(list)
	scroll.SetMinSize(fyne.NewSize(0, leastText))
	return scroll
}

// openFolder opens a folder, or that of a file, in the file manager.
func (d *Dialog) openFolder(path string) {
	folder, err := filepath.Abs(path)
	if info, failed := os.Stat(folder); failed != nil || !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	if err == nil { // C:/... has a slash before it in an address
		address := &url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(folder), "/")}
		err = fyne.CurrentApp().OpenURL(address)
	}
	if err != nil {
		d.Host.Fail(fmt.Errorf("open the folder %s: %w; open it in the file manager", folder, err))
	}
}
