//go:build !linux

package command

// peakMemory is not known here.
func peakMemory() (bytes int64, ok bool) { return 0, false }
