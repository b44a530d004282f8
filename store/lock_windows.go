package store

import (
	"errors"
	"math"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lock waits until nobody has the database's lock, which is bbolt's, and leaves it to bbolt to take it: here it cannot be taken
// twice. It gives up with errLocked.
func lock(f *os.File, patience time.Duration) error {
	for start := time.Now(); ; time.Sleep(lockRetry) {
		err := touchLock(windows.Handle(f.Fd()))
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, windows.ERROR_IO_PENDING):
			return err
		case time.Since(start) > patience:
			return errLocked
		}
	}
}

// touchLock takes bbolt's lock, the one byte at the largest offset, and gives it free.
func touchLock(file windows.Handle) error {
	const both = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	at := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32}
	if err := windows.LockFileEx(file, both, 0, 1, 0, at); err != nil {
		return err
	}
	return windows.UnlockFileEx(file, 0, 1, 0, at)
}

// whileLocked closes the file at once: here nothing that is open can be replaced, and who opens it now keeps it from being replaced.
func whileLocked(f *os.File) (unlock func()) {
	_ = f.Close() // nothing was written
	return func() {}
}
