// Package durable is the one layer through which Variscope changes files, so that a file or folder
// is there whole or not at all, every failure is a sentence that says what to do, and a test can
// let any single step fail (Watch). Reading uses package os.
//
// What is written gets its name last: it is written beside its place or above it, fsynced,
// renamed, and the folder that holds the name is fsynced. A kill in between leaves a draft, which
// is named after its place and its process and goes when the same place is written again.
package durable

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// Op is a kind of step that changes files.
type Op string

// The kinds of steps.
const (
	Create     Op = "create"
	Open       Op = "open" // for writing
	Write      Op = "write"
	Sync       Op = "sync"
	Truncate   Op = "truncate"
	Close      Op = "close"
	Rename     Op = "rename"
	Remove     Op = "remove"
	MakeFolder Op = "mkdir"
	SyncFolder Op = "sync folder"
	Touch      Op = "touch" // set a file's time or mode
)

// Step is one change that is about to be made to the file or folder at Path; of a rename that is
// the new name.
type Step struct {
	Op   Op
	Path string
}

var watch atomic.Pointer[func(Step) error]

// Watch has every step of this process asked before it is done, until stop is called: an error of
// the hook is the step's own, and the step is not done, except that half of what was to be written
// is. It is for tests of what a failing disk leaves; one hook at a time.
func Watch(hook func(Step) error) (stop func()) {
	before := watch.Swap(&hook)
	return func() { watch.Store(before) }
}

// Ask is what every step of this package asks; whoever changes a file by other means, as a
// database does, asks by itself.
func Ask(op Op, path string) error {
	if hook := watch.Load(); hook != nil {
		return (*hook)(Step{op, path})
	}
	return nil
}

// File is a file that is written from its beginning.
type File struct{ f *os.File }

// New makes a file; one that is there goes. What a link in its place points to stays as it is: in
// a folder where everybody may write, the link may be somebody else's.
func New(path string) (*File, error) {
	if err := Ask(Create, path); err != nil {
		return nil, err
	}
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := os.OpenFile(path, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f, err = os.OpenFile(path, flags, 0o644)
	}
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	if err := Ask(Write, f.f.Name()); err != nil {
		n, _ := f.f.Write(p[:len(p)/2])
		return n, err
	}
	return f.f.Write(p)
}

// Sync makes what was written last.
func (f *File) Sync() error {
	if err := Ask(Sync, f.f.Name()); err != nil {
		return err
	}
	return f.f.Sync()
}

// Close closes the file; some file systems only tell here that they are full.
func (f *File) Close() error {
	return errors.Join(Ask(Close, f.f.Name()), f.f.Close())
}

// OpenBoth opens a file that is there for reading and writing.
func OpenBoth(path string) (*os.File, error) {
	if err := Ask(Open, path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}

// Move is os.Rename; on Windows it waits a moment for those who have one of the two open.
func Move(from, to string) error { return MoveUnless(from, to, always) }

// MoveUnless is Move that asks last before each attempt: its error is Move's, and nothing is moved.
func MoveUnless(from, to string, last func() error) error {
	if err := Ask(Rename, to); err != nil {
		return err
	}
	return rename(from, to, last)
}

// always is nothing against a rename.
func always() error { return nil }

// Delete is os.Remove.
func Delete(path string) error {
	err := Ask(Remove, path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return explain("remove", path, err)
	}
	return nil
}

// DeleteAll is os.RemoveAll.
func DeleteAll(path string) error {
	if err := Ask(Remove, path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// Mkdir makes one level; a folder that is there is no error.
func Mkdir(path string) error {
	if err := mkdirNew(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// mkdirNew is Mkdir of what must not be there yet.
func mkdirNew(path string) error {
	if err := Ask(MakeFolder, path); err != nil {
		return err
	}
	return os.Mkdir(path, 0o755)
}

// Folders makes a folder and those above it, level by level, and makes each new one last.
func Folders(path string) error {
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	if err == nil {
		if info.IsDir() {
			return nil
		}
		return explain("make folder", path, errNoFolder)
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := Folders(parent); err != nil {
			return err
		}
	}
	if err := Mkdir(path); err != nil {
		return explain("make folder", path, err)
	}
	if err := SyncDir(parent); err != nil {
		return explain("make folder", path, err)
	}
	return nil
}

// Below makes folders below one that must be there, level by level, and makes each new one last.
// It returns the lowest. Links to folders count as folders.
func Below(root string, levels ...string) (string, error) { return below(os.Stat, root, levels) }

// Within is Below for a root in which others may write: a link in the place of a folder is an
// error, so that nothing is written beyond the root.
func Within(root string, levels ...string) (string, error) { return below(os.Lstat, root, levels) }

func below(look func(string) (os.FileInfo, error), root string, levels []string) (string, error) {
	path := root
	for _, level := range levels {
		parent := path
		path = filepath.Join(path, level)
		if info, err := look(path); err == nil {
			switch {
			case info.Mode()&fs.ModeSymlink != 0:
				return "", explain("make folder", path, errLink)
			case !info.IsDir():
				return "", explain("make folder", path, errNoFolder)
			}
			continue
		}
		if err := Mkdir(path); err != nil {
			return "", explain("make folder", path, err)
		}
		if err := SyncDir(parent); err != nil {
			return "", explain("make folder", path, err)
		}
	}
	return path, nil
}

// SyncDir makes the names in a folder last.
func SyncDir(path string) error {
	if err := Ask(SyncFolder, path); err != nil {
		return err
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	if err := d.Sync(); err != nil && !syncUnsupported(err) {
		return err
	}
	return nil
}

// SetTime gives a file the time of its last change.
func SetTime(path string, modified time.Time) error {
	err := Ask(Touch, path)
	if err == nil {
		err = os.Chtimes(path, modified, modified)
	}
	if err != nil {
		return explain("set the time of", path, err)
	}
	return nil
}

// WritePrivateJSON replaces a file by v as indented JSON, which nobody but its owner may read. The
// folder should be private before: until the file is, it has the usual rights.
func WritePrivateJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	err = WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return Private(path)
}

// Private lets nobody but its owner read a file, or look into a folder. On Windows the folder that
// it lies in decides, and nothing changes.
func Private(path string) error {
	err := Ask(Touch, path)
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	if err == nil {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if err != nil {
		return explain("keep others from", path, err)
	}
	return nil
}
