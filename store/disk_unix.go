//go:build unix

package store

import (
	"errors"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// lockRetry is the pause between two attempts to lock the database.
const lockRetry = 20 * time.Millisecond

var errLocked = errors.New("locked by another process")

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

// isFull also looks for the words: bbolt hands on what growing its file failed with as text.
func isFull(err error) bool {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EFBIG, syscall.EDQUOT} {
		if errors.Is(err, full) || strings.Contains(err.Error(), "file resize error") && strings.Contains(err.Error(), full.Error()) {
			return true
		}
	}
	return false
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// syncUnsupported: some file systems cannot fsync a directory and say so.
func syncUnsupported(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

// reportLimits makes a write beyond the file-size limit an error; by default the signal that comes with it ends a Go
// program at once.
var reportLimits = sync.OnceFunc(func() { signal.Ignore(syscall.SIGXFSZ) })

// isOtherDisk tells that a rename cannot work because the places lie on different disks.
func isOtherDisk(err error) bool { return errors.Is(err, syscall.EXDEV) }

// isAlive tells whether a process of this number is there; one of somebody else counts.
func isAlive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || !errors.Is(err, syscall.ESRCH)
}
