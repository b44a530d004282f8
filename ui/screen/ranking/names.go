package ranking

import "github.com/variscope/variscope/engine/rank"

// measureNames are the names of measures.
func measureNames(list []rank.Measure) []string {
	names := make([]string, len(list))
	for k, m := range list {
		names[k] = m.Title()
	}
	return names
}
