package models

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Query is a filter: every one of its clauses must hold. Its text is what stands in the filter
// entry, so typing, chips and the filter menu all change the same thing.
//
//	vgg                     the word occurs in the id, the state, the file or the record
//	architecture=cnn        the column begins with this; architecture:cnn means the same
//	optimizer="Adam W"      the column is exactly this; fold="" is empty
//	fold="a"|"b"            one of several
//	epochs>20 accuracy<=0.9 comparisons; also != < >=
//	-leak -fold="holdout"   the opposite
type Query struct{ Clauses []Clause }

// Clause is one condition.
type Clause struct {
	Not    bool
	Column string // as written; "" for a word
	Op     string // "=", ":", "!=", "<", "<=", ">", ">="; "" for a word
	Values []Operand
}

// Operand is a value of a clause; Exact when it stood in quotation marks.
type Operand struct {
	Text  string
	Exact bool
}

// ParseQuery reads a filter. Every text is a filter: what is half typed means what it says so far.
func ParseQuery(text string) Query {
	var q Query
	rest := strings.TrimLeft(text, " \t")
	for rest != "" {
		var c Clause
		c, rest = parseClause(rest)
		if c.Op != "" || c.Values[0].Text != "" {
			q.Clauses = append(q.Clauses, c)
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	return q
}

func parseClause(text string) (c Clause, rest string) {
	if len(text) > 1 && text[0] == '-' && text[1] != ' ' {
		c.Not, text = true, text[1:]
	}
	if column, op, after, ok := cutColumn(text); ok {
		c.Column, c.Op, text = column, op, after
	}
	for {
		var v Operand
		v, text = parseOperand(text, c.Op != "")
		c.Values = append(c.Values, v)
		if c.Op == "" || !strings.HasPrefix(text, "|") {
			return c, text
		}
		text = text[1:]
	}
}

// cutColumn cuts a column and its operator off, when the text begins with them.
func cutColumn(text string) (column, op, rest string, ok bool) {
	if text[0] == '"' {
		v, after := parseOperand(text, false)
		column, rest, ok = v.Text, after, v.Exact
	} else if at := strings.IndexAny(text, " \t=<>!:\""); at > 0 {
		column, rest, ok = text[:at], text[at:], true
	}
	if !ok || column == "" {
		return "", "", text, false
	}
	for _, op := range []string{"!=", "<=", ">=", "=", ":", "<", ">"} {
		if after, found := strings.CutPrefix(rest, op); found {
			return column, op, after, true
		}
	}
	return "", "", text, false
}

// parseOperand reads a value in quotation marks, or up to the next blank; of several also up to
// the next bar.
func parseOperand(text string, several bool) (v Operand, rest string) {
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		inside, after, closed := strings.Cut(quoted, `"`)
		return Operand{Text: inside, Exact: closed}, after
	}
	ends := " \t"
	if several {
		ends += "|"
	}
	if at := strings.IndexAny(text, ends); at >= 0 {
		return Operand{Text: text[:at]}, text[at:]
	}
	return Operand{Text: text}, ""
}

// String is the filter as it is typed.
func (q Query) String() string {
	parts := make([]string, len(q.Clauses))
	for i, c := range q.Clauses {
		parts[i] = c.String()
	}
	return strings.Join(parts, " ")
}

// String is the clause as it is typed.
func (c Clause) String() string {
	var b strings.Builder
	if c.Not {
		b.WriteByte('-')
	}
	if strings.ContainsAny(c.Column, " \t=<>!:") {
		b.WriteString(`"` + c.Column + `"`)
	} else {
		b.WriteString(c.Column)
	}
	b.WriteString(c.Op)
	for i, v := range c.Values {
		if i > 0 {
			b.WriteByte('|')
		}
		if v.Exact {
			b.WriteString(`"` + v.Text + `"`)
		} else {
			b.WriteString(v.Text)
		}
	}
	return b.String()
}

// Words is the clause for people, on its chip.
func (c Clause) Words() string {
	texts := make([]string, len(c.Values))
	for i, v := range c.Values {
		texts[i] = v.Text
		if v.Text == "" {
			texts[i] = "empty"
		}
	}
	text := strings.Join(texts, " or ")
	if c.Column == keyAgreementName && c.Op == "<" && text == "100" && !c.Not {
		return "raters disagree"
	}
	if c.Op != "" {
		column := strings.ReplaceAll(c.Column, "_", " ")
		op := map[string]string{"=": "is", ":": "is", "!=": "is not", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}[c.Op]
		if (c.Op == "=" || c.Op == ":") && !c.Values[0].Exact {
			op = "begins with"
		}
		text = column + " " + op + " " + text
	}
	if c.Not {
		text = fmt.Sprintf("not: %s", text)
	}
	return text
}

// Without is the filter without one clause.
func (q Query) Without(i int) Query {
	return Query{slices.Delete(slices.Clone(q.Clauses), i, i+1)}
}

// chooses tells whether a clause is one that Choose writes for this column.
func (c Clause) chooses(column string) bool {
	return c.Op == "=" && !c.Not && strings.EqualFold(c.Column, column) &&
		!slices.ContainsFunc(c.Values, func(v Operand) bool { return !v.Exact })
}

// Chosen are the exact values that the filter admits in a column, nil for any.
func (q Query) Chosen(column string) []string {
	for _, c := range q.Clauses {
		if c.chooses(column) {
			var values []string
			for _, v := range c.Values {
				values = append(values, v.Text)
			}
			return values
		}
	}
	return nil
}

// Choose admits only these exact values in a column, or any when there are none. A value with a
// quotation mark in it cannot be written; it is left out.
func (q Query) Choose(column string, values []string) Query {
	next := Clause{Column: column, Op: "="}
	for _, v := range values {
		if !strings.Contains(v, `"`) {
			next.Values = append(next.Values, Operand{v, true})
		}
	}
	return q.replace(func(c Clause) bool { return c.chooses(column) }, next, len(next.Values) > 0)
}

// disagreement is the clause of the items that divide the annotators.
var disagreement = Clause{Column: keyAgreementName, Op: "<", Values: []Operand{{Text: "100"}}}

// Disagreement tells whether the filter admits only items whose raters disagree.
func (q Query) Disagreement() bool { return slices.ContainsFunc(q.Clauses, isDisagreement) }

// SetDisagreement admits only items whose raters disagree, or any.
func (q Query) SetDisagreement(on bool) Query { return q.replace(isDisagreement, disagreement, on) }

func isDisagreement(c Clause) bool { return c.String() == disagreement.String() }

// replace puts a clause in the place of those that match, at the end when none does; without put
// they just go.
func (q Query) replace(match func(Clause) bool, by Clause, put bool) Query {
	var next Query
	for _, c := range q.Clauses {
		switch {
		case !match(c):
			next.Clauses = append(next.Clauses, c)
		case put:
			next.Clauses = append(next.Clauses, by)
			put = false
		}
	}
	if put {
		next.Clauses = append(next.Clauses, by)
	}
	return next
}

// condition is a clause made ready for many rows.
type condition struct {
	Clause
	key     string   // of the column; "" for a word
	lower   []string // the values in lower case
	number  float64  // of the first value
	numeric bool
}

// compile makes a query ready. Column finds a column's key by the name in the filter; a clause of
// a column that is not there is looked for as a word.
func (q Query) compile(column func(name string) (key string, ok bool)) []condition {
	tests := make([]condition, len(q.Clauses))
	for i, c := range q.Clauses {
		t := condition{Clause: c}
		if c.Op != "" {
			if key, ok := column(c.Column); ok {
				t.key = key
			} else {
				t.Op, t.Values = "", []Operand{{Text: strings.TrimPrefix(c.String(), "-")}}
			}
		}
		for _, v := range t.Values {
			t.lower = append(t.lower, strings.ToLower(v.Text))
		}
		t.number, t.numeric = number(t.Values[0].Text)
		tests[i] = t
	}
	return tests
}

// number reads a value of a table: 0.5, 12, 66.7 %.
func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, " %"), 64)
	return v, err == nil
}

// holds tells whether a row meets the clause.
func (t condition) holds(r Row) bool {
	if t.Op == "" {
		return strings.Contains(r.haystack, t.lower[0]) != t.Not
	}
	text := r.filterText(t.key)
	switch t.Op {
	case "=", ":":
		return t.anyOf(text) != t.Not
	case "!=":
		return t.anyOf(text) == t.Not
	}
	return (text != "" && t.compares(text)) != t.Not
}

func (t condition) anyOf(text string) bool {
	lower := strings.ToLower(text)
	for i, v := range t.Values {
		if v.Exact && lower == t.lower[i] || !v.Exact && text != "" && strings.HasPrefix(lower, t.lower[i]) {
			return true
		}
	}
	return false
}

// compares orders by value where both are numbers, else as texts; a clause without a value yet
// holds.
func (t condition) compares(text string) bool {
	if t.lower[0] == "" {
		return true
	}
	order := result.Natural(strings.ToLower(text), t.lower[0])
	if have, ok := number(text); ok && t.numeric {
		order = 0
		if have < t.number {
			order = -1
		} else if have > t.number {
			order = 1
		}
	} else if t.numeric {
		return false // words are neither above nor below a number
	}
	switch t.Op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}
