//go:build !linux

package suite

// computerMemory is not known here; it is taken for that of a small computer.
func computerMemory() int64 { return 4 << 30 }
