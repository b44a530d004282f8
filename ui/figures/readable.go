package figures

import (
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
)

// Readable are the files with one of these extensions, such as ".csv", any where there are none,
// that end when they are read. Each file chooser lists no others: it opens what it lists, and a
// pipe, a device, or one of the endless files in /proc, which have no size, would hold the window
// for ever.
type Readable []string

// Matches implements storage.FileFilter.
func (extensions Readable) Matches(u fyne.URI) bool {
	info, err := os.Stat(u.Path())
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 &&
		(len(extensions) == 0 || storage.NewExtensionFileFilter(extensions).Matches(u))
}
