package present

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/outside"
)

// Chain is what lies behind an error, for those who look closer: its whole text, then each error
// that it wraps with its kind, indented by depth. It is empty where the sentence says everything.
func Chain(err error) string {
	if err == nil {
		return ""
	}
	lines := []string{outside.VisibleLines(strings.TrimSpace(err.Error()))}
	below := unfold(err, 1)
	if len(below) == 0 && tidy(lines[0]) == Sentence(err) {
		return ""
	}
	return strings.Join(append(lines, below...), "\n")
}

func unfold(err error, depth int) []string {
	var lines []string
	for _, inner := range wrapped(err) {
		if inner == nil {
			continue
		}
		text := outside.Visible(strings.Join(strings.Fields(inner.Error()), " "))
		lines = append(lines, fmt.Sprintf("%s%s (%T)", strings.Repeat("  ", depth), text, inner))
		lines = append(lines, unfold(inner, depth+1)...)
	}
	return lines
}

func wrapped(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}
