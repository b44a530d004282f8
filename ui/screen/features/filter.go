package features

import (
	"strings"
)

// meets tells whether a row is shown. Words are looked for in id, label and training record; what
// is compared is a column's title, or the end of a feature's name.
func (v *View) meets(r Row) bool {
	return v.filter.Meets(r.has, func(name string) (float64, bool) {
		for _, column := range v.Columns() {
			if title := strings.ToLower(column.Title); title == name || strings.HasSuffix(title, "."+name) {
				return v.Value(r, column.Key), true
			}
		}
		return 0, false
	})
}

// has looks for a word in lower case.
func (r Row) has(word string) bool {
	in := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	if in(r.Model.ID) || in(string(r.Label)) || in(string(r.Label)) {
		return true
	}
	for _, f := range r.Model.Record {
		if in(f.Value) {
			return true
		}
	}
	return false
}
