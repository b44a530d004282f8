package database

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestPagesAreWalkedUnderTheLock: it is kept until it is handed over.
func TestPagesAreWalkedUnderTheLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), File)
	must(t, Create(name))
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		must(t, err)
		defer func() { _ = f.Close() }()
		files[i] = f
	}
	must(t, Lock(files[0], 0))
	if err := Lock(files[1], 0); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	handOver(files[0])
	if err := Lock(files[1], 0); err != nil {
		t.Error(err)
	}
}
