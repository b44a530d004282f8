package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
)

// Sentinels of Open: the files are not where they were, or are not what they were. Everything made
// from signals works without the images; only previews and new runs need them.
var (
	ErrMissing = errors.New("images not found")
	ErrChanged = errors.New("images have changed")
)

// Suite is an opened suite. It is safe for many goroutines, apart from Close.
type Suite struct {
	manifest Manifest
	reader   reader
	once     sync.Once
	closed   error
}

// Open opens a scanned suite whose files lie below root now. Size and time of every file are
// checked: the error wraps ErrMissing when one is gone and ErrChanged when one differs (a changed
// suite is a new suite: DESIGN.md section 5).
func Open(m Manifest, root string) (*Suite, error) {
	if err := check(m, root); err != nil {
		return nil, err
	}
	s := &Suite{manifest: m}
	var err error
	switch m.Format {
	case IDX:
		s.reader, err = openIDX(m, root)
	case Arrays:
		s.reader, err = openArrays(m, root)
	case CIFAR, CIFAR100, CIFARPython, CIFAR100Python:
		s.reader, err = openCIFAR(m, root)
	case Folder, CSV:
		s.reader = loose{root: root, files: m.Files}
	default:
		err = fmt.Errorf("unknown format %q", m.Format)
	}
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", m.Name, err)
	}
	return s, nil
}

func check(m Manifest, root string) error {
	if m.Derived != nil {
		return fmt.Errorf("suite %s is made from another one and has no files of its own; open that one", m.Name)
	}
	if len(m.Labels) != m.Images || len(m.Files) == 0 || (m.Format == Folder || m.Format == CSV) &&
		len(m.Files) != m.Images {
		return fmt.Errorf("suite %s: its record is damaged; import it again", m.Name)
	}
	for _, want := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(want.Path)) {
			return fmt.Errorf("suite %s: its record names %s, outside of its folder; import it again",
				m.Name, want.Path)
		}
		got, err := stat(root, want.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || isNotFolder(root):
			return fmt.Errorf("suite %s: %w: %s cannot be read in %s; locate the suite's folder", m.Name, ErrMissing,
				want.Path, root)
		case err != nil:
			return fmt.Errorf("suite %s: %w", m.Name, err)
		case got.Size != want.Size:
			return fmt.Errorf("suite %s: %w: %s in %s has %d bytes, at import it had %d; "+
				"import the folder as a new suite", m.Name, ErrChanged, want.Path, root, got.Size, want.Size)
		case !got.Modified.Equal(want.Modified):
			return fmt.Errorf("suite %s: %w: %s in %s was written at %s, after the import; import the folder again",
				m.Name, ErrChanged, want.Path, root, got.Modified.Format("2006-01-02 15:04:05"))
		}
	}
	return nil
}

func isNotFolder(path string) bool {
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

// Manifest is what the suite was opened with. Its slices must not be changed.
func (s *Suite) Manifest() Manifest { return s.manifest }

// Len is the number of images.
func (s *Suite) Len() int { return s.manifest.Images }

// Label is the class of image i, -1 without label.
func (s *Suite) Label(i int) int { return s.manifest.Labels[i] }

// Name is the name of image i for messages: its slash-separated path inside the suite, or its
// number in IDX and CIFAR files.
func (s *Suite) Name(i int) string { return s.manifest.ImageName(i) }

// Labelled tells whether any image has a label.
func (m Manifest) Labelled() bool {
	return slices.ContainsFunc(m.Labels, func(label int) bool { return label >= 0 })
}

// ImageName is Suite.Name without opening the suite.
func (m Manifest) ImageName(i int) string {
	if m.Format == Folder || m.Format == CSV {
		return m.Files[i].Path
	}
	return strconv.Itoa(i)
}

// Image decodes image i, upright and with alpha composited on black. The caller owns the result.
// Errors name the file.
func (s *Suite) Image(i int) (Image, error) {
	if i < 0 || i >= s.manifest.Images {
		return Image{}, fmt.Errorf("suite %s: no image %d; it has %d", s.manifest.Name, i, s.manifest.Images)
	}
	img, err := s.reader.image(i)
	if err != nil {
		return Image{}, fmt.Errorf("suite %s: %w", s.manifest.Name, err)
	}
	return img, nil
}

// Raw is an image as it lies: a file, or the pixels of a record.
type Raw struct {
	Data []byte
	What string // of a file: what errors of decoding it begin with
	// Channels, Height and Width are those of a record: a byte per value, channel by channel. Zero
	// for a file.
	Channels, Height, Width int
}

// Encoded is image i as it lies, without data in formats whose images have to be made
// (engine.Encoded).
func (s *Suite) Encoded(i int) (Raw, error) {
	reader, ok := s.reader.(interface{ raw(i int) (Raw, error) })
	if !ok {
		return Raw{}, nil
	}
	raw, err := reader.raw(i)
	if err != nil {
		return Raw{}, fmt.Errorf("suite %s: %w", s.manifest.Name, err)
	}
	if raw.What != "" {
		raw.What = "suite " + s.manifest.Name + ": " + raw.What
	}
	return raw, nil
}

// Close frees files and temporary space. Closing twice is allowed; no Image call may run at the
// same time.
func (s *Suite) Close() error {
	s.once.Do(func() { s.closed = s.reader.close() })
	return s.closed
}
