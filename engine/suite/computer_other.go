//go:build !linux

package suite

import "time"

// computerMemory is not known here; it is taken for that of a small computer.
func computerMemory() int64 { return 4 << 30 }

var begun = time.Now()

// workTime is the time that has passed; how long a processor has worked for a thread is not known.
func workTime() time.Duration { return time.Since(begun) }
