//go:build linux || darwin || freebsd

package store

import (
	"fmt"
	"path/filepath"
	"syscall"
)

// FreeSpace is how many bytes may still be written on the disk of a folder.
func FreeSpace(folder string) (int64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", filepath.Base(folder), err)
	}
	return int64(stat.Bavail) * int64(stat.Bsize), nil
}
