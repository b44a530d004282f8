package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store/durable"
)

// LockRetry is the pause between two attempts to lock the database.
const LockRetry = 20 * time.Millisecond

// ErrLocked: another process has the lock of the database.
var ErrLocked = errors.New("locked by another process")

// ClosedLock is the lock of the database of a workspace that nobody has open. A database that is
// not there needs none.
type ClosedLock struct {
	path     string   // of the workspace
	file     *os.File // nil once it is free, and without a database
	Database os.FileInfo
}

// LockClosed takes the lock of a workspace's database, which fails when somebody has it open.
func LockClosed(path string) (*ClosedLock, error) {
	f, err := durable.OpenBoth(filepath.Join(path, File))
	if errors.Is(err, fs.ErrNotExist) {
		return &ClosedLock{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := Lock(f, LockPatience); err != nil {
		_ = f.Close()
		if errors.Is(err, ErrLocked) {
			return nil, OpenElsewhere(path)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &ClosedLock{path: path, file: f, Database: info}, nil
}

// Unlock gives the lock free. It may be called early, and again.
func (l *ClosedLock) Unlock() {
	if l.file == nil {
		return
	}
	handOver(l.file)
	_ = l.file.Close() // nothing was written
	l.file = nil
}

// BeforeRename is called right before each attempt to rename the database or its folder. It gives
// the lock free where nothing that is open can be renamed, and is an error where another program
// has changed the database.
func (l *ClosedLock) BeforeRename() error {
	l.ReleaseToRename()
	return l.unchanged()
}

// unchanged is an error where another file has the database's name than the one that was locked. A
// database that is not there has no lock, so another repair or restore may have written it
// meanwhile.
func (l *ClosedLock) unchanged() error {
	now, err := standing(filepath.Join(l.path, File))
	if err != nil {
		return err
	}
	if now == nil && l.Database == nil || now != nil && l.Database != nil && isSame(l.Database, now) {
		return nil
	}
	return fmt.Errorf("another program has changed %s meanwhile; end that program, then try again", File)
}

// standing tells which file has a name now, nil for none. It opens the file: on Windows os.Stat
// would only look later which one it was.
func standing(file string) (os.FileInfo, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.Stat()
}
