package worker

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// limitMemory lets this process map at most extra bytes more than it has mapped now, and leave no
// core file. The limit is on the address space, since a limit on resident memory has no effect on
// Linux; it is relative, since Go, the library and above all the race detector reserve much more
// than they use.
func limitMemory(extra int64) error {
	if extra <= 0 {
		return nil
	}
	mapped, _, err := memory("self")
	if err != nil {
		return fmt.Errorf("read this process's size: %w", err)
	}
	limit := uint64(mapped + extra)
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("limit this process's memory: %w", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("switch core files off: %w", err)
	}
	return nil
}

// residentMemory is what a process has in memory, in bytes; 0 for one that is gone.
func residentMemory(pid int) int64 {
	_, resident, _ := memory(strconv.Itoa(pid))
	return resident
}

// memory is what a process has mapped, and what of it is in memory, in bytes.
func memory(pid string) (mapped, resident int64, err error) {
	text, err := os.ReadFile("/proc/" + pid + "/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), &mapped, &resident)
	}
	page := int64(os.Getpagesize())
	return mapped * page, resident * page, err
}

// halfOfMemory is half of the computer's memory, in bytes.
func halfOfMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return otherHalf
	}
	return int64(info.Totalram) * int64(info.Unit) / 2
}

// otherHalf is taken where the system does not say how much memory there is.
const otherHalf = 4 << 30

// pipeBytes is what a pipe between pool and worker takes: more than the system's default, so that
// a result needs few switches between them.
const pipeBytes = 1 << 20

// widen widens a pipe, where the system allows it.
func widen(pipe any) {
	if f, ok := pipe.(*os.File); ok {
		if raw, err := f.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
		}
	}
}
