package testdata

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime is what this process has used of all processors so far, for benchmarks on computers
// with other work to do.
func ProcessorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic("testdata: no clock of the process: " + err.Error()) // every Linux has one
	}
	return time.Duration(t.Nano())
}
