package database

import (
	"errors"
	"math"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Lock takes the database's lock, which is bbolt's, so that its pages can be checked before bbolt
// maps them. Here bbolt cannot take it a second time, even on the same handle: handOver comes
// before. It gives up with ErrLocked.
func Lock(f *os.File, patience time.Duration) error {
	const both = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	for start := time.Now(); ; time.Sleep(LockRetry) {
		err := windows.LockFileEx(windows.Handle(f.Fd()), both, 0, 1, 0, lockPlace())
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, windows.ERROR_IO_PENDING):
			return err
		case time.Since(start) > patience:
			return ErrLocked
		}
	}
}

// lockPlace is where bbolt's lock lies: the one byte at the largest offset, so that others can
// read all the rest.
func lockPlace() *windows.Overlapped {
	return &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32}
}

// handOver gives the lock free for bbolt to take. Who is faster than bbolt has the workspace then.
func handOver(f *os.File) { _ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockPlace()) }

// ReleaseToRename gives the lock free and closes the file: here nothing that is open can be
// renamed, nor the folder that it lies in. Who opens it from now on keeps it from being renamed.
func (l *ClosedLock) ReleaseToRename() { l.Unlock() }

// Retake takes the lock back after ReleaseToRename.
func (l *ClosedLock) Retake() error {
	taken, err := LockClosed(l.path)
	if err == nil {
		*l = *taken
	}
	return err
}

// isSame tells whether two are the same file, and as it was: between ReleaseToRename and the
// rename others may write to it.
func isSame(before, now os.FileInfo) bool {
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}
