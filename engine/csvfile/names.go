package csvfile

import (
	"slices"
	"strings"
)

var underscores = strings.NewReplacer(" ", "_", "-", "_")

// Named is the place of a column's name in a list of names, -1 for none. Capitals may stand for
// small letters, a space or hyphen for the underscore.
func Named(list []string, name string) int {
	return slices.Index(list, underscores.Replace(strings.ToLower(strings.TrimSpace(name))))
}

// Best is the place of the column whose name comes first in a list, -1 where none is in it.
func Best(list, columns []string) int {
	at := -1
	for k, name := range columns {
		if n := Named(list, name); n >= 0 && (at < 0 || n < Named(list, columns[at])) {
			at = k
		}
	}
	return at
}
