package evidence

import (
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// Lines is a table of names and values.
type Lines struct {
	*kit.Records[numbered]
	lines []Line
}

// numbered is a line with its place: two lines may have one name.
type numbered struct {
	Line
	at int
}

// NewLines makes an empty table; name stands over the names. Keys that it does not use go to keys.
func NewLines(host *kit.Host, name string, keys widget.Keys) *Lines {
	return &Lines{Records: &kit.Records[numbered]{
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

// Lines are the lines in the table.
func (l *Lines) Lines() []Line { return l.lines }

// Show fills the table.
func (l *Lines) Show(lines []Line) {
	l.lines = lines
	list := make([]numbered, len(lines))
	for k, line := range lines {
		list[k] = numbered{line, k}
	}
	l.Set(list)
}
