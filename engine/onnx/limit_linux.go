package onnx

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// limitMemory lets this process map at most extra bytes more than it has mapped now, and leave no core file. The limit
// is on the address space, since a limit on resident memory has no effect on Linux; it is relative, since Go, the
// library and above all the race detector reserve much more than they use.
func limitMemory(extra int64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return fmt.Errorf("read this process's size: %w", err)
	}
	first, _, _ := bytes.Cut(text, []byte(" "))
	pages, err := strconv.ParseUint(string(first), 10, 64)
	if err != nil {
		return fmt.Errorf("read this process's size: %w", err)
	}
	limit := pages*uint64(os.Getpagesize()) + uint64(extra)
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("limit this process's memory: %w", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("switch core files off: %w", err)
	}
	return nil
}
