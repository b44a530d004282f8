package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// file is what the store needs of a file that it writes.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

// disk is the file layer: everything that changes files goes through it, so that tests can make any step fail. Reading
// uses package os.
type disk struct {
	create  func(path string) (file, error) // truncates
	rename  func(from, to string) error
	remove  func(path string) error
	mkdir   func(path string) error // one level; no error when it is there
	syncDir func(path string) error
	// openDatabase opens an existing file for reading and writing.
	openDatabase func(path string) (*os.File, error)
	// maxDatabase limits the database's size in bytes; 0 is no limit.
	maxDatabase int
}

func osDisk() disk {
	return disk{
		create: func(path string) (file, error) {
			return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		},
		rename: os.Rename,
		remove: os.Remove,
		mkdir: func(path string) error {
			if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
				return err
			}
			return nil
		},
		syncDir:      syncDir,
		openDatabase: func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR, 0) },
	}
}

// write puts a file in place so that it is there whole or not at all: written beside, fsynced, renamed, the directory
// fsynced. On an error nothing is left.
func (d disk) write(path string, fill func(io.Writer) error) error {
	part := path + partSuffix
	if err := d.writePart(part, fill); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), classify(err))
	}
	return d.place(part, path)
}

// writePart writes and fsyncs a file; on an error the file is removed.
func (d disk) writePart(part string, fill func(io.Writer) error) (err error) {
	f, err := d.create(part)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			_ = d.remove(part)
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	return f.Sync()
}

// place renames a written file to its name and makes the rename last.
func (d disk) place(part, path string) error {
	if err := d.rename(part, path); err != nil {
		_ = d.remove(part)
		return fmt.Errorf("write %s: %w", filepath.Base(path), classify(err))
	}
	if err := d.syncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), classify(err))
	}
	return nil
}

// folder makes a folder below root, level by level, and makes each new level last.
func (d disk) folder(root string, levels ...string) (string, error) {
	path := root
	for _, level := range levels {
		parent := path
		path = filepath.Join(path, level)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := d.mkdir(path); err != nil {
			return "", fmt.Errorf("make folder %s: %w", level, classify(err))
		}
		if err := d.syncDir(parent); err != nil {
			return "", fmt.Errorf("make folder %s: %w", level, classify(err))
		}
	}
	return path, nil
}

func syncDir(path string) error {
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
