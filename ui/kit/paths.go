package kit

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Paths splits what was typed into a path entry: one path per line, blanks around it and quotation
// marks removed, a leading ~ meaning the home folder, and file:// in front, with which file
// managers hand paths on, taken off.
func Paths(text string) []string {
	var paths []string
	for line := range strings.Lines(text) {
		path := fromURI(strings.Trim(strings.TrimSpace(line), `"'`))
		if path == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			if home, err := os.UserHomeDir(); err == nil {
				path = home + rest
			}
		}
		if path = filepath.Clean(path); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Path is the first path that was typed, "" for none.
func Path(text string) string {
	if paths := Paths(text); len(paths) > 0 {
		return paths[0]
	}
	return ""
}

// fromURI is the path of a file's URI, in which blanks and other letters are written as numbers;
// any other text stays.
func fromURI(text string) string {
	rest, ok := strings.CutPrefix(text, "file://")
	if !ok {
		return text
	}
	if path, err := url.PathUnescape(rest); err == nil {
		return path
	}
	return rest
}
