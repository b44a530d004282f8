//go:build !linux

package onnx

// limitMemory has nothing that works on these systems: a limit on the address space is not obeyed on macOS, and
// Windows has none. The time limit and the process of its own remain.
func limitMemory(int64) error { return nil }
