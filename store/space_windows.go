package store

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// FreeSpace is how many bytes may still be written on the disk of a folder.
func FreeSpace(folder string) (int64, error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, fmt.Errorf("free space of %s: %w", filepath.Base(folder), err)
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", filepath.Base(folder), err)
	}
	return int64(free), nil
}
