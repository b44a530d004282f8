package present

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// most is how many classes are named with their counts before the rest is summed up.
const most = 12

// SuiteLines describe a suite for people: images, classes with their names and numbers of images,
// what was left out, and how the files were understood.
func SuiteLines(m suite.Manifest) []string {
	text := result.Counted(m.Images, "image")
	if len(m.Classes) == 0 {
		text = fmt.Sprintf("%s without labels", text)
	} else {
		text += ", " + result.Counted(len(m.Classes), "class") + ": " + classCounts(m)
	}
	lines := []string{text}
	if n := len(m.Skipped); n > 0 {
		lines = append(lines, fmt.Sprintf("%s left out", result.Counted(n, "corrupt image")))
	}
	var passed []string
	count := 0
	for _, p := range m.Passed {
		count += p.Count
		passed = append(passed, p.String())
	}
	if count > 0 {
		lines = append(lines, fmt.Sprintf("%d not taken: %s", count, strings.Join(passed, ", ")))
	}
	return append(lines, m.Notes...)
}

func classCounts(m suite.Manifest) string {
	var parts []string
	rest := 0
	for i, name := range m.Classes {
		count := 0
		if i < len(m.Counts) {
			count = m.Counts[i]
		}
		if i < most {
			parts = append(parts, fmt.Sprintf("%s %d", name, count))
		} else {
			rest += count
		}
	}
	if len(m.Classes) > most {
		parts = append(parts, fmt.Sprintf("%d more with %s", len(m.Classes)-most, result.Counted(rest, "image")))
	}
	return strings.Join(parts, ", ")
}
