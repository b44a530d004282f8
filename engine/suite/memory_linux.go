package suite

import "golang.org/x/sys/unix"

// computerMemory is the computer's memory in bytes.
func computerMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
