//go:build !unix

package store

import (
	"errors"
	"os"
	"time"
)

var errLocked = errors.New("locked by another process")

// lock leaves locking to bbolt, whose lock cannot be taken twice here.
func lock(*os.File, time.Duration) error { return nil }

func isFull(error) bool { return false }

func isReadOnly(error) bool { return false }

// syncUnsupported: directories cannot be fsynced here, renames last without.
func syncUnsupported(error) bool { return true }

func reportLimits() {}

// isOtherDisk takes every failed rename for one between disks: copying tells the reason where it is another one.
func isOtherDisk(error) bool { return true }

// isAlive tells whether a process of this number is there: here it can be found only then.
func isAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
