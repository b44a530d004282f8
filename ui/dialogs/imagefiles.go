package dialogs

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/kit"
)

// askFiles asks where sets of images are saved, and how; text says what is saved.
func askFiles[O any](ask *kit.Ask[O], text string) {
	ask.Button, ask.Below = "Save", wrapped(text)
	ask.Form.Named = func(_, choice string) string {
		return map[imageset.Format]string{
			imageset.Folder: "PNG files in class folders", imageset.IDX: "IDX (gray images of one size)",
		}[imageset.Format(choice)]
	}
	ask.Open()
}

// showFiles says what lies where: paths that can be copied, a line for each of several things, and
// a button that opens the folder.
func showFiles(s *kit.Dialog, title string, lines []string, folder string, paths ...string) {
	list := container.NewVBox()
	for _, path := range paths {
		entry := widget.NewEntry()
		entry.SetText(path)
		list.Add(container.NewBorder(nil, nil, nil, widget.NewButton("Copy path", func() {
			fyne.CurrentApp().Clipboard().SetContent(path)
			s.Host.Say("The path is on the clipboard.")
		}), entry))
	}
	open := widget.NewButton("Open folder", func() {
		if err := fyne.CurrentApp().OpenURL(folderURL(folder)); err != nil {
			s.Host.Fail(fmt.Errorf("open the folder %s: %w", folder, err))
		}
	})
	content := titled(title, list)
	if len(lines) > 0 {
		content = headed(title, scrolledText(strings.Join(lines, "\n"), 300), list)
	}
	s.Show(content, open, s.CloseButton("Close"))
}

// folderURL is the address of a folder, C:/... with a slash before it.
func folderURL(path string) *url.URL {
	return &url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
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
