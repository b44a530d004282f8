//go:build !unix

package durable

import "os"

func isFull(error) bool { return false }

func isReadOnly(error) bool { return false }

func isDiskError(error) bool { return false }

// syncUnsupported: directories cannot be fsynced here, renames last without.
func syncUnsupported(error) bool { return true }

// ReportLimits does nothing: here a write beyond a limit is an error anyway.
func ReportLimits() {}

// IsOtherDisk takes every failed rename for one between disks: copying tells the reason where it is another one.
func IsOtherDisk(error) bool { return true }

// isAlive tells whether a process of this number is there: here it can be found only then.
func isAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
