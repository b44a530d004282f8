package app

import (
	"fmt"
	"path/filepath"
	"strings"
)

// unused is a name that no file has yet, also where capitals do not tell files apart: families
// that differ by their range alone share a name, and models that differ in what no file's name can
// hold.
func unused(taken map[string]bool, name string) string {
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(free)] = true
	return free
}

// suffixOf is a path's ending.
func suffixOf(path string) string { return filepath.Ext(filepath.Clean(path)) }
