//go:build !linux

package worker

// limitMemory has nothing that works on these systems: a limit on the address space is not obeyed
// on macOS, and Windows has none. The time limit and the process of its own remain.
func limitMemory(int64) error { return nil }

// residentMemory is not known.
func residentMemory(int) int64 { return 0 }

// halfOfMemory is what workers may need at most; nothing holds them to it.
func halfOfMemory() int64 { return 4 << 30 }

// widen leaves pipes as the system makes them.
func widen(any) {}
