package figures

import (
	"bytes"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage/repository"

	"github.com/variscope/variscope/store/durable"
)

// place is a file that somebody has chosen. It stays as it is until its new content is whole.
type place struct {
	bytes.Buffer
	uri fyne.URI
}

var _ fyne.URIWriteCloser = (*place)(nil)

// URI implements fyne.URIWriteCloser.
func (p *place) URI() fyne.URI { return p.uri }

// Close gives the file what was written.
func (p *place) Close() error {
	return durable.WriteFile(p.uri.Path(), func(out io.Writer) error {
		_, err := out.Write(p.Bytes())
		return err
	})
}

// files is all that Fyne's files can do.
type files interface {
	repository.AppendableRepository
	repository.DeleteAllRepository
	repository.HierarchicalRepository
	repository.ListableRepository
	repository.MovableRepository
	repository.CopyableRepository
}

// keeping are Fyne's files but for writing: Fyne's dialog opens the file that was chosen before it
// tells, and Fyne empties what it opens. A figure that cannot be drawn would have cost the one that
// was there.
type keeping struct{ files }

// Writer implements repository.WritableRepository.
func (keeping) Writer(u fyne.URI) (fyne.URIWriteCloser, error) { return &place{uri: u}, nil }

// keepFiles has Fyne leave files alone that are chosen for writing.
func keepFiles() {
	found, err := repository.ForScheme("file")
	if err != nil {
		return
	}
	if plain, ok := found.(files); ok {
		if _, done := found.(keeping); !done {
			repository.Register("file", keeping{plain})
		}
	}
}
