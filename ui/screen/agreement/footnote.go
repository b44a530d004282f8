package agreement

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
)

// why is the reason why a measure has no value, or no interval; empty for one with both.
func (m Measure) why() string {
	if m.Value.Reason != "" {
		return m.Value.Reason
	}
	return m.NoInterval
}

// namedInFootnote is how many measures a footnote names for one reason before it counts the others.
const namedInFootnote = 4

// footnote says in whole sentences, one a line, why measures have no number: a column of a table is too narrow for reasons. It is
// empty where all have theirs.
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

// footed is a table with the label of its footnote below it.
func footed(table fyne.CanvasObject, note *fynewidget.Label) *fyne.Container {
	note.Hide()
	return container.NewBorder(nil, note, nil, nil, table)
}

// showNote shows the footnote of a footed table, and leaves its room to the table where there is none.
func showNote(box *fyne.Container, note *fynewidget.Label, text string) {
	changed := note.Hidden != (text == "")
	note.Hidden = text == ""
	note.SetText(text)
	if changed {
		box.Refresh()
	}
}
