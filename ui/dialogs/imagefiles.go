package dialogs

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// imageFiles asks where sets of images are saved, and how, with a button that saves.
type imageFiles[O any] struct {
	*kit.Form[O]
	button *widget.Button
}

// newImageFiles asks for those options that are not to be hidden. The button is off where folder
// says that there is none.
func newImageFiles[O any](host *kit.Host, folder func(O) string, save func(O), hide ...string) *imageFiles[O] {
	f := &imageFiles[O]{button: widget.NewButton("Save", nil)}
	f.button.OnTapped = func() { save(f.Options()) }
	f.button.Importance = widget.HighImportance
	f.Form = &kit.Form[O]{
		Host: host, Rows: true, Hide: hide,
		OnChange: func(o O) { own.Enable(f.button, folder(o) != "") },
		Named: func(_, choice string) string {
			return map[imageset.Format]string{
				imageset.Folder: "PNG files in class folders", imageset.IDX: "IDX (gray images of one size)",
			}[imageset.Format(choice)]
		},
	}
	f.Make()
	return f
}

// savedSets says what lies where: a path that can be copied, and a line for each set.
func savedSets(s *kit.Dialog, title, folder string, lines []string) {
	path := widget.NewEntry()
	path.SetText(folder)
	s.Show(headed(title, scrolledText(strings.Join(lines, "\n"), 300), path), s.CloseButton("Close"))
}

// beside is a folder of that name beside the workspace.
func beside(workspace, name string) string { return filepath.Join(filepath.Dir(workspace), name) }
