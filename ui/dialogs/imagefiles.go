package dialogs

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/imageset"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// imageFiles asks where sets of images are saved, and how.
type imageFiles struct {
	browser *kit.Host // which browses for folders
	folder  *widget.Entry
	format  *widget.RadioGroup
	button  *widget.Button
}

// newImageFiles offers a folder; hint is shown where there is none. save is called with one that
// was named.
func newImageFiles(host *kit.Host, folder, hint string, save func()) *imageFiles {
	f := &imageFiles{browser: host, folder: widget.NewEntry(), button: widget.NewButton("Save", save)}
	f.button.Importance = widget.HighImportance
	f.folder.SetPlaceHolder(hint)
	f.folder.OnChanged = func(text string) { own.Enable(f.button, len(kit.Paths(text)) == 1) }
	f.folder.SetText(folder)
	f.format = widget.NewRadioGroup([]string{"PNG files in class folders", "IDX (gray images of one size)"}, nil)
	f.format.Required = true
	f.format.SetSelected(f.format.Options[0])
	return f
}

// rows has the folder and the format, and takes more.
func (f *imageFiles) rows() *widget.Form {
	return widget.NewForm(
		widget.NewFormItem("Folder", f.browser.FolderRow(f.folder)),
		widget.NewFormItem("Format", f.format),
	)
}

// chosenPlace is what was chosen last.
func (f *imageFiles) chosenPlace() (out string, format imageset.Format) {
	if f.format.Selected == f.format.Options[1] {
		return kit.Paths(f.folder.Text)[0], imageset.IDX
	}
	return kit.Paths(f.folder.Text)[0], imageset.Folder
}

// savedSets says what lies where: a path that can be copied, and a line for each set.
func savedSets(s *kit.Dialog, title, folder string, lines []string) {
	path := widget.NewEntry()
	path.SetText(folder)
	s.Show(headed(title, scrolledText(strings.Join(lines, "\n"), 300), path), s.CloseButton("Close"))
}

// beside is a folder of that name beside the workspace.
func beside(workspace, name string) string { return filepath.Join(filepath.Dir(workspace), name) }
