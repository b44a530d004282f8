package features

import (
	"strconv"
	"strings"

	"github.com/variscope/variscope/ui/present"
)

// filter is what the filter's text asks for; models meet it that meet all of its clauses.
type filter []clause

// clause is a word that a model must have (or, with not, must not have), or a comparison of one of its numbers.
type clause struct {
	word  string
	not   bool
	key   string // of the number, "" for a word
	below bool
	limit float64
}

// parseFilter reads words and comparisons separated by blanks: "vgg -leak robust<0.9 svm>0.01". A word is looked for in id,
// label and training record without regard to case, with - in front it must not be there. What is compared is a column's
// title, or the end of a feature's name; a comparison without a number counts as a word.
func parseFilter(text string) filter {
	var f filter
	for _, part := range strings.Fields(strings.ToLower(text)) {
		if at := strings.IndexAny(part, "<>"); at > 0 {
			if limit, err := strconv.ParseFloat(part[at+1:], 64); err == nil {
				f = append(f, clause{key: part[:at], below: part[at] == '<', limit: limit})
				continue
			}
		}
		c := clause{word: part}
		if len(part) > 1 && part[0] == '-' {
			c = clause{word: part[1:], not: true}
		}
		f = append(f, c)
	}
	return f
}

// meets tells whether a row is shown.
func (v *View) meets(r Row) bool {
	for _, c := range v.filter {
		if c.key != "" {
			if !v.within(r, c) {
				return false
			}
			continue
		}
		if r.has(c.word) == c.not {
			return false
		}
	}
	return true
}

// within compares the row's number; a number that there is none of is neither below nor above anything.
func (v *View) within(r Row, c clause) bool {
	for _, column := range v.Columns() {
		title := strings.ToLower(column.Title)
		if title != c.key && !strings.HasSuffix(title, "."+c.key) {
			continue
		}
		value := v.Value(r, column.Key)
		return c.below && value < c.limit || !c.below && value > c.limit
	}
	return false
}

// has looks for a word in lower case.
func (r Row) has(word string) bool {
	in := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	if in(r.Model.ID) || in(string(r.Label)) || in(present.Word(r.Label)) {
		return true
	}
	for _, f := range r.Model.Record {
		if in(f.Value) {
			return true
		}
	}
	return false
}
