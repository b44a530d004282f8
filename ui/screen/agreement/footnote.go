package agreement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/ui/present"
)

// why is the reason why a measure has no value, or no interval; empty for one with both.
func (m Measure) why() string {
	if in := m.Estimate.Interval; m.Value.Reason == "" && in != nil {
		return in.Reason
	}
	return m.Value.Reason
}

// namedInFootnote is how many measures a footnote names for one reason before it counts the others.
const namedInFootnote = 4

// footnote says in whole sentences, one a line, why measures have no number: a column of a table
// is too narrow for reasons. It is empty where all have theirs.
func footnote(list []Measure) string {
	var reasons []string
	names := map[string][]string{}
	for _, m := range list {
		why := m.why()
		if why == "" {
			continue
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		if !slices.Contains(names[why], m.Name) {
			names[why] = append(names[why], m.Name)
		}
	}
	lines := make([]string, len(reasons))
	for k, why := range reasons {
		lines[k] = fmt.Sprintf("%s: %s.", someNames(names[why]), why)
		if len(reasons) == 1 && len(names[why]) == len(list) {
			lines[k] = fmt.Sprintf("All of them: %s.", why)
		}
	}
	return strings.Join(lines, "\n")
}

// someNames are the first names with the number of those left out.
func someNames(names []string) string {
	if more := len(names) - namedInFootnote; more > 0 {
		return fmt.Sprintf("%s and %s more", strings.Join(names[:namedInFootnote], ", "), present.Count(int64(more)))
	}
	return strings.Join(names, ", ")
}

// measures are those of all kinds, with names that tell them apart.
func (k Kinds) measures() []Measure {
	var list []Measure
	for _, one := range k.List {
		one.Percent.Name = fmt.Sprintf("%s, agreement", one.Name)
		one.Fleiss.Name = fmt.Sprintf("%s, kappa", one.Name)
		list = append(list, one.Percent, one.Fleiss)
	}
	return list
}
