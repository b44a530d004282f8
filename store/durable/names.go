package durable

import (
	"fmt"
	"slices"
	"strings"
)

// FileName keeps an id or another text usable as part of a file's name.
func FileName(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, text)
}

// Unused is a name that no file has yet, and notes that one has it now, also where capitals do not
// tell files apart: families that differ by their range alone share a name, and models that differ
// in what no file's name can hold.
func Unused(taken map[string]bool, name string) string {
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(free)] = true
	return free
}

// Reserved tells the names of devices on Windows, which no file there has, whatever follows a dot.
func Reserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	return slices.Contains(devices, strings.TrimSpace(stem))
}

var devices = []string{
	"CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
	"LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
}
