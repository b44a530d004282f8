//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lock takes the database's lock, the same that bbolt takes again on the same descriptor, so that its pages can be
// checked before bbolt maps them. It gives up with errLocked.
func lock(f *os.File, patience time.Duration) error {
	for start := time.Now(); ; time.Sleep(lockRetry) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return err
		case time.Since(start) > patience:
			return errLocked
		}
	}
}

// whileLocked keeps the file open, and so locked, until unlock is called.
func whileLocked(f *os.File) (unlock func()) { return func() { _ = f.Close() } }
