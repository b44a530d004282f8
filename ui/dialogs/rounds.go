package dialogs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// drawnText says how many models of all a sample has, and how many of each value where they are
// drawn by one.
func drawnText(models []string, all int, value func(model string) string) string {
	text := fmt.Sprintf("%d of %s", len(models), result.Counted(all, "model"))
	if value == nil {
		return text
	}
	counts := map[string]int{}
	for _, hash := range models {
		counts[value(hash)]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(name, "without a value"), counts[name]))
	}
	const most = 8
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return text + ": " + strings.Join(parts, ", ")
}

// shownPictures are the pictures that a guideline's text names.
func shownPictures(text string, pictures map[string][]byte) map[string][]byte {
	var shown map[string][]byte
	for _, part := range widget.GuidelineParts(text) {
		if data, ok := pictures[part.Picture]; ok {
			if shown == nil {
				shown = map[string][]byte{}
			}
			shown[part.Picture] = data
		}
	}
	return shown
}

// splitNames splits a list of names at commas, semicolons and line ends; each is kept once.
func splitNames(text string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
