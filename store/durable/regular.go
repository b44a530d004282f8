package durable

import (
	"io/fs"
	"os"
)

// OpenRegular opens a file for reading that somebody else has put there. A link, a pipe, a device
// or a folder in its place is an error, never something to wait for; so is a file that is
// exchanged for another one meanwhile. The error names the file by its path.
func OpenRegular(path string) (*os.File, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(before); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|neverWait, 0)
	if err != nil {
		return nil, err
	}
	after, err := file.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = &fs.PathError{Op: "open", Path: path, Err: errRegular}
	}
	if err != nil {
		_ = file.Close() // the first error says why
		return nil, err
	}
	return file, nil
}

// regular says why what lies in a file's place is none.
func regular(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errLink
	case !info.Mode().IsRegular():
		return errRegular
	}
	return nil
}
