//go:build unix

package database

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Lock takes the database's lock, the same that bbolt takes again on the same descriptor, so that
// its pages can be checked before bbolt maps them. It gives up with errLocked.
func Lock(f *os.File, patience time.Duration) error {
	for start := time.Now(); ; time.Sleep(LockRetry) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return err
		case time.Since(start) > patience:
			return ErrLocked
		}
	}
}

// handOver leaves the lock as it is: bbolt takes it again on the same descriptor.
func handOver(*os.File) {}

// ReleaseToRename keeps the lock: here what is open can be renamed, and the lock goes along.
func (*ClosedLock) ReleaseToRename() {}

// Retake does nothing, for ReleaseToRename did nothing.
func (*ClosedLock) Retake() error { return nil }

// isSame tells whether two are the same file. It was locked all the time, so nobody has written to
// it.
func isSame(before, now os.FileInfo) bool { return os.SameFile(before, now) }
