//go:build !linux

package app

// peakMemory is not known here.
func peakMemory() (bytes int64, ok bool) { return 0, false }
