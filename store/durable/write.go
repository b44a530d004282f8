package durable

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Fill writes and fsyncs a file of which nobody knows yet; on an error it is removed.
func Fill(draft string, fill func(io.Writer) error) error {
	if err := write(draft, fill); err != nil {
		return explain("write", draft, err)
	}
	return nil
}

// Scratch is Fill for a file that need not outlive this process: it is not fsynced.
func Scratch(draft string, fill func(io.Writer) error) error {
	if err := written(draft, fill, func(*File) error { return nil }); err != nil {
		return explain("write", draft, err)
	}
	return nil
}

func write(draft string, fill func(io.Writer) error) error { return written(draft, fill, (*File).Sync) }

func written(draft string, fill func(io.Writer) error, last func(*File) error) (err error) {
	f, err := New(draft)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = Delete(draft)
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	return last(f)
}

// Place gives a file that Fill has written its name, in the place of the one that has it, and
// makes that last. On an error the draft is gone; the file is the former one or, where only its
// lasting failed, the new one.
func Place(draft, path string) error { return PlaceUnless(draft, path, always) }

// PlaceUnless is Place that asks last right before the rename: with an error the draft goes, and
// the file is the former one.
func PlaceUnless(draft, path string, last func() error) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		_ = Delete(draft)
		return explain("write", path, errFolder)
	}
	if err := MoveUnless(draft, path, last); err != nil {
		_ = Delete(draft)
		return explain("write", path, err)
	}
	if err := SyncDir(filepath.Dir(path)); err != nil {
		return explain("write", path, err)
	}
	return nil
}

// Through is Fill and Place: draft must lie on the disk of path, where no other writer knows it.
// The error names the file, and says what to do where the disk is what failed.
func Through(draft, path string, fill func(io.Writer) error) error {
	return ThroughUnless(draft, path, fill, always)
}

// ThroughUnless is Fill and PlaceUnless, with Through's errors.
func ThroughUnless(draft, path string, fill func(io.Writer) error, last func() error) error {
	if err := write(draft, fill); err != nil {
		return explain("write", path, err)
	}
	return PlaceUnless(draft, path, last)
}

// Append writes data behind the first at bytes of a file and fsyncs it; what lies there is cut off
// before. On an error the file ends where it did, as far as it can be cut.
func Append(path string, at int64, data []byte) error {
	err := appendTo(path, at, data)
	if err == nil {
		return nil
	}
	_ = Cut(path, at)
	return explain("write", path, err)
}

func appendTo(path string, at int64, data []byte) (err error) {
	if err := Ask(Open, path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|neverWait, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, (&File{f}).Close()) }()
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil && end > at {
		err = Cut(path, at)
		_, seekErr := f.Seek(at, io.SeekStart)
		err = errors.Join(err, seekErr)
	}
	if err != nil {
		return err
	}
	if _, err := (&File{f}).Write(data); err != nil {
		return err
	}
	return (&File{f}).Sync()
}

// Cut shortens a file to its first bytes.
func Cut(path string, bytes int64) error {
	err := Ask(Truncate, path)
	if err == nil {
		err = os.Truncate(path, bytes)
	}
	if err != nil {
		return explain("cut", path, err)
	}
	return nil
}

// WriteFile writes a file through a draft beside it, and makes the folders above it. What killed
// processes have left of it goes.
func WriteFile(path string, fill func(io.Writer) error) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := Folders(filepath.Dir(path)); err != nil {
		return err
	}
	RemoveDrafts(path)
	return Through(DraftOf(path), path, fill)
}

// RemoveWritten removes files of a folder, by their paths with slashes, that still have these
// SHA-256 sums (hexadecimal), and what folders below it are empty then. What was changed since
// stays.
func RemoveWritten(folder string, sums map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		file, err := OpenRegular(path)
		if err != nil {
			continue
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		if err = errors.Join(err, file.Close()); err != nil || hex.EncodeToString(sum.Sum(nil)) != sums[name] {
			continue
		}
		if err := Delete(path); err != nil {
			return fmt.Errorf("remove %s, which was written before: %w", path, Classify(err))
		}
		for dir := filepath.Dir(path); dir != filepath.Clean(folder) && Delete(dir) == nil; dir = filepath.Dir(dir) {
			// only empty ones go
		}
	}
	return nil
}

// Draft is a folder that is put together beside its place and gets its name when it is whole.
type Draft struct {
	Path  string // where it is put together
	place string
}

// NewDraft makes an empty draft of a folder; the folder above it must be there. What killed
// processes have left of it goes.
func NewDraft(place string) (*Draft, error) {
	place, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	RemoveDrafts(place)
	d := &Draft{Path: DraftOf(place), place: place}
	if err := mkdirNew(d.Path); err != nil {
		return nil, explain("make folder", place, err)
	}
	return d, nil
}

// Mkdir makes one folder in the draft; the one above it must be there.
func (d *Draft) Mkdir(name string) error { return d.Failed(name, Mkdir(filepath.Join(d.Path, name))) }

// Failed says of what is written into the draft without it which file of the place failed, and
// what to do; nil stays nil.
func (d *Draft) Failed(name string, err error) error {
	if err == nil {
		return nil
	}
	return explain("write", filepath.Join(d.place, filepath.FromSlash(name)), err)
}

// Write writes one file of the draft, and makes the folders above it. It lasts once the whole
// draft does.
func (d *Draft) Write(name string, fill func(io.Writer) error) error {
	path := filepath.Join(d.Path, filepath.FromSlash(name))
	err := Ask(MakeFolder, filepath.Dir(path))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return d.Failed(name, err)
	}
	f, err := New(path)
	if err != nil {
		return d.Failed(name, err)
	}
	return d.Failed(name, errors.Join(fill(f), f.Close()))
}

// WriteBytes is Write for what is in memory.
func (d *Draft) WriteBytes(name string, data []byte) error {
	return d.Write(name, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// syncing is how many files of a draft are fsynced at a time: file systems take several together.
const syncing = 16

// Place makes all files of the draft last, then gives the folder its name, which must be free or
// an empty folder.
func (d *Draft) Place() error {
	if err := d.Sync(); err != nil {
		return err
	}
	if err := Move(d.Path, d.place); err != nil {
		return explain("write", d.place, err)
	}
	if err := SyncDir(filepath.Dir(d.place)); err != nil {
		return explain("write", d.place, err)
	}
	return nil
}

// Sync makes all files of the draft last, under its own name.
func (d *Draft) Sync() error {
	var files errgroup.Group
	files.SetLimit(max(syncing, runtime.NumCPU()))
	err := filepath.WalkDir(d.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		files.Go(func() error {
			if entry.IsDir() {
				return SyncDir(path)
			}
			return syncFile(path)
		})
		return nil
	})
	if err = errors.Join(err, files.Wait()); err != nil {
		return explain("write", d.place, err)
	}
	return nil
}

func syncFile(path string) error {
	if err := Ask(Sync, path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // Windows fsyncs no file that is open for reading only
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Discard removes what was put together. After Place there is nothing to remove.
func (d *Draft) Discard() error {
	if err := DeleteAll(d.Path); err != nil {
		return explain("remove", d.Path, err)
	}
	return nil
}
