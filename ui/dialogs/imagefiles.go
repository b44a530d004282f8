package dialogs

import (
	"path/filepath"

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

// beside is a folder of that name beside the workspace.
func beside(workspace, name string) string { return filepath.Join(filepath.Dir(workspace), name) }

// alreadyThere follows the line of a set that lay there before.
func alreadyThere(yes bool) string {
	if yes {
		return " (there already)"
	}
	return ""
}
