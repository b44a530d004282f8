//go:build !linux

package testdata

import "time"

var started = time.Now()

// ProcessorTime is the time on the clock here.
func ProcessorTime() time.Duration { return time.Since(started) }
