package command

import (
	"os"
	"strconv"
	"strings"
)

// peakMemory is the largest resident memory of this process so far, in bytes.
func peakMemory() (bytes int64, ok bool) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		value, found := strings.CutPrefix(line, "VmHWM:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		return kib << 10, err == nil
	}
	return 0, false
}
