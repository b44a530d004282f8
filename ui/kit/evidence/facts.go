package evidence

import (
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// Facts is a table of names and values.
type Facts struct {
	*kit.Records[numbered]
	lines []Fact
}

// numbered is a line with its place: two lines may have one name.
type numbered struct {
	Fact
	at int
}

// NewFacts makes an empty table; name stands over the names. Keys that it does not use go to keys.
func NewFacts(host *kit.Host, name string, keys widget.Keys) *Facts {
	return &Facts{Records: &kit.Records[numbered]{
		Host: host, Plain: true, Keys: keys,
		Table: result.Table[numbered]{
			Name: strings.ReplaceAll(name, " ", "_"), Title: name, Noun: "line",
			ID: func(l numbered) string { return strconv.Itoa(l.at) },
			Columns: []result.Column[numbered]{
				result.Texts("name", name, "", func(l numbered) string { return l.Name }),
				result.Texts("value", "value", "", func(l numbered) string { return l.Value }),
			},
		},
	}}
}

// Facts are the lines in the table.
func (l *Facts) Lines() []Fact { return l.lines }

// Show fills the table.
func (l *Facts) Show(lines []Fact) {
	l.lines = lines
	list := make([]numbered, len(lines))
	for k, line := range lines {
		list[k] = numbered{line, k}
	}
	l.Set(list)
}
