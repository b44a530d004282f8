package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What can be wrong with a disk. The texts are meant to be read by people, after the name of a
// file.
var (
	// ErrReadOnly: files cannot be written.
	ErrReadOnly = errors.New("the folder is read-only; " +
		"choose a folder where you may write, and copy a workspace there to change it")
	// ErrFull: the disk, the quota or the file-size limit is exhausted.
	ErrFull = errors.New("the disk is full; free some space and try again")
	// ErrDisk: the disk itself failed.
	ErrDisk = errors.New("the disk reports an error; check it, save to another one, and try again")
	// ErrGone: the folder to write into is not there any more.
	ErrGone = errors.New("its folder is gone; bring the folder back, or choose another one")
	// ErrInUse: another program keeps the file from being changed, as happens on Windows.
	ErrInUse = errors.New("another program has it open; close it there and try again")

	errFolder   = errors.New("a folder of this name lies in its place; rename that one, or choose another name")
	errLink     = errors.New("a link lies in its place, which may lead anywhere; put the folder or file itself there")
	errRegular  = errors.New("it is no file; put the file itself in its place")
	errNoFolder = errors.New("a file of this name lies in the place of a folder; " +
		"rename that one, or choose another name")
)

// Classify puts the sentinel for what the operating system said in front of it.
func Classify(err error) error {
	for _, known := range []error{ErrFull, ErrReadOnly, ErrDisk, ErrGone, ErrInUse} {
		if err == nil || errors.Is(err, known) {
			return err
		}
	}
	switch {
	case isInUse(err):
		return fmt.Errorf("%w (%w)", ErrInUse, err)
	case isFull(err):
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case isReadOnly(err), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	case isDiskError(err), errors.Is(err, io.ErrShortWrite):
		return fmt.Errorf("%w (%w)", ErrDisk, err)
	}
	return err
}

// explain names the file that could not be written and says what to do. The draft that the system
// names in its place is nothing that anybody asked for.
func explain(what, path string, err error) error {
	if of, ok := err.(*fs.PathError); ok {
		err = of.Err
	}
	err = Classify(err)
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrGone) {
		if _, gone := os.Stat(filepath.Dir(path)); errors.Is(gone, fs.ErrNotExist) {
			err = fmt.Errorf("%w (%w)", ErrGone, err)
		}
	}
	return fmt.Errorf("%s %s: %w", what, path, err)
}
