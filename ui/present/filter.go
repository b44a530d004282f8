package present

import (
	"strconv"
	"strings"
)

// Filter is what the filter line over a table asks for: the clauses that all rows meet which are shown.
type Filter []clause

// clause is a word that a row must have (or, with not, must not have), or a comparison of one of its numbers.
type clause struct {
	word  string
	not   bool
	key   string // of the number, "" for a word
	below bool
	limit float64
}

// ParseFilter reads words and comparisons separated by blanks: "vgg -leak robust<0.9 svm>0.01". A word with - in front must not
// be there; a comparison without a number counts as a word. Capitals do not matter.
func ParseFilter(text string) Filter {
	var f Filter
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

// Meets tells whether a row is shown. has looks for a word in lower case; number is what is compared under a name in lower
// case: ok is false where there is no such column, and what has no number (NaN) is neither below nor above anything.
func (f Filter) Meets(has func(word string) bool, number func(name string) (v float64, ok bool)) bool {
	for _, c := range f {
		if c.key == "" {
			if has(c.word) == c.not {
				return false
			}
			continue
		}
		v, ok := number(c.key)
		if !ok || !(c.below && v < c.limit || !c.below && v > c.limit) {
			return false
		}
	}
	return true
}
