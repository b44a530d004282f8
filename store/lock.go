package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store/durable"
)

// lockRetry is the pause between two attempts to lock the database.
const lockRetry = 20 * time.Millisecond

var errLocked = errors.New("locked by another process")

// closedLock is the lock of the database of a workspace that nobody has open. A database that is
// not there needs none.
type closedLock struct {
	path     string   // of the workspace
	file     *os.File // nil once it is free, and without a database
	database os.FileInfo
}

// lockClosed takes the lock of a workspace's database, which fails when somebody has it open.
func lockClosed(path string) (*closedLock, error) {
	f, err := durable.OpenBoth(filepath.Join(path, databaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &closedLock{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := lock(f, lockPatience); err != nil {
		_ = f.Close()
		if errors.Is(err, errLocked) {
			return nil, elsewhere(path)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &closedLock{path: path, file: f, database: info}, nil
}

// unlock gives the lock free. It may be called early, and again.
func (l *closedLock) unlock() {
	if l.file == nil {
		return
	}
	handOver(l.file)
	_ = l.file.Close() // nothing was written
	l.file = nil
}

// last is called right before each attempt to rename the database or its folder. It gives the lock
// free where nothing that is open can be renamed, and is an error where another program has
// changed the database.
func (l *closedLock) last() error {
	l.giveWay()
	return l.unchanged()
}

// unchanged is an error where another file has the database's name than the one that was locked. A
// database that is not there has no lock, so another repair or restore may have written it
// meanwhile.
func (l *closedLock) unchanged() error {
	now, err := standing(filepath.Join(l.path, databaseFile))
	if err != nil {
		return err
	}
	if now == nil && l.database == nil || now != nil && l.database != nil && isSame(l.database, now) {
		return nil
	}
	return fmt.Errorf("another program has changed %s meanwhile; end that program, then try again", databaseFile)
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
