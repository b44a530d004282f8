//go:build unix

package durable

import (
	"errors"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
)

// neverWait is for opening what may be a pipe without a writer.
const neverWait = syscall.O_NONBLOCK

// isFull also looks for the words: bbolt hands on what growing its file failed with as text.
func isFull(err error) bool {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EFBIG, syscall.EDQUOT} {
		if errors.Is(err, full) || strings.Contains(err.Error(), "file resize error") &&
			strings.Contains(err.Error(), full.Error()) {
			return true
		}
	}
	return false
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func isDiskError(err error) bool { return errors.Is(err, syscall.EIO) }

// isInUse: here nobody is kept from writing what somebody else has open.
func isInUse(error) bool { return false }

// syncUnsupported: some file systems cannot fsync a directory and say so.
func syncUnsupported(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

// ReportLimits makes a write beyond the file-size limit an error; by default the signal that comes
// with it ends a Go program at once.
var ReportLimits = sync.OnceFunc(func() { signal.Ignore(syscall.SIGXFSZ) })

// IsOtherDisk tells that a rename cannot work because the places lie on different disks.
func IsOtherDisk(err error) bool { return errors.Is(err, syscall.EXDEV) }

// isAlive tells whether a process of this number is there; one of somebody else counts.
func isAlive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || !errors.Is(err, syscall.ESRCH)
}

func rename(from, to string, last func() error) error {
	if err := last(); err != nil {
		return err
	}
	return os.Rename(from, to)
}
