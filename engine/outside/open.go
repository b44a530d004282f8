// Package outside opens files that people bring, and says what is wrong with them. Open is the
// one way to them: a pipe, a folder or a device is refused before anything is read, and every
// kind of file has a largest size. Sentence is the one way from an error to words: texts that
// come out of a file are made visible, and the words of readers (encoding/json, archive/zip, ...)
// become plain ones.
package outside

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Kind is a kind of file that comes from outside.
type Kind struct {
	Noun string // for sentences: "a table"
	Most int64  // bytes
}

const (
	mebi = 1 << 20
	gibi = 1 << 30
)

// The kinds of files. Bounds on what is kept of a file in memory belong to its reader; these keep
// it from being read for ever.
var (
	Model       = Kind{"an ONNX model", 2*gibi - 1} // protobuf's own limit
	Weights     = Kind{"a file of a model's weights", 256 * gibi}
	Settings    = Kind{"a file of settings", 4 * mebi} // preprocessor_config.json and the like
	Table       = Kind{"a table", 512 * mebi}
	LargeTable  = Kind{"a table", 8 * gibi} // with numbers for each image; read row by row
	Names       = Kind{"a list of names", 64 * mebi}
	Document    = Kind{"a document", 64 * mebi} // assessors, ontologies
	Package     = Kind{"a package", 1024 * gibi}
	Log         = Kind{"a log of training", 4 * gibi}
	Array       = Kind{"an array", 16 * gibi}
	Picture     = Kind{"a picture", 512 * mebi}
	Images      = Kind{"a file of images", 1024 * gibi}
	KeptOutside = Kind{"a file", 1024 * gibi} // copied as it is
)

// File is an opened file: a regular one that gives at most as many bytes as its kind allows, also
// where it grows.
type File struct {
	file *os.File
	kind Kind
	size int64
	at   int64 // where Read is
}

// Open opens a file for reading. Links are followed; what is no regular file then, and what is
// larger than its kind allows, is an *fs.PathError that says so, as what cannot be opened is. It
// never waits: neither for somebody who writes into a pipe, nor for a device.
func Open(path string, k Kind) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|neverWait, 0)
	if err != nil {
		if info, other := os.Stat(path); other == nil { // a socket, or on some systems a folder, cannot even be opened
			if what := irregular(info.Mode()); what != "" {
				err = refused(path, k, what)
			}
		}
		return nil, err
	}
	return check(f, path, k)
}

// OpenIn is Open for a file below a folder that no link may lead out of. The error has the name
// alone.
func OpenIn(root *os.Root, name string, k Kind) (*File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|neverWait, 0)
	if err != nil {
		return nil, err
	}
	return check(f, name, k)
}

// check closes a file that it refuses.
func check(f *os.File, path string, k Kind) (*File, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
	case irregular(info.Mode()) != "":
		err = refused(path, k, irregular(info.Mode()))
	case info.Size() > k.Most:
		err = tooLarge(path, k)
	}
	if err != nil {
		_ = f.Close() // the first error says why
		return nil, err
	}
	return &File{file: f, kind: k, size: info.Size()}, nil
}

func irregular(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case !mode.IsRegular():
		return "something else"
	}
	return ""
}

// ErrNoFile is wrapped where something else than a file lies at a path, ErrTooLarge where a file
// has more bytes than its kind allows.
var (
	ErrNoFile   = fmt.Errorf("no file: %w", fs.ErrInvalid)
	ErrTooLarge = fmt.Errorf("too large: %w", fs.ErrInvalid)
)

// problem is a sentence about a file, without its name.
type problem struct {
	text string
	is   error
}

func (p problem) Error() string        { return p.text }
func (p problem) Is(target error) bool { return target == p.is }

func refused(path string, k Kind, what string) error {
	return &fs.PathError{
		Op: "open", Path: path, Err: problem{fmt.Sprintf("it is %s, not a file; choose %s", what, k.Noun), ErrNoFile},
	}
}

func tooLarge(path string, k Kind) error {
	return &fs.PathError{
		Op: "read", Path: path,
		Err: problem{fmt.Sprintf("it is larger than %d MiB, the most that %s may have; choose another file",
			(k.Most+mebi-1)/mebi, k.Noun), ErrTooLarge},
	}
}

// Read reads a whole file.
func Read(path string, k Kind) ([]byte, error) {
	f, err := Open(path, k)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	return f.All()
}

// All is the content of the file from where Read is.
func (f *File) All() ([]byte, error) {
	data := make([]byte, 0, min(max(f.size-f.at, 0), 1<<30)+512)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	if f.at += int64(n); f.at > f.kind.Most {
		return 0, tooLarge(f.file.Name(), f.kind)
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return f.file.ReadAt(p, at) }

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (at int64, err error) {
	if at, err = f.file.Seek(offset, whence); err == nil {
		f.at = at
	}
	return at, err
}

// Size is the number of bytes that the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Info is what the system says of the file.
func (f *File) Info() (fs.FileInfo, error) { return f.file.Stat() }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Archive is an opened zip archive.
type Archive struct {
	*zip.Reader
	file *File
}

// OpenArchive is Open for a zip archive.
func OpenArchive(path string, k Kind) (*Archive, error) {
	f, err := Open(path, k)
	if err != nil {
		return nil, err
	}
	in, err := zip.NewReader(f, f.size)
	if err != nil {
		_ = f.Close() // the first error says why
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New(Plain(err.Error()))}
	}
	return &Archive{in, f}, nil
}

// Close closes the archive.
func (a *Archive) Close() error { return a.file.Close() }
