package dialogs

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
)

// showWritten ends a dialog with what lies where: the paths of files, or of one folder, each to be
// copied, a button that opens their folder, and a line for each thing that was written, if any.
func showWritten(d *kit.Dialog, title string, lines []string, paths ...string) {
	list := container.NewVBox()
	for _, path := range paths {
		entry := widget.NewEntry()
		entry.SetText(path)
		list.Add(container.NewBorder(nil, nil, nil, widget.NewButton("Copy path", func() {
			fyne.CurrentApp().Clipboard().SetContent(path)
			d.Host.Say("The path is on the clipboard.")
		}), entry))
	}
	open := widget.NewButton("Open folder", func() {
		folder, err := filepath.Abs(paths[0])
		if info, failed := os.Stat(folder); failed != nil || !info.IsDir() {
			folder = filepath.Dir(folder)
		}
		if err == nil {
			err = fyne.CurrentApp().OpenURL(folderURL(folder))
		}
		if err != nil {
			d.Host.Fail(fmt.Errorf("open the folder %s: %w; open it in the file manager", folder, err))
		}
	})
	content := titled(title, list)
	if len(lines) > 0 {
		content = headed(title, scrolledText(strings.Join(lines, "\n"), 300), list)
	}
	d.Show(content, open, d.CloseButton("Close"))
}

// folderURL is the address of a folder, C:/... with a slash before it.
func folderURL(path string) *url.URL {
	return &url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
}
