//go:build !linux && !darwin && !freebsd && !windows

package store

import "errors"

// FreeSpace is not known on this system.
func FreeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }
