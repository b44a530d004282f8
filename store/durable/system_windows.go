package durable

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// neverWait is nothing: here pipes have no place among files.
const neverWait = 0

// isFull also looks for the words: bbolt hands on what growing its file failed with as text, also
// when it opens the file.
func isFull(err error) bool {
	text := err.Error()
	grows := strings.Contains(text, "mmap allocate error") || strings.Contains(text, "truncate: ")
	for _, full := range []syscall.Errno{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL} {
		if errors.Is(err, full) || grows && strings.Contains(text, full.Error()) {
			return true
		}
	}
	return false
}

func isReadOnly(err error) bool { return isOne(err, windows.ERROR_WRITE_PROTECT) }

func isDiskError(err error) bool {
	return isOne(err, windows.ERROR_CRC, windows.ERROR_IO_DEVICE,
		windows.ERROR_FILE_CORRUPT, windows.ERROR_DISK_CORRUPT)
}

func isInUse(err error) bool {
	return isOne(err, windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_USER_MAPPED_FILE)
}

func isOne(err error, known ...syscall.Errno) bool {
	for _, number := range known {
		if errors.Is(err, number) {
			return true
		}
	}
	return false
}

// syncUnsupported: directories cannot be fsynced here, renames last without.
func syncUnsupported(error) bool { return true }

// ReportLimits does nothing: here a write beyond a limit is an error anyway.
func ReportLimits() {}

// IsOtherDisk tells that a rename cannot work because the places lie on different disks.
func IsOtherDisk(err error) bool { return isOne(err, windows.ERROR_NOT_SAME_DEVICE) }

// isAlive tells whether a process of this number is there; one of somebody else counts.
func isAlive(process int) bool {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(process))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	var code uint32 // a process that has ended can be opened as long as somebody else holds it
	return windows.GetExitCodeProcess(handle, &code) != nil || code == stillActive
}

const stillActive = 259 // STILL_ACTIVE

// Here nothing can be renamed while somebody has it open, a scanner for viruses or a reader of
// this program; both are done soon.
const (
	renamePatience = time.Second
	renameRetry    = 10 * time.Millisecond
)

// rename is os.Rename, with patience where waiting may help. Who has one of the two open may be
// changing it, so last is asked anew.
func rename(from, to string, last func() error) error {
	for start := time.Now(); ; time.Sleep(renameRetry) {
		if err := last(); err != nil {
			return err
		}
		err := os.Rename(from, to)
		if err == nil || !isInUse(err) && !isOne(err, windows.ERROR_ACCESS_DENIED) {
			return err
		}
		if isRefused(to) {
			return err
		}
		if time.Since(start) > renamePatience {
			return whyDenied(to, err)
		}
	}
}

// isRefused tells a place that is never replaced, however long one waits: a folder, or a file that
// is marked as read-only.
func isRefused(to string) bool {
	info, err := os.Lstat(to)
	return err == nil && (info.IsDir() || info.Mode().IsRegular() && info.Mode()&ownerWrites == 0)
}

// ownerWrites is missing where a file is marked as read-only.
const ownerWrites = 0o200

// whyDenied tells a file that another program has open from one that must not be written: a rename
// is denied in both cases. A file that can be opened for writing may be written; whoever has it
// open shares that, but not its name.
func whyDenied(to string, denied error) error {
	file, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err == nil {
		_ = file.Close() // nothing was written
		return fmt.Errorf("%w (%w)", windows.ERROR_SHARING_VIOLATION, denied)
	}
	if isInUse(err) {
		return err
	}
	return denied
}
