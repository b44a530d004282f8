package suite

import (
	"time"

	"golang.org/x/sys/unix"
)

// computerMemory is the computer's memory in bytes.
func computerMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// workTime is how long a processor has worked for the calling thread.
func workTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // fails for no clock that Linux has
	return time.Duration(t.Nano())
}
